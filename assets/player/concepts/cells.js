// Cells of the states of recurrent networks, and their legend.

import { make } from "../shared/dom.js"
import { formatDecimal } from "../shared/format.js"

/**
 * Make one cell; `null` for a state that is not computed yet.
 * @param {number | null} value from -1 to 1
 */
function makeCell(value) {
  if (value == null) return make("i", { class: "cell none" })
  return make("i", { class: value < 0 ? "cell minus" : "cell", style: `--v: ${Math.min(1, Math.abs(value)).toFixed(3)}` })
}

/**
 * Make a column of cells; screen readers skip it.
 * @param {(number | null)[]} values
 */
export const makeCells = (values) => make("span", { class: "cells", "aria-hidden": "true" }, ...values.map(makeCell))

/** Make the legend of the cells. */
export const makeScale = () => make("span", { class: "scale" }, formatDecimal(-1, 0), ...[-1, -0.5, 0, 0.5, 1].map(makeCell), "+1")
