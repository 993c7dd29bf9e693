// The two sentences of the player: the source as words of pieces, each with its annotation, energy and weight below it,
// and the translation as it grows. Every text is set as text.

function sourcePiece(piece, j, { annotations, source }) {
  const last = j === source.length - 1
  const shades = annotations?.blocks[j] ?? []
  const blocks = make("span", { class: "blocks", "data-part": "h" })
  for (const shade of shades) {
    const cell = make("i", {})
    cell.style.opacity = 0.1 + 0.85 * shade
    blocks.append(cell)
  }
  return make("span", { class: last ? "piece last" : "piece", "data-source": j },
    make("span", { class: "text" }, piece.text), blocks,
    make("span", { class: "energy", "data-part": "energies" }, make("i", {})),
    make("span", { class: "disc", "data-part": "alpha" }, make("i", {})),
    make("span", { class: "weight", "data-part": "alpha" }))
}

function strip(data, grouped) {
  const nodes = grouped.map((pieces, k) =>
    make("span", { class: pieces.length > 1 ? "group several" : "group", "data-group": k },
      ...pieces.map((j) => sourcePiece(data.source[j], j, data))))
  return make("div", { class: "view" }, make("div", { class: data.attends ? "strip" : "strip plain", lang: "en" }, ...nodes))
}

function target(data) {
  const line = make("p", { class: "target", lang: "fr" })
  data.target.forEach((piece, i) => {
    line.append(piece.gap, make("span", { class: kinds(piece), "data-step": i }, piece.text))
  })
  return line
}

// A piece that is only the space before a word is shown small.
const kinds = ({ joined, text }) => ["piece", joined && "joined", text === "␣" && "blank"].filter(Boolean).join(" ")

// Only differences of energies count: drawn from the step's mean, they rise and fall.
function rise(energies) {
  const mean = energies.reduce((sum, e) => sum + e, 0) / (energies.length || 1)
  return energies.map((e) => e - mean)
}

// A long sentence: bring the piece that is looked at most into sight.
function follow({ view, pieces }, j, still) {
  if (view.scrollWidth <= view.clientWidth + 1) return
  const [piece, window] = [pieces[j].node, view].map((node) => node.getBoundingClientRect())
  view.scrollTo({ left: view.scrollLeft + (piece.left + piece.right - window.left - window.right) / 2, behavior: still ? "auto" : "smooth" })
}
