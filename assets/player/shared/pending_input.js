// Streamlit says what was typed in a box a moment after the box has lost the keyboard: said after the click on a link to
// another page that took it away, it would call the page of the box back. Such a click waits for that moment.

import { findAll } from "./dom.js"

const SEND_DELAY = 250 // milliseconds after which it is said
const LINKS = "a[data-testid^='stPageLink']"

/** The box that was typed in, while it has the keyboard. @type {EventTarget | null} */
let editedField = null
/** How many boxes have been left of which it has not been said yet what was typed. */
let pendingCount = 0
/** The link that waits for that, the last one that was clicked. @type {(() => void) | null} */
let openLink = null

/** What was typed in a box has been said. */
function sendPending() {
  pendingCount -= 1
  if (pendingCount || !openLink) return
  const go = openLink
  openLink = null
  go()
}

/** @param {AbortSignal} signal ends it */
export function watchInputs(signal) {
  addEventListener("input", ({ target }) => { editedField = target }, { signal, capture: true })
  addEventListener("focusout", ({ target }) => {
    if (target !== editedField) return
    editedField = null
    pendingCount += 1
    // Not by the clock: a slow browser does late what was due, but in its order, and this comes after it.
    setTimeout(() => setTimeout(sendPending), SEND_DELAY)
  }, { signal, capture: true })
}

/**
 * Whether a link has to wait for what was just typed; it is clicked again then.
 * @param {Element} link to another page
 */
export function waitForPending(link) {
  if (!pendingCount) return false
  const place = findAll(document, LINKS).findIndex((item) => item === link)
  openLink = () => findAll(document, LINKS)[place]?.click() // drawn anew meanwhile, perhaps
  return true
}
