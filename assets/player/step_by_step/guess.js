// State of the guessing game: the player stops before α is shown, and the reader guesses the strongest source word.

import { argmax } from "../shared/format.js"
import { readStored, writeStored } from "../shared/storage.js"

// In session storage, so that game and score continue on other sentences and after other pages.
const ANSWERS_KEY = "guesses"
const ENABLED_KEY = "guessing"
export const RECENT = 5 // number of recent guesses scored separately

/** Whether the game is on, the guessed steps, and which guesses were right.
 * @typedef {{ isOn: boolean, revealedSteps: Set<number>, answers: boolean[] }} Guess */

/** @returns {Guess} */
export function makeGuess() {
  const isOn = readStored("sessionStorage", ENABLED_KEY) === true
  const storedAnswers = readStored("sessionStorage", ANSWERS_KEY)
  /** @type {boolean[]} */
  const answers = Array.isArray(storedAnswers) ? storedAnswers.filter((item) => typeof item === "boolean") : []
  return { isOn, revealedSteps: new Set(), answers }
}

/** @type {(guess: Guess, isRight: boolean) => void} */
export function recordAnswer(guess, isRight) {
  guess.answers.push(isRight)
  writeStored("sessionStorage", ANSWERS_KEY, guess.answers)
}

/** @param {Guess} guess */
export function toggleGuessing(guess) {
  guess.isOn = !guess.isOn
  guess.revealedSteps = new Set()
  writeStored("sessionStorage", ENABLED_KEY, guess.isOn)
}

/** @param {boolean[]} answers */
export const countRight = (answers) => answers.filter(Boolean).length

/**
 * Group the source's pieces by words; the end of sentence is one too.
 * @param {{ continues_word: boolean }[]} pieces
 */
export function groupPieces(pieces) {
  /** @type {number[][]} */
  const words = []
  pieces.forEach((piece, j) => {
    if (piece.continues_word) words[words.length - 1].push(j)
    else words.push([j])
  })
  return words
}

/**
 * Sum α over each word's pieces and find the largest.
 * @param {number[][]} wordPieces
 * @param {number[]} alpha
 */
export function sumPerWord(wordPieces, alpha) {
  const sums = wordPieces.map((pieces) => pieces.reduce((sum, j) => sum + alpha[j], 0))
  return { sums, strongestIndex: argmax(sums) }
}
