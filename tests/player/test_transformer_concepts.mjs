// Scaled dot-product attention, positional encodings and counted operations.
import assert from "node:assert/strict"
import { test } from "node:test"
import { computeScores, computeWeights } from "../../assets/player/concepts/attention_math.js"
import { formatCount } from "../../assets/player/concepts/counted_costs.js"
import { computeDotAtDistance, computeFrequency } from "../../assets/player/concepts/encodings.js"
import { multiplyMatrices } from "../../assets/player/concepts/matrices.js"
import { countOperations, countPath } from "../../assets/player/concepts/operations.js"
import { assertClose } from "./helpers/close.mjs"

test("weights are the softmax of scaled products, over earlier keys only with the mask", () => {
  const scores = computeScores([[2, 0, 0, 0], [0, 4, 0, 0]], [[1, 1, 0, 0], [0, 2, 5, 5]])
  assert.deepEqual(scores, [[1, 0], [2, 4]])
  const unmaskedRow = [Math.E / (Math.E + 1), 1 / (Math.E + 1)]
  const second = [1 / (1 + Math.exp(2)), Math.exp(2) / (1 + Math.exp(2))]
  assertClose(computeWeights(scores, false).flat(), [...unmaskedRow, ...second])
  assertClose(computeWeights(scores, true).flat(), [1, 0, ...second])
  assert.deepEqual(multiplyMatrices([[1, 0], [0.25, 0.75]], [[4, 0], [0, 8]]), [[4, 0], [1, 6]])
})

test("the dot product of two encodings depends on their distance alone", () => {
  const d = 8
  /** @type {(pos: number) => number[]} */
  const encode = (pos) => Array.from({ length: d / 2 }, (_, i) => [Math.sin(pos * computeFrequency(i, d)), Math.cos(pos * computeFrequency(i, d))]).flat()
  for (const pos of [0, 3, 117]) assertClose([encode(pos).reduce((sum, value, k) => sum + value * encode(pos + 5)[k], 0)], [computeDotAtDistance(5, d)])
})

test("self-attention and recurrence cost the same at n = d", () => {
  const sizes = { n: 64, d: 64, k: 4, r: 8 }
  assert.equal(countOperations("self_attention", sizes), countOperations("recurrent", sizes))
  assert.equal(countOperations("convolution", sizes), 4 * 64 ** 3)
  assert.equal(countOperations("restricted", sizes), 8 * 64 ** 2)
  assert.deepEqual([countPath("convolution", sizes), countPath("restricted", sizes), countPath("recurrent", sizes)], [3, 8, 64])
})

test("a count that rounds up to the next power of ten is written with it", () => {
  assert.deepEqual([9999, 12_345, 9_961_472].map(formatCount), ["9999", "1.2 × 10⁴", "1.0 × 10⁷"])
})
