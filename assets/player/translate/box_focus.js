// Focus the sentence box and select its text when the page opens. Not on touch screens, whose keyboard would cover the
// picture, and not if something else has the focus.

import { isPresenting } from "../shared/presentation.js"

const EMPTY_TIMEOUT = 1000 // milliseconds after which an empty box stays empty
const PATIENCE = 5000 // milliseconds in which the box may appear

/**
 * Focus the sentence box once it is filled.
 * @param {string} key its key in Streamlit
 * @param {number} [waited] milliseconds so far
 */
export function focusSentenceBox(key, waited = 0) {
  if (isPresenting()) return
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return
  const box = document.querySelector(`.st-key-${key} textarea`)
  // Streamlit fills the box a moment after creating it, which would clear the selection.
  if (box instanceof HTMLTextAreaElement && (box.value || waited >= EMPTY_TIMEOUT)) {
    box.focus({ preventScroll: true })
    box.select()
  } else if (waited < PATIENCE) {
    setTimeout(focusSentenceBox, 50, key, waited + 50)
  }
}
