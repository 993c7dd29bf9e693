// Draw the tree of a beam search in strips: a column for each step, the best hypothesis on top, edges between the columns.

import { draw, make } from "./dom.js"

/** @typedef {{ step: number, rank: number }} TreeNode */
/** Sizes in pixels.
 * @typedef {{ columnWidth: number, rowHeight: number, nodeWidth: number, nodeHeight: number }} TreeLayout */

const STRIP_STEPS = 7 // of the tree in a line while presenting

/**
 * Build the strips. Edges begin in the column before.
 * @template {TreeNode} Node
 * @param {Node[]} nodes
 * @param {TreeLayout} layout
 * @param {(node: Node) => Node | undefined} findParent
 * @param {(node: Node, style: string) => HTMLElement} makeBox
 * @param {(node: Node) => import("./dom.js").Attributes} describeEdge attributes of the edge to a node
 * @param {import("./dom.js").Attributes} [attributes] of each strip
 * @returns {HTMLElement[]}
 */
export function buildStrips(nodes, { columnWidth, rowHeight, nodeWidth, nodeHeight }, findParent, makeBox, describeEdge, attributes = {}) {
  const steps = Math.max(...nodes.map(({ step }) => step)) + 1
  const height = (Math.max(...nodes.map(({ rank }) => rank)) + 1) * rowHeight
  const bend = (columnWidth - nodeWidth) / 2
  return Array.from({ length: Math.ceil(steps / STRIP_STEPS) }, (_, k) => {
    const first = k * STRIP_STEPS
    const width = Math.min(STRIP_STEPS, steps - first) * columnWidth
    const visibleNodes = nodes.filter(({ step }) => step >= first && step < first + STRIP_STEPS)
    /** @type {(node: Node) => [number, number]} */
    const locate = ({ step, rank }) => [(step - first) * columnWidth, rank * rowHeight]
    const edges = visibleNodes.flatMap((node) => {
      const parent = findParent(node)
      if (!parent) return []
      const [[left1, top1], [x2, top2]] = [locate(parent), locate(node)]
      const [x1, y1, y2] = [left1 + nodeWidth, top1 + nodeHeight / 2, top2 + nodeHeight / 2]
      return [draw("path", { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, ...describeEdge(node) })]
    })
    const boxes = visibleNodes.map((node) => makeBox(node, `--left: ${locate(node)[0]}; --top: ${locate(node)[1]}`))
    return make("div", { class: "strip", style: `--width: ${width}; --height: ${height}`, ...attributes },
      draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...edges), ...boxes)
  })
}
