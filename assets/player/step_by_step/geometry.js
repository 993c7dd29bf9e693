// Where the boxes of a stage stand that its network describes (model/networks/equations/stage.py), how arrows run between them, and which
// texts beside one another there is room for. Nothing here draws.

/** @import { SentArrow, SentBox } from "../payloads.js" */
/** @import { Point } from "./gru_layout.js" */

import { isFullWidth } from "../shared/format.js"

/** A box in its place: its middle, and half its width and height.
 * @typedef {Point & { rx: number, ry: number }} PlacedBox */

export const CIRCLE = 20 // the radius of a circle
const SUM = 9
const SWITCH = { rx: 7, ry: 30 }
/** @type {Record<SentArrow["leaves"], [number, number]>} */
const OUTWARD = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] }

/**
 * About how wide a text of the stage is, in pixels.
 * @param {string} text
 */
export const textWidth = (text) => [...text].reduce((sum, sign) => sum + (isFullWidth(sign) ? 13 : 7.2), 0)

/**
 * A box on a stage of that width; nothing of it stands outside.
 * @param {SentBox} box
 * @param {number} width
 * @param {boolean} isWide
 * @returns {PlacedBox}
 */
export function placeBox(box, width, isWide) {
  const x = width * (isWide ? box.x : box.narrow)
  const size = {
    circle: { rx: CIRCLE, ry: CIRCLE }, sum: { rx: SUM, ry: SUM }, switch: SWITCH,
    box: { rx: Math.max(27, textWidth(box.text) / 2 + 9), ry: 19 },
    chip: { rx: 40, ry: 12 }, label: { rx: textWidth(box.text) / 2, ry: 9 },
  }[box.shape]
  const middle = box.shape === "label" && box.x < 0.1 ? x + size.rx : x
  return { ...size, x: Math.max(size.rx + 1, Math.min(width - size.rx - 1, middle)), y: box.y }
}

/**
 * The way of an arrow from one side of a box to one of another.
 * @param {PlacedBox} start
 * @param {SentArrow["leaves"]} leaves
 * @param {PlacedBox} end
 * @param {SentArrow["enters"]} enters
 * @param {number} [maxReach] how far it reaches out, in pixels, before it turns
 */
export function arrowPath(start, leaves, end, enters, maxReach = Infinity) {
  const [ox, oy] = OUTWARD[leaves]
  const [ix, iy] = OUTWARD[enters]
  const a = { x: start.x + ox * start.rx, y: start.y + oy * start.ry }
  const b = { x: end.x + ix * end.rx, y: end.y + iy * end.ry }
  const reach = Math.min(maxReach, 0.45 * Math.hypot(b.x - a.x, b.y - a.y))
  return `M${a.x} ${a.y} C ${a.x + ox * reach} ${a.y + oy * reach}, ${b.x + ix * reach} ${b.y + iy * reach}, ${b.x} ${b.y}`
}

/**
 * The source's pieces in the order in which an encoder reads them: the end of the sentence comes last in either.
 * @param {number} count
 * @param {boolean} backwards
 */
export function readingOrder(count, backwards) {
  const words = Array.from({ length: count - 1 }, (_, k) => k)
  return [...(backwards ? words.reverse() : words), count - 1]
}

/**
 * The first and the last piece, from 0, of a window around a middle that is counted from 1.
 * @param {number} middle
 * @param {number} reach
 * @param {number} count
 * @returns {[number, number]}
 */
export const windowRange = (middle, reach, count) => [Math.max(0, Math.ceil(middle - reach) - 1), Math.min(count, Math.floor(middle + reach)) - 1]

/**
 * Where between pieces a place stands that is counted from 1 and need not be whole.
 * @param {number[]} xs the pieces' middles
 * @param {number} place
 */
export function interpolateX(xs, place) {
  const offset = Math.max(0, Math.min(xs.length - 1, place - 1))
  const low = Math.floor(offset)
  return xs[low] + (offset - low) * ((xs[low + 1] ?? xs[low]) - xs[low])
}

/**
 * Which of the texts in a row there is room for: those of most weight first, none over another.
 * @param {number[]} xs their middles
 * @param {number[]} widths
 * @param {number[]} weights
 */
export function fittingTexts(xs, widths, weights) {
  /** @type {number[]} */
  const chosen = []
  for (const k of [...xs.keys()].sort((a, b) => weights[b] - weights[a] || b - a)) {
    if (chosen.every((other) => Math.abs(xs[k] - xs[other]) >= (widths[k] + widths[other]) / 2 + 8)) chosen.push(k)
  }
  return xs.map((_, k) => chosen.includes(k))
}
