// Move the focus within words, lists and tables by arrow keys, with a single tab stop in each.

import { findAll } from "./dom.js"

/** @type {(container: ParentNode, selector: string, node: HTMLElement) => HTMLElement} */
export function setTabStop(container, selector, node) {
  for (const tabStop of findAll(container, `:is(${selector})[tabindex="0"]`)) tabStop.tabIndex = -1
  node.tabIndex = 0
  return node
}

/**
 * Return the node of a list that a key leads to, undefined where there is none, or null for other keys.
 * @type {(nodes: HTMLElement[], node: HTMLElement, key: string) => HTMLElement | null | undefined}
 */
export function listTarget(nodes, node, key) {
  const index = nodes.indexOf(node)
  /** @type {Record<string, HTMLElement | undefined>} */
  const targets = { ArrowLeft: nodes[index - 1], ArrowRight: nodes[index + 1], Home: nodes[0], End: nodes[nodes.length - 1] }
  return Object.hasOwn(targets, key) ? targets[key] : null
}

/**
 * Focus the word of a line that a key leads to, and make it the tab stop; returns whether it was such a key.
 * @type {(word: HTMLElement, key: string) => boolean}
 */
export function moveWordFocus(word, key) {
  const line = /** @type {HTMLElement} */ (word.parentElement)
  const target = listTarget(findAll(line, ".word"), word, key)
  if (target === null) return false
  setTabStop(line, ".word", target ?? word).focus()
  return true
}

/**
 * Return the row and column that a key leads to, or null.
 * @type {(key: string, row: number, column: number, rows: number, columns: number) => [number, number] | null}
 */
export function findGridTarget(key, row, column, rows, columns) {
  /** @type {Record<string, [number, number] | undefined>} */
  const targets = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: [row, 0], End: [row, columns - 1] }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return target && target[0] >= 0 && target[0] < rows && target[1] >= 0 && target[1] < columns ? target : null
}

/**
 * Focus the table cell that a key leads to, and make it the tab stop; returns whether there is one. The data attributes
 * `row` and `column` of a cell are its position.
 * @type {(cell: HTMLElement, key: string, row: string, column: string) => boolean}
 */
export function moveCellFocus(cell, key, row, column) {
  const table = /** @type {HTMLElement} */ (cell.closest("table"))
  const [rows, columns] = [findAll(table, "tbody tr").length, findAll(table, `thead [data-${column}]`).length]
  const target = findGridTarget(key, Number(cell.dataset[row]), Number(cell.dataset[column]), rows, columns)
  const node = target && findAll(table, `td[data-${row}="${target[0]}"][data-${column}="${target[1]}"]`)[0]
  if (node) setTabStop(table, "td", node).focus()
  return target !== null
}
