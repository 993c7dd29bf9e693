// Submit the sentence box on Enter; Shift and Enter begin a new line. In live mode a pause in typing submits too. Nothing
// is ever written into the box, and Streamlit leaves text alone that is typed during an answer: no key is lost.

import { findAll } from "./dom.js"
import { hasModifier } from "./keys.js"

const BOX = ".st-key-sentence textarea"
const TYPING_PAUSE = 333 // milliseconds after the last key
const SUBMITTING = [".st-key-submit", ".st-key-examples", ".st-key-remedy"] // buttons that submit or replace the text
const LINK_TIMEOUT = 4000 // milliseconds until the link carries the text

/**
 * Submit the box: Streamlit submits a text area on Ctrl and Enter.
 * @param {HTMLTextAreaElement} box
 */
function submitBox(box) {
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))
}

/** @param {Event} event */
const getSentenceBox = ({ target }) => (target instanceof HTMLTextAreaElement && target.matches(BOX) ? target : null)

/** @param {KeyboardEvent} event */
function handleEnter(event) {
  const box = getSentenceBox(event)
  if (!box || event.key !== "Enter" || event.shiftKey || event.altKey || event.isComposing || event.keyCode === 229) return // Safari ends a composition first
  if (hasModifier(event)) return markSubmitted(box) // the reader, or `submitBox`: Streamlit handles it
  event.preventDefault()
  event.stopPropagation()
  submitBox(box)
}

/** Whether the box holds typed text that was not submitted. */
let hasUnsubmittedText = false

/**
 * Mark that the page answers another sentence than the one in the box. page.css shows it, but not in live mode.
 * @type {(isUnsubmitted: boolean, live: boolean) => void}
 */
function markUnsubmitted(isUnsubmitted, live) {
  hasUnsubmittedText = isUnsubmitted
  document.querySelector(BOX)?.closest(".st-key-box")?.toggleAttribute("data-unsubmitted", isUnsubmitted && !live)
}

/** Return the text of the sentence box if it was typed but not submitted, else "". */
export function getUnsubmittedText() {
  const box = document.querySelector(BOX)
  return hasUnsubmittedText && box instanceof HTMLTextAreaElement ? box.value : ""
}

/** The last submitted text, or the one that came with the page. @type {string | null} */
let submittedText = null

/** Number of clicks on links to other pages. */
let linkClicks = 0

/** @param {HTMLTextAreaElement} box */
function markSubmitted(box) {
  markUnsubmitted(false, false)
  submittedText = box.value
}

/** @param {Event} event */
function rememberSubmitted(event) {
  const box = getSentenceBox(event)
  if (box && !hasUnsubmittedText) submittedText = box.value
}

/**
 * Submit typed text before another page is opened. Returns whether the link must wait: it is clicked again once it carries
 * the text.
 * @param {Element} link to the other page
 */
export function submitBeforeLeaving(link) {
  const clickNumber = (linkClicks += 1)
  const box = document.querySelector(BOX)
  const links = () => findAll(document, ".st-key-pages a")
  const place = links().findIndex((item) => item === link) // other links do not carry the sentence
  if (!hasUnsubmittedText || place < 0 || !(box instanceof HTMLTextAreaElement) || !box.value.trim()) return false
  const [previous, clickTime] = [link.getAttribute("href"), Date.now()]
  const go = () => {
    if (clickNumber !== linkClicks) return // another link was clicked meanwhile
    const currentLink = links()[place] // the link may have been replaced
    if (currentLink && (currentLink.getAttribute("href") !== previous || Date.now() - clickTime > LINK_TIMEOUT)) currentLink.click()
    else setTimeout(go, 50)
  }
  submitBox(box)
  go()
  return true
}

/**
 * Listen to the sentence box until `signal` ends it.
 * @param {AbortSignal} signal
 * @param {() => boolean} live whether a pause submits
 */
export function listenToSentenceBox(signal, live) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const end = () => clearTimeout(timer)
  /** @param {Event} event */
  const handleInput = (event) => {
    const box = getSentenceBox(event)
    if (!box) return
    end()
    markUnsubmitted(box.value !== submittedText, live())
    // A character under composition is not complete.
    if (!live() || (event instanceof InputEvent && event.isComposing)) return
    timer = setTimeout(() => box.isConnected && live() && box.value.trim() && submitBox(box), TYPING_PAUSE)
  }
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") end()
    handleEnter(event)
  }, { signal, capture: true })
  for (const kind of ["focusin", "beforeinput"]) addEventListener(kind, rememberSubmitted, { signal, capture: true })
  for (const kind of ["input", "compositionend"]) addEventListener(kind, handleInput, { signal, capture: true })
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && SUBMITTING.some((place) => target.closest(place))) markUnsubmitted(false, false)
  }, { signal })
  addEventListener("popstate", () => markUnsubmitted(false, false), { signal }) // the box gets the earlier text
  signal.addEventListener("abort", end)
}
