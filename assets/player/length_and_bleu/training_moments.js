// Decode the recorded moments of training and find the marks on the slider. Needs no browser.

/** @import { BornModel } from "../payloads.js" */

/**
 * Decode weights into rows.
 * @param {string} packed base64, one byte per weight, 255 for 1
 * @param {number} rows
 * @returns {number[][]}
 */
export function decodeWeights(packed, rows) {
  const bytes = [...atob(packed)].map((letter) => letter.charCodeAt(0) / 255)
  const columns = bytes.length / rows
  return Array.from({ length: rows }, (_, i) => bytes.slice(i * columns, (i + 1) * columns))
}

/**
 * Return the first slider position at which a model has reached a moment, or null.
 * @param {number[]} moments the model's moment at each position
 * @param {number | null} moment
 */
export function findPlace(moments, moment) {
  if (moment === null) return null
  const place = moments.findIndex((item) => item >= moment)
  return place < 0 ? null : place
}

/**
 * Return the clicker's stops for a sentence: start, marks and end.
 * @type {(models: BornModel[], probe: number, last: number) => number[]}
 */
export function computeStops(models, probe, last) {
  const marks = models.flatMap(({ at, probes }) => [findPlace(at, probes[probe].diagonal), findPlace(at, probes[probe].turning)])
  return [...new Set([0, ...marks.filter((mark) => mark !== null), last])].sort((a, b) => a - b)
}

/**
 * Format a number of pieces in the language's units (millions, in Korean ten thousands), with two or three digits.
 * @type {(pieces: number, language: string) => string}
 */
export const formatAmount = (pieces, language) =>
  new Intl.NumberFormat(language, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: pieces < 10_000_000 ? 2 : 3 }).format(pieces)
