// Temperature, local windows and weighted sums, against values by hand.
import assert from "node:assert/strict"
import { test } from "node:test"
import { weighAtTemperature, weighInWindow } from "../../assets/player/concepts/attention_math.js"
import { sumWeighted } from "../../assets/player/concepts/matrices.js"
import { assertClose } from "./helpers/close.mjs"

test("a temperature goes from the best key alone to equal weights", () => {
  const energies = [Math.log(1), Math.log(4), Math.log(4) - 1e-9]
  assert.deepEqual(weighAtTemperature(energies, 0), [0, 1, 0])
  assertClose(weighAtTemperature([0, Math.log(3)], 1), [0.25, 0.75])
  assertClose(weighAtTemperature([0, Math.log(3)], 0.5), [0.1, 0.9])
  assert.deepEqual(weighAtTemperature([5, 1, 2, 3], null), [0.25, 0.25, 0.25, 0.25])
})

test("the context is the weighted sum of the values", () => {
  assert.deepEqual(sumWeighted([0.25, 0.75], [[4, 0], [0, 8]]), [1, 6])
})

test("a local-m window is a softmax over the positions inside, counted from 1", () => {
  assertClose(weighInWindow([9, 0, Math.log(3), 9, 9], 2.5, 1, false), [0, 0.25, 0.75, 0, 0])
  assert.deepEqual(weighInWindow([1, 2], 9, 1, false), [0, 0])
})

test("a local-p window multiplies by a Gaussian with a standard deviation of D/2, and need not sum to 1", () => {
  const gauss = (/** @type {number} */ offset) => Math.exp(-(offset ** 2) / (2 * 1.5 ** 2)) // D = 3
  const third = 1 / 3
  const weights = weighInWindow([0, 0, 0], 2, 3, true)
  assertClose(weights, [third * gauss(1), third, third * gauss(1)])
  const sum = weights.reduce((a, b) => a + b, 0)
  assert.ok(sum < 1)
  assertClose(weighInWindow([0, 0, 0], 2, 3, true, true), weights.map((value) => value / sum))
})
