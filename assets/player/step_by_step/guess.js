// The guessing game: the player stops before α is shown, and the reader says where the model will look.

// In the tab's own storage: who guesses goes on guessing on other sentences and after other pages, with the same score.
const ANSWERS_KEY = "guesses"
const ENABLED_KEY = "guessing"
export const RECENT = 5 // so many guesses tell whether one gets better

/** Whether it is on, the steps that were guessed, and whether each guess so far was right.
 * @typedef {{ isOn: boolean, revealedSteps: Set<number>, answers: boolean[] }} Guess */

/** @returns {Guess} */
export function makeGuess() {
  /** @type {boolean[]} */
  let answers = []
  let isOn = false
  try {
    isOn = sessionStorage.getItem(ENABLED_KEY) === "true"
    /** @type {unknown} */
    const stored = JSON.parse(sessionStorage.getItem(ANSWERS_KEY) ?? "[]")
    if (Array.isArray(stored)) answers = stored.filter((item) => typeof item === "boolean")
  } catch {
    // A browser may keep storage from a page: then the score lives as long as the page.
  }
  return { isOn, revealedSteps: new Set(), answers }
}

/**
 * @param {Guess} guess
 * @param {boolean} right
 */
export function recordAnswer(guess, right) {
  guess.answers.push(right)
  store(ANSWERS_KEY, guess.answers)
}

/**
 * Begin to guess, or end it.
 * @param {Guess} guess
 */
export function toggleGuessing(guess) {
  guess.isOn = !guess.isOn
  guess.revealedSteps = new Set()
  store(ENABLED_KEY, guess.isOn)
}

/**
 * @param {string} name
 * @param {boolean | boolean[]} value
 */
function store(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // As above.
  }
}

/** @param {boolean[]} answers */
export const countRight = (answers) => answers.filter(Boolean).length

/**
 * The words of the source as lists of their pieces; the end of the sentence is one too.
 * @param {{ joined: boolean }[]} pieces
 */
export function groupPieces(pieces) {
  /** @type {number[][]} */
  const words = []
  pieces.forEach((piece, j) => {
    if (piece.joined) words[words.length - 1].push(j)
    else words.push([j])
  })
  return words
}

/**
 * How much of α each word gets, and which gets most.
 * @param {number[][]} grouped
 * @param {number[]} alpha
 */
export function sumPerWord(grouped, alpha) {
  const sums = grouped.map((pieces) => pieces.reduce((sum, j) => sum + alpha[j], 0))
  return { sums, most: sums.indexOf(Math.max(...sums)) }
}
