// Navigation in the beam tree.

import assert from "node:assert/strict"
import test from "node:test"

import { findBestContinuation, matchesFilter, findColumnNeighbour, listPath } from "../../assets/player/laboratory/beam.js"

/** @import { BeamNode } from "../../assets/player/payloads.js" */

/** @type {(number: number, parent: number, step: number, rank: number, text: string) => BeamNode} */
const node = (number, parent, step, rank, text) => ({ number, parent, step, rank, text, id: number, continues_word: false, p: 0.5, total_log_probability: -1, fate: "kept" })
const NODES = [node(0, -1, 0, 0, "Le"), node(1, -1, 0, 1, "Un"), node(4, 0, 1, 1, "Chat"), node(3, 1, 1, 0, "chien"), node(7, 0, 1, 2, "roi")]

test("a path goes back to the first piece", () => {
  assert.deepEqual(listPath(NODES, 7).map((item) => item.number), [0, 7])
  assert.deepEqual(listPath(NODES, 99), [])
})

test("the best continuation has the best rank, and may be missing", () => {
  assert.equal(findBestContinuation(NODES, NODES[0]).number, 4)
  assert.equal(findBestContinuation(NODES, NODES[4]), undefined)
})

test("neighbours are in the same column in order of rank", () => {
  assert.equal(findColumnNeighbour(NODES, NODES[2], -1)?.number, 3)
  assert.equal(findColumnNeighbour(NODES, NODES[2], 1)?.number, 7)
  assert.equal(findColumnNeighbour(NODES, NODES[0], -1), undefined)
})

test("a filter ignores case", () => {
  assert.ok(matchesFilter(NODES[2], "chA"))
  assert.ok(!matchesFilter(NODES[2], "x"))
  assert.ok(matchesFilter(NODES[2], ""))
})
