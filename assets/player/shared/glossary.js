// What a term means, beside the term: opened by pointing at it, tapping it or pressing Enter on it, wherever it stands,
// on the page or in a component. It lies over the page, so that nothing moves, and within the window.

/** @import { GlossaryData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { make, mountRoot } from "./dom.js"
import { hasModifier } from "./keys.js"

/**
 * @typedef {object} GlossaryState
 * @property {Map<string, [string, string]>} entries name and meaning of a term by its key
 * @property {string} [language]
 * @property {HTMLElement} box
 * @property {HTMLElement} liveRegion
 * @property {HTMLElement | null} openedTerm what is explained now
 * @property {HTMLElement | null} hovered the term that the pointer is over, or the explanation
 * @property {boolean} isPinned whether it stays when the pointer leaves
 * @property {ReturnType<typeof setTimeout>} [timer]
 * @property {AbortController} abortController
 */
/** @typedef {HTMLElement & GlossaryState} Root */

const HOVER_DELAY = 180 // milliseconds that the pointer rests on a term before it is explained
const LEAVE_DELAY = 250 // milliseconds in which the pointer may come from the term to its explanation
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
function findTerm(event) {
  const [node] = event.composedPath()
  const matches = node instanceof Element ? node.closest("[data-term]") : null
  return matches instanceof HTMLElement ? matches : null
}

/**
 * @param {Root} root
 * @param {HTMLElement} term
 */
function openTerm(root, term) {
  const entry = root.entries.get(term.dataset.term ?? "")
  if (!entry || !term.isConnected) return // it was drawn anew meanwhile
  if (root.openedTerm !== term) closeTerm(root)
  const [name, meaning] = entry
  root.openedTerm = term
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
function closeTerm(root) {
  clearTimeout(root.timer)
  root.openedTerm?.setAttribute("aria-expanded", "false")
  root.openedTerm = null
  root.isPinned = false
  root.liveRegion.textContent = ""
  if (root.box.matches(":popover-open")) root.box.hidePopover()
}

/**
 * Where the pointer is: a mouse that stays on a term opens it, and closes it by leaving it.
 * @param {Root} root
 * @param {PointerEvent} event
 */
function handlePointer(root, event) {
  if (event.pointerType === "touch") return
  const hovered = event.composedPath().includes(root.box) ? root.box : findTerm(event)
  if (hovered === root.hovered) return
  root.hovered = hovered
  clearTimeout(root.timer)
  if (root.isPinned || hovered === root.box || (hovered && hovered === root.openedTerm)) return
  if (hovered) root.timer = setTimeout(() => openTerm(root, hovered), HOVER_DELAY)
  else if (root.openedTerm) root.timer = setTimeout(() => closeTerm(root), LEAVE_DELAY)
}

/**
 * Open and let it stay, or close what has stayed.
 * @param {Root} root
 * @param {HTMLElement} term
 */
function toggleTerm(root, term) {
  if (root.isPinned && root.openedTerm === term) return closeTerm(root)
  openTerm(root, term)
  if (!root.openedTerm) return
  root.isPinned = true
  root.liveRegion.textContent = root.box.textContent
}

/**
 * A click or a tap on a term is nobody else's; anywhere else it closes what is open.
 * @param {Root} root
 * @param {MouseEvent} event
 */
function handleClick(root, event) {
  const term = findTerm(event)
  if (!term) {
    if (root.openedTerm && !event.composedPath().includes(root.box)) closeTerm(root)
    return
  }
  event.preventDefault()
  event.stopPropagation()
  toggleTerm(root, term)
}

/**
 * Enter or space on a term is nobody else's, and neither is Escape while one is explained; another key goes on, and what
 * was explained is closed.
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function handleKey(root, event) {
  if (hasModifier(event) || event.key === "Shift") return
  const term = ["Enter", " "].includes(event.key) ? findTerm(event) : null
  if (!term && !root.openedTerm) return
  if (!term && event.key !== "Escape") return closeTerm(root)
  event.preventDefault()
  event.stopPropagation()
  if (term) toggleTerm(root, term)
  else closeTerm(root)
}

/** @param {Root} root */
function build(root) {
  root.entries = new Map()
  root.openedTerm = null
  root.hovered = null
  root.isPinned = false
  root.box = make("div", { class: "explanation", popover: "manual" })
  root.liveRegion = make("p", { class: "unseen", "aria-live": "polite" })
  root.append(root.box, root.liveRegion)
  root.abortController = new AbortController()
  const capture = { signal: root.abortController.signal, capture: true }
  // Moves too: from one part of a component to another one, nobody outside hears that the pointer is over it.
  for (const moves of /** @type {const} */ (["pointerover", "pointermove"])) addEventListener(moves, (event) => handlePointer(root, event), capture)
  addEventListener("click", (event) => handleClick(root, event), capture)
  addEventListener("keydown", (event) => handleKey(root, event), capture)
  addEventListener("focusin", (event) => root.openedTerm && findTerm(event) !== root.openedTerm && closeTerm(root), capture)
  addEventListener("scroll", (event) => root.openedTerm && !event.composedPath().includes(root.box) && closeTerm(root), capture)
  addEventListener("resize", () => root.openedTerm && closeTerm(root), capture)
}

/** @param {Mounted<GlossaryData>} mounted */
export default function glossary({ data: [data], parentElement }) {
  const root = mountRoot(parentElement, "glossary", {}, build)
  root.lang = data.language
  root.entries = new Map(data.entries.map(([key, name, meaning]) => [key, [name, meaning]]))
  return () => root.abortController.abort()
}
