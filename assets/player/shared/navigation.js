// Track clicks on links to other pages until the server has drawn the page. Components are separate scripts, so the state
// is kept in the document.

const LEAVE_TIMEOUT = 3000 // milliseconds that a page may take; after that the click counts as failed

/**
 * Watch clicks on page links, before any other handler.
 * @param {AbortSignal} signal
 * @param {(link: Element) => boolean} mustWait whether the link must be clicked again later, after pending input was sent
 */
export function watchPageLinks(signal, mustWait) {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-testid^='stPageLink']") : null
    if (!link) return
    // Streamlit would open the page here all the same, and typed text would be lost.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return event.stopImmediatePropagation()
    if (link.closest(".st-key-page-now")) return
    if (mustWait(link)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else document.documentElement.dataset.leaving = `${Date.now()} ${location.pathname}`
  }, { signal, capture: true })
}

export function isLeaving() {
  const [leaveTime, start] = (document.documentElement.dataset.leaving ?? "").split(" ")
  return start === location.pathname && Date.now() - Number(leaveTime) < LEAVE_TIMEOUT
}
