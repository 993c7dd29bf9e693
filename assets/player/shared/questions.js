// What a class can vote on: components offer questions about what they show, and the vote's dialog collects them.

/** @import { Answer, Question } from "../payloads.js" */

/** A question with its answer, which stays in this browser until it is shown. `step`: from 1. `show`: shows it on the page.
 * @typedef {Question & { step: number, answer: Answer, show: () => void }} Offer */

const REQUEST = "collect-questions" // an event of the window

export const OPEN_VOTE = "open-vote" // an event of the window

export const requestVote = () => dispatchEvent(new Event(OPEN_VOTE))

/** Return the questions about what is on the screen. */
export function collectQuestions() {
  /** @type {Offer[]} */
  const offers = []
  dispatchEvent(new CustomEvent(REQUEST, { detail: offers }))
  return offers
}

/**
 * Offer questions whenever they are collected, until the signal.
 * @type {(listQuestions: () => Offer[], signal: AbortSignal) => void}
 */
export function offerQuestions(listQuestions, signal) {
  addEventListener(REQUEST, (event) => event instanceof CustomEvent && event.detail.push(...listQuestions()), { signal })
}
