// The questions of a vote and their right answers.
import assert from "node:assert/strict"
import { test } from "node:test"
import { listQuestions } from "../../assets/player/step_by_step/vote.js"

/** @type {(alpha: number[], texts: string[], wordPieces: number[][], labels: string[]) => any} */
const makePlayer = (alpha, texts, wordPieces, labels) => ({
  data: { has_attention: true, steps: [{ alpha, candidates: labels.map((text, k) => ({ prefix: "", text, p: 0.6 / (k + 1), is_chosen: k === 0 })) }], source: texts.map((text) => ({ text })), target: [], sentence: "", languages: ["en", "fr"] },
  wordPieces, clock: { step: -1 }, guess: { revealedSteps: new Set() }, pauseProgress: () => 1,
})

test("a question with an option that the server refuses is not offered", () => {
  for (const refused of ["", "a".repeat(81)]) assert.deepEqual(listQuestions(makePlayer([0.4, 0.6], ["b", refused], [[0], [1]], [refused, "b"])), [])
})

test("nothing is asked at the last step, whose answer is on the screen", () => {
  const player = makePlayer([0.4, 0.6], ["a", "b"], [[0], [1]], ["a", "b"])
  player.clock.step = 0
  player.clock.isShown = true
  assert.deepEqual(listQuestions(player), [])
})

test("the word with most weight and the token that was chosen are the answers", () => {
  const player = makePlayer([0.1, 0.2, 0.3, 0.4], [..."abcd"], [[0], [1, 2], [3]], ["b", "a"])
  const [attendQuestion, nextTokenQuestion] = listQuestions(player)
  assert.deepEqual([attendQuestion.options, attendQuestion.answer], [["a", "bc", "d"], { option: 1, shares: [0.1, 0.5, 0.4] }]) // not the strongest piece
  assert.deepEqual([nextTokenQuestion.options, nextTokenQuestion.answer], [["a", "b"], { option: 1, shares: [0.3, 0.6] }]) // in alphabetical order
})

test("an answer plays its step in the player that is there now, if that has the same translation", () => {
  /** @type {(trace_id: string) => any} */
  const makePlayedPlayer = (trace_id) => {
    const player = makePlayer([0.4, 0.6], ["a", "b"], [[0], [1]], ["a", "b"])
    const clock = { step: -1, plays: 0, goToStep: () => {}, play: () => (clock.plays += 1) }
    return { ...player, data: { ...player.data, trace_id }, clock }
  }
  const [drawnPlayer, samePlayer, otherPlayer] = ["one", "one", "other"].map(makePlayedPlayer)
  drawnPlayer.root = { player: samePlayer }
  const [question] = listQuestions(drawnPlayer)
  question.show()
  drawnPlayer.root.player = otherPlayer
  question.show()
  assert.deepEqual([drawnPlayer, samePlayer, otherPlayer].map(({ clock }) => clock.plays), [0, 1, 0])
})
