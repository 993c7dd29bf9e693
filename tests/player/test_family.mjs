// Attention partners in a family of translations.
import assert from "node:assert/strict"
import { test } from "node:test"
import { mapCells, listPartnersOfWord, listStrongestPerModel } from "../../assets/player/family/family.js"
import { listWordsAttendingTo } from "../../assets/player/shared/partners.js"

/** @type {(rows: [number, number][][] | null) => any} */
const member = (rows) => ({ translation: { attended: rows, words: [] } })
const members = [
  member(null),
  member([[[0, 0.9], [1, 0.1]], [[1, 0.6], [-1, 0.4]]]),
  { translation: null },
  member([[[1, 0.2]], [[1, 0.7]], [[0, 0.04]]]),
]
const maps = members.map(({ translation }) => translation?.attended)

test("a word has the weights of its own model, or none without attention", () => {
  assert.equal(listPartnersOfWord(members, 0, 0), null)
  assert.equal(listPartnersOfWord(members, 2, 0), null)
  assert.deepEqual(listPartnersOfWord(members, 1, 1), [{ m: 1, k: 1, value: 0.6 }, { m: 1, k: -1, value: 0.4 }])
})

test("words that attend to a source word are found in every column", () => {
  assert.deepEqual(listWordsAttendingTo(maps, 1).map(({ m, k, value }) => [m, k, value]), [[1, 0, 0.1], [1, 1, 0.6], [3, 0, 0.2], [3, 1, 0.7]])
  assert.deepEqual(listWordsAttendingTo(maps, -1), [{ m: 1, k: 1, value: 0.4 }])
})

test("only the strongest partner of each model above the threshold is named", () => {
  assert.deepEqual(listStrongestPerModel(listWordsAttendingTo(maps, 1)).map(({ m, k }) => [m, k]), [[1, 1], [3, 1]])
  assert.deepEqual(listStrongestPerModel(listWordsAttendingTo(maps, 0)).map(({ m }) => m), [1])
})

test("a map has a column for the end", () => {
  assert.deepEqual(mapCells([[[0, 0.9], [-1, 0.1]], []], 5), [{ t: 0, s: 0, value: 0.9 }, { t: 0, s: 5, value: 0.1 }])
})
