// Which exercises are solved, in this browser alone, and their marks in the list of ideas.

import { readStored, writeStored } from "../shared/storage.js"

const STORED = "concept-exercises" // in local storage

/** @type {Set<string>} */
let solved = new Set()
const marks = new CSSStyleSheet()

/** Read what is stored. If storage is blocked, marks last as long as the page. */
function load() {
  const names = readStored("localStorage", STORED)
  if (Array.isArray(names)) solved = new Set(names.filter((name) => typeof name === "string"))
}

const store = () => writeStored("localStorage", STORED, [...solved])

/** @param {string} idea */
export const isSolved = (idea) => solved.has(idea)

/** @param {string} idea */
export function markSolved(idea) {
  load() // another tab may have stored more
  solved.add(idea)
  store()
}

export function forgetSolved() {
  solved.clear()
  store()
}

/**
 * Mark the solved ideas in the list, whose buttons have this order.
 * @type {(ideas: string[], label: string) => void}
 */
export function showMarks(ideas, label) {
  const selectors = ideas.flatMap((idea, k) => (solved.has(idea) ? [`.st-key-idea [role="radio"]:nth-of-type(${k + 1})::after`] : []))
  marks.replaceSync(selectors.length ? `${selectors.join(", ")} { content: "✓" / ${JSON.stringify(label)} }` : "")
  if (!document.adoptedStyleSheets.includes(marks)) document.adoptedStyleSheets.push(marks)
}

load()
