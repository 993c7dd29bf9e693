// Attention weights from scores: scaled products, the causal mask, temperature, local windows. Needs no browser.

/** @import { Matrix } from "./matrices.js" */
import { argmax } from "../shared/format.js"
import { softmax } from "./entropy.js"
import { dot } from "./matrices.js"

/**
 * Return softmax(e / temperature): all weight on the best score at 0, equal weights at null, which stands for infinity.
 * @type {(energies: number[], temperature: number | null) => number[]}
 */
export function weighAtTemperature(energies, temperature) {
  if (temperature == null) return energies.map(() => 1 / energies.length)
  if (temperature > 0) return softmax(energies, temperature)
  const best = argmax(energies)
  return energies.map((_, j) => (j === best ? 1 : 0))
}

/**
 * Return QKᵀ / √d, a row for each query.
 * @type {(q: Matrix, k: Matrix) => Matrix}
 */
export const computeScores = (q, k) => q.map((query) => k.map((key) => dot(query, key) / Math.sqrt(query.length)))

/**
 * Return the weights of each row; with the mask, keys after the query get 0.
 * @type {(scores: Matrix, isMasked: boolean) => Matrix}
 */
export const computeWeights = (scores, isMasked) => scores.map((row, i) => {
  const count = isMasked ? i + 1 : row.length
  return [...softmax(row.slice(0, count)), ...row.slice(count).map(() => 0)]
})

/**
 * Return how much of a step's global attention is at most `distance` from `center` (counted from 1).
 * @type {(energies: number[], center: number, distance: number) => number}
 */
export const shareInWindow = (energies, center, distance) =>
  softmax(energies).reduce((sum, weight, j) => sum + (Math.abs(j + 1 - center) <= distance ? weight : 0), 0)

/**
 * Return the attention of a local window, as Luong et al. (2015) define it: the softmax over the positions at most
 * `distance` from `center` (counted from 1); with `isGaussian` multiplied by exp(-(j - p)² / (2 (D/2)²)), so that the sum is
 * below 1 unless `isRenormalised`.
 * @type {(energies: number[], center: number, distance: number, isGaussian: boolean, isRenormalised?: boolean) => number[]}
 */
export function weighInWindow(energies, center, distance, isGaussian, isRenormalised = false) {
  const offsets = energies.map((_, j) => j + 1 - center)
  const windowEnergies = energies.filter((_, j) => Math.abs(offsets[j]) <= distance)
  if (!windowEnergies.length) return energies.map(() => 0)
  const maximum = Math.max(...windowEnergies)
  const powers = energies.map((item, j) => (Math.abs(offsets[j]) <= distance ? Math.exp(item - maximum) : 0))
  const total = powers.reduce((a, b) => a + b, 0)
  const weights = powers.map((item, j) => (item / total) * (isGaussian ? Math.exp(-2 * (offsets[j] / distance) ** 2) : 1))
  const sum = isRenormalised ? weights.reduce((a, b) => a + b, 0) : 1
  return weights.map((item) => item / sum)
}
