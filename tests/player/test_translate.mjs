// Texts, keys and highlights of the heatmap picture.
import assert from "node:assert/strict"
import test from "node:test"
import { findDifferingWords } from "../../assets/player/shared/common_subsequence.js"
import { findStrengthPerWord, placeOfNode, highlightStrengths } from "../../assets/player/translate/highlight.js"
import { getPieceClass } from "../../assets/player/translate/map.js"
import { rankOfKey } from "../../assets/player/translate/texts.js"
import { countWords } from "../../assets/player/translate/descriptions.js"
import { listStrongestPartners } from "../../assets/player/shared/partners.js"

const READING = {
  labels: ["le", "chat", "fin"], word_of: [0, 1, -1], words: [], unknown_words: [], copied_words: [], tail: "", language: "fr", probabilities: [], most_attended: null, lexicon_gloss: null, label_log_probabilities: [], has_attention: true,
  log_probability: "", score: "", notes: [], differences: [], alpha: [[0.75, 0.25], [0.25, 0.75], [0, 1]],
}
const SOURCE = { labels: ["the", "cat"], word_of: [0, 1], words: /** @type {[string, string][]} */ ([["", "the"], [" ", "cat"]]), unknown_words: [] }
const DATA = { source: SOURCE, n_best: [READING, { ...READING, alpha: null, labels: ["un"], word_of: [0] }], other_translation: null }

test("words outside the longest common subsequence differ", () => {
  assert.deepEqual([...findDifferingWords(["le", "chat", "dort"], ["le", "gros", "chat", "mange"])], [1, 3])
  assert.deepEqual([...findDifferingWords(["a"], ["a"])], [])
  assert.deepEqual([...findDifferingWords([], ["a", "b"])], [0, 1])
  assert.deepEqual([...findDifferingWords(["a", "b"], [])], [])
})

test("arrow keys wrap around the n-best list", () => {
  assert.equal(rankOfKey("ArrowUp", 0, 5), 4)
  assert.equal(rankOfKey("ArrowRight", 4, 5), 0)
  assert.equal(rankOfKey("End", 1, 5), 4)
  assert.equal(rankOfKey("a", 1, 5), undefined)
  assert.equal(rankOfKey("constructor", 1, 5), undefined)
})

test("a target word highlights its source words, and other readings' words for them", () => {
  const { source, target } = highlightStrengths(DATA, { index: 0, ts: [0], ss: [] })
  assert.deepEqual(source, [0.75, 0.25])
  assert.deepEqual(target, [[1, 0, 0], []])
})

test("a source word highlights the words that attend to it", () => {
  const { source, target } = highlightStrengths(DATA, { index: 0, ts: [], ss: [1] })
  assert.deepEqual(source, [0, 1])
  assert.deepEqual(target, [[0.25, 0.75, 1], []])
})

test("a translation without attention highlights its own word only", () => {
  const { source, target } = highlightStrengths(DATA, { index: 1, ts: [0], ss: [] })
  assert.deepEqual(source, [0, 0])
  assert.deepEqual(target, [[0, 0, 0], [1]])
})

test("a word has the strength of its strongest piece", () => {
  assert.deepEqual([...findStrengthPerWord({ labels: ["a", "b", "c"], word_of: [0, 0, 1], unknown_words: [] }, [0.2, 0.6, 0.1])], [[0, 0.6], [1, 0.1]])
})

test("pieces of a word are bracketed", () => {
  const side = { labels: ["ca", "ts", "sit", "end"], word_of: [0, 0, 1, -1], unknown_words: [] }
  assert.deepEqual(side.labels.map((_, k) => getPieceClass(side, k)), ["bound", "joined bound", "", "end"])
})

test("a word's place has all its pieces, a cell's one position per side", () => {
  const root = /** @type {any} */ ({ data: { ...DATA, source: { ...SOURCE, word_of: [0, 0] } }, rank: 0 })
  assert.deepEqual(placeOfNode(root, { sourceWord: "0" }), { index: 0, ts: [], ss: [0, 1] })
  assert.deepEqual(placeOfNode(root, { translation: "1", targetWord: "0" }), { index: 1, ts: [0], ss: [] })
  assert.deepEqual(placeOfNode(root, { target: "2", source: "1" }), { index: 0, ts: [2], ss: [1] })
})

test("equal words are counted", () => {
  /** @type {[string, string][]} */
  const words = [["", "Oui"], [" ", "la"], [" ", "mer"], [" ", "oui"], [" ", "oui"]]
  assert.deepEqual(countWords(words, [0, 2, 3, 4]), [[0, 3], [2, 1]])
  assert.deepEqual(countWords(words, []), [])
})

test("the strongest partners are in descending order, without small ones", () => {
  assert.deepEqual(listStrongestPartners([0.1, 0.04, 0.86].map((value, k) => ({ value, k }))).map(({ k }) => k), [2, 0])
})
