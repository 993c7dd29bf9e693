// The box of the sentence grows with its lines, and yet Enter asks: Shift and Enter begin a new line. Live, a rest of the
// keys asks too. Nothing is ever written into the box here, and Streamlit, which is only told of what stands in it, leaves
// alone what is typed while an answer is made: no key is lost.

import { findAll } from "./dom.js"
import { hasModifier } from "./keys.js"

const BOX = ".st-key-sentence textarea"
export const TYPING_PAUSE = 333 // milliseconds after the last key
const SUBMITTING = [".st-key-submit", ".st-key-examples", ".st-key-remedy"] // places of buttons that ask for what stands in the box, or for other text
const LINK_TIMEOUT = 4000 // milliseconds that a link may take to carry what was typed

/**
 * In a box of several lines Streamlit takes Enter together with Ctrl as asking, so that is what it is told of.
 * @param {HTMLTextAreaElement} box
 */
function submitBox(box) {
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))
}

/**
 * The box, if an event is of it.
 * @param {Event} event
 */
const sentenceBoxOf = ({ target }) => (target instanceof HTMLTextAreaElement && target.matches(BOX) ? target : null)

/** @param {KeyboardEvent} event */
function handleEnter(event) {
  const box = sentenceBoxOf(event)
  if (!box || event.key !== "Enter" || event.shiftKey || event.altKey || event.isComposing || event.keyCode === 229) return // Safari ends a composition first
  if (hasModifier(event)) return markSubmitted(box) // the reader, or `ask`: Streamlit hears it too
  event.preventDefault()
  event.stopPropagation()
  submitBox(box)
}

/** Whether what stands in the box was typed and nobody has asked for it yet. */
let hasUnsubmittedText = false

/**
 * Whether what is below answers another sentence than what stands in the box: page.css shows it, but not where every
 * rest of the keys asks.
 * @param {boolean} isUnsubmitted
 * @param {boolean} live
 */
function markUnsubmitted(isUnsubmitted, live) {
  hasUnsubmittedText = isUnsubmitted
  document.querySelector(BOX)?.closest(".st-key-box")?.toggleAttribute("data-unasked", isUnsubmitted && !live)
}

/** What stood in the box before it was typed in: what was asked for last, or came with the page. @type {string | null} */
let submittedText = null

/** How many links to other pages were clicked. */
let linkClicks = 0

/** @param {HTMLTextAreaElement} box */
function markSubmitted(box) {
  markUnsubmitted(false, false)
  submittedText = box.value
}

/**
 * The box is about to be typed in: what stands in it now the page knows, unless it was typed.
 * @param {Event} event
 */
function rememberSubmitted(event) {
  const box = sentenceBoxOf(event)
  if (box && !hasUnsubmittedText) submittedText = box.value
}

/**
 * What was typed and not asked for goes along to another page: it is asked for, and the link, which then carries it, is
 * clicked afterwards.
 * @param {Element} link to the other page
 */
export function submitBeforeLeaving(link) {
  const clickNumber = (linkClicks += 1)
  const box = document.querySelector(BOX)
  const links = () => findAll(document, ".st-key-pages a")
  const place = links().findIndex((item) => item === link) // of the others none carries the sentence
  if (!hasUnsubmittedText || place < 0 || !(box instanceof HTMLTextAreaElement) || !box.value.trim()) return false
  const [previous, since] = [link.getAttribute("href"), Date.now()]
  const go = () => {
    if (clickNumber !== linkClicks) return // another was clicked meanwhile
    const isUnsubmitted = links()[place] // drawn anew meanwhile, perhaps
    if (isUnsubmitted && (isUnsubmitted.getAttribute("href") !== previous || Date.now() - since > LINK_TIMEOUT)) isUnsubmitted.click()
    else setTimeout(go, 50)
  }
  submitBox(box)
  go()
  return true
}

/**
 * @param {AbortSignal} signal ends it
 * @param {() => boolean} live whether a rest of the keys asks
 */
export function listenToSentenceBox(signal, live) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const end = () => clearTimeout(timer)
  /** @param {Event} event */
  const handleInput = (event) => {
    const box = sentenceBoxOf(event)
    if (!box) return
    end()
    markUnsubmitted(box.value !== submittedText, live())
    // A syllable that is being put together is no word yet.
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
  addEventListener("popstate", () => markUnsubmitted(false, false), { signal }) // the box is filled with what was asked before
  signal.addEventListener("abort", end)
}
