// Move the focus between the words of a line with the arrow keys.

import { findAll } from "../shared/dom.js"

/**
 * Return the word that a key leads to (at an end the word itself), or null for other keys.
 * @type {(word: HTMLElement, key: string) => HTMLElement | null}
 */
function findNeighbour(word, key) {
  const line = findAll(/** @type {HTMLElement} */ (word.parentElement), ".word")
  const index = line.indexOf(word)
  /** @type {Record<string, HTMLElement | undefined>} */
  const targets = { ArrowLeft: line[index - 1], ArrowRight: line[index + 1], Home: line[0], End: line[line.length - 1] }
  return Object.hasOwn(targets, key) ? targets[key] ?? word : null
}

/**
 * Focus the word that a key leads to; returns whether it was such a key.
 * @type {(word: HTMLElement, key: string) => boolean}
 */
export function moveWordFocus(word, key) {
  const next = findNeighbour(word, key)
  if (!next) return false
  word.tabIndex = -1
  next.tabIndex = 0
  next.focus()
  return true
}
