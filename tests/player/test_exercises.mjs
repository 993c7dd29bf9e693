// The questions of the exercises have one right answer, which follows from the numbers of the picture. Expected numbers were
// computed with numpy in float64, or can be seen in the data.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { askFirstAnnotation } from "../../assets/player/concepts/bidirectional.js"
import { askFirstLoss } from "../../assets/player/concepts/bottleneck.js"
import { roundAsPrinted, parseAnswer } from "../../assets/player/concepts/exercise_offers.js"
import { askGivenCount } from "../../assets/player/concepts/forcing.js"
import { askHalvingTemperature } from "../../assets/player/concepts/next_token.js"
import { askFarShift } from "../../assets/player/concepts/positions.js"
import { askChangingTemperature } from "../../assets/player/concepts/retrieval.js"
import { askFlattest } from "../../assets/player/concepts/score_functions.js"
import { askLargestWeight } from "../../assets/player/concepts/self_attention.js"
import { askSharpDimension } from "../../assets/player/concepts/softmax_scaling.js"
import { askSmallestLambda } from "../../assets/player/concepts/tanh_rnn.js"
import { askClosedGate } from "../../assets/player/concepts/unit_gates.js"
import { askSmallestWindow } from "../../assets/player/concepts/windows.js"

/** @import { Question } from "../../assets/player/concepts/exercise_offers.js" */

const TEXTS = Object.fromEntries([...readFileSync(new URL("../../assets/words/en/concepts_exercises.toml", import.meta.url), "utf8").matchAll(/^(\w+) = "(.*)"$/gm)].map(([, key, text]) => [key, text]))

