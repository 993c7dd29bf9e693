// The box of the sentence grows with its lines, and yet Enter asks: Shift and Enter begin a new line.

import { modified } from "./keys.js"

const BOX = ".st-key-sentence textarea"

/**
 * In a box of several lines Streamlit takes Enter together with Ctrl as asking, so that is what it is told of.
 * @param {KeyboardEvent} event
 */
function entered(event) {
  const { target } = event
  if (event.key !== "Enter" || event.shiftKey || modified(event) || event.isComposing) return
  if (!(target instanceof HTMLTextAreaElement) || !target.matches(BOX)) return
  event.preventDefault()
  event.stopPropagation()
  target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }))
}

/** @param {AbortSignal} signal ends it */
export const listenToBox = (signal) => addEventListener("keydown", entered, { signal, capture: true })
