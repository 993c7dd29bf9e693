// Buttons and a slider that play a picture in steps; a clicker does the same while presenting.

import { find, make } from "../shared/dom.js"
import { isPresenting, registerSection } from "../shared/presentation.js"

/** @import { PlaybackMessages } from "../payloads.js" */

const PRESSES = 6 // of a clicker, for the whole picture

/** @typedef {object} Playback
 * @property {HTMLElement} node the controls
 * @property {(step: number) => void} go show a step
 * @property {() => number} step */

/**
 * Make the controls of a picture in `last` steps after step 0, which `showStep` draws.
 * @type {(section: HTMLElement, last: number, messages: PlaybackMessages, showStep: (step: number) => void, interval?: number, first?: number) => Playback}
 */
export function makePlayback(section, last, messages, showStep, interval = 500, first = 0) {
  let step = isPresenting() ? 0 : first
  const stride = Math.ceil(last / PRESSES)
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer
  const node = make("div", { class: "controls playback" },
    make("span", { class: "buttons" }, make("button", { type: "button", "data-do": "play" }, `▶ ${messages.play}`),
      make("button", { type: "button", "data-do": "back", "aria-label": messages.back }, "◀"), make("button", { type: "button", "data-do": "on", "aria-label": messages.on }, "▶")),
    make("input", { type: "range", class: "track", "data-track": "", min: 0, max: last, step: 1, value: first, "aria-label": messages.track }))
  const play = find(node, "[data-do=play]")
  const pause = () => {
    clearInterval(timer)
    timer = undefined
    play.textContent = `▶ ${messages.play}`
  }
  /** @param {number} target */
  const go = (target) => {
    step = Math.max(0, Math.min(last, target))
    const track = /** @type {HTMLInputElement} */ (find(node, ".track"))
    track.value = String(step)
    showStep(step)
  }
  const toggle = () => {
    if (timer) return pause()
    if (step === last) go(0)
    play.textContent = `❚❚ ${messages.pause}`
    timer = setInterval(() => {
      if (section.isConnected) go(step + 1)
      if (!section.isConnected || step >= last) pause()
    }, interval)
  }
  node.onclick = ({ target }) => {
    const action = target instanceof HTMLElement ? target.dataset.do : undefined
    if (action === "play") toggle()
    else if (action) {
      pause()
      go(step + (action === "on" ? 1 : -1))
    }
  }
  node.oninput = ({ target }) => {
    pause()
    if (target instanceof HTMLInputElement && "track" in target.dataset) go(Number(target.value))
  }
  registerSection(section, {
    go(direction) {
      const isPossible = direction > 0 ? step < last : step > 0
      if (isPossible) {
        pause()
        go(step + direction * stride)
      }
      return isPossible
    },
    skipRest() {
      const isPossible = step < last
      if (isPossible) go(last)
      return isPossible
    },
    goToEnd: () => go(last),
  })
  return { node, go, step: () => step }
}
