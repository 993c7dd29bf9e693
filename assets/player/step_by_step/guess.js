// The guessing game: the player stops before α is shown, and the reader says where the model will look.

const KEPT = "guesses" // in the tab's own storage: the score goes on over sentences, and is gone with the tab
export const RECENT = 5 // so many guesses tell whether one gets better

/** Whether it is on, the steps that were guessed, and whether each guess so far was right.
 * @typedef {{ on: boolean, revealed: Set<number>, answers: boolean[] }} Guess */

/** @returns {Guess} */
export function makeGuess() {
  /** @type {boolean[]} */
  let answers = []
  try {
    /** @type {unknown} */
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")
    if (Array.isArray(kept)) answers = kept.filter((one) => typeof one === "boolean")
  } catch {
    // A browser may keep storage from a page: then the score lives as long as the page.
  }
  return { on: false, revealed: new Set(), answers }
}

/**
 * @param {Guess} guess
 * @param {boolean} right
 */
export function remember(guess, right) {
  guess.answers.push(right)
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(guess.answers))
  } catch {
    // As above.
  }
}

/** @param {boolean[]} answers */
export const rights = (answers) => answers.filter(Boolean).length

/**
 * The words of the source as lists of their pieces; the end of the sentence is one too.
 * @param {{ joined: boolean }[]} pieces
 */
export function groups(pieces) {
  /** @type {number[][]} */
  const found = []
  pieces.forEach((piece, j) => {
    if (piece.joined) found[found.length - 1].push(j)
    else found.push([j])
  })
  return found
}

/**
 * How much of α each word gets, and which gets most.
 * @param {number[][]} grouped
 * @param {number[]} alpha
 */
export function shares(grouped, alpha) {
  const sums = grouped.map((pieces) => pieces.reduce((sum, j) => sum + alpha[j], 0))
  return { sums, most: sums.indexOf(Math.max(...sums)) }
}
