// Show a beam search as a small tree, a column for each step, with the result of the beam and the path of greedy search.

/** @import { BeamPathsData, PathNode } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { draw, make, mountRoot, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { fadeOverflow } from "../shared/scroll_fade.js"

/** @typedef {ComponentRoot<BeamPathsData>} Root */

const [COLUMN_WIDTH, ROW_HEIGHT, NODE_WIDTH, NODE_HEIGHT] = [106, 32, 82, 25] // pixels
const STRIP_STEPS = 7 // of the tree in a line while presenting

/** @param {PathNode} node */
const nodeClass = ({ fate, is_on_best_path: isOnBestPath, is_on_greedy_path: isOnGreedyPath }) => [fate === "pruned" && "pruned", isOnBestPath && "best", isOnGreedyPath && "greedy"].filter(Boolean).join(" ")

/**
 * Draw the columns of the tree from a step on. Edges begin in the column before.
 * @type {(data: BeamPathsData, first: number) => HTMLElement}
 */
function buildStrip({ nodes, words, target_language }, first) {
  const visibleNodes = nodes.filter(({ step }) => step >= first && step < first + STRIP_STEPS)
  const width = (Math.max(...visibleNodes.map(({ step }) => step)) - first + 1) * COLUMN_WIDTH
  const height = (Math.max(...visibleNodes.map(({ rank }) => rank)) + 1) * ROW_HEIGHT
  /** @type {(node: PathNode) => [number, number]} */
  const place = ({ step, rank }) => [(step - first) * COLUMN_WIDTH, rank * ROW_HEIGHT]
  const lines = visibleNodes.flatMap((node) => {
    const parent = nodes[node.parent]
    if (!parent) return []
    const [[left1, top1], [x2, top2]] = [place(parent), place(node)]
    const [x1, y1, y2] = [left1 + NODE_WIDTH, top1 + NODE_HEIGHT / 2, top2 + NODE_HEIGHT / 2]
    return [draw("path", { class: nodeClass(node), d: `M${x1} ${y1}C${x1 + 12} ${y1} ${x2 - 12} ${y2} ${x2} ${y2}` })]
  })
  const boxes = visibleNodes.map((node) => make("div", { class: `node ${nodeClass(node)}`, lang: target_language, style: `--left: ${place(node)[0]}; --top: ${place(node)[1]}`,
    title: formatTemplate(words.node, { step: node.step + 1, text: node.text, total: formatDecimal(node.total_log_probability) }) }, make("b", {}, node.text), make("span", {}, formatDecimal(node.total_log_probability, 1))))
  return make("div", { class: "strip", style: `--width: ${width}; --height: ${height}` }, draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...lines), ...boxes)
}

/** @param {BeamPathsData} data */
function buildTree(data) {
  const steps = Math.max(...data.nodes.map(({ step }) => step)) + 1
  const strips = Array.from({ length: Math.ceil(steps / STRIP_STEPS) }, (_, k) => buildStrip(data, k * STRIP_STEPS))
  return fadeOverflow(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": data.words.label }, make("div", { class: "canvas" }, ...strips)))
}

/** @param {Root} root */
function buildPaths(root) {
  const { data } = root
  const { words, width, results, is_same, target_language } = data
  root.lang = data.language
  const conclusion = width === 1 ? words.narrow : is_same ? words.same : results[1][2] > results[0][2] ? formatTemplate(words.better, { width }) : words.worse
  const section = make("section", {}, make("h2", {}, words.heading),
    make("dl", {}, ...results.flatMap(([text, total, mean], k) => [make("dt", {}, k ? formatTemplate(words.beam, { width }) : words.greedy),
      make("dd", { class: "text", lang: target_language }, text), make("dd", { class: "soft" }, formatTemplate(words.result, { total: formatDecimal(total), mean: formatDecimal(mean, 3) }))])),
    make("p", { class: "description" }, conclusion),
    make("p", { class: "legend" }, ...[["best", words.best], ["greedy", words.greedy_path], ["", words.kept], ["pruned", words.pruned]].map(([kind, text]) => make("span", { class: `node ${kind}` }, make("b", {}, text)))),
    buildTree(data), make("p", { class: "soft" }, words.note))
  root.replaceChildren(section)
  registerSection(section)
}

/** @param {Mounted<BeamPathsData>} mounted */
export default function beamPaths({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "beam-paths", {}, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildPaths(root)
}
