// What the ideas about attention share: steps, a legend, and a matrix of weights that answers pointer and keys.

/** @import { ConceptPartsMessages } from "../payloads.js" */
import { findClosest, make } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { makeSlider } from "./sliders.js"

/** @type {(messages: ConceptPartsMessages, minimum: number, maximum: number, value: number) => HTMLElement} */
export const makeStepSlider = (messages, minimum, maximum, value) => makeSlider("step", messages.step, minimum, maximum, value)

/**
 * Make an entry of a legend: a swatch of the class `kind`, and a text.
 * @type {(kind: string, ...text: (Node | string)[]) => HTMLElement}
 */
export const makeLegendEntry = (kind, ...text) => make("span", {}, make("i", { class: kind, "aria-hidden": "true" }), ...text)

/**
 * Make the tokens of a translation as buttons, the current step pressed.
 * @type {(tokens: string[], messages: ConceptPartsMessages) => HTMLElement}
 */
export const makeSteps = (tokens, messages) => make("p", { class: "steps", role: "group", "aria-label": messages.steps },
  ...tokens.map((token, step) => make("button", { type: "button", "data-step": step, "aria-pressed": "false" }, token)))

/** @type {(root: HTMLElement, step: number) => void} */
export function showStep(root, step) {
  for (const node of root.querySelectorAll(".steps [data-step]")) {
    const nodeStep = Number(node.getAttribute("data-step"))
    node.setAttribute("aria-pressed", String(nodeStep === step))
    node.classList.toggle("later", nodeStep > step)
  }
}

/** @type {(event: Event) => number | undefined} */
export function findStep(event) {
  const node = findClosest(event.target, ".steps [data-step]")
  return node ? Number(node.dataset.step) : undefined
}

/** @type {(messages: ConceptPartsMessages, step: number, tokens: string[]) => string} */
export const describeStep = (messages, step, tokens) => formatTemplate(messages.step_value, { step: step + 1, count: tokens.length, token: tokens[step] })

/** @type {(messages: ConceptPartsMessages, step: number, count: number) => string} */
export const describeStepNumber = (messages, step, count) => formatTemplate(messages.step_number, { step, count })

/** The cell that pointer or keys are at.
 * @typedef {{ row: number, column: number }} Cell */

/**
 * Make a matrix of weights, a row per target token, a column per source token. Pointer, touch and arrow keys choose a cell.
 * @type {(rows: string[], columns: string[], label: string, onCell: (cell: Cell) => void) => HTMLElement}
 */
export function makeMatrix(rows, columns, label, onCell) {
  const cells = rows.map((_, row) => columns.map((__, column) => make("i", { "data-row": row, "data-column": column })))
  const grid = make("div", { class: "matrix", role: "application", tabindex: 0, "aria-label": label },
    make("span", {}), ...columns.map((column) => make("span", { class: "column" }, column)),
    ...rows.flatMap((row, k) => [make("span", { class: "row" }, row), ...cells[k]]))
  grid.style.setProperty("--columns", String(columns.length))
  grid.classList.toggle("dense", Math.max(rows.length, columns.length) > 24)
  /** @type {Cell} */
  let current = { row: 0, column: 0 }
  /** @param {Cell} cell */
  const choose = (cell) => {
    cells[current.row][current.column].classList.remove("here")
    current = cell
    cells[cell.row][cell.column].classList.add("here")
    onCell(cell)
  }
  /** @param {Event} event */
  const follow = (event) => {
    const node = findClosest(event.target, "[data-row]")
    if (node) choose({ row: Number(node.dataset.row), column: Number(node.dataset.column) })
  }
  grid.onpointerover = follow
  grid.onclick = follow
  grid.onfocus = () => grid.matches(":focus-visible") && choose(current) // a click chooses its own cell
  grid.onkeydown = (event) => {
    if (hasModifier(event)) return
    const move = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] })[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    choose({ row: clamp(current.row + move[0], rows.length), column: clamp(current.column + move[1], columns.length) })
  }
  return make("div", { class: "scrolls" }, grid)
}

/** @type {(index: number, count: number) => number} */
const clamp = (index, count) => Math.max(0, Math.min(count - 1, index))

/**
 * Colour the cells of a matrix, and mark one row.
 * @type {(root: HTMLElement, weights: number[][], step?: number) => void}
 */
export function showMatrix(root, weights, step = -1) {
  for (const node of root.querySelectorAll(".matrix i")) {
    if (!(node instanceof HTMLElement)) continue
    const row = Number(node.dataset.row)
    node.style.setProperty("--share", String(Math.min(1, weights[row][Number(node.dataset.column)])))
    node.classList.toggle("current", row === step)
  }
}
