// Comparison of lists of numbers.
import assert from "node:assert/strict"

/** @type {(actual: number[], expected: number[]) => void} */
export function assertClose(actual, expected) {
  assert.equal(actual.length, expected.length)
  actual.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 1e-12, `${value} is not ${expected[k]}`))
}
