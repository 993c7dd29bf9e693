// Show a beam search as a small tree, a column for each step, with the result of the beam and the path of greedy search.

/** @import { BeamPathsData, PathNode } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { buildStrips } from "../shared/beam_strips.js"
import { make, mountRoot, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { fadeOverflow } from "../shared/scroll_fade.js"

/** @typedef {ComponentRoot<BeamPathsData>} Root */

const LAYOUT = { columnWidth: 106, rowHeight: 32, nodeWidth: 82, nodeHeight: 25 }

/** @param {PathNode} node */
const getNodeClass = ({ fate, is_on_best_path: isOnBestPath, is_on_greedy_path: isOnGreedyPath }) => [fate === "pruned" && "pruned", isOnBestPath && "best", isOnGreedyPath && "greedy"].filter(Boolean).join(" ")

/** @param {BeamPathsData} data */
function buildTree({ nodes, messages, target_language }) {
  /** @type {(node: PathNode, style: string) => HTMLElement} */
  const makeBox = (node, style) => make("div", { class: `node ${getNodeClass(node)}`, lang: target_language, style,
    title: formatTemplate(messages.node, { step: node.step + 1, text: node.text, total: formatDecimal(node.total_log_probability) }) }, make("b", {}, node.text), make("span", {}, formatDecimal(node.total_log_probability, 1)))
  const strips = buildStrips(nodes, LAYOUT, ({ parent }) => nodes[parent], makeBox, (node) => ({ class: getNodeClass(node) }))
  return fadeOverflow(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": messages.label }, make("div", { class: "canvas" }, ...strips)))
}

/** @param {Root} root */
function buildPaths(root) {
  const { data } = root
  const { messages, width, results, is_same, target_language } = data
  root.lang = data.language
  const conclusion = width === 1 ? messages.narrow : is_same ? messages.same : results[1][2] > results[0][2] ? formatTemplate(messages.better, { width }) : messages.worse
  const section = make("section", {}, make("h2", {}, messages.heading),
    make("dl", {}, ...results.flatMap(([text, total, mean], k) => [make("dt", {}, k ? formatTemplate(messages.beam, { width }) : messages.greedy),
      make("dd", { class: "text", lang: target_language }, text), make("dd", { class: "soft" }, formatTemplate(messages.result, { total: formatDecimal(total), mean: formatDecimal(mean, 3) }))])),
    make("p", { class: "description" }, conclusion),
    make("p", { class: "legend" }, ...[["best", messages.best], ["greedy", messages.greedy_path], ["", messages.kept], ["pruned", messages.pruned]].map(([kind, text]) => make("span", { class: `node ${kind}` }, make("b", {}, text)))),
    buildTree(data), make("p", { class: "soft" }, messages.note))
  root.replaceChildren(section)
  registerSection(section)
}

/** @param {Mounted<BeamPathsData>} mounted */
export default function mountBeamPaths({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "beam-paths", {}, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildPaths(root)
}
