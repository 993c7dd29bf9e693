// Redraw a component without losing focus, typed text, scroll positions or open details. A node is recognised by its name
// and data- attributes, or by its classes if it has none.

import { findAll } from "./dom.js"
import { TYPING_FIELDS } from "./keys.js"

/**
 * Return a selector for a node and its equals.
 * @param {Element} node
 */
function getSelector(node) {
  const marks = [...node.attributes].filter(({ name }) => name === "name" || name.startsWith("data-")).map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`)
  return node.localName + (marks.length ? marks : [...node.classList].map((name) => `.${CSS.escape(name)}`)).join("")
}

/** @param {Node} root */
function findFocused(root) {
  const rootNode = root.getRootNode()
  const active = rootNode instanceof ShadowRoot || rootNode instanceof Document ? rootNode.activeElement : null
  return active !== root && root.contains(active) ? active : null
}

/**
 * Run `build`, then restore focus, typed text, scroll positions and open details.
 * @param {HTMLElement} root
 * @param {() => void} build
 * @param {...string} fallbackSelectors selectors that get the focus if its node is gone
 */
export function redraw(root, build, ...fallbackSelectors) {
  const focusedNode = findFocused(root)
  const selector = focusedNode ? getSelector(focusedNode) : ""
  const number = focusedNode ? findAll(root, selector).indexOf(/** @type {HTMLElement} */ (focusedNode)) : -1
  const scrollPositions = findAll(root, ".scroll").map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
  const openStates = [...root.querySelectorAll("details")].map(({ open }) => open)
  keepScroll(() => {
    build()
    root.querySelectorAll("details").forEach((node, k) => (node.open = openStates[k] ?? node.open))
  })
  for (const [k, node] of findAll(root, ".scroll").entries()) [node.scrollLeft, node.scrollTop] = scrollPositions[k] ?? [0, 0]
  if (!focusedNode || root.contains(focusedNode)) return
  /** @param {string} item */
  const ready = (item) => findAll(root, item).filter((node) => !node.matches(":disabled") && node.checkVisibility())
  const candidates = ready(selector)
  const focusTarget = candidates[Math.min(number, candidates.length - 1)] ?? fallbackSelectors.flatMap(ready)[0]
  if (focusTarget instanceof HTMLInputElement && focusedNode instanceof HTMLInputElement && focusedNode.matches(TYPING_FIELDS)) focusTarget.value = focusedNode.value
  focusTarget?.focus({ preventScroll: true })
}

/**
 * Draw or measure without moving the page: in between it may be so short that the browser scrolls it.
 * @param {() => void} draw
 */
export function keepScroll(draw) {
  const page = document.querySelector(".stMain") ?? document.documentElement
  const scrollTop = page.scrollTop
  draw()
  if (page.scrollTop !== scrollTop) page.scrollTop = scrollTop
}
