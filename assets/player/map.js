// The map of one translation: the lanes of words, the ribbons between them, the heatmap of α, and its scale.

const RIBBON_FROM = 0.04 // thinner ribbons than this are not drawn
const NUMBER_FROM = 0.3 // a cell shows its number at rest from here up

function lane(side, kind, language) {
  const item = (text, k) => make("li", { class: classes(side, k), [`data-${kind}`]: k }, make("span", { class: `word ${kind}` }, text))
  return make("ol", { class: `lane ${kind}`, lang: language }, ...side.labels.map(item))
}

// "end" belongs to no word; "bound" is one of several pieces of a word, "joined" not the first of them.
function classes(side, k) {
  const word = side.word_of[k]
  if (word < 0) return "end"
  const joined = side.word_of[k - 1] === word
  return joined ? "joined bound" : side.word_of[k + 1] === word ? "bound" : ""
}

function table(data, reading, name) {
  const { source } = data
  const label = (side, kind, k, scope, language) =>
    make("th", { scope, class: classes(side, k), [`data-${kind}`]: k, tabindex: -1, lang: side.word_of[k] < 0 ? null : language },
      make("span", { class: `word ${kind}` }, side.labels[k]))
  const columns = source.labels.map((_, s) => classes(source, s))
  const rows = reading.alpha.map((row, t) => {
    const cells = row.map((value, s) => {
      const shade = data.scale === "root" ? Math.sqrt(value) : value
      const deep = data.scale === "grey" ? value < 0.45 : shade >= 0.75
      const kinds = [columns[s], deep && "deep", value >= NUMBER_FROM ? "big" : value >= 0.005 && "some"]
      const cell = make("td", { class: kinds.filter(Boolean).join(" "), "data-target": t, "data-source": s, tabindex: -1 }, value >= 0.005 ? short(value) : "")
      cell.style.setProperty("--shade", shade.toFixed(3))
      return cell
    })
    return make("tr", { class: classes(reading, t) }, label(reading, "target", t, "row", "fr"), ...cells)
  })
  const corner = make("td", { class: "corner", "aria-hidden": "true" })
  return make("table", { role: "grid", "aria-label": name, "aria-describedby": "description", class: data.scale },
    make("thead", {}, make("tr", {}, corner, ...source.labels.map((_, s) => label(source, "source", s, "col", "en")))),
    make("tbody", {}, ...rows))
}

function ribbons(alpha) {
  const drawing = document.createElementNS(SVG, "svg")
  drawing.setAttribute("aria-hidden", "true")
  alpha.forEach((row, t) => row.forEach((value, s) => {
    if (value < RIBBON_FROM) return
    const path = document.createElementNS(SVG, "path")
    path.dataset.target = t
    path.dataset.source = s
    path.style.setProperty("--alpha", value)
    drawing.append(path)
  }))
  return drawing
}

// The scale as a bar from 0 to 1, coloured by the same rule as the cells.
function bar(scale) {
  const stops = Array.from({ length: 21 }, (_, k) => {
    const shade = scale === "root" ? Math.sqrt(k / 20) : k / 20
    const colour = scale === "grey"
      ? `rgb(${255 * shade} ${255 * shade} ${255 * shade})`
      : `color-mix(in srgb, var(--att) ${4 + 96 * shade}%, var(--page))`
    return `${colour} ${5 * k}%`
  })
  const node = make("span", { class: "bar", "aria-hidden": "true" })
  node.style.background = `linear-gradient(to right, ${stops.join(", ")})`
  return node
}

// Ribbons run from the right edge of a source word to the left edge of a target word, wherever the layout put them.
function place(map) {
  if (map.classList.contains("none")) return
  const frame = map.getBoundingClientRect()
  const shown = map.querySelector(".lane.target").getClientRects().length > 0
  const side = (selector) => [...map.querySelectorAll(selector)].map((node) => node.getBoundingClientRect())
  const from = side(".lane.source .word").map((box) => [box.right + 8 - frame.left, (box.top + box.bottom) / 2 - frame.top])
  const to = side(shown ? ".lane.target .word" : "tbody th .word").map((box) => [box.left - 8 - frame.left, (box.top + box.bottom) / 2 - frame.top])
  for (const path of map.querySelectorAll("path")) {
    const [x1, y1] = from[path.dataset.source]
    const [x2, y2] = to[path.dataset.target]
    const middle = (Math.max(...from.map(([x]) => x)) + Math.min(...to.map(([x]) => x))) / 2
    path.setAttribute("d", `M${x1} ${y1} C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`)
  }
}
