// Streamlit says what was typed in a box a moment after the box has lost the keyboard: said after the click on a link to
// another page that took it away, it would call the page of the box back. Such a click waits for that moment.

import { findAll } from "./dom.js"

const SAID = 250 // milliseconds after which it is said
const LINKS = "a[data-testid^='stPageLink']"

/** The box that was typed in, while it has the keyboard. @type {EventTarget | null} */
let typedIn = null
/** When a box that was typed in lost the keyboard. */
let left = -Infinity

/** @param {AbortSignal} signal ends it */
export function listenToBoxes(signal) {
  addEventListener("input", ({ target }) => { typedIn = target }, { signal, capture: true })
  addEventListener("focusout", ({ target }) => {
    if (target === typedIn) [typedIn, left] = [null, Date.now()]
  }, { signal, capture: true })
}

/**
 * Whether a link has to wait for what was just typed; it is clicked again then.
 * @param {Element} link to another page
 */
export function saidBefore(link) {
  if (Date.now() - left > SAID) return false
  left = -Infinity
  const place = findAll(document, LINKS).findIndex((one) => one === link)
  setTimeout(() => findAll(document, LINKS)[place]?.click(), SAID) // drawn anew meanwhile, perhaps
  return true
}
