// The browser's history. Streamlit makes an entry of it whenever the page rewrites its own address; where nothing but the
// weights' fingerprints is new, which no reader chose, that would be an entry to go back through in vain.

const BY_ITSELF = "weights"

/**
 * Whether two addresses differ in nothing that a reader chose.
 * @param {string} before
 * @param {string} after
 */
export function alike(before, after) {
  const [one, other] = [before, after].map((address) => {
    const url = new URL(address)
    url.searchParams.delete(BY_ITSELF)
    url.searchParams.sort()
    return url.href
  })
  return one === other
}

/** Have such an address take the place of the one before it. */
export function quieten() {
  const push = history.pushState
  if ("quiet" in push) return
  /** @type {typeof history.pushState} */
  const quiet = (state, unused, url) => {
    const after = new URL(String(url ?? ""), location.href).href
    if (alike(location.href, after)) history.replaceState(state, unused, url)
    else push.call(history, state, unused, url)
  }
  history.pushState = Object.assign(quiet, { quiet: true })
}
