// Wrapper between Streamlit and every component (added by build.mjs).
//
// Streamlit loads a component's script again for every change of its data, then calls it. During the first load a browser
// may finish the later of two loads first (Chromium does so in four of ten cases), and old data would be drawn last. Also,
// Streamlit calls the clean-up function as soon as newer data has arrived, although the component stays. So cleaning up
// waits until the component's node is gone, and a late call with old data is followed by one with the newest data.
//
// Values are not sent after a click on another page's link: for a moment that is still the old page, and the server would
// return to it. The reader's position is sent as a trigger, not as a state: a state is reported only if it differs from
// the last one, but the page may have forgotten it, and the reader may return to the same position.

/** @import { Mounted } from "./component.js" */
import { isLeaving } from "./navigation.js"

/** @typedef {Pick<Mounted<unknown>, "parentElement" | "setStateValue" | "setTriggerValue">} Call */

const MAX_CALLS = 4 // calls remembered per node; so many may arrive while a script loads

/**
 * Wrap a component so that its newest data is drawn last.
 * @template {Call} M
 * @param {(mounted: M) => (() => void) | void} component
 * @returns {(mounted: M) => () => void}
 */
export function keepLatestData(component) {
  /** @type {WeakMap<Node, M[]>} the calls of each place that were not given up, the one that is drawn at the end */
  const callsByPlace = new WeakMap()
  return (original) => {
    const { parentElement, setStateValue, setTriggerValue } = original
    const mounted = {
      ...original,
      setStateValue: (/** @type {string} */ name, /** @type {unknown} */ value) => isLeaving() || setStateValue(name, value),
      setTriggerValue: (/** @type {string} */ name, /** @type {unknown} */ value) => isLeaving() || setTriggerValue(name, value),
    }
    callsByPlace.set(parentElement, [...(callsByPlace.get(parentElement) ?? []), mounted].slice(-MAX_CALLS))
    const cleanUp = component(mounted)
    return () => {
      if (!parentElement.isConnected) return cleanUp?.()
      const calls = callsByPlace.get(parentElement) ?? []
      const remaining = calls.filter((call) => call !== mounted)
      callsByPlace.set(parentElement, remaining)
      if (remaining.length && calls.at(-1) === mounted) component(remaining[remaining.length - 1])
    }
  }
}
