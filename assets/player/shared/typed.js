// Streamlit says what was typed in a box a moment after the box has lost the keyboard: said after the click on a link to
// another page that took it away, it would call the page of the box back. Such a click waits for that moment.

import { findAll } from "./dom.js"

const SAID = 250 // milliseconds after which it is said
const LINKS = "a[data-testid^='stPageLink']"

/** The box that was typed in, while it has the keyboard. @type {EventTarget | null} */
let typedIn = null
/** How many boxes have been left of which it has not been said yet what was typed. */
let unsaid = 0
/** The link that waits for that, the last one that was clicked. @type {(() => void) | null} */
let waiting = null

/** What was typed in a box has been said. */
function said() {
  unsaid -= 1
  if (unsaid || !waiting) return
  const go = waiting
  waiting = null
  go()
}

/** @param {AbortSignal} signal ends it */
export function listenToBoxes(signal) {
  addEventListener("input", ({ target }) => { typedIn = target }, { signal, capture: true })
  addEventListener("focusout", ({ target }) => {
    if (target !== typedIn) return
    typedIn = null
    unsaid += 1
    // Not by the clock: a slow browser does late what was due, but in its order, and this comes after it.
    setTimeout(() => setTimeout(said), SAID)
  }, { signal, capture: true })
}

/**
 * Whether a link has to wait for what was just typed; it is clicked again then.
 * @param {Element} link to another page
 */
export function saidBefore(link) {
  if (!unsaid) return false
  const place = findAll(document, LINKS).findIndex((one) => one === link)
  waiting = () => findAll(document, LINKS)[place]?.click() // drawn anew meanwhile, perhaps
  return true
}
