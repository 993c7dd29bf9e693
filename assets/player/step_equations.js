// The equations of one step, for the wiring that the network really has, each with the step's own numbers. A symbol's
// data-part is what it stands for in the picture. Eq. 5 and 6 and appendix A.2 of Bahdanau et al. 2015.

// A symbol: `part` (none for what is not drawn), its letter, and its index, a text or made of the step's number.
const symbol = (part, letter, index) => ({ part, letter, index })
const W = (letter, index) => symbol(null, letter, index)

// One equation: the phase of the step it belongs to, its parts, and a second line where it has one.
function equations({ attends, wiring, source }) {
  const now = (n) => `${n}`
  const before = symbol("before", "s", (n) => `${n - 1}`)
  const after = symbol("after", "s", now)
  const state = wiring === "equation4" ? after : before
  const context = symbol("context", "c", attends ? now : "")
  const previous = { part: "previous", embedding: "previous" }
  const fed = wiring === "groundhog" ? { part: "fed", embedding: "fed" } : previous
  const energy = (index) => symbol("energies", "e", (n) => `${n},${index}`)
  const alpha = symbol("alpha", "α", (n) => `${n},j`)
  const looking = [
    { phase: "energies", line: [energy("j"), " = ", W("v", "a"), "ᵀ tanh(", W("W", "a"), before, " + ", W("U", "a"), symbol("h", "h", "j"), ")"] },
    { phase: "alpha", line: [alpha, " = exp ", energy("j"), " / ", W("Σ", "k"), " exp ", energy("k")] },
    { phase: "context", line: [context, " = ", W("Σ", "j"), alpha, symbol("h", "h", "j")] },
  ]
  const fixed = [{ phase: "context", line: [context, " = ", symbol("h", "h", `${source.length}`)] }]
  const out = {
    phase: "candidates",
    line: [symbol("candidates", "p", ""), "(", W("y", now), ") = softmax(", W("W", "o"), symbol("readout", "t", now), ")"],
    second: [symbol("readout", "t", now), " = maxout(", W("U", "o"), state, " + ", W("V", "o"), previous, " + ", W("C", "o"), context, ")"],
  }
  const update = { phase: "update", line: [after, " = ", symbol("gru", "GRU", ""), "(", before, ", ", fed, ", ", context, ")"] }
  const rest = wiring === "equation4" ? [update, out] : [out, update]
  return [...(attends ? looking : fixed), ...rest]
}

// One line of an equation as nodes; `writers` gets what is to be called with the step's number and its two words.
function formula(tokens, writers) {
  return tokens.map((token) => {
    if (typeof token === "string") return token
    const index = make("sub", {})
    const node = make("span", { class: token.part ? `symbol ${token.part}` : "matrix", "data-part": token.part })
    if (token.embedding) {
      writers.push((n, texts) => (node.textContent = texts[token.embedding] == null ? "0" : `E “${texts[token.embedding]}”`))
    } else {
      node.append(make(token.letter.length > 1 ? "span" : "i", {}, token.letter), index)
      if (typeof token.index === "function") writers.push((n) => (index.textContent = token.index(n)))
      else index.textContent = token.index
    }
    return node
  })
}

// The panel: every equation with its rows of numbers. `write(n, texts, rows)` fills it: rows by phase, each row
// {name, value, source}; there are always as many lines, so that nothing moves from step to step.
function makeEquations(data, counts) {
  const writers = []
  const cards = equations(data).map(({ phase, line, second }) => {
    const numbers = Array.from({ length: counts[phase] }, () => make("p", { class: "number" }, make("span", {}), make("b", {})))
    const lines = [line, second].filter(Boolean).map((tokens) => make("p", { class: "formula" }, ...formula(tokens, writers)))
    return { phase, numbers, node: make("div", { class: "equation", "data-phase": phase, tabindex: 0 }, ...lines, ...numbers) }
  })
  const write = (n, texts, rows) => {
    writers.forEach((one) => one(n, texts))
    for (const { phase, numbers } of cards) {
      numbers.forEach((node, k) => {
        const row = rows[phase][k]
        node.firstChild.textContent = row?.name ?? ""
        node.lastChild.textContent = row?.value ?? ""
        if (row?.source == null) delete node.dataset.source
        else node.dataset.source = row.source
      })
    }
  }
  return { cards, write }
}
