// Where the arrow keys lead in a table of the laboratory.

import assert from "node:assert/strict"
import test from "node:test"

import { stepped } from "../../assets/player/laboratory/walking.js"

test("arrows lead to the neighbours, Home and End to the ends of the row, and nothing leads out", () => {
  assert.deepEqual(stepped("ArrowUp", 1, 2, 3, 4), [0, 2])
  assert.deepEqual(stepped("ArrowDown", 1, 2, 3, 4), [2, 2])
  assert.deepEqual(stepped("ArrowLeft", 1, 2, 3, 4), [1, 1])
  assert.deepEqual(stepped("ArrowRight", 1, 2, 3, 4), [1, 3])
  assert.deepEqual(stepped("Home", 1, 2, 3, 4), [1, 0])
  assert.deepEqual(stepped("End", 1, 2, 3, 4), [1, 3])
  assert.equal(stepped("ArrowUp", 0, 0, 3, 4), null)
  assert.equal(stepped("ArrowRight", 0, 3, 3, 4), null)
  assert.equal(stepped("Enter", 0, 0, 3, 4), null)
  assert.equal(stepped("toString", 0, 0, 3, 4), null)
})
