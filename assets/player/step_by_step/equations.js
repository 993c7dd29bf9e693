// Show the equations of a step with its numbers. A symbol's data-part names the drawing it stands for; unknown parts and
// numbers stay text.

/** @import { EquationData, SymbolData } from "../payloads.js" */
import { make, setText } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"

/** Pieces that a symbol can stand for; null if there is none yet.
 * @typedef {{ previous: string | null, current: string | null }} Pieces */
/** A number: name, text, and its source piece.
 * @typedef {{ name: string, value: string, source?: number | null }} Row */
/** @typedef {{ phase: string, node: HTMLElement, numbers: { name: string, nodes: HTMLElement[] }[] }} Card */

export const ROWS = 3 // shown numbers of a quantity that each source piece has
const PER_PIECE = ["energies", "alpha", "coverage"]
const SINGLE = ["mostly", "norm_context", "p", "log", "so_far", "gate_update", "gate_reset", "gate_input", "gate_forget", "gate_output", "norm_state", "p_gen"]

/**
 * Return a symbol's index at a step: {step}, {before} (the previous step) and {last} (source length) are filled in.
 * @type {(symbol: SymbolData, n: number, last: number) => string}
 */
export const formatSymbolIndex = (symbol, n, last) => formatTemplate(symbol.index, { step: n, before: n - 1, last })

/**
 * Return the text of an embedding symbol, or "0" without a piece.
 * @type {(symbol: SymbolData, pieces: Pieces) => string}
 */
export function formatEmbedding({ letter, token }, pieces) {
  const piece = token ? pieces[token] : null
  return piece == null ? "0" : `${letter} “${piece}”`
}

const ARROWS = { "\u20d7": "to-right", "\u20d6": "to-left" }

/**
 * Build a symbol's letter. Fonts lack arrows over letters, so they are drawn.
 * @param {string} letter
 */
function makeLetter(letter) {
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (letter.slice(1))]
  return make(letter.length > 1 && !arrow ? "span" : "i", { class: arrow ?? null }, arrow ? letter[0] : letter)
}

/**
 * Build the panel. `write` fills in the numbers of step n; the number of lines is constant, so that nothing moves.
 * @param {EquationData[]} equations
 * @param {EquationData["lines"]} encoderLines equations of the encoder, shown before step 1
 * @param {number} last length of the source in pieces
 */
export function makeEquations(equations, encoderLines, last) {
  /** @type {((n: number, pieces: Pieces) => void)[]} */
  const writers = []
  /** @param {string | SymbolData} token */
  const renderToken = (token) => {
    if (typeof token === "string") return token
    const node = make("span", { class: token.part ? `symbol ${token.part}` : "matrix", "data-part": token.part })
    if (token.token) {
      writers.push((_, pieces) => (node.textContent = formatEmbedding(token, pieces)))
    } else {
      const index = make("sub")
      node.append(makeLetter(token.letter), index)
      writers.push((n) => (index.textContent = formatSymbolIndex(token, n, last)))
    }
    return node
  }
  /** @param {(string | SymbolData)[]} tokens */
  const renderLine = (tokens) => make("p", { class: "formula" }, ...tokens.map(renderToken))
  const encoder = encoderLines.length ? make("div", { class: "of-encoder" }, ...encoderLines.map(renderLine)) : null
  /** @type {Card[]} */
  const cards = equations.map(({ phase, lines, numbers }) => {
    const knownNumbers = numbers.filter((name) => [...PER_PIECE, ...SINGLE].includes(name)).map((name) => {
      const rows = PER_PIECE.includes(name) ? ROWS : 1
      return { name, nodes: Array.from({ length: rows }, () => make("p", { class: "number" }, make("span"), make("b"))) }
    })
    const formulas = lines.map(renderLine)
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
  return { cards, encoder, write }
}
