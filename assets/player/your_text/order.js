// The numbers behind the bars: which sentences, in which order, on which scale, and as a table. Nothing here is drawn.

/** @import { BarMeasure, SentenceBarsData } from "../payloads.js" */

/** Lowest first, highest first, or as in the file.
 * @typedef {"low" | "high" | "file"} Order */

/** @type {Order[]} */
export const ORDERS = ["low", "high", "file"]

const MAX_SEPARATE = 300 // bars, beyond which none stands apart from its neighbours

/**
 * The places of the sentences that have a number, in the order chosen; equal ones in the order of the file.
 * @param {(number | null)[]} values
 * @param {Order} order
 */
export function sortPlaces(values, order) {
  const entries = values.flatMap((value, place) => (value == null ? [] : [{ place, value }]))
  const sign = order === "low" ? 1 : -1
  if (order !== "file") entries.sort((item, other) => sign * (item.value - other.value) || item.place - other.place)
  return entries.map(({ place }) => place)
}

/**
 * The two ends of the scale: bars start at 0 and reach to the greatest number there is, or to a fixed one.
 * @param {(number | null)[]} values
 * @param {number | null} full
 */
export function scaleEnds(values, full) {
  let [low, high] = [0, full ?? 0]
  for (const value of values) {
    if (value != null) {
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  return low === high ? { low: 0, high: 1 } : { low, high }
}

/**
 * The outline of all bars as one path, in units of one sentence across and of hundredths of the scale down. A bar of
 * nothing is still seen. Many bars stand side by side within a pixel: they are one figure along the line of zero, as
 * the edges of thousands of single ones would add up to shades that mean nothing.
 * @param {number[]} values those of the sentences, in their order
 * @param {{ low: number, high: number }} scale
 */
export function outlinePath(values, { low, high }) {
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
 * Every number of the sentences at those places, a line each. No text of theirs: nothing a spreadsheet runs.
 * @param {Pick<SentenceBarsData, "rows" | "measures">} data
 * @param {number[]} places
 */
export function toCsv({ rows, measures }, places) {
  const columns = measures.filter((measure) => measure.key !== "length").flatMap((measure) =>
    measure.series.map((item) => ({ name: `"${measure.key}: ${item.label.replaceAll('"', '""')}"`, values: item.values })))
  const head = ["line", "source words", ...columns.map(({ name }) => name)]
  const lines = places.map((place) => [rows[place].line, rows[place].words, ...columns.map(({ values }) => values[place] ?? "")])
  return [head, ...lines].map((line) => `${line.join(",")}\n`).join("")
}

/**
 * Whether a measure is one of single models, rather than of pairs of them or of the sentence itself.
 * @param {BarMeasure} measure
 * @param {string[]} models
 */
export const isOwn = (measure, models) => measure.series.some((item) => models.includes(item.label))
