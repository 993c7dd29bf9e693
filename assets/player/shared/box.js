// The box of the sentence grows with its lines, and yet Enter asks: Shift and Enter begin a new line. Live, a rest of the
// keys asks too. Nothing is ever written into the box here, and Streamlit, which is only told of what stands in it, leaves
// alone what is typed while an answer is made: no key is lost.

import { modified } from "./keys.js"

const BOX = ".st-key-sentence textarea"
export const REST = 333 // milliseconds after the last key

/**
 * In a box of several lines Streamlit takes Enter together with Ctrl as asking, so that is what it is told of.
 * @param {HTMLTextAreaElement} box
 */
const ask = (box) =>
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))

/**
 * The box, if an event is of it.
 * @param {Event} event
 */
const boxOf = ({ target }) => (target instanceof HTMLTextAreaElement && target.matches(BOX) ? target : null)

/** @param {KeyboardEvent} event */
function entered(event) {
  const box = boxOf(event)
  if (!box || event.key !== "Enter" || event.shiftKey || modified(event) || event.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  ask(box)
}

/**
 * @param {AbortSignal} signal ends it
 * @param {() => boolean} live whether a rest of the keys asks
 */
export function listenToBox(signal, live) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits
  const end = () => clearTimeout(waits)
  /** @param {Event} event */
  const typed = (event) => {
    const box = boxOf(event)
    if (!box) return
    end()
    // A syllable that is being put together is no word yet.
    if (!live() || (event instanceof InputEvent && event.isComposing)) return
    waits = setTimeout(() => box.isConnected && live() && box.value.trim() && ask(box), REST)
  }
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") end()
    entered(event)
  }, { signal, capture: true })
  for (const kind of ["input", "compositionend"]) addEventListener(kind, typed, { signal, capture: true })
  signal.addEventListener("abort", end)
}
