// The words of a line, for the arrow keys.

import { findAll } from "../shared/dom.js"

/**
 * The word beside a word that a key leads to, the word itself at the end of the line; null for any other key.
 * @param {HTMLElement} word
 * @param {string} key
 */
function findNeighbour(word, key) {
  const line = findAll(/** @type {HTMLElement} */ (word.parentElement), ".word")
  const index = line.indexOf(word)
  /** @type {Record<string, HTMLElement | undefined>} */
  const targets = { ArrowLeft: line[index - 1], ArrowRight: line[index + 1], Home: line[0], End: line[line.length - 1] }
  return Object.hasOwn(targets, key) ? targets[key] ?? word : null
}

/**
 * Go to the word beside a word; whether the key leads to one.
 * @param {HTMLElement} word
 * @param {string} key
 */
export function moveWordFocus(word, key) {
  const next = findNeighbour(word, key)
  if (!next) return false
  word.tabIndex = -1
  next.tabIndex = 0
  next.focus()
  return true
}
