// The numbers behind the bars: which sentences, in which order, on which scale, and as a table. Nothing here is drawn.

/** @import { BarMeasure, SentenceBarsData } from "../payloads.js" */

/** Lowest first, highest first, or as in the file.
 * @typedef {"low" | "high" | "file"} Order */

/** @type {Order[]} */
export const ORDERS = ["low", "high", "file"]

/**
 * The places of the sentences that have a number, in the order chosen; equal ones in the order of the file.
 * @param {(number | null)[]} values
 * @param {Order} order
 */
export function sorted(values, order) {
  const known = values.flatMap((value, place) => (value == null ? [] : [{ place, value }]))
  const sign = order === "low" ? 1 : -1
  if (order !== "file") known.sort((one, other) => sign * (one.value - other.value) || one.place - other.place)
  return known.map(({ place }) => place)
}

/**
 * The two ends of the scale: bars start at 0 and reach to the greatest number there is, or to a fixed one.
 * @param {(number | null)[]} values
 * @param {number | null} full
 */
export function ends(values, full) {
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
 * nothing is still seen.
 * @param {number[]} values those of the sentences, in their order
 * @param {{ low: number, high: number }} scale
 */
export function outline(values, { low, high }) {
  const wide = values.length > 300 ? 1 : 0.82
  return values.map((value, k) => {
    const top = (100 * (high - Math.max(0, value))) / (high - low)
    const bottom = (100 * (high - Math.min(0, value))) / (high - low)
    const [from, to] = value < 0 ? [top, Math.max(bottom, top + 0.6)] : [Math.min(top, bottom - 0.6), bottom]
    return `M${k} ${from.toFixed(2)}h${wide}V${to.toFixed(2)}h${-wide}z`
  }).join("")
}

/**
 * Every number of the sentences at those places, a line each. No text of theirs: nothing a spreadsheet runs.
 * @param {Pick<SentenceBarsData, "rows" | "measures">} data
 * @param {number[]} places
 */
export function table({ rows, measures }, places) {
  const columns = measures.filter((measure) => measure.key !== "length").flatMap((measure) =>
    measure.series.map((one) => ({ name: `"${measure.key}: ${one.label.replaceAll('"', '""')}"`, values: one.values })))
  const head = ["line", "source words", ...columns.map(({ name }) => name)]
  const lines = places.map((place) => [rows[place].line, rows[place].words, ...columns.map(({ values }) => values[place] ?? "")])
  return [head, ...lines].map((line) => `${line.join(",")}\n`).join("")
}

/**
 * Whether a measure is one of single models, rather than of pairs of them or of the sentence itself.
 * @param {BarMeasure} measure
 * @param {string[]} models
 */
export const isOwn = (measure, models) => measure.series.some((one) => models.includes(one.label))
