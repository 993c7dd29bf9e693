// A table of packed attention weights: decode them, build the table, and follow pointer and focus over its rows.

/** @import { Attributes } from "./dom.js" */
import { findAll, findClosest, make } from "./dom.js"
import { setTabStop } from "./focus.js"
import { argmax } from "./format.js"
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

/**
 * Make a table of weights, which are set later. The last column is the end of the sentence.
 * @type {(columns: string[], rows: string[], attributes: Attributes, languages?: string[]) => HTMLTableElement}
 */
export function buildWeightTable(columns, rows, attributes, languages = []) {
  const head = make("tr", {}, make("td"), ...columns.map((text, j) =>
    make("th", { scope: "col", class: j < columns.length - 1 ? "source" : "end", lang: languages[0] }, make("span", {}, text === " " ? "␣" : text))))
  return make("table", attributes, make("thead", {}, head), make("tbody", {}, ...rows.map((text, i) => make("tr", {},
    make("th", { scope: "row", class: "target", lang: languages[1], tabindex: i ? -1 : 0, "data-row": i }, text),
    ...columns.map((_, j) => make("td", { class: "cell", "data-row": i, "data-column": j }))))))
}

/**
 * Return the weight of a cell; for a row's head, the largest of its row.
 * @type {(node: HTMLElement, weights: number[][]) => { i: number, j: number, isCell: boolean, weight: number }}
 */
export function readPointedCell({ dataset: { row, column } }, weights) {
  const i = Number(row)
  const isCell = column !== undefined
  const j = isCell ? Number(column) : argmax(weights[i])
  return { i, j, isCell, weight: weights[i][j] }
}

/** Rows that keys lead to.
 * @type {Record<string, (row: number, end: number) => number>} */
const STEPS = {
  ArrowDown: (row, end) => Math.min(row + 1, end), ArrowUp: (row) => Math.max(row - 1, 0), Home: () => 0, End: (_, end) => end,
}

/**
 * Focus the row that an arrow key, Home or End leads to. `selector`: what is focused of each row.
 * @type {(event: KeyboardEvent, selector?: string) => void}
 */
export function moveRowFocus(event, selector = "th.target") {
  const head = findClosest(event.target, selector)
  const step = STEPS[event.key]
  if (!head || !step || hasModifier(event)) return
  event.preventDefault()
  const heads = findAll(/** @type {HTMLElement} */ (head.closest("table")), selector)
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
  root.addEventListener("keydown", (event) => moveRowFocus(event))
}
