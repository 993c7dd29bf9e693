// Axes and curves of plots.

import { line } from "d3-shape"
import { draw, make } from "../shared/dom.js"
import { scaleLinear } from "../shared/scale.js"

/** @type {(x: number, y: number, anchor: string, text: string, kind?: string) => SVGTextElement} */
export const drawTick = (x, y, anchor, text, kind = "tick") => draw("text", { x, y, "text-anchor": anchor, class: kind }, text)

/**
 * Draw a horizontal line.
 * @type {(x1: number, x2: number, y: number, kind?: string) => SVGLineElement}
 */
export const drawRule = (x1, x2, y, kind = "rule") => draw("line", { class: kind, x1, x2, y1: y, y2: y })

/**
 * Draw the vertical line that marks what is pointed at.
 * @type {(x: number, top: number, bottom: number) => SVGLineElement}
 */
export const drawCursor = (x, top, bottom) => draw("line", { class: "here", x1: x, x2: x, y1: top, y2: bottom })

/** @type {(root: ParentNode, x: number) => void} */
export function placeCursor(root, x) {
  for (const name of ["x1", "x2"]) root.querySelector(".here")?.setAttribute(name, String(x))
}

/**
 * Return the position from 0 to `last` that a pointer is at; the positions lie from `left` to `right` in a plot of that width.
 * @type {(plot: Element, clientX: number, axis: { width: number, left: number, right: number, last: number }) => number}
 */
export function findPosition(plot, clientX, { width, left, right, last }) {
  const box = plot.getBoundingClientRect()
  return Math.round(scaleLinear([left, right], [0, last])(((clientX - box.left) / box.width) * width))
}

/**
 * Draw a line through values at 0, 1, 2 ...
 * @type {(values: number[], kind: string, x: (position: number) => number, y: (value: number) => number) => SVGPathElement}
 */
export function drawCurve(values, kind, x, y) {
  /** @type {import("d3-shape").Line<number>} */
  const path = line((_, position) => x(position), y)
  return draw("path", { class: `line ${kind}`, d: path(values) })
}

/** @type {(kind: string, text: string) => HTMLElement} */
export const makeCurveSample = (kind, text) => make("span", { class: "scale" },
  draw("svg", { class: "sample", viewBox: "0 0 30 8", "aria-hidden": "true" }, draw("path", { class: `line ${kind}`, d: "M0 4H30" })), text)
