// Style of saliency map cells. Needs no browser.

/** @import { CellLook } from "../shared/word_map.js" */
import { formatDecimal, formatCell } from "../shared/format.js"
import { inkClass, SOURCE } from "../shared/shades.js"

const NUMBER_FROM = 0.25 // share of the row's maximum from which a cell shows its number

/**
 * Return the style function of a row; shades are relative to its largest absolute value.
 * @type {(row: number[]) => (value: number) => CellLook}
 */
export function saliencyLook(row) {
  const maximum = Math.max(...row.map(Math.abs))
  return (value) => {
    const shade = maximum > 0 ? Math.abs(value) / maximum : 0
    return { shade, text: shade >= NUMBER_FROM ? formatNats(value) : "", kind: value < 0 ? "against" : `for ${inkClass(shade, SOURCE)}` }
  }
}

/** @param {number} value */
function formatNats(value) {
  const size = Math.abs(value)
  return size < 0.005 ? "<.01" : size >= 0.995 ? formatDecimal(value, 1) : `${value < 0 ? "−" : ""}${formatCell(size)}`
}
