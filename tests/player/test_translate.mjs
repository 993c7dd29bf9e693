// The heatmap's picture: which words differ, where keys lead, what lights up.
import assert from "node:assert/strict"
import test from "node:test"
import { brightest, positions, strengths } from "../../assets/player/translate/light.js"
import { classes } from "../../assets/player/translate/map.js"
import { changed, ranked } from "../../assets/player/translate/texts.js"
import { counted } from "../../assets/player/translate/told.js"

const READING = {
  labels: ["le", "chat", "fin"], word_of: [0, 1, -1], words: [], tail: "", language: "fr", chance: [], gloss: null, likely: null, log: [], attended: true,
  log_probability: "", score: "", notes: [], differences: [], alpha: [[0.75, 0.25], [0.25, 0.75], [0, 1]],
}
const SOURCE = { labels: ["the", "cat"], word_of: [0, 1], words: /** @type {[string, string][]} */ ([["", "the"], [" ", "cat"]]) }
const DATA = { source: SOURCE, best: [READING, { ...READING, alpha: null, labels: ["un"], word_of: [0] }], beside: null }

test("the words that make another translation of it", () => {
  assert.deepEqual([...changed(["le", "chat", "dort"], ["le", "gros", "chat", "mange"])], [1, 3])
  assert.deepEqual([...changed(["a"], ["a"])], [])
  assert.deepEqual([...changed([], ["a", "b"])], [0, 1])
  assert.deepEqual([...changed(["a", "b"], [])], [])
})

test("arrows go round the n best", () => {
  assert.equal(ranked("ArrowUp", 0, 5), 4)
  assert.equal(ranked("ArrowRight", 4, 5), 0)
  assert.equal(ranked("End", 1, 5), 4)
  assert.equal(ranked("a", 1, 5), undefined)
  assert.equal(ranked("constructor", 1, 5), undefined)
})

test("a target word lights what it looked at, and what looked there too", () => {
  const { source, target } = strengths(DATA, { r: 0, ts: [0], ss: [] })
  assert.deepEqual(source, [0.75, 0.25])
  assert.deepEqual(target, [[1, 0, 0], []])
})

test("a source word lights the words that looked at it", () => {
  const { source, target } = strengths(DATA, { r: 0, ts: [], ss: [1] })
  assert.deepEqual(source, [0, 1])
  assert.deepEqual(target, [[0.25, 0.75, 1], []])
})

test("a translation without attention lights its own word only", () => {
  const { source, target } = strengths(DATA, { r: 1, ts: [0], ss: [] })
  assert.deepEqual(source, [0, 0])
  assert.deepEqual(target, [[0, 0, 0], [1]])
})

test("a word shines as its brightest piece", () => {
  assert.deepEqual([...brightest({ labels: ["a", "b", "c"], word_of: [0, 0, 1] }, [0.2, 0.6, 0.1])], [[0, 0.6], [1, 0.1]])
})

test("pieces of a word are bracketed", () => {
  const side = { labels: ["ca", "ts", "sit", "end"], word_of: [0, 0, 1, -1] }
  assert.deepEqual(side.labels.map((_, k) => classes(side, k)), ["bound", "joined bound", "", "end"])
})

test("a word of the running text stands for all its pieces, a cell for itself", () => {
  const root = /** @type {any} */ ({ data: { ...DATA, source: { ...SOURCE, word_of: [0, 0] } }, rank: 0 })
  assert.deepEqual(positions(root, { sourceWord: "0" }), { r: 0, ts: [], ss: [0, 1] })
  assert.deepEqual(positions(root, { reading: "1", targetWord: "0" }), { r: 1, ts: [0], ss: [] })
  assert.deepEqual(positions(root, { target: "2", source: "1" }), { r: 0, ts: [2], ss: [1] })
})

test("a word that is marked many times is listed once", () => {
  /** @type {[string, string][]} */
  const words = [["", "Oui"], [" ", "la"], [" ", "mer"], [" ", "oui"], [" ", "oui"]]
  assert.deepEqual(counted(words, [0, 2, 3, 4]), [[0, 3], [2, 1]])
  assert.deepEqual(counted(words, []), [])
})
