// A table of packed attention weights: decode them, and follow pointer and focus over its rows.

import { findAll, findClosest } from "./dom.js"
import { setTabStop } from "./focus.js"
import { hasModifier } from "./keys.js"

/**
 * Decode the weights of a map, row by row.
 * @param {string} packed base64, one byte per weight, 255 for 1
 * @param {number} rows
 * @returns {number[][]}
 */
export function decodeWeights(packed, rows) {
  const bytes = [...atob(packed)].map((letter) => letter.charCodeAt(0) / 255)
  const columns = bytes.length / rows
  return Array.from({ length: rows }, (_, i) => bytes.slice(i * columns, (i + 1) * columns))
}

/** Rows that keys lead to.
 * @type {Record<string, (row: number, end: number) => number>} */
const STEPS = {
  ArrowDown: (row, end) => Math.min(row + 1, end), ArrowUp: (row) => Math.max(row - 1, 0), Home: () => 0, End: (_, end) => end,
}

/** @param {KeyboardEvent} event */
function moveRowFocus(event) {
  const head = findClosest(event.target, "th.target")
  const step = STEPS[event.key]
  if (!head || !step || hasModifier(event)) return
  event.preventDefault()
  const heads = findAll(/** @type {HTMLElement} */ (head.closest("table")), "th.target")
  heads[step(heads.indexOf(head), heads.length - 1)].focus()
}

/**
 * Call `point` with what the pointer or the keyboard focus is on; arrow keys, Home and End move between the rows of a table.
 * @template {HTMLElement} Root
 * @param {Root} root
 * @param {(root: Root, target: EventTarget | null) => void} point
 */
export function followFocus(root, point) {
  root.onpointerover = (event) => point(root, event.target)
  root.onpointerleave = () => point(root, null)
  root.addEventListener("focusin", (event) => {
    const head = findClosest(event.target, "th.target")
    if (head) setTabStop(/** @type {HTMLElement} */ (head.closest("table")), "th.target", head)
    point(root, event.target)
  })
  root.addEventListener("keydown", moveRowFocus)
}
