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
  /** @param {Event} event */
  const follow = (event) => {
    const word = isWanted() ? findWord(event) : null
    if (word === hintedWord) return
    hintedWord = word
    if (!word) return void (box.matches(":popover-open") && box.hidePopover())
    box.textContent = romanise((word.textContent ?? "").trim().replaceAll(/[▁␣·]/gu, ""))
    box.showPopover()
    const place = word.getBoundingClientRect(), { width, height } = box.getBoundingClientRect()
    box.style.left = `${Math.max(EDGE, Math.min(place.left, innerWidth - width - EDGE))}px`
    box.style.top = `${place.top > height + 2 * EDGE ? place.top - height - EDGE : place.bottom + EDGE}px`
  }
  for (const name of ["pointerover", "pointermove", "pointerdown", "focusin", "scroll"]) addEventListener(name, follow, { signal, capture: true, passive: true })
}
