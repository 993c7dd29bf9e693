// Compute scaled dot-product attention over small matrices, with or without the causal mask. Needs no browser.
import { softmax } from "./entropy.js"

/** @typedef {number[][]} Matrix rows of numbers */

/**
 * Return QKᵀ / √d, a row for each query.
 * @type {(q: Matrix, k: Matrix) => Matrix}
 */
export const computeScores = (q, k) => q.map((query) => k.map((key) => dot(query, key) / Math.sqrt(query.length)))

/** @type {(first: number[], second: number[]) => number} */
export const dot = (first, second) => first.reduce((sum, value, index) => sum + value * second[index], 0)

/**
 * Return the weights of each row; with the mask, keys after the query get 0.
 * @type {(scores: Matrix, masked: boolean) => Matrix}
 */
export const computeWeights = (scores, masked) => scores.map((row, i) => {
  const count = masked ? i + 1 : row.length
  return [...softmax(row.slice(0, count)), ...row.slice(count).map(() => 0)]
})

/**
 * Return αV: the weighted sum of the values for each query.
 * @type {(weights: Matrix, v: Matrix) => Matrix}
 */
export const sumValues = (weights, v) => weights.map((row) => v[0].map((_, column) => row.reduce((sum, weight, j) => sum + weight * v[j][column], 0)))

/** @param {Matrix} matrix */
export const maxSize = (matrix) => matrix.reduce((maximum, row) => row.reduce((most, value) => Math.max(most, Math.abs(value)), maximum), 0)
