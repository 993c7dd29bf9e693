// Products and sums of small matrices. Needs no browser.

/** @typedef {number[][]} Matrix rows of numbers */

/** @type {(first: number[], second: number[]) => number} */
export const dot = (first, second) => first.reduce((sum, value, index) => sum + value * second[index], 0)

/**
 * Return Σ_j weights_j rows_j.
 * @type {(weights: number[], rows: Matrix) => number[]}
 */
export const sumWeighted = (weights, rows) => rows[0].map((_, column) => weights.reduce((sum, weight, j) => sum + weight * rows[j][column], 0))

/** @type {(left: Matrix, right: Matrix) => Matrix} */
export const multiplyMatrices = (left, right) => left.map((row) => sumWeighted(row, right))

/** Return the largest absolute value. @param {Matrix} matrix */
export const findLargestSize = (matrix) => matrix.reduce((maximum, row) => row.reduce((largest, value) => Math.max(largest, Math.abs(value)), maximum), 0)
