// Scroll stops while presenting.
import assert from "node:assert/strict"
import test from "node:test"
import { computeStops, hasSkippableSteps, hasVisibleSteps, measureVisibleHeight } from "../../assets/player/shared/presentation.js"

/** @type {(...edges: [number, number][]) => { top: number, bottom: number }[]} */
const blocks = (...edges) => edges.map(([top, bottom]) => ({ top, bottom }))

test("what fits one window is one stop, nothing is none", () => {
  assert.deepEqual(computeStops(blocks([10, 40], [50, 110]), 100), [10])
  assert.deepEqual(computeStops([], 100), [])
})

test("a tiny window has stops too", () => {
  assert.deepEqual(computeStops(blocks([0, 150]), measureVisibleHeight({ clientHeight: 5 })), [0, 100])
})

test("no block that fits is cut", () => {
  assert.deepEqual(computeStops(blocks([0, 60], [60, 120], [120, 180]), 100), [0, 60, 120])
  assert.deepEqual(computeStops(blocks([0, 60], [60, 100], [100, 180]), 100), [0, 100])
})

test("no block is cut beside another", () => {
  // On the left two, on the right one that crosses where the left could be cut.
  assert.deepEqual(computeStops(blocks([0, 50], [50, 120], [40, 90], [90, 130]), 100), [0, 40])
})

test("a block taller than the window is shown in parts, to its end", () => {
  assert.deepEqual(computeStops(blocks([0, 250], [250, 300]), 100), [0, 100, 200])
})

test("a heading stays with its block", () => {
  const heading = { top: 60, bottom: 80, isHeading: true }
  assert.deepEqual(computeStops([...blocks([0, 60]), heading, ...blocks([80, 150])], 100), [0, 60])
  // It moves to the next stop with both its paragraphs, as the window stays more than half full.
  assert.deepEqual(computeStops([...blocks([0, 60]), heading, ...blocks([80, 95], [95, 150])], 100), [0, 60])
  const earlyHeading = { top: 20, bottom: 30, isHeading: true }
  assert.deepEqual(computeStops([...blocks([0, 20]), earlyHeading, ...blocks([30, 90], [90, 150])], 100), [0, 90])
})

test("every block is fully visible at some stop, in any arrangement", () => {
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  for (let round = 0; round < 300; round++) {
    const blockList = Array.from({ length: 12 }, () => {
      const top = Math.floor(random() * 500)
      return { top, bottom: top + 5 + Math.floor(random() * 60), isHeading: random() < 0.2 }
    }).sort((a, b) => a.top - b.top)
    const stops = computeStops(blockList, 400)
    for (const { top, bottom } of blockList) {
      assert.ok(stops.some((stop) => top >= stop - 2 && bottom <= stop + 402), JSON.stringify({ blockList, stops, top }))
    }
    assert.deepEqual(stops, [...stops].sort((a, b) => a - b))
  }
})

test("a section with one step has steps, though none that can be skipped", () => {
  /** @type {(steps?: object) => any} */
  const makeMain = (steps) => {
    const section = { steps, matches: () => true, checkVisibility: () => true, getBoundingClientRect: () => ({ top: 10, bottom: 90 }) }
    return { querySelectorAll: () => [section], getBoundingClientRect: () => ({ top: 0, bottom: 100 }) }
  }
  const go = () => true
  assert.deepEqual([undefined, { go }, { go, skipRest: go }].map(makeMain).map((main) => [hasVisibleSteps(main), hasSkippableSteps(main)]),
    [[false, false], [true, false], [true, true]])
})
