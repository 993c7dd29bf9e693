// Say how a Korean word is read, in Latin letters, while the pointer or the keyboard focus is on it: for readers of an
// interface in another language, on every page.

import { make } from "./dom.js"
import { hasHangul, romanise } from "./romanisation.js"

const LONGEST = 24 // characters of a word; a sentence gets no hint
const EDGE = 6 // pixels between word and hint

/**
 * Return the Korean word of an event, also inside shadow roots; null if there is none.
 * @type {(event: Event) => Element | null}
 */
function findWord(event) {
  const [node] = event.composedPath()
  if (!(node instanceof Element) || node.closest(".st-key-lang, textarea, input")) return null
  const text = node.childElementCount ? "" : (node.textContent ?? "").trim()
  return text.length <= LONGEST && hasHangul(text) ? node : null
}

/**
 * Listen until `signal` ends it. `isWanted`: whether the reader needs hints.
 * @type {(parent: HTMLElement, signal: AbortSignal, isWanted: () => boolean) => void}
 */
export function watchHangul(parent, signal, isWanted) {
  const box = make("div", { class: "reading", popover: "manual", role: "tooltip" })
  parent.append(box)
  /** @type {Element | null} */
  let hintedWord = null
  const close = () => {
    hintedWord = null
    observer.disconnect()
    box.hidePopover()
  }
  // No event tells that the word is gone because it was drawn anew.
  const observer = new IntersectionObserver((entries) => entries.some(({ target, isIntersecting }) => target === hintedWord && !isIntersecting) && close())
  /** @param {Event} event */
  const follow = (event) => {
    const word = isWanted() ? findWord(event) : null
    if (word === hintedWord) return
    close()
    if (!word) return
    hintedWord = word
    observer.observe(word)
    box.textContent = romanise((word.textContent ?? "").trim().replaceAll(/[▁␣·]/gu, ""))
    box.showPopover()
    const place = word.getBoundingClientRect(), { width, height } = box.getBoundingClientRect()
    box.style.left = `${Math.max(EDGE, Math.min(place.left, innerWidth - width - EDGE))}px`
    box.style.top = `${place.top > height + 2 * EDGE ? place.top - height - EDGE : place.bottom + EDGE}px`
  }
  for (const name of ["pointerover", "pointermove", "pointerdown", "focusin", "scroll"]) addEventListener(name, follow, { signal, capture: true, passive: true })
  addEventListener("focusout", (event) => event.composedPath()[0] === hintedWord && close(), { signal, capture: true })
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.matches(":popover-open")) return
    event.preventDefault()
    event.stopPropagation()
    box.hidePopover() // until the pointer or the focus comes to another word
  }, { signal, capture: true })
}
