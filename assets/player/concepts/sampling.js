// Temperature, top-k and top-p on one distribution: the most likely tokens one by one, all others together. Needs no browser.

/** @import { NextTokenStep } from "../payloads.js" */
import { computeEntropy } from "./entropy.js"

/** @typedef {object} Choice
 * @property {number} temperatureIndex
 * @property {number} topK 0 for all
 * @property {number} topP 1 for all */

/**
 * Return the probabilities that remain, those of the listed tokens and of all others together, and how many listed ones can be
 * drawn. The order is that of the decoder: temperature, then top-k, then the fewest of these whose share is at least top-p. If
 * the listed tokens do not reach top-p, all others stay.
 * @type {(step: NextTokenStep, temperatures: number[], choice: Choice) => { probabilities: number[], restProbability: number, keptCount: number }}
 */
export function reshape({ log_probs, rest_sums }, temperatures, { temperatureIndex, topK, topP }) {
  const best = log_probs[0]
  const temperature = temperatures[temperatureIndex]
  const restSum = rest_sums[temperatureIndex]
  let weights = log_probs.map((value) => Math.exp((value - best) / temperature))
  let restWeight = restSum == null ? 0 : Math.exp(restSum - best / temperature)
  if (topK) {
    weights = weights.map((value, rank) => (rank < topK ? value : 0))
    restWeight = 0
  }
  if (topP < 1) {
    const enough = topP * weights.reduce((sum, value) => sum + value, restWeight)
    let sum = 0
    weights = weights.map((value) => {
      const keptWeight = sum < enough ? value : 0
      sum += value
      return keptWeight
    })
    if (sum >= enough) restWeight = 0
  }
  const total = weights.reduce((sum, value) => sum + value, restWeight)
  return { probabilities: weights.map((value) => value / total), restProbability: restWeight / total, keptCount: weights.filter((value) => value > 0).length }
}

/**
 * Return the entropy in nats, with `restProbability` spread evenly over `count` tokens.
 * @type {(probabilities: number[], restProbability: number, count: number) => number}
 */
export const computeEntropyWithRest = (probabilities, restProbability, count) =>
  computeEntropy(probabilities) - (restProbability > 0 && count > 0 ? restProbability * Math.log(restProbability / count) : 0)
