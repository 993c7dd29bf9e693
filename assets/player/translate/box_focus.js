// The box is ready when the page opens: focused, its text selected, so that what is typed replaces it. Not on a touch
// screen, whose keyboard would cover the picture, and never taking the keyboard from something else.

import { isPresenting } from "../shared/presentation.js"

const EMPTY_TIMEOUT = 1000 // milliseconds after which a box without text has none to come
const PATIENCE = 5000 // milliseconds in which the box may be drawn after the picture

/**
 * @param {string} key the box's key in Streamlit
 * @param {number} [waited] milliseconds so far
 */
export function focusSentenceBox(key, waited = 0) {
  if (isPresenting()) return
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return
  const box = document.querySelector(`.st-key-${key} textarea`)
  // Streamlit makes the box first and fills it a moment later, which would undo the selection.
  if (box instanceof HTMLTextAreaElement && (box.value || waited >= EMPTY_TIMEOUT)) {
    box.focus({ preventScroll: true })
    box.select()
  } else if (waited < PATIENCE) {
    setTimeout(focusSentenceBox, 50, key, waited + 50)
  }
}
