// Order, scale, outline and CSV of the sentence bars. Nothing is drawn here.

/** @import { BarMeasure, SentenceBarsData } from "../payloads.js" */
import { findLargest } from "../shared/format.js"

/** Lowest first, highest first, or file order.
 * @typedef {"low" | "high" | "file"} Order */

/** @type {Order[]} */
export const ORDERS = ["low", "high", "file"]

const MAX_SEPARATE = 300 // bars, from which they touch each other

/**
 * Return the indices of sentences with a value, sorted; ties in file order. `isComplete`: with those without a value, last.
 * @type {(values: (number | null)[], order: Order, isComplete?: boolean) => number[]}
 */
export function sortRows(values, order, isComplete = false) {
  if (isComplete && order === "file") return values.map((_, rowIndex) => rowIndex)
  const entries = values.flatMap((value, rowIndex) => (value == null ? [] : [{ rowIndex, value }]))
  const sign = order === "low" ? 1 : -1
  if (order !== "file") entries.sort((item, other) => sign * (item.value - other.value) || item.rowIndex - other.rowIndex)
  const otherRows = isComplete ? values.flatMap((value, rowIndex) => (value == null ? [rowIndex] : [])) : []
  return [...entries.map(({ rowIndex }) => rowIndex), ...otherRows]
}

/**
 * Return the ends of the scale, which covers 0, all values and `includedValue`.
 * @param {(number | null)[]} values
 * @param {number | null} includedValue
 */
export function computeScaleEnds(values, includedValue) {
  const knownValues = values.filter((value) => value != null)
  const low = knownValues.reduce((minimum, value) => Math.min(minimum, value), 0)
  const high = findLargest(knownValues, includedValue ?? 0)
  return low === high ? { low: 0, high: 1 } : { low, high }
}

/**
 * Return the outline of all bars as one path; x in sentences, y in hundredths of the scale. A bar of 0 stays visible. Many
 * bars share pixels, so they are drawn as one shape along the zero line: the edges of thousands of bars would add up to
 * misleading shades.
 * @type {(values: number[], scale: { low: number, high: number }) => string}
 */
export function buildOutlinePath(values, { low, high }) {
  const zero = (100 * high) / (high - low)
  const tips = values.map((value) => {
    const end = (100 * (high - value)) / (high - low)
    return (value < 0 ? Math.max(end, zero + 0.6) : Math.min(end, zero - 0.6)).toFixed(2)
  })
  if (values.length > MAX_SEPARATE) {
    return `M0 ${zero.toFixed(2)}${tips.map((end) => `V${end}h1`).join("")}V${zero.toFixed(2)}z`
  }
  return tips.map((end, k) => `M${k} ${zero.toFixed(2)}h0.82V${end}h-0.82z`).join("")
}

/**
 * Return all numbers of the sentences as CSV. It holds no texts, so that a spreadsheet has nothing to execute.
 * @type {(data: Pick<SentenceBarsData, "rows" | "measures">, rowIndices: number[]) => string}
 */
export function formatCsv({ rows, measures }, rowIndices) {
  const columns = measures.filter((measure) => measure.key !== "length").flatMap((measure) =>
    measure.series.map((item) => ({ name: `"${measure.key}: ${item.label.replaceAll('"', '""')}"`, values: item.values })))
  const head = ["line", "source words", ...columns.map(({ name }) => name)]
  const lines = rowIndices.map((rowIndex) => [rows[rowIndex].line, rows[rowIndex].words, ...columns.map(({ values }) => values[rowIndex] ?? "")])
  return [head, ...lines].map((line) => `${line.join(",")}\n`).join("")
}

/**
 * Return whether a measure is of single models, not of pairs or of the sentence.
 * @type {(measure: BarMeasure, models: string[]) => boolean}
 */
export const isMeasurePerModel = (measure, models) => measure.series.some((item) => models.includes(item.label))
