// Copy the page's address to the clipboard.

/** @import { ExportsData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { find, make, mountRoot } from "./dom.js"

/** @typedef {HTMLElement & { language?: string, timer?: ReturnType<typeof setTimeout> }} Root */

const MESSAGE_TIME = 1600 // milliseconds that the result is shown

/**
 * Copy a text. Without https there is no clipboard API, and a browser may refuse it: fall back to a selection.
 * @param {string} text
 */
async function copyText(text) {
  const had = deepActiveElement()
  const written = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false
  if (written) return
  const box = make("textarea", { "aria-hidden": "true" })
  box.value = text
  document.body.append(box)
  box.select()
  const isCopied = document.execCommand("copy")
  box.remove()
  had?.focus({ preventScroll: true }) // the selection took the focus
  if (!isCopied) throw new Error(text)
}

/** Return the focused element, also inside shadow roots. */
function deepActiveElement() {
  let node = document.activeElement
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
  return node instanceof HTMLElement ? node : null
}

/**
 * Show the result of a button press in the button for a moment.
 * @param {Root} root
 * @param {HTMLElement} pressedButton
 * @param {Promise<void>} work
 * @param {{ done: string, failed: string, help: string }} words
 */
async function showResult(root, pressedButton, work, { done, failed, help }) {
  const [sign, spokenText] = await work.then(() => ["✓", done], () => ["✗", failed])
  /** @param {string} text */
  const tell = (text) => {
    find(pressedButton, "i").textContent = text && sign
    find(root, "[role=status]").textContent = text
    pressedButton.title = text || help
    pressedButton.classList.toggle("told", text !== "")
  }
  clearTimeout(root.timer)
  tell(spokenText)
  root.timer = setTimeout(tell, MESSAGE_TIME, "")
}

/** @type {(kind: string, text: string, help: string, onclick: (pressed: HTMLElement) => void) => HTMLButtonElement} */
function makeButton(kind, text, help, onclick) {
  const node = make("button", { class: kind, type: "button", title: help }, make("span", {}, text), make("i", { "aria-hidden": "true" }))
  node.onclick = () => onclick(node)
  return node
}

/** @param {Mounted<ExportsData>} mounted */
export default function exports({ data: [data], ...mounted }) {
  const { words } = data
  const root = /** @type {Root} */ (mountRoot(mounted, "exports", {}, () => {}))
  if (root.language === data.language) return
  root.language = root.lang = data.language
  const link = makeButton("link", words.link, words.link_help, (node) => showResult(root, node, copyText(location.href), { done: words.copied, failed: words.failed, help: words.link_help }))
  root.replaceChildren(link, make("span", { class: "unseen", role: "status" }))
}
