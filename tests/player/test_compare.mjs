// Attention in the comparison, also of models without it; the length curve.
import assert from "node:assert/strict"
import test from "node:test"
import { findBin, describeScores } from "../../assets/player/compare/length_curve.js"
import { getAttention } from "../../assets/player/compare/highlight.js"
import { roundTop } from "../../assets/player/shared/length_axis.js"

/** @param {[number, number][][] | null} rows */
const side = (rows) => /** @type {any} */ ({ attended: rows })
const PREFIX = /** @type {any} */ ({
  columns: [[0, 0], [1, null], [null, 1]], sides: [side([[[0, 0.9]], [[1, 0.6], [-1, 0.4]]]), side(null)],
})

test("a word of a model with attention has its own weights", () => {
  assert.deepEqual(getAttention(PREFIX, 0, 1), { otherModel: -1, isOwn: true, attention: [{ place: 1, value: 0.6 }, { place: -1, value: 0.4 }] })
})

test("a word of a model without attention has the weights of the other model's word in its column", () => {
  assert.deepEqual(getAttention(PREFIX, 1, 0), { otherModel: 0, isOwn: false, attention: [{ place: 0, value: 0.9 }] })
  assert.deepEqual(getAttention(PREFIX, 1, 1), { otherModel: -1, isOwn: false, attention: null })
})

const LINE = [
  { words: 5, bleu: 30, sentences: 1200, first: 1, last: 10 }, { words: 15, bleu: 20, sentences: 900, first: 11, last: 20 },
  { words: 66, bleu: 10, sentences: 40, first: 61, last: null },
]

test("a length falls into at most one bin", () => {
  assert.deepEqual([10, 11, 30, 200].map((words) => findBin(LINE, words)?.bleu), [30, 20, undefined, 10])
})

test("the upper edge is the next multiple of 5 over all lines", () => {
  assert.equal(roundTop([LINE, null]), 30)
  assert.equal(roundTop([[{ ...LINE[0], bleu: 30.1 }]]), 35)
  assert.equal(roundTop([null]), 10)
})

test("scores at a sentence length are described", () => {
  const messages = /** @type {any} */ ({ at: "{count} ({span}, {sentences}): {list}", none: "none for {count}", score: "{model} {bleu}" })
  const models = /** @type {any} */ ([{ name: "A" }, { name: "B" }])
  const set = { key: "set", name: "set", lines: [LINE, null] }
  assert.equal(describeScores(set, models, messages, 4), "4 (1–10, 1,200): A 30.0")
  assert.equal(describeScores(set, models, messages, 99), "99 (61+, 40): A 10.0")
  assert.equal(describeScores(set, models, messages, 30), "none for 30")
})
