// Curves on a logarithmic axis.
import assert from "node:assert/strict"
import { test } from "node:test"
import { chooseAxisPlaces, chooseTicks, formatGradient } from "../../assets/player/concepts/gradients_plot.js"

test("ticks cover all values without excess", () => {
  assert.deepEqual(chooseTicks([0.3, 0.05]), [0.05, 0.1, 0.2, 0.5])
  assert.deepEqual(chooseTicks([1]), [1, 2])
  assert.deepEqual(chooseTicks([]), [1, 2])
  assert.deepEqual(chooseTicks([7, 7]), [5, 10])
  assert.deepEqual(chooseTicks([0.01, 1]), [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
  assert.deepEqual(chooseTicks([0.002, 3]), [0.001, 0.01, 0.1, 1, 10])
  assert.deepEqual(chooseTicks([1e-12, 3]).map(Math.log10).map(Math.round), [-12, -10, -8, -6, -4, -2, 0, 2])
})

test("an axis has at most eight steps", () => {
  assert.deepEqual(chooseAxisPlaces(3), [0, 1, 2, 3])
  assert.deepEqual(chooseAxisPlaces(20), [0, 3, 6, 9, 12, 15, 18])
  assert.deepEqual(chooseAxisPlaces(0), [0])
})

test("numbers have three digits, small ones a power of ten", () => {
  assert.equal(formatGradient(0.12345), "0.123")
  assert.equal(formatGradient(2.5), "2.5")
  assert.equal(formatGradient(0), "0")
  assert.equal(formatGradient(0.00001234), "1.2·10⁻⁵")
  assert.equal(formatGradient(1.2e-12), "1.2·10⁻¹²")
  assert.equal(formatGradient(1e-4), "10⁻⁴")
})
