// The way out that only the browser has: the page's address in the clipboard.

/** @import { ExportsData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { find, make, rooted } from "./dom.js"

/** @typedef {HTMLElement & { language?: string }} Root */

/**
 * Without https there is no clipboard, and a browser may refuse it: then the old way, through a selection.
 * @param {string} text
 */
async function copy(text) {
  const written = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false
  if (written) return
  const box = make("textarea", { "aria-hidden": "true" })
  box.value = text
  document.body.append(box)
  box.select()
  const done = document.execCommand("copy")
  box.remove()
  if (!done) throw new Error(text)
}

/**
 * A button says for a moment what came of pressing it, in the place it has anyway.
 * @param {Root} root
 * @param {HTMLElement} pressed
 * @param {Promise<void>} work
 * @param {string} done
 * @param {string} failed
 */
async function report(root, pressed, work, done, failed) {
  const [sign, said] = await work.then(() => ["✓", done], () => ["✗", failed])
  find(pressed, "i").textContent = sign
  find(root, "[role=status]").textContent = pressed.title = said
  pressed.classList.add("told")
  setTimeout(() => pressed.classList.remove("told"), 1600)
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} help
 * @param {(pressed: HTMLElement) => void} onclick
 */
function button(kind, text, help, onclick) {
  const node = make("button", { class: kind, type: "button", title: help }, make("span", {}, text), make("i", { "aria-hidden": "true" }))
  node.onclick = () => {
    node.title = help
    onclick(node)
  }
  return node
}

/** @param {Mounted<ExportsData>} mounted */
export default function exports({ data: [data], parentElement }) {
  const { words } = data
  const root = /** @type {Root} */ (rooted(parentElement, "exports", {}))
  if (root.language === data.language) return
  root.language = root.lang = data.language
  const link = button("link", words.link, words.link_help, (node) => report(root, node, copy(location.href), words.copied, words.failed))
  root.replaceChildren(link, make("span", { class: "unseen", role: "status" }))
}
