// The switch between light and dark. Streamlit takes its colours from `embed_options` in the address, which its documentation
// names, when it starts: so the page is opened anew, with the text that was typed. A cookie remembers the choice, and the
// server adds the option to later addresses (pages/ui/frame/serving.py).

/** @import { FrameData } from "../payloads.js" */
import { draw, make } from "./dom.js"

const COOKIE = "align-translate-theme"
const OPTION = "embed_options"
const SENTENCE = "sentence" // as in pages/ui/url_state/params.py
const MAX_LENGTH = 2000 // characters that a link carries
const YEAR = 365 * 24 * 3600 // seconds

/** @param {Element} node */
export const isDark = (node) => getComputedStyle(node).colorScheme.includes("dark")

/** @type {(node: Element, unsubmittedText: string) => void} */
function switchTheme(node, unsubmittedText) {
  const theme = isDark(node) ? "light" : "dark"
  document.cookie = `${COOKIE}=${theme}; path=/; max-age=${YEAR}; samesite=lax`
  const address = new URL(location.href)
  address.searchParams.set(OPTION, `${theme}_theme`)
  if (unsubmittedText && unsubmittedText.length <= MAX_LENGTH) address.searchParams.set(SENTENCE, unsubmittedText)
  location.replace(address)
}

/** @param {() => string} getUnsubmittedText returns the typed text of the sentence box that was not submitted */
export function buildThemeSwitch(getUnsubmittedText) {
  const icon = draw("svg", { viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true" },
    draw("circle", { cx: 8, cy: 8, r: 6.5, fill: "none", stroke: "currentColor", "stroke-width": 1.4 }),
    draw("path", { d: "M8 1.5a6.5 6.5 0 0 1 0 13z", fill: "currentColor" }))
  const button = make("button", { type: "button", class: "theme" }, icon)
  button.addEventListener("click", () => switchTheme(button, getUnsubmittedText()))
  return button
}

/**
 * Return an address without the option: readers share addresses.
 * @param {string} address
 */
export function dropTheme(address) {
  if (!address.includes(OPTION)) return address
  const url = new URL(address)
  url.searchParams.delete(OPTION)
  return url.href
}

/**
 * Name the switch by what it switches to.
 * @type {(button: HTMLButtonElement, messages: FrameData["messages"]) => void}
 */
export function nameThemeSwitch(button, messages) {
  button.title = isDark(button) ? messages.light : messages.dark
  button.setAttribute("aria-label", button.title)
}

/** Drop the option from the page's address. */
export function cleanAddress() {
  const address = dropTheme(location.href)
  if (address !== location.href) history.replaceState(history.state, "", address)
}
