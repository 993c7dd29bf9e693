// The equations of one step as the network gives them, each with the step's own numbers. A symbol's data-part is what it
// stands for in the picture; a part or a number that nothing here knows is left as text.

/** @import { SentEquation, SentSymbol } from "../payloads.js" */
import { make, setText } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"

/** The pieces that a symbol can stand for; null where there is none yet.
 * @typedef {{ previous: string | null, current: string | null }} Pieces */
/** One number: its name, its text, and the source piece it is of.
 * @typedef {{ name: string, value: string, source?: number | null }} Row */
/** @typedef {{ phase: string, node: HTMLElement, numbers: { name: string, nodes: HTMLElement[] }[] }} Card */

export const ROWS = 3 // numbers of what there is one of for each source piece
const PER_PIECE = ["energies", "alpha", "coverage"]
const SINGLE = ["mostly", "norm_context", "p", "log", "so_far", "gate_update", "gate_reset", "gate_input", "gate_forget", "gate_output", "norm_state", "p_gen"]

/**
 * A symbol's index at a step: {step} is its number, {before} the one before it, {last} how many pieces the source has.
 * @param {SentSymbol} symbol
 * @param {number} n
 * @param {number} last
 */
export const symbolIndex = (symbol, n, last) => formatTemplate(symbol.index, { step: n, before: n - 1, last })

/**
 * What a symbol that stands for a piece says: its embedding, or nothing where there is no piece yet.
 * @param {SentSymbol} symbol
 * @param {Pieces} pieces
 */
export function embeddingText({ letter, word }, pieces) {
  const piece = word ? pieces[word] : null
  return piece == null ? "0" : `${letter} “${piece}”`
}

/**
 * The panel: every equation with its numbers. `write` fills it with those of step n, the numbers by their names; there
 * are always as many lines, so that nothing moves from step to step.
 * @param {SentEquation[]} equations
 * @param {number} last how many pieces the source has
 */
export function makeEquations(equations, last) {
  /** @type {((n: number, pieces: Pieces) => void)[]} */
  const writers = []
  /** @param {string | SentSymbol} token */
  const renderToken = (token) => {
    if (typeof token === "string") return token
    const node = make("span", { class: token.part ? `symbol ${token.part}` : "matrix", "data-part": token.part })
    if (token.word) {
      writers.push((_, pieces) => (node.textContent = embeddingText(token, pieces)))
    } else {
      const index = make("sub")
      node.append(make(token.letter.length > 1 ? "span" : "i", {}, token.letter), index)
      writers.push((n) => (index.textContent = symbolIndex(token, n, last)))
    }
    return node
  }
  /** @type {Card[]} */
  const cards = equations.map(({ phase, lines, numbers }) => {
    const knownNumbers = numbers.filter((name) => [...PER_PIECE, ...SINGLE].includes(name)).map((name) => {
      const rows = PER_PIECE.includes(name) ? ROWS : 1
      return { name, nodes: Array.from({ length: rows }, () => make("p", { class: "number" }, make("span"), make("b"))) }
    })
    const formulas = lines.map((tokens) => make("p", { class: "formula" }, ...tokens.map(renderToken)))
    const nodes = knownNumbers.flatMap((item) => item.nodes)
    return { phase, numbers: knownNumbers, node: make("div", { class: "equation", "data-phase": phase, tabindex: 0 }, ...formulas, ...nodes) }
  })
  /** @type {(n: number, pieces: Pieces, rows: Record<string, Row[]>) => void} */
  const write = (n, pieces, rows) => {
    for (const item of writers) item(n, pieces)
    for (const { name, nodes } of cards.flatMap((card) => card.numbers)) {
      nodes.forEach((node, k) => {
        const row = rows[name]?.[k]
        const [title, value] = /** @type {HTMLElement[]} */ ([...node.children])
        setText(title, row?.name ?? "")
        value.textContent = row?.value ?? ""
        if (row?.source == null) delete node.dataset.source
        else node.dataset.source = String(row.source)
      })
    }
  }
  return { cards, write }
}
