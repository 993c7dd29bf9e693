// How the cells of a map of what each word leaned on are drawn. Nothing here needs a browser.

/** @import { CellLook } from "../shared/word_map.js" */
import { formatDecimal, formatCell } from "../shared/format.js"
import { inkClass, SOURCE } from "../shared/shades.js"

const SHOWN = 0.25 // of the row's largest value: cells from here up show their number

/**
 * How a row's values are drawn: shaded by their share of the largest of the row, whichever way.
 * @param {number[]} row
 * @returns {(value: number) => CellLook}
 */
export function saliencyLook(row) {
  const maximum = Math.max(...row.map(Math.abs))
  return (value) => {
    const shade = maximum > 0 ? Math.abs(value) / maximum : 0
    return { shade, text: shade >= SHOWN ? formatNats(value) : "", kind: value < 0 ? "against" : `for ${inkClass(shade, SOURCE)}` }
  }
}

/**
 * A number of nats in as few letters as a cell has room for.
 * @param {number} value
 */
function formatNats(value) {
  const size = Math.abs(value)
  return size < 0.005 ? "<.01" : size >= 0.995 ? formatDecimal(value, 1) : `${value < 0 ? "−" : ""}${formatCell(size)}`
}
