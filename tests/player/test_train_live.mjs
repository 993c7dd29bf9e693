// News of a live run, and which snapshot is shown at a moment.
import assert from "node:assert/strict"
import { test } from "node:test"
import { addNews, computeAccuracy, findSnapshot, listLengthScores, listMoments, listShownExamples, roundUp } from "../../assets/player/train_live/news.js"

/** @import { NetworkReport } from "../../assets/player/payloads.js" */
const snapshot = (/** @type {number} */ seconds) => ({ updates: 0, pairs: 0, seconds, loss: null, accuracy: 0, by_length: [1, 0.5], norm: null, max_norm: null, clipped: null, examples: [] })
/** @type {(...seconds: number[]) => NetworkReport} */
const network = (...seconds) => ({
  settings: { task: "copy", kind: "rnnsearch", limit: 2, hidden: 32, score: "dot", rate: 1, forcing: 1, clip: 1, seed: 1, seconds: 60, interval: 1 },
  state: "done", reason: "", parameters: 1, lengths: [1, 2], longer: [3], examples: [], problem: [], snapshots: seconds.map(snapshot),
  exam: [{ length: 1, accuracy: 1 }, { length: 2, accuracy: 0.9 }, { length: 3, accuracy: 0 }],
})

test("news are added after the snapshots that the browser has", () => {
  const news = { state: /** @type {const} */ ("running"), ahead: 0, version: 0, first: [2, 0], networks: [network(2.1), network(0)] }
  assert.deepEqual(addNews([network(0, 1), network()], news).map(({ snapshots }) => snapshots.map(({ seconds }) => seconds)), [[0, 1, 2.1], [0]])
})

test("networks are shown at the same moment", () => {
  const [fast, slow] = [network(0, 1.02, 2.01, 3), network(0, 1.4, 2.2)]
  assert.deepEqual(listMoments([slow, fast]), [0, 1.02, 2.01, 3])
  assert.deepEqual([0, 1.02, 2.01, 3].map((moment) => findSnapshot(slow, moment)), [0, 1, 2, 2])
  assert.equal(findSnapshot(network(), 1), -1)
})

test("the last moment has the larger test and lengths beyond training", () => {
  assert.deepEqual(listLengthScores(network(0, 1), 0), [[1, 1], [2, 0.5]])
  assert.deepEqual(listLengthScores(network(0, 1), 1), [[1, 1], [2, 0.9], [3, 0]])
  assert.equal(computeAccuracy(network(0, 1), 1), 0.95)
  assert.equal(computeAccuracy(network(), -1), null)
})

test("the reader's own example is shown only while there is an input", () => {
  const examples = [..."abcd"].map((text) => ({ source: [text], target: [text] }))
  assert.deepEqual(["", "d"].map((input) => listShownExamples(examples, { input }).length), [3, 4])
})

test("axes end at a round number", () => assert.deepEqual([0.5, 1, 3.3, 11, 26].map(roundUp), [0.5, 1, 4, 15, 30]))
