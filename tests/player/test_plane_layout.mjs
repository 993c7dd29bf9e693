// Geometry of the word plane.

import assert from "node:assert/strict"
import test from "node:test"

import { placeLabels, scaleToSquare, pointInDirection, findNearestPoint } from "../../assets/player/laboratory/plane_layout.js"

const POINTS = [{ x: 0.5, y: 0.5 }, { x: 0.9, y: 0.6 }, { x: 0.7, y: 0.45 }, { x: 0.5, y: 0.1 }, { x: 0.52, y: 0.9 }, { x: 0.5, y: 0.5 }]

test("a key leads to the nearest point in its quadrant, another key nowhere", () => {
  assert.equal(pointInDirection(POINTS, 0, "ArrowRight"), 2)
  assert.equal(pointInDirection(POINTS, 2, "ArrowRight"), 1)
  assert.equal(pointInDirection(POINTS, 0, "ArrowUp"), 3)
  assert.equal(pointInDirection(POINTS, 0, "ArrowDown"), 4)
  assert.equal(pointInDirection(POINTS, 0, "ArrowLeft"), -1)
  assert.equal(pointInDirection(POINTS, 0, "Enter"), -1)
  assert.equal(pointInDirection(POINTS, 0, "toString"), -1)
})

test("the nearest point within reach is under the pointer", () => {
  assert.equal(findNearestPoint(POINTS, { x: 0.88, y: 0.58 }, 0.1), 1)
  assert.equal(findNearestPoint(POINTS, { x: 0.1, y: 0.9 }, 0.1), -1)
  assert.equal(findNearestPoint([], { x: 0, y: 0 }, 1), -1)
})

test("points fill the square with the largest y on top, and a single one is in the middle", () => {
  assert.deepEqual(scaleToSquare([{ x: -3, y: 2 }, { x: 5, y: 10 }, { x: 1, y: 6 }], undefined, 0.1), [{ x: 0.1, y: 0.9 }, { x: 0.9, y: 1 - 0.9 }, { x: 0.5, y: 0.5 }])
  assert.deepEqual(scaleToSquare([{ x: 7, y: 7 }]), [{ x: 0.5, y: 0.5 }])
})

test("when some points fill the square others may be outside", () => {
  const points = [{ x: 0, y: 0 }, { x: 1, y: 1 }, { x: 3, y: -1 }]
  assert.deepEqual(scaleToSquare(points, points.slice(0, 2), 0), [{ x: 0, y: 1 }, { x: 1, y: 0 }, { x: 3, y: 2 }])
})

const BOX = { width: 200, height: 100 }
const NAME = { width: 40, height: 10 }

test("a label is right of its point, at the box's edge left of it", () => {
  const [first, last] = placeLabels([{ x: 20, y: 50 }, { x: 180, y: 50 }], [NAME, NAME], BOX, [5, 5])
  assert.deepEqual([first?.x, first?.y, first?.isFar], [25, 45, false])
  assert.deepEqual([last?.x, last?.isFar], [135, false])
})

test("crowded labels cover no point or label, and distant ones have a line", () => {
  const spots = Array.from({ length: 9 }, (_, k) => ({ x: 100 + 6 * (k % 3), y: 50 + 6 * Math.floor(k / 3) }))
  const labels = placeLabels(spots, spots.map(() => NAME), BOX, spots.map(() => 3))
  const boxes = labels.flatMap((item) => (item ? [{ left: item.x, top: item.y, right: item.x + NAME.width, bottom: item.y + NAME.height }] : []))
  assert.ok(boxes.length >= 7)
  assert.ok(labels.some((item) => item?.isFar))
  boxes.forEach((item, k) => {
    assert.ok(item.left >= 0 && item.top >= 0 && item.right <= BOX.width && item.bottom <= BOX.height)
    assert.ok(boxes.slice(k + 1).every((other) => item.right <= other.left || other.right <= item.left || item.bottom <= other.top || other.bottom <= item.top))
    assert.ok(spots.every(({ x, y }) => x <= item.left || x >= item.right || y <= item.top || y >= item.bottom))
  })
})

test("a label without room or of an outside point is left out", () => {
  assert.deepEqual(placeLabels([{ x: 5, y: 5 }, { x: 300, y: 5 }], [{ width: 300, height: 10 }, NAME], BOX, [3, 3]), [null, null])
})
