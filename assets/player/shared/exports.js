// Copy the page's address to the clipboard, or show it as a QR code.

/** @import { ExportsData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { find, make, mountRoot } from "./dom.js"
import { requestQrCode } from "./qr_code.js"

/** @typedef {HTMLElement & { language?: string, timer?: ReturnType<typeof setTimeout> }} Root */

const MESSAGE_TIME = 1600 // milliseconds that the result is shown

/**
 * Copy a text. Without https there is no clipboard API, and a browser may refuse it: fall back to a selection.
 * @param {string} text
 */
async function copyText(text) {
  const focusedNode = findActiveElement()
  if (await navigator.clipboard?.writeText(text).then(() => true, () => false)) return
  const box = make("textarea", { "aria-hidden": "true" })
  box.value = text
  document.body.append(box)
  box.select()
  const isCopied = document.execCommand("copy")
  box.remove()
  focusedNode?.focus({ preventScroll: true }) // the selection took the focus
  if (!isCopied) throw new Error(text)
}

/** Return the focused element, also inside shadow roots. */
function findActiveElement() {
  let node = document.activeElement
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
  return node instanceof HTMLElement ? node : null
}

/**
 * Show in a button for a moment whether the address was copied.
 * @type {(root: Root, button: HTMLElement, isCopied: boolean, messages: ExportsData["messages"]) => void}
 */
function showResult(root, button, isCopied, messages) {
  /** @param {string} text */
  const showText = (text) => {
    find(button, "i").textContent = text && (isCopied ? "✓" : "✗")
    find(root, "[role=status]").textContent = text
    button.title = text || messages.link_help
    button.classList.toggle("confirmed", text !== "")
  }
  clearTimeout(root.timer)
  showText(isCopied ? messages.copied : messages.failed)
  root.timer = setTimeout(showText, MESSAGE_TIME, "")
}

/** @param {Mounted<ExportsData>} mounted */
export default function mountExports({ data: [data], ...mounted }) {
  const { messages } = data
  const root = /** @type {Root} */ (mountRoot(mounted, "exports", {}, () => {}))
  if (root.language === data.language) return
  root.language = root.lang = data.language
  const link = make("button", { class: "link", type: "button", title: messages.link_help }, make("span", {}, messages.link), make("i", { "aria-hidden": "true" }))
  link.onclick = () => copyText(location.href).then(() => showResult(root, link, true, messages), () => showResult(root, link, false, messages))
  const code = make("button", { class: "code", type: "button", title: messages.code_help }, messages.code)
  code.onclick = requestQrCode
  root.replaceChildren(link, code, make("span", { class: "unseen", role: "status" }))
}
