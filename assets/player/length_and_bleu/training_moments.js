// The moments of the diaries, without a browser: weights out of base64, and where a clicker stops.

/** @import { BornModel } from "../payloads.js" */

/**
 * Weights row by row as shares of 1.
 * @param {string} packed a byte a weight, 255 for 1, in base64
 * @param {number} rows
 * @returns {number[][]}
 */
export function decodeWeights(packed, rows) {
  const bytes = [...atob(packed)].map((letter) => letter.charCodeAt(0) / 255)
  const columns = bytes.length / rows
  return Array.from({ length: rows }, (_, i) => bytes.slice(i * columns, (i + 1) * columns))
}

/**
 * The first place of the slider at which a model has come to a moment; null for no moment.
 * @param {number[]} moments for each place the model's moment
 * @param {number | null} moment
 */
export function findPlace(moments, moment) {
  if (moment === null) return null
  const place = moments.findIndex((item) => item >= moment)
  return place < 0 ? null : place
}

/**
 * What there is to stop at for a sentence: the beginning, every mark, and the end.
 * @param {BornModel[]} models
 * @param {number} probe
 * @param {number} last
 */
export function computeStops(models, probe, last) {
  const marks = models.flatMap(({ at, probes }) => [findPlace(at, probes[probe].diagonal), findPlace(at, probes[probe].turning)])
  return [...new Set([0, ...marks.filter((mark) => mark !== null), last])].sort((a, b) => a - b)
}

/**
 * A number of pieces with two digits or more, as a language counts: by millions, in Korean by ten thousands.
 * @param {number} pieces
 * @param {string} language
 */
export const formatAmount = (pieces, language) =>
  new Intl.NumberFormat(language, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: pieces < 10_000_000 ? 2 : 3 }).format(pieces)
