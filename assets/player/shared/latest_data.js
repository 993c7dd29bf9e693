// What stands between Streamlit and every component (build.mjs puts it there).
//
// Streamlit loads a component's script anew for every change of its data, and calls it when that is done. While the
// script comes for the first time, a browser may finish the later one of two loads first (Chromium does in four of ten
// cases), so that older data are drawn last; and what a call gave back is called at once where newer data had come
// meanwhile, though the component stays. So a call is left only when its place is gone from the page, and what came too
// late makes room for what stood there before.
//
// What a component tells the page is said of the page that the browser knows. After a click on the link to another one
// that is still the old one for a moment, and the server would go back to it: then nothing is told. And where the reader
// has come to is told as a trigger. A state is heard only where it differs from what was told last; but meanwhile the page
// may have forgotten that, with another sentence, and the reader may come to the same place again.

/** @import { Mounted } from "./component.js" */
import { isLeaving } from "./navigation.js"

/** @typedef {Pick<Mounted<unknown>, "parentElement" | "setStateValue" | "setTriggerValue">} Call */

const MAX_CALLS = 4 // calls of a place that are remembered: as many data come while a script is loaded

/**
 * A component that keeps to its latest data.
 * @template {Call} M
 * @param {(mounted: M) => (() => void) | void} component
 * @returns {(mounted: M) => () => void}
 */
export function keepLatestData(component) {
  /** @type {WeakMap<Node, M[]>} the calls of each place that were not given up, the one that is drawn at the end */
  const callsByPlace = new WeakMap()
  return (given) => {
    const { parentElement, setStateValue, setTriggerValue } = given
    const mounted = {
      ...given,
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
