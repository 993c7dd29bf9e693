// The story's pure functions.
import assert from "node:assert/strict"
import { test } from "node:test"
import { countKept, scaleEnergies, placeOfKey, nextPlace } from "../../assets/player/story/scene.js"

test("steps run through every scene and back", () => {
  const steps = [2, 1, 3]
  const first = { scene: 0, step: 0 }
  const visitedPlaces = []
  for (let place = nextPlace(first, [1, ...steps], 1); place; place = nextPlace(place, [1, ...steps], 1)) visitedPlaces.push([place.scene - 1, place.step])
  assert.deepEqual(visitedPlaces, [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]])
  const reversePlaces = []
  for (let place = nextPlace({ scene: 3, step: 0 }, [...steps, 1], -1); place; place = nextPlace(place, [...steps, 1], -1)) reversePlaces.push([place.scene, place.step])
  assert.deepEqual(reversePlaces, visitedPlaces.reverse())
})

test("Home is the start of the first scene, End the end of the last", () => {
  assert.deepEqual(placeOfKey("Home", [2, 3]), { scene: 0, step: 0 })
  assert.deepEqual(placeOfKey("End", [2, 3]), { scene: 1, step: 2 })
  assert.equal(placeOfKey("a", [2, 3]), null)
})

test("kept words are those that were not lost", () => {
  assert.equal(countKept([1, 3, 5], [3]), 2)
  assert.equal(countKept([], []), 0)
})

test("energies are scaled to their range", () => {
  assert.deepEqual(scaleEnergies([-4, -2, -3]), [0, 1, 0.5])
  assert.deepEqual(scaleEnergies([2, 2]), [0, 0])
})
