// Walking the tree of a beam. Nothing here needs a browser.

/** @import { BeamNode } from "../payloads.js" */

/**
 * The nodes from the first piece to a node, both included.
 * @param {BeamNode[]} nodes
 * @param {number} number
 */
export function pathOf(nodes, number) {
  /** @type {BeamNode[]} */
  const path = []
  for (let node = nodes.find((item) => item.number === number); node; node = nodes.find((item) => item.number === node?.parent)) path.unshift(node)
  return path
}

/**
 * The best continuation of a node that is drawn; none after the end or where the search went no further.
 * @param {BeamNode[]} nodes
 * @param {BeamNode} node
 */
export const bestContinuation = (nodes, node) => nodes.filter((item) => item.parent === node.number).sort((item, other) => item.rank - other.rank)[0]

/**
 * The node above or below in its column.
 * @param {BeamNode[]} nodes
 * @param {BeamNode} node
 * @param {1 | -1} direction
 */
export function columnNeighbour(nodes, node, direction) {
  const column = nodes.filter((item) => item.step === node.step).sort((item, other) => item.rank - other.rank)
  return column[column.indexOf(node) + direction]
}

/**
 * Whether a node holds the letters of a filter, whatever their case.
 * @param {{ text: string }} node
 * @param {string} filter
 */
export const matchesFilter = ({ text }, filter) => text.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase())
