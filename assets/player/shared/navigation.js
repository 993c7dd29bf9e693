// Whether the reader has just clicked on the link to another page, which the server has not drawn yet. Components are
// scripts of their own: what one of them knows the others read off the document.

const LEAVE_TIMEOUT = 3000 // milliseconds that a page may take to come; after that the reader is still here

/**
 * Note every click on a link to another page, before anything else hears of it.
 * @param {AbortSignal} signal
 * @param {(link: Element) => boolean} mustWait whether the link is to be clicked again later, when what stands here is sent
 */
export function watchPageLinks(signal, mustWait) {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-testid^='stPageLink']") : null
    if (!link) return
    // Streamlit would open the page here all the same, and what was typed would be lost.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return event.stopImmediatePropagation()
    if (link.closest(".st-key-page-now")) return
    if (mustWait(link)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else document.documentElement.dataset.leaving = `${Date.now()} ${location.pathname}`
  }, { signal, capture: true })
}

export function isLeaving() {
  const [since, start] = (document.documentElement.dataset.leaving ?? "").split(" ")
  return start === location.pathname && Date.now() - Number(since) < LEAVE_TIMEOUT
}