/** @type {(key: string, places: Question["places"]) => void} */
function assertFilled(key, places) {
  assert.ok(TEXTS[key], key)
  for (const [, name] of TEXTS[key].matchAll(/\{(\w+)/g)) assert.ok(name in places, `${key} needs ${name}`)
}

/**
 * Assert that this answer alone is right, and that every text finds its places.
 * @type {(idea: string, question: Question | null, expected: number | string, otherAnswers?: number[]) => void}
 */
function assertAnswer(idea, question, expected, otherAnswers = []) {
  assert.ok(question)
  const { options, scale, variant = "", places } = question
  const answers = options ? [...options.keys()] : scale ?? otherAnswers
  const rightAnswers = answers.filter((answer) => !question.judge(answer))
  assert.deepEqual(options ? rightAnswers.map((k) => options[k]) : rightAnswers, [expected])
  for (const kind of ["question", "hint_1", "hint_2", "solution"]) assertFilled(`${kind}_${idea}${variant}`, places)
  for (const answer of answers) {
    const reply = question.judge(answer)
    if (reply) assertFilled(`wrong_${reply.key}`, reply.places)
  }
}

/** A payload, of which a question needs a part only.
 * @type {(data: object) => any} */
const payload = (data) => data

test("the first word that only the bottleneck loses", () => {
  const source = [["", "a"], [" ", "red"], [" ", "car"], [" ", "came"]]
  /** @type {(count: number, plain: number[], attending: number[]) => object} */
  const part = (count, plain, attending) => ({ end: count, word_count: count, translations: [{ text: "", omissions: plain }, { text: "", omissions: attending }] })
  const data = payload({ source, content: [1, 2, 3], sizes: [384, 768], titles: ["one", "many"], prefixes: [part(1, [], []), part(2, [1], [1]), part(3, [1, 2], [1]), part(4, [3], [])] })
  assertAnswer("bottleneck", askFirstLoss(data), 3)
  assert.equal(askFirstLoss({ ...data, prefixes: data.prefixes.slice(0, 2) }), null)
})

test("the token whose annotation is complete first is the last one", () => {
  assertAnswer("bidirectional", askFirstAnnotation(["I", "am", "here", "end"]), "end")
  assert.equal(askFirstAnnotation(["I", "am", "here", "end"]).places.step, 5)
})

test("a closed gate leaves the state of the token before", () => {
  const unit = { number: 4, gates: [[0.3, 0.6, 0.9], [0.1, 0.1, 0.1]], candidate: [0.5, -0.4, 0.2], memory: [0, 0.15, -0.18, 0.162] }
  const constantUnit = { ...unit, number: 9, memory: [0, 0.1, 0.1, 0.1] }
  const models = [{ title: "", cell: "GRU", gates: ["update", "reset"], tokens: ["a", "b", "end"], size: 384, units: [constantUnit, unit] }]
  assertAnswer("gates", askClosedGate(payload({ models, messages: { unit_option: "unit {number} of {size}" } })), -0.18, [-0.18, 0.162, 0.2, 7])
})

test("the smallest |λ| that lets half of the gradient through", () => {
  const matrix = [[-0.096, -0.335, -0.937], [-0.08, -0.936, 0.342], [-0.992, 0.108, 0.063]]
  const inputs = [[-1.265, -0.623, 0.041], [-2.325, -0.219, -1.246], [-0.732, -0.544, -0.316], [0.412, 1.043, -0.129]]
  assertAnswer("gradients", askSmallestLambda(payload({ tokens: ["a", "b", "c", "end"], matrix, inputs })), 0.9)
})

test("the temperature of retrieval that changes the token, finite if there is one", () => {
  /** @param {string} tokens */
  const step = (tokens) => [...tokens].map((token) => [token, 0.5])
  const data = payload({ temperatures: [0, 1, 2, 4, null], target: ["a", "b", "c"], predictions: [step("aaaab"), step("bbbcb"), step("ccccc")], messages: { own: "1", uniform: "∞" } })
  assertAnswer("retrieval", askChangingTemperature(data), "4")
  assertAnswer("retrieval", askChangingTemperature({ ...data, predictions: data.predictions.slice(0, 1) }), "∞")
  assert.equal(askChangingTemperature({ ...data, predictions: data.predictions.slice(2) }), null)
})

test("the flattest score function, concat left out", () => {
  const forms = [{ name: "additive", energies: [[3, 0], [0, 2]] }, { name: "concat", energies: [[0, 0], [0, 0]] }, { name: "dot", energies: [[0.5, 0], [0, 0.1]] }]
  const data = payload({ forms, messages: { name_additive: "additive", name_dot: "dot" } })
  assertAnswer("scores", askFlattest(data), "dot")
  assert.equal(askFlattest({ ...data, forms: [forms[0], { ...forms[0], name: "dot" }] }), null)
})

test("the window of the step that attends furthest from its centre", () => {
  const energies = [[3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 4, 1], [0, 3, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0]]
  const question = askSmallestWindow(payload({ energies, source: [..."abcdef"], target: [..."ABCD"] }))
  assertAnswer("windows", question, 3)
  assert.deepEqual([question?.places.token, question?.places.source, question?.places.kept], ["B", "e", "0.96"])
})

test("the tokens that free running needs until it is exact", () => {
  const tokens = [..."abcd"].map((text, k) => ({ text, p: 0.5, best_token: k === 1 ? "x" : text, best_p: 0.6, is_best: k !== 1 }))
  const data = payload({ forced_tokens: tokens, continuations: [[..."axyd"], [..."axcd"], [..."abcd"], [..."abcd"]], first_difference: 1 })
  assertAnswer("training", askGivenCount(data), 2)
  assert.equal(askGivenCount({ ...data, first_difference: -1 }), null)
})

test("the temperature that halves the most likely token", () => {
  const sums = [-2.995732273553991, -1.4606755448912936, -0.6931471805599453, -0.23263016196113623, 0.07438118377140329]
  /** @param {number[]} shares */
  const step = (shares) => ({ prefix: "", tokens: ["a", "b", "c"], log_probs: shares.map(Math.log), rest_count: 5, rest_sums: sums })
  const data = payload({ steps: [step([0.6, 0.3, 0.05]), step([0.8, 0.1, 0.05])], temperatures: [1, 1.5, 2, 2.5, 3], translation: ["a", "a"] })
  const question = askHalvingTemperature(data)
  assertAnswer("choosing", question, 2)
  assert.deepEqual([question?.places.step, question?.places.p], [2, "0.46"])
})

test("the query with the largest weight, under the mask the first one", () => {
  const data = payload({ q: [[1, 0], [0, 4], [1, 1]], k: [[1, 0], [0, 1], [0, 3]], tokens: ["a", "b", "c"], stack: "encoder" })
  assertAnswer("self_attention", askLargestWeight(data), "b")
  assertAnswer("self_attention", askLargestWeight({ ...data, stack: "decoder" }), "a")
})

test("the shift and the dimension at which a value falls below its threshold", () => {
  assertAnswer("positions", askFarShift({ d: 256 }), 10)
  assertAnswer("scaling", askSharpDimension(1), 32)
})

test("answers are read with a comma or a real minus, and thresholds as they are printed", () => {
  assert.deepEqual([" 0,5", "−0.2", "12"].map(parseAnswer), [0.5, -0.2, 12])
  assert.ok([parseAnswer(""), parseAnswer("x")].every(Number.isNaN))
  assert.equal(roundAsPrinted(0.8951), 0.9)
})
