// Wrapper between Streamlit and every component (added by build.mjs).
//
// Streamlit loads a component's script for every change of its data, then calls it. A browser may finish the later of two
// loads first, and old data would be drawn last: a call with old data is followed by one with the newest. Streamlit cleans
// up as soon as newer data has arrived; here cleaning up waits until the component's node is gone.
//
// Values are not sent after a click on another page's link: for a moment that is still the old page, and the server would
// return to it. The reader's position is sent as a trigger, not as a state: a state is reported only if it differs from
// the last one, but the page may have forgotten it, and the reader may return to the same position.
//
// A second item of the data is a number (component.py): where it changes, the component begins anew, so that it takes the
// position that the data has instead of the reader's.

/** @import { Mounted } from "./component.js" */
import { findAll } from "./dom.js"
import { isLeaving } from "./navigation.js"

/** @typedef {Pick<Mounted<unknown>, "parentElement" | "setTriggerValue"> & { data?: unknown }} Call */

const MAX_CALLS = 4 // calls remembered per node; so many may arrive while a script loads

/**
 * Wrap a component so that its newest data is drawn last.
 * @template {Call} M
 * @param {(mounted: M) => (() => void) | void} component
 * @returns {(mounted: M) => () => void}
 */
export function keepLatestData(component) {
  /** @type {WeakMap<Node, M[]>} the calls of each node that were not cleaned up, the drawn one last */
  const callsByPlace = new WeakMap()
  /** @type {WeakMap<Node, { restart: unknown, cleanUp: (() => void) | void }>} the number and the clean-up of each node */
  const drawnByPlace = new WeakMap()
  /** @param {M} call */
  const draw = (call) => {
    const restart = Array.isArray(call.data) ? call.data[1] : undefined
    const drawnComponent = drawnByPlace.get(call.parentElement)
    if (drawnComponent && drawnComponent.restart !== restart) {
      drawnComponent.cleanUp?.()
      for (const node of findAll(call.parentElement, ".component")) node.remove()
    }
    const cleanUp = component(call)
    drawnByPlace.set(call.parentElement, { restart, cleanUp })
    return cleanUp
  }
  return (original) => {
    const { parentElement, setTriggerValue } = original
    const mounted = {
      ...original,
      setTriggerValue: (/** @type {string} */ name, /** @type {unknown} */ value) => isLeaving() || setTriggerValue(name, value),
    }
    callsByPlace.set(parentElement, [...(callsByPlace.get(parentElement) ?? []), mounted].slice(-MAX_CALLS))
    const cleanUp = draw(mounted)
    return () => {
      if (!parentElement.isConnected) return cleanUp?.()
      const calls = callsByPlace.get(parentElement) ?? []
      const remainingCalls = calls.filter((call) => call !== mounted)
      callsByPlace.set(parentElement, remainingCalls)
      if (remainingCalls.length && calls.at(-1) === mounted) draw(remainingCalls[remainingCalls.length - 1])
    }
  }
}
