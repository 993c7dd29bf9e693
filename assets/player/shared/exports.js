// The way out that only the browser has: the page's address in the clipboard.

/** @import { ExportsData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { find, make, rooted } from "./dom.js"

/** @typedef {HTMLElement & { language?: string, telling?: ReturnType<typeof setTimeout> }} Root */

const TOLD = 1600 // milliseconds that it is said what came of pressing a button

/**
 * Without https there is no clipboard, and a browser may refuse it: then the old way, through a selection.
 * @param {string} text
 */
async function copy(text) {
  const had = focused()
  const written = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false
  if (written) return
  const box = make("textarea", { "aria-hidden": "true" })
  box.value = text
  document.body.append(box)
  box.select()
  const done = document.execCommand("copy")
  box.remove()
  had?.focus({ preventScroll: true }) // the selection took the keyboard
  if (!done) throw new Error(text)
}

/** What has the keyboard, through the roots of components. */
function focused() {
  let node = document.activeElement
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
  return node instanceof HTMLElement ? node : null
}

/**
 * A button says for a moment what came of pressing it, in the place it has anyway.
 * @param {Root} root
 * @param {HTMLElement} pressed
 * @param {Promise<void>} work
 * @param {{ done: string, failed: string, help: string }} words
 */
async function report(root, pressed, work, { done, failed, help }) {
  const [sign, said] = await work.then(() => ["✓", done], () => ["✗", failed])
  /** @param {string} text */
  const tell = (text) => {
    find(pressed, "i").textContent = text && sign
    find(root, "[role=status]").textContent = text
    pressed.title = text || help
    pressed.classList.toggle("told", text !== "")
  }
  clearTimeout(root.telling)
  tell(said)
  root.telling = setTimeout(tell, TOLD, "")
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} help
 * @param {(pressed: HTMLElement) => void} onclick
 */
function button(kind, text, help, onclick) {
  const node = make("button", { class: kind, type: "button", title: help }, make("span", {}, text), make("i", { "aria-hidden": "true" }))
  node.onclick = () => onclick(node)
  return node
}

/** @param {Mounted<ExportsData>} mounted */
export default function exports({ data: [data], parentElement }) {
  const { words } = data
  const root = /** @type {Root} */ (rooted(parentElement, "exports", {}))
  if (root.language === data.language) return
  root.language = root.lang = data.language
  const link = button("link", words.link, words.link_help, (node) => report(root, node, copy(location.href), { done: words.copied, failed: words.failed, help: words.link_help }))
  root.replaceChildren(link, make("span", { class: "unseen", role: "status" }))
}
