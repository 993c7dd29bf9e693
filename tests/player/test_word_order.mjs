// Words that are linked through all columns.

import assert from "node:assert/strict"
import { test } from "node:test"
import { findLinked } from "../../assets/player/concepts/word_order.js"

// Korean 0, English 1, French 2: "went" attends to "갔다", "suis" and "allé" to "went".
/** @type {{ source: number, target: number, links: [number, number][] }[]} */
const LINKS = [{ source: 0, target: 1, links: [[0, 0], [2, 1], [1, 2]] }, { source: 1, target: 2, links: [[0, 0], [1, 1], [1, 2], [2, 3]] }]

test("a word lights up its links through the middle column", () => {
  assert.deepEqual([...findLinked(LINKS, { column: 0, index: 2 })].sort(), ["0-2", "1-1", "2-1", "2-2"])
  assert.deepEqual([...findLinked(LINKS, { column: 1, index: 1 })].sort(), ["0-2", "1-1", "2-1", "2-2"])
  assert.deepEqual([...findLinked(LINKS, { column: 2, index: 2 })].sort(), ["0-2", "1-1", "2-2"])
})
