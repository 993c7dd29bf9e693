// Parts of the pictures of recurrent networks: cells of states, sliders, and the legend of the cells.

import { line } from "d3-shape"
import { draw, make } from "../shared/dom.js"
import { formatDecimal } from "../shared/format.js"

/**
 * Make one cell; `null` for a state that is not computed yet.
 * @param {number | null} value from -1 to 1
 */
export function makeCell(value) {
  if (value == null) return make("i", { class: "cell none" })
  return make("i", { class: value < 0 ? "cell minus" : "cell", style: `--v: ${Math.min(1, Math.abs(value)).toFixed(3)}` })
}

/**
 * Make a column or, if `isFlat`, a row of cells; screen readers skip it.
 * @param {(number | null)[]} values
 * @param {boolean} [isFlat]
 */
export const makeCells = (values, isFlat = false) => make("span", { class: isFlat ? "cells flat" : "cells", "aria-hidden": "true" }, ...values.map(makeCell))

/** Make the legend of the cells. */
export const makeScale = () => make("span", { class: "scale" }, formatDecimal(-1, 0), ...[-1, -0.5, 0, 0.5, 1].map(makeCell), "+1")

/** @typedef {{ name: string, label: string, min: number, max: number, step: number, value: number }} Slider */

/** Make a labelled slider with its value, which `showValue` fills in.
 * @param {Slider} slider */
export const makeSlider = ({ name, label, ...range }) => make("label", {}, make("span", {}, label),
  make("input", { type: "range", "data-name": name, "aria-label": label, ...range }), make("b", { "data-value": name }))

/** @type {(root: ParentNode, name: string, text: string) => void} */
export function showValue(root, name, text) {
  const value = root.querySelector(`[data-value="${name}"]`)
  if (value) value.textContent = text
  root.querySelector(`[data-name="${name}"]`)?.setAttribute("aria-valuetext", text)
}

/** @type {(x: number, y: number, anchor: string, text: string) => SVGTextElement} */
export const drawTick = (x, y, anchor, text) => draw("text", { x, y, "text-anchor": anchor, class: "tick" }, text)

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
