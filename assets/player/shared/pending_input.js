// Delay a click on a page link until Streamlit has sent typed text. Streamlit sends it a moment after the field has lost
// the focus; if the click came first, the text would bring the old page back. A server that has not begun to run for the
// text forgets it when the click comes, so the click waits for that too.

import { findAll } from "./dom.js"

const SEND_DELAY = 250 // milliseconds until Streamlit has sent it
const CHECK_INTERVAL = 50 // milliseconds
const WAITS_FOR_SERVER = ".stApp[data-test-script-state='rerunRequested']"
const LINKS = "a[data-testid^='stPageLink']"

/** The field that was edited, while it has the focus. @type {EventTarget | null} */
let editedField = null
/** Number of fields whose text has not been sent. */
let pendingCount = 0
/** Opens the last clicked link, once nothing is pending. @type {(() => void) | null} */
let openLink = null

/** Count one field as sent once the server runs for it, and open the waiting link after the last one. */
function finishField() {
  if (document.querySelector(WAITS_FOR_SERVER)) {
    setTimeout(finishField, CHECK_INTERVAL)
    return
  }
  pendingCount -= 1
  if (pendingCount || !openLink) return
  const go = openLink
  openLink = null
  go()
}

/** @param {AbortSignal} signal removes the listeners */
export function watchInputs(signal) {
  addEventListener("input", ({ target }) => { editedField = target }, { signal, capture: true })
  addEventListener("focusout", ({ target }) => {
    if (target !== editedField) return
    editedField = null
    pendingCount += 1
    // Two timers, no clock: a slow browser is late, but keeps the order.
    setTimeout(() => setTimeout(finishField, CHECK_INTERVAL), SEND_DELAY)
  }, { signal, capture: true })
}

/**
 * Return whether a link must wait for typed text; it is then clicked again.
 * @param {Element} link to another page
 */
export function waitForPending(link) {
  if (!pendingCount) return false
  const place = findAll(document, LINKS).findIndex((item) => item === link)
  openLink = () => findAll(document, LINKS)[place]?.click() // the link may have been replaced
  return true
}
