// Avoid useless history entries. Streamlit pushes an entry whenever the page rewrites its address, up to seven for one link.
// The entry is replaced instead if the reader has pressed nothing since the last one, or if only the position or the
// fingerprints of the weights changed: ten steps of the player would cost ten presses of Back. The choice of light or dark is
// left out of every address (theme.js).

import { dropTheme } from "./theme.js"

/**
 * Return whether two addresses differ only in `params`.
 * @type {(first: string, second: string, params: string[]) => boolean}
 */
export function isSameAddress(first, second, params) {
  const [firstAddress, secondAddress] = [first, second].map((address) => {
    const url = new URL(address)
    for (const name of params) url.searchParams.delete(name)
    url.searchParams.sort()
    return url.href
  })
  return firstAddress === secondAddress
}

/**
 * Let each press of a key or button add at most one history entry, and none if only `params` change in the address.
 * @param {string[]} params
 */
export function limitEntries(params) {
  const push = history.pushState
  if ("isLimited" in push) return
  let hasEntry = true // since the last press
  let isClickDue = false // after a press; a screen reader may send a click alone
  for (const kind of ["pointerdown", "keydown", "input"]) addEventListener(kind, () => { [hasEntry, isClickDue] = [false, kind !== "input"] }, { capture: true })
  addEventListener("click", () => { [hasEntry, isClickDue] = [hasEntry && isClickDue, false] }, { capture: true })
  addEventListener("popstate", () => { hasEntry = true }, { capture: true })
  /** @type {typeof history.pushState} */
  const pushOrReplace = (state, unused, url) => {
    const second = dropTheme(new URL(String(url ?? ""), location.href).href)
    if (hasEntry || isSameAddress(location.href, second, params)) return history.replaceState(state, unused, second)
    hasEntry = true
    push.call(history, state, unused, second)
  }
  history.pushState = Object.assign(pushOrReplace, { isLimited: true })
}
