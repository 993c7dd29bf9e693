// Position boxes of a stage that a network describes (model/networks/equations/stage.py), route arrows, and choose texts
// that fit. Draws nothing.

/** @import { ArrowData, BoxData } from "../payloads.js" */
/** @import { Point } from "./gru_layout.js" */

import { isFullWidth } from "../shared/format.js"

/** A placed box: its centre, and half its width and height.
 * @typedef {Point & { rx: number, ry: number }} PlacedBox */

export const CIRCLE = 20 // radius
export const SUM = 9 // radius
export const RIBBON_WIDTH = 34 // width of all ribbons together
export const DRAWN_FROM = 0.004 // smallest ribbon drawn
const SWITCH = { rx: 7, ry: 30 }
/** @type {Record<ArrowData["start_side"], [number, number]>} */
const OUTWARD = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] }

/** @param {string} text */
export const estimateTextWidth = (text) => [...text].reduce((sum, sign) => sum + (isFullWidth(sign) ? 13 : 7.2), 0)

/** @type {(box: BoxData, width: number, isWide: boolean) => PlacedBox} */
export function placeBox(box, width, isWide) {
  const x = width * (isWide ? box.x : box.x_narrow)
  const size = {
    circle: { rx: CIRCLE, ry: CIRCLE }, sum: { rx: SUM, ry: SUM }, switch: SWITCH,
    box: { rx: Math.max(27, estimateTextWidth(box.text) / 2 + 9), ry: 19 },
    chip: { rx: 40, ry: 12 }, label: { rx: estimateTextWidth(box.text) / 2, ry: 9 },
  }[box.shape]
  const middle = box.shape === "label" && box.x < 0.1 ? x + size.rx : x
  return { ...size, x: Math.max(size.rx + 1, Math.min(width - size.rx - 1, middle)), y: box.y }
}

/**
 * Return the path of an arrow between sides of two boxes.
 * @type {(start: PlacedBox, startSide: ArrowData["start_side"], end: PlacedBox, endSide: ArrowData["end_side"], maxReach?: number) => string}
 */
export function buildArrowPath(start, startSide, end, endSide, maxReach = Infinity) {
  const [ox, oy] = OUTWARD[startSide]
  const [ix, iy] = OUTWARD[endSide]
  const a = { x: start.x + ox * start.rx, y: start.y + oy * start.ry }
  const b = { x: end.x + ix * end.rx, y: end.y + iy * end.ry }
  const reach = Math.min(maxReach, 0.45 * Math.hypot(b.x - a.x, b.y - a.y))
  return `M${a.x} ${a.y} C ${a.x + ox * reach} ${a.y + oy * reach}, ${b.x + ix * reach} ${b.y + iy * reach}, ${b.x} ${b.y}`
}

/**
 * Return the order in which an encoder reads the pieces; the end of sentence is last in both directions.
 * @type {(count: number, backwards: boolean) => number[]}
 */
export function listReadingOrder(count, backwards) {
  const words = Array.from({ length: count - 1 }, (_, k) => k)
  return [...(backwards ? words.reverse() : words), count - 1]
}

/**
 * Return the first and last piece, from 0, of a window whose middle counts from 1.
 * @type {(middle: number, reach: number, count: number) => [number, number]}
 */
export const findWindowRange = (middle, reach, count) => [Math.max(0, Math.ceil(middle - reach) - 1), Math.min(count, Math.floor(middle + reach)) - 1]

/**
 * Interpolate the x coordinate of a fractional position that counts from 1.
 * @type {(xs: number[], place: number) => number}
 */
export function interpolateX(xs, place) {
  const offset = Math.max(0, Math.min(xs.length - 1, place - 1))
  const low = Math.floor(offset)
  return xs[low] + (offset - low) * ((xs[low + 1] ?? xs[low]) - xs[low])
}

/**
 * Choose the texts of a row that fit, the largest weights first.
 * @type {(xs: number[], widths: number[], weights: number[]) => boolean[]}
 */
export function chooseFittingTexts(xs, widths, weights) {
  /** @type {number[]} */
  const fittingIndices = []
  for (const k of [...xs.keys()].sort((a, b) => weights[b] - weights[a] || b - a)) {
    if (fittingIndices.every((other) => Math.abs(xs[k] - xs[other]) >= (widths[k] + widths[other]) / 2 + 8)) fittingIndices.push(k)
  }
  return xs.map((_, k) => fittingIndices.includes(k))
}
