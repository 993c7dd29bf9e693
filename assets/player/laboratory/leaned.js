// How the cells of a map of what each word leaned on are drawn. Nothing here needs a browser.

/** @import { Look } from "./map.js" */
import { decimal, short } from "../shared/format.js"
import { depth, SOURCE } from "../shared/shades.js"

const SHOWN = 0.25 // of the row's largest value: cells from here up show their number

/**
 * How a row's values are drawn: shaded by their share of the largest of the row, whichever way.
 * @param {number[]} row
 * @returns {(value: number) => Look}
 */
export function leaned(row) {
  const most = Math.max(...row.map(Math.abs))
  return (value) => {
    const shade = most > 0 ? Math.abs(value) / most : 0
    return { shade, text: shade >= SHOWN ? nats(value) : "", kind: value < 0 ? "against" : `for ${depth(shade, SOURCE)}` }
  }
}

/**
 * A number of nats in as few letters as a cell has room for.
 * @param {number} value
 */
function nats(value) {
  const size = Math.abs(value)
  return size < 0.005 ? "<.01" : size >= 0.995 ? decimal(value, 1) : `${value < 0 ? "−" : ""}${short(size)}`
}
