// Explain glossary terms: on hover, tap or Enter, on the page and in components. The explanation lies over the page, within
// the window, so that nothing moves.

/** @import { GlossaryData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { make, mountRoot } from "./dom.js"
import { watchHangul } from "./hangul_hint.js"
import { hasModifier } from "./keys.js"

/**
 * @typedef {object} GlossaryState
 * @property {Map<string, [string, string]>} entries name and meaning of each term
 * @property {string} [language]
 * @property {HTMLElement} box
 * @property {HTMLElement} liveRegion
 * @property {HTMLElement | null} openedTerm the explained term
 * @property {HTMLElement | null} hovered the term under the pointer, or the explanation
 * @property {boolean} isPinned whether it stays when the pointer leaves
 * @property {ReturnType<typeof setTimeout>} [timer]
 * @property {AbortController} abortController
 */
/** @typedef {HTMLElement & GlossaryState} Root */

const HOVER_DELAY = 180 // milliseconds of hovering before a term is explained
const LEAVE_DELAY = 250 // milliseconds to move the pointer from the term to its explanation
const EDGE = 8 // pixels between explanation, term and window

/**
 * Return the position of a box beside a term: below it, or above where there is more room, within the window.
 * @param {{ left: number, top: number, bottom: number }} term
 * @param {{ width: number, height: number }} box
 * @param {{ width: number, height: number }} screen
 * @param {{ right: number }} [column] keeps the box left of its right edge if possible
 */
function placeBeside(term, box, screen, column = { right: Infinity }) {
  const topBelow = term.bottom + EDGE
  const hasRoomBelow = topBelow + box.height + EDGE <= screen.height || term.top < screen.height - term.bottom
  const top = hasRoomBelow ? topBelow : term.top - EDGE - box.height
  return {
    left: Math.max(EDGE, Math.min(term.left, screen.width - box.width - EDGE, column.right - box.width)),
    top: Math.max(EDGE, Math.min(top, screen.height - box.height - EDGE)),
  }
}

/**
 * Find the term of an event, also inside shadow roots.
 * @param {Event} event
 */
function findTerm(event) {
  const [node] = event.composedPath()
  const matches = node instanceof Element ? node.closest("[data-term]") : null
  return matches instanceof HTMLElement ? matches : null
}

/** @type {(root: Root, term: HTMLElement) => void} */
function openTerm(root, term) {
  const entry = root.entries.get(term.dataset.term ?? "")
  if (!entry || !term.isConnected) return // it was replaced meanwhile
  if (root.openedTerm !== term) closeTerm(root)
  const [name, meaning] = entry
  root.openedTerm = term
  root.box.replaceChildren(make("b", {}, name), make("p", {}, meaning))
  const column = term.closest("[data-within]")?.getBoundingClientRect() // keeps the subject of the term visible
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

/** @type {(root: Root, event: PointerEvent) => void} */
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

/** @type {(root: Root, term: HTMLElement) => void} */
function toggleTerm(root, term) {
  if (root.isPinned && root.openedTerm === term) return closeTerm(root)
  openTerm(root, term)
  if (!root.openedTerm) return
  root.isPinned = true
  root.liveRegion.textContent = [...root.box.children].map((part) => part.textContent).join(". ")
}

/** @type {(root: Root, event: MouseEvent) => void} */
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
 * Toggle a term on Enter or space and close it on Escape; no one else gets these keys. Other keys close it and pass on.
 * @type {(root: Root, event: KeyboardEvent) => void}
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
  // Moves too: outside, no pointerover arrives when the pointer moves within one component.
  for (const moves of /** @type {const} */ (["pointerover", "pointermove"])) addEventListener(moves, (event) => handlePointer(root, event), capture)
  addEventListener("click", (event) => handleClick(root, event), capture)
  addEventListener("keydown", (event) => handleKey(root, event), capture)
  addEventListener("focusin", (event) => root.openedTerm && findTerm(event) !== root.openedTerm && closeTerm(root), capture)
  addEventListener("scroll", (event) => root.openedTerm && !event.composedPath().includes(root.box) && closeTerm(root), capture)
  addEventListener("resize", () => root.openedTerm && closeTerm(root), capture)
  watchHangul(root, root.abortController.signal, () => root.lang !== "ko")
}

/** @param {Mounted<GlossaryData>} mounted */
export default function mountGlossary({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "glossary", {}, build)
  root.lang = data.language
  root.entries = new Map(data.entries.map(([key, name, meaning]) => [key, [name, meaning]]))
  return () => root.abortController.abort()
}
