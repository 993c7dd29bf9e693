// What a term means, beside the term: opened by pointing at it, tapping it or pressing Enter on it, wherever it stands,
// on the page or in a component. It lies over the page, so that nothing moves, and within the window.

/** @import { GlossaryData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { make, rooted } from "./dom.js"
import { modified } from "./keys.js"

/**
 * @typedef {object} Parts
 * @property {Map<string, [string, string]>} entries name and meaning of a term by its key
 * @property {string} [language]
 * @property {HTMLElement} box
 * @property {HTMLElement} spoken
 * @property {HTMLElement | null} term what is explained now
 * @property {HTMLElement | null} over the term that the pointer is over, or the explanation
 * @property {boolean} kept whether it stays when the pointer leaves
 * @property {ReturnType<typeof setTimeout>} [waits]
 * @property {AbortController} ends
 */
/** @typedef {HTMLElement & Parts} Root */

const REST = 180 // milliseconds that the pointer rests on a term before it is explained
const LEAVE = 250 // milliseconds in which the pointer may come from the term to its explanation
const EDGE = 8 // pixels between the explanation, its term and the window's edges

/**
 * Where a box of that size stands beside a term: below it, or above where there is more room, and within the window.
 * @param {{ left: number, top: number, bottom: number }} term
 * @param {{ width: number, height: number }} box
 * @param {{ width: number, height: number }} screen
 * @param {{ right: number }} [column] what it does not stand out of to the right, where it has the room
 */
export function placeBeside(term, box, screen, column = { right: Infinity }) {
  const below = term.bottom + EDGE
  const fits = below + box.height + EDGE <= screen.height || term.top < screen.height - term.bottom
  const top = fits ? below : term.top - EDGE - box.height
  return {
    left: Math.max(EDGE, Math.min(term.left, screen.width - box.width - EDGE, column.right - box.width)),
    top: Math.max(EDGE, Math.min(top, screen.height - box.height - EDGE)),
  }
}

/**
 * The term that an event is at, through the roots of components.
 * @param {Event} event
 */
function termAt(event) {
  const [node] = event.composedPath()
  const found = node instanceof Element ? node.closest("[data-term]") : null
  return found instanceof HTMLElement ? found : null
}

/**
 * @param {Root} root
 * @param {HTMLElement} term
 */
function open(root, term) {
  const entry = root.entries.get(term.dataset.term ?? "")
  if (!entry || !term.isConnected) return // it was drawn anew meanwhile
  if (root.term !== term) close(root)
  const [name, meaning] = entry
  root.term = term
  root.box.replaceChildren(make("b", {}, name), make("p", {}, meaning))
  const column = term.closest("[data-within]")?.getBoundingClientRect() // beside it stands what the term is about
  root.box.style.maxWidth = column ? `${column.width}px` : ""
  root.box.showPopover()
  const { left, top } = placeBeside(term.getBoundingClientRect(), root.box.getBoundingClientRect(), { width: innerWidth, height: innerHeight }, column)
  root.box.style.left = `${left}px`
  root.box.style.top = `${top}px`
  term.setAttribute("aria-expanded", "true")
}

/** @param {Root} root */
function close(root) {
  clearTimeout(root.waits)
  root.term?.setAttribute("aria-expanded", "false")
  root.term = null
  root.kept = false
  root.spoken.textContent = ""
  if (root.box.matches(":popover-open")) root.box.hidePopover()
}

/**
 * Where the pointer is: a mouse that stays on a term opens it, and closes it by leaving it.
 * @param {Root} root
 * @param {PointerEvent} event
 */
function pointed(root, event) {
  if (event.pointerType === "touch") return
  const over = event.composedPath().includes(root.box) ? root.box : termAt(event)
  if (over === root.over) return
  root.over = over
  clearTimeout(root.waits)
  if (root.kept || over === root.box || (over && over === root.term)) return
  if (over) root.waits = setTimeout(() => open(root, over), REST)
  else if (root.term) root.waits = setTimeout(() => close(root), LEAVE)
}

/**
 * Open and let it stay, or close what has stayed.
 * @param {Root} root
 * @param {HTMLElement} term
 */
function toggle(root, term) {
  if (root.kept && root.term === term) return close(root)
  open(root, term)
  if (!root.term) return
  root.kept = true
  root.spoken.textContent = root.box.textContent
}

/**
 * A click or a tap on a term is nobody else's; anywhere else it closes what is open.
 * @param {Root} root
 * @param {MouseEvent} event
 */
function clicked(root, event) {
  const term = termAt(event)
  if (!term) {
    if (root.term && !event.composedPath().includes(root.box)) close(root)
    return
  }
  event.preventDefault()
  event.stopPropagation()
  toggle(root, term)
}

/**
 * Enter or space on a term is nobody else's, and neither is Escape while one is explained; another key goes on, and what
 * was explained is closed.
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  if (modified(event) || event.key === "Shift") return
  const term = ["Enter", " "].includes(event.key) ? termAt(event) : null
  if (!term && !root.term) return
  if (!term && event.key !== "Escape") return close(root)
  event.preventDefault()
  event.stopPropagation()
  if (term) toggle(root, term)
  else close(root)
}

/** @param {Root} root */
function build(root) {
  root.entries = new Map()
  root.term = null
  root.over = null
  root.kept = false
  root.box = make("div", { class: "explanation", popover: "manual" })
  root.spoken = make("p", { class: "unseen", "aria-live": "polite" })
  root.append(root.box, root.spoken)
  root.ends = new AbortController()
  const first = { signal: root.ends.signal, capture: true }
  // Moves too: from one part of a component to another one, nobody outside hears that the pointer is over it.
  for (const moves of /** @type {const} */ (["pointerover", "pointermove"])) addEventListener(moves, (event) => pointed(root, event), first)
  addEventListener("click", (event) => clicked(root, event), first)
  addEventListener("keydown", (event) => pressed(root, event), first)
  addEventListener("focusin", (event) => root.term && termAt(event) !== root.term && close(root), first)
  addEventListener("scroll", (event) => root.term && !event.composedPath().includes(root.box) && close(root), first)
  addEventListener("resize", () => root.term && close(root), first)
}

/** @param {Mounted<GlossaryData>} mounted */
export default function glossary({ data: [data], parentElement }) {
  const root = rooted(parentElement, "glossary", {}, build)
  root.lang = data.language
  root.entries = new Map(data.entries.map(([key, name, meaning]) => [key, [name, meaning]]))
  return () => root.ends.abort()
}
