// The guessing game: the player stops before alpha is shown, and the reader says where the model will look.

const KEPT = "guesses" // in the tab's own storage: the score goes on over sentences, and is gone with the tab
const RECENT = 5 // so many guesses tell whether one gets better

function makeGuess() {
  let answers = []
  try {
    answers = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]").filter((one) => typeof one === "boolean")
  } catch {
    // A browser may keep storage from a page: then the score lives as long as the page.
  }
  return { on: false, revealed: new Set(), answers }
}

function remember(guess, right) {
  guess.answers.push(right)
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(guess.answers))
  } catch {
    // As above.
  }
}

const rights = (answers) => answers.filter(Boolean).length

// The words of the source as lists of their pieces; the end of the sentence is one too.
function groups(pieces) {
  const found = []
  pieces.forEach((piece, j) => (piece.joined ? found.at(-1).push(j) : found.push([j])))
  return found
}

// How much of alpha each word gets, and which gets most.
function shares(grouped, alpha) {
  const sums = grouped.map((pieces) => pieces.reduce((sum, j) => sum + alpha[j], 0))
  return { sums, most: sums.indexOf(Math.max(...sums)) }
}
