// Markers of models.
import assert from "node:assert/strict"
import { test } from "node:test"
import { listMarkerCorners, getMarkerSign } from "../../assets/player/shared/markers.js"

/** @type {import("../../assets/player/shared/markers.js").Marker[]} */
const MARKERS = ["circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon"]

test("no two markers share a character, filled or hollow", () => {
  const signs = MARKERS.flatMap((marker) => [false, true].map((isHollow) => getMarkerSign({ marker, is_hollow: isHollow })))
  assert.equal(new Set(signs).size, 16)
})

test("a marker has its corners, the first at the top or, turned, at the bottom", () => {
  assert.deepEqual(MARKERS.map((marker) => listMarkerCorners(marker).length), [0, 0, 4, 3, 3, 5, 10, 6])
  assert.deepEqual(listMarkerCorners("diamond").map(([x, y]) => [Math.round(4 * x) + 0, Math.round(4 * y) + 0]), [[0, -5], [5, 0], [0, 5], [-5, 0]])
  assert.ok(listMarkerCorners("triangle-up")[0][1] < 0)
  assert.ok(listMarkerCorners("triangle-down")[0][1] > 0)
})

test("every second corner of a star is an inner one", () => {
  const radius = listMarkerCorners("star").map(([x, y]) => Math.hypot(x, y))
  radius.forEach((item, k) => assert.ok(Math.abs(item - (k % 2 ? 0.675 : 1.5)) < 1e-9))
})
