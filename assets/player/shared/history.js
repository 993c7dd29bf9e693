// Avoid useless history entries. Streamlit pushes an entry whenever the page rewrites its address. If only the reader's
// position or the fingerprints of the weights changed, the entry is replaced instead: ten steps of the player would cost
// ten presses of Back. The choice of light or dark is left out of every address (theme.js).

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
 * Make `history.pushState` replace the entry if only `params` change in the address.
 * @param {string[]} params
 */
export function replacePositionEntries(params) {
  const push = history.pushState
  if ("replacesPositions" in push) return
  /** @type {typeof history.pushState} */
  const pushOrReplace = (state, unused, url) => {
    const second = dropTheme(new URL(String(url ?? ""), location.href).href)
    if (isSameAddress(location.href, second, params)) history.replaceState(state, unused, second)
    else push.call(history, state, unused, second)
  }
  history.pushState = Object.assign(pushOrReplace, { replacesPositions: true })
}
