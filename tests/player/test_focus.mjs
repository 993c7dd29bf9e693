// Focus movement by arrow keys.

import assert from "node:assert/strict"
import test from "node:test"

import { handleTokenKey } from "../../assets/player/concepts/token_buttons.js"
import { findGridTarget } from "../../assets/player/shared/focus.js"

test("arrow keys lead to neighbours, Home and End to the row's ends, and none out of the grid", () => {
  assert.deepEqual(findGridTarget("ArrowUp", 1, 2, 3, 4), [0, 2])
  assert.deepEqual(findGridTarget("ArrowDown", 1, 2, 3, 4), [2, 2])
  assert.deepEqual(findGridTarget("ArrowLeft", 1, 2, 3, 4), [1, 1])
  assert.deepEqual(findGridTarget("ArrowRight", 1, 2, 3, 4), [1, 3])
  assert.deepEqual(findGridTarget("Home", 1, 2, 3, 4), [1, 0])
  assert.deepEqual(findGridTarget("End", 1, 2, 3, 4), [1, 3])
  assert.equal(findGridTarget("ArrowUp", 0, 0, 3, 4), null)
  assert.equal(findGridTarget("ArrowRight", 0, 3, 3, 4), null)
  assert.equal(findGridTarget("Enter", 0, 0, 3, 4), null)
  assert.equal(findGridTarget("toString", 0, 0, 3, 4), null)
})

test("Enter and Space press a token, other keys do not", () => {
  let presses = 0
  const token = /** @type {any} */ ({ click: () => (presses += 1), parentElement: { querySelectorAll: () => [] } })
  assert.deepEqual(["Enter", " ", "a"].map((key) => handleTokenKey(token, key)), [true, true, false])
  assert.equal(presses, 2)
})
