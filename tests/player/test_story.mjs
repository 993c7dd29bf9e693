// The story's pure functions.
import assert from "node:assert/strict"
import { test } from "node:test"
import { arrived, levels, looked, most, outermost, walk } from "../../assets/player/story/steps.js"

test("steps run through every scene and back", () => {
  const steps = [2, 1, 3]
  const first = { scene: 0, step: 0 }
  const seen = []
  for (let at = walk(first, [1, ...steps], 1); at; at = walk(at, [1, ...steps], 1)) seen.push([at.scene - 1, at.step])
  assert.deepEqual(seen, [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]])
  const back = []
  for (let at = walk({ scene: 3, step: 0 }, [...steps, 1], -1); at; at = walk(at, [...steps, 1], -1)) back.push([at.scene, at.step])
  assert.deepEqual(back, seen.reverse())
})

test("Home is the first scene's beginning, End the last one as it ends", () => {
  assert.deepEqual(outermost("Home", [2, 3]), { scene: 0, step: 0 })
  assert.deepEqual(outermost("End", [2, 3]), { scene: 1, step: 2 })
  assert.equal(outermost("a", [2, 3]), null)
})

test("what arrives is what was not lost", () => {
  assert.equal(arrived([1, 3, 5], [3]), 2)
  assert.equal(arrived([], []), 0)
})

test("what a row looked at, the most first", () => {
  assert.deepEqual(looked([0.1, 0.04, 0.86]).map(({ place }) => place), [2, 0])
  assert.equal(most([0.2, 0.5, 0.3]), 1)
})

test("energies lie between their least and their greatest", () => {
  assert.deepEqual(levels([-4, -2, -3]), [0, 1, 0.5])
  assert.deepEqual(levels([2, 2]), [0, 0])
})
