// Navigate the tree of a beam search. Needs no browser.

/** @import { BeamNode } from "../payloads.js" */

/**
 * Return the nodes from the root to a node.
 * @type {(nodes: BeamNode[], number: number) => BeamNode[]}
 */
export function pathOf(nodes, number) {
  /** @type {BeamNode[]} */
  const path = []
  for (let node = nodes.find((item) => item.number === number); node; node = nodes.find((item) => item.number === node?.parent)) path.unshift(node)
  return path
}

/** @type {(nodes: BeamNode[], node: BeamNode) => BeamNode} */
export const bestContinuation = (nodes, node) => nodes.filter((item) => item.parent === node.number).sort((item, other) => item.rank - other.rank)[0]

/**
 * Return the node above or below in the same column.
 * @type {(nodes: BeamNode[], node: BeamNode, direction: 1 | -1) => BeamNode}
 */
export function columnNeighbour(nodes, node, direction) {
  const column = nodes.filter((item) => item.step === node.step).sort((item, other) => item.rank - other.rank)
  return column[column.indexOf(node) + direction]
}

/** @type {(node: { text: string }, filter: string) => boolean} */
export const matchesFilter = ({ text }, filter) => text.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase())
