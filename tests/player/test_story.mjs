// The story's pure functions.
import assert from "node:assert/strict"
import { test } from "node:test"
import { countKept, scaleEnergies, findPositionOfKey, findNextPosition } from "../../assets/player/story/scene.js"

test("steps run through every scene and back", () => {
  const steps = [2, 1, 3]
  const first = { scene: 0, step: 0 }
  const visitedPositions = []
  for (let position = findNextPosition(first, [1, ...steps], 1); position; position = findNextPosition(position, [1, ...steps], 1)) visitedPositions.push([position.scene - 1, position.step])
  assert.deepEqual(visitedPositions, [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]])
  const reversePositions = []
  for (let position = findNextPosition({ scene: 3, step: 0 }, [...steps, 1], -1); position; position = findNextPosition(position, [...steps, 1], -1)) reversePositions.push([position.scene, position.step])
  assert.deepEqual(reversePositions, visitedPositions.reverse())
})

test("Home is the start of the first scene, End the end of the last", () => {
  assert.deepEqual(findPositionOfKey("Home", [2, 3]), { scene: 0, step: 0 })
  assert.deepEqual(findPositionOfKey("End", [2, 3]), { scene: 1, step: 2 })
  assert.equal(findPositionOfKey("a", [2, 3]), null)
})

test("kept words are those that were not lost", () => {
  assert.equal(countKept([1, 3, 5], [3]), 2)
  assert.equal(countKept([], []), 0)
})

test("energies are scaled to their range", () => {
  assert.deepEqual(scaleEnergies([-4, -2, -3]), [0, 1, 0.5])
  assert.deepEqual(scaleEnergies([2, 2]), [0, 0])
})
