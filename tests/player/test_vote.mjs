// The questions of a vote and their right answers.
import assert from "node:assert/strict"
import { test } from "node:test"
import { listQuestions } from "../../assets/player/step_by_step/vote.js"

test("the word with most weight and the token that was chosen are the answers", () => {
  const step = {
    alpha: [0.1, 0.2, 0.3, 0.4],
    candidates: [{ prefix: "", text: "b", p: 0.6, is_chosen: true }, { prefix: "", text: "a", p: 0.3, is_chosen: false }],
  }
  const player = /** @type {any} */ ({
    data: { has_attention: true, steps: [step], source: [..."abcd"].map((text) => ({ text })), target: [], sentence: "", languages: ["en", "fr"] },
    wordPieces: [[0], [1, 2], [3]], clock: { step: -1 }, guess: { revealedSteps: new Set() }, pauseProgress: () => 1,
  })
  const [attendQuestion, nextTokenQuestion] = listQuestions(player)
  assert.deepEqual([attendQuestion.options, attendQuestion.answer], [["a", "bc", "d"], { option: 1, shares: [0.1, 0.5, 0.4] }]) // not the strongest piece
  assert.deepEqual([nextTokenQuestion.options, nextTokenQuestion.answer], [["a", "b"], { option: 1, shares: [0.3, 0.6] }]) // in alphabetical order
})
