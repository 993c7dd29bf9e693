// Build the player's sentences: source pieces grouped by word, each with annotation, energy and weight, and the translation.

/** @import { PlayerData, TokenPiece } from "../payloads.js" */
import { renderGap, make } from "../shared/dom.js"
import { fadeOverflow } from "../shared/scroll_fade.js"

export const WORD_MARK = "␣" // a word that begins with other subwords

/** @type {(piece: TokenPiece, j: number, data: PlayerData) => HTMLSpanElement} */
function buildSourcePiece(piece, j, { annotations, source, stage }) {
  const cells = (annotations?.blocks[j] ?? []).map((shade) => make("i", { style: `opacity: ${0.1 + 0.85 * shade}` }))
  return make("span", { class: j === source.length - 1 ? "piece last" : "piece", "data-source": j },
    make("span", { class: piece.is_unknown ? "text unknown" : "text" }, piece.text),
    make("span", { class: "blocks", "data-part": "h" }, ...cells),
    make("span", { class: "energy", "data-part": "energies" }, make("i")),
    make("span", { class: "disc", "data-part": "alpha" }, make("i")),
    make("span", { class: "weight", "data-part": "alpha" }),
    stage?.has_coverage && make("span", { class: "covered", "data-part": "coverage" }, make("i"), make("i")))
}

/** @type {(data: PlayerData, wordPieces: number[][]) => HTMLDivElement} */
export function buildSource(data, wordPieces) {
  const nodes = wordPieces.map((pieces, k) =>
    make("span", { class: pieces.length > 1 ? "group several" : "group", "data-group": k },
      ...pieces.map((j) => buildSourcePiece(data.source[j], j, data))))
  return fadeOverflow(make("div", { class: "view" }, make("div", { class: data.has_attention ? "strip" : "strip plain", lang: data.languages[0] }, ...nodes)))
}

/** @param {PlayerData} data */
export function buildTarget(data) {
  const pieces = data.target.flatMap((piece, i) => [...renderGap(piece.gap), make("span", { class: getPieceClass(piece), "data-step": i }, piece.text)])
  return make("p", { class: "target", lang: data.languages[1] }, ...pieces)
}

/** @param {TokenPiece} piece */
const getPieceClass = ({ continues_word: continuesWord, is_unknown: isUnknown, text }) => ["piece", continuesWord && "joined", isUnknown && "unknown", text === WORD_MARK && "blank"].filter(Boolean).join(" ")

/**
 * Subtract the mean of the energies: only differences matter.
 * @param {number[]} energies
 */
export function centerEnergies(energies) {
  const mean = energies.reduce((sum, e) => sum + e, 0) / (energies.length || 1)
  return energies.map((e) => e - mean)
}

const EDGE_MARGIN = 24 // pixels; nearer pieces count as out of sight

/**
 * Scroll a long sentence to the most attended piece, if it is out of sight.
 * @type {(view: HTMLElement, node: HTMLElement, isSmooth: boolean) => void}
 */
export function scrollToPiece(view, node, isSmooth) {
  if (view.scrollWidth <= view.clientWidth + 1) return
  const [pieceBox, viewBox] = [node, view].map((box) => box.getBoundingClientRect())
  if (pieceBox.left >= viewBox.left + EDGE_MARGIN && pieceBox.right <= viewBox.right - EDGE_MARGIN) return
  view.scrollTo({ left: view.scrollLeft + (pieceBox.left + pieceBox.right - viewBox.left - viewBox.right) / 2, behavior: isSmooth ? "smooth" : "instant" })
}
