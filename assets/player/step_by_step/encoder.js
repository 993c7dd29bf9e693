// Draw the encoder over the picture before step 1: rows of states, computed in their reading order, and how they become the
// annotations. The highest row has the annotations' values; those of lower layers are not recorded.

/** @import { PlayerData } from "../payloads.js" */
import { draw } from "../shared/dom.js"
import { computeLinearProgress, makeTimetable } from "./clock.js"
import { listReadingOrder } from "./geometry.js"
import { drawArrowHead, drawGlyph, setDrawnLength, shadeGlyph } from "./glyph.js"

/** @typedef {ReturnType<typeof makeEncoder>} Encoder */
/** Geometry in unscaled pixels: `top` below the annotations, `bottom` of the lowest row, `xs` centres of source tokens.
 * @typedef {{ width: number, height: number, zoom: number, top: number, bottom: number, xs: number[] }} EncoderLayout */
/** A state: its node, the line from the state read before it, and its column.
 * @typedef {{ node: SVGGElement, line: SVGPathElement | null, column: number }} State */

const HALF_STATE_HEIGHT = 14 // half the height of a state
const DIRECTION_OFFSET = 8 // pixels between the middle of a token and its forward or backward state
const HALF_STATE_GAP = 7 // half the width of a state, with a gap
const TEXT_HEIGHT = 12
const HEAD = "head-h-encoder" // another SVG than the stage's

/**
 * Return the columns of a row in the order in which they are computed.
 * @type {(order: string, count: number) => number[]}
 */
export function orderColumns(order, count) {
  if (order === "reversed") return listReadingOrder(count, true)
  const columns = Array.from({ length: count }, (_, k) => k)
  if (order === "end_first") return [count - 1, ...columns.slice(0, -1)]
  return order === "backward" ? columns.reverse() : columns
}

/** @param {PlayerData} data */
export function makeEncoder({ encoder, annotations, source, messages }) {
  const orders = encoder?.rows ?? []
  const isBidirectional = new Set(orders).size === 2
  const count = source.length
  const phases = ["embedding", ...orders.map((_, k) => `row ${k}`), "join"]
  const rowSeconds = Math.min(2.4, 0.4 + 0.1 * count)
  const table = makeTimetable(phases, Object.fromEntries(orders.map((order, k) => [`row ${k}`, order === "all" ? 1 : rowSeconds])))

  /** @type {(j: number, start: number, end: number) => SVGGElement} */
  const drawState = (j, start, end) => {
    const glyph = drawGlyph("h")
    shadeGlyph(glyph, annotations?.blocks[j].slice(start, end))
    return draw("g", {}, glyph)
  }
  const rows = orders.map((order, k) => {
    const directionSize = isBidirectional ? Math.ceil((annotations?.blocks[0].length ?? 0) / 2) : 0
    const isTop = isBidirectional || k === orders.length - 1
    const states = orderColumns(order, count).map((j, position) => ({
      column: j,
      node: isTop ? drawState(j, k * directionSize, isBidirectional ? (k + 1) * directionSize : 99) : draw("g", {}, draw("rect", { class: "read-cell", x: -8, y: -11, width: 16, height: 22, rx: 3 })),
      line: position && order !== "all" ? draw("path", { class: "read link", "marker-end": `url(#${HEAD})`, pathLength: 1 }) : null,
    }))
    const upwardPath = draw("path", { class: order === "all" ? "read all" : "read" })
    return { order, states, upwardPath, isTop, shift: isBidirectional ? (k ? DIRECTION_OFFSET : -DIRECTION_OFFSET) : 0, text: draw("text", { class: "row-label" }, k && !isBidirectional ? "" : messages[`encoder_${order}`]) }
  })
  const tokens = source.map((token) => draw("text", { class: "token" }, token.text))
  const tokenText = draw("text", { class: "row-label" }, messages.encoder_embedding)
  const joinPath = draw("path", { class: "read" })
  const svg = draw("svg", { class: "stage encoder", "aria-hidden": "true" }, draw("defs", {}, drawArrowHead("h", 7, HEAD)), joinPath, ...rows.map(({ upwardPath }) => upwardPath),
    ...rows.flatMap(({ states }) => states.flatMap(({ line, node }) => (line ? [line, node] : [node]))), ...tokens, tokenText, ...rows.map(({ text }) => text))
  return { svg, table, rows, tokens, tokenText, joinPath, isBidirectional }
}

