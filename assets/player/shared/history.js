// The browser's history. Streamlit makes an entry of it whenever the page rewrites its own address; where nothing is new
// but where the reader is in what is shown, or the weights' fingerprints, which no reader chose, that would be an entry
// to go back through in vain: ten steps of the player, ten presses.

/**
 * Whether two addresses differ in nothing but `places`.
 * @param {string} first
 * @param {string} second
 * @param {string[]} places names in the address
 */
export function isSameAddress(first, second, places) {
  const [item, other] = [first, second].map((address) => {
    const url = new URL(address)
    for (const name of places) url.searchParams.delete(name)
    url.searchParams.sort()
    return url.href
  })
  return item === other
}

/**
 * Have such an address take the place of the one before it.
 * @param {string[]} places
 */
export function replacePlaceEntries(places) {
  const push = history.pushState
  if ("quiet" in push) return
  /** @type {typeof history.pushState} */
  const quiet = (state, unused, url) => {
    const second = new URL(String(url ?? ""), location.href).href
    if (isSameAddress(location.href, second, places)) history.replaceState(state, unused, url)
    else push.call(history, state, unused, url)
  }
  history.pushState = Object.assign(quiet, { quiet: true })
}
