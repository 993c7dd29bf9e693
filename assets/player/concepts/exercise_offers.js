// How a picture of an idea hands its exercise to the component below it (exercise.js). The question is made of the numbers
// that the picture shows, so that it stays right for every sentence and model.

/** The sentence that answers a wrong answer, by its key without "wrong_", and its places.
 * @typedef {{ key: string, places: Record<string, string | number> }} Reply */
/** A question. An answer is the index of one of `options`, a number of `scale`, or any number.
 * @typedef {object} Question
 * @property {Record<string, string | number>} places of the question, the hints and the solution
 * @property {string[]} [options]
 * @property {number[]} [scale] the values that the control takes
 * @property {string} [variant] ends the keys of the question, the hints and the solution
 * @property {(answer: number) => Reply | null} judge returns null for the right answer */
/** @typedef {() => Question | null} Ask returns null if the sentence gives no answer */

/** @type {Map<string, { root: Element, ask: Ask }>} */
const offers = new Map()

export const OFFER_EVENT = "exercise-offered" // event of the document

/** @type {(idea: string, root: Element, ask: Ask) => void} */
export function offerExercise(idea, root, ask) {
  offers.set(idea, { root, ask })
  document.dispatchEvent(new Event(OFFER_EVENT))
}

/**
 * Ask the question of an idea; undefined as long as its picture is not there.
 * @param {string} idea
 */
export function askQuestion(idea) {
  const offer = offers.get(idea)
  return offer?.root.isConnected ? offer.ask() : undefined
}

/**
 * Read a number as readers of both languages type it; NaN if it is none.
 * @param {string} text
 */
export const parseAnswer = (text) => (text.trim() ? Number(text.trim().replace(",", ".").replace("−", "-")) : NaN)

/**
 * Round as the pictures print, so that a threshold is where the reader sees it.
 * @type {(value: number, digits?: number) => number}
 */
export const roundAsPrinted = (value, digits = 2) => Number(value.toFixed(digits))