/** @type {(encoder: Encoder, layout: EncoderLayout) => void} */
export function placeEncoder({ svg, rows, tokens, tokenText, joinPath, isBidirectional }, { width, height, zoom, top, bottom, xs }) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.style.height = `${height * zoom}px`
  const tokenY = bottom - TEXT_HEIGHT / 2
  const pitch = (tokenY - TEXT_HEIGHT - top) / (rows.length + 0.35)
  const ys = rows.map((_, k) => tokenY - TEXT_HEIGHT - pitch * (k + 0.6))
  /** @type {(node: Element, x: number, y: number) => void} */
  const setPosition = (node, x, y) => {
    node.setAttribute("x", String(x))
    node.setAttribute("y", String(y))
  }
  tokens.forEach((node, j) => setPosition(node, xs[j], tokenY + 4))
  setPosition(tokenText, 9, tokenY - TEXT_HEIGHT - 2)
  rows.forEach(({ order, states, upwardPath, shift, text, isTop }, k) => {
    const y = ys[k]
    const startY = isBidirectional || k === 0 ? tokenY - TEXT_HEIGHT : ys[k - 1] - HALF_STATE_HEIGHT
    setPosition(text, 9, y - HALF_STATE_HEIGHT - 7)
    states.forEach(({ node, line, column }, position) => {
      const x = xs[column] + shift
      node.setAttribute("transform", `translate(${x} ${y})`)
      const glyph = isTop ? node.firstElementChild : null
      glyph?.setAttribute("transform", `translate(${isBidirectional ? -4 : -8.5} -13.5)`)
      if (!line) return
      const previousX = xs[states[position - 1].column] + shift
      const side = Math.sign(x - previousX)
      const isAdjacent = Math.abs(states[position - 1].column - column) === 1
      line.setAttribute("d", isAdjacent ? `M${previousX + side * HALF_STATE_GAP} ${y} H ${x - side * (HALF_STATE_GAP + 2)}` : `M${previousX} ${y + HALF_STATE_HEIGHT} v 6 H ${x} v -4`)
    })
    upwardPath.setAttribute("d", order === "all"
      ? xs.flatMap((x) => xs.map((otherX) => `M${x} ${startY} L${otherX} ${y + HALF_STATE_HEIGHT}`)).join(" ")
      : xs.map((x) => `M${x + shift} ${startY} V ${y + HALF_STATE_HEIGHT}`).join(" "))
  })
  joinPath.setAttribute("d", rows.filter(({ isTop }) => isTop).flatMap(({ shift }) => xs.map((x) => `M${x + shift} ${ys[shift > 0 ? 1 : isBidirectional ? 0 : rows.length - 1] - HALF_STATE_HEIGHT} V ${top + 3}`)).join(" "))
}

/**
 * Draw the progress of the encoder, from 0 to 1; returns how far the annotations are joined.
 * @type {(encoder: Encoder, progress: number) => number}
 */
export function moveEncoder({ rows, table, joinPath, tokens, tokenText }, progress) {
  const read = computeLinearProgress(table, "embedding", progress)
  for (const node of [...tokens, tokenText]) node.style.opacity = String(0.25 + 0.75 * read)
  rows.forEach(({ states, upwardPath, order, text }, k) => {
    const share = computeLinearProgress(table, `row ${k}`, progress)
    const position = order === "all" ? share : share * states.length
    upwardPath.style.opacity = text.style.opacity = String(Math.min(1, 4 * share))
    states.forEach(({ node, line }, index) => {
      const part = Math.max(0, Math.min(1, order === "all" ? share : position - index))
      node.style.opacity = String(part)
      if (line) setDrawnLength(line, Math.min(1, 2 * part), `url(#${HEAD})`)
    })
  })
  const joinShare = computeLinearProgress(table, "join", progress)
  joinPath.style.opacity = String(joinShare)
  return joinShare
}
