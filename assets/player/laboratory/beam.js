// Show the beam search as a tree: one column per step, the best hypothesis on top. Below: the next pieces at the selected
// node, the hypotheses, and the attention map of the node's hypothesis.

/** @import { BeamData, BeamNode } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { buildStrips } from "../shared/beam_strips.js"
import { redraw } from "../shared/redraw.js"
import { find, findAll, make, findClosest, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, formatShare } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { fadeOverflow } from "../shared/scroll_fade.js"
import { isPresenting, registerSection } from "../shared/presentation.js"
import { styleAttentionCell, buildMap, setMapSize } from "../shared/word_map.js"

/**
 * @typedef {object} BeamState
 * @property {Map<number, BeamNode>} nodesByNumber the nodes of the tree
 * @property {number} selectedNode number of the node, -1 for none
 * @property {string} filter
 * @property {{ data: BeamData, hypothesisIndex: number }} [drawnMap] hypothesis whose map is drawn
 */
/** @typedef {ComponentRoot<BeamData> & BeamState} Root */

const REPORT_DELAY = 300 // milliseconds of rest before next pieces are requested
const LAYOUT = { columnWidth: 104, rowHeight: 30, nodeWidth: 84, nodeHeight: 30 }

/**
 * Return the nodes from the root to a node.
 * @type {(nodes: BeamNode[], number: number) => BeamNode[]}
 */
export function listPath(nodes, number) {
  /** @type {BeamNode[]} */
  const path = []
  for (let node = nodes.find((item) => item.number === number); node; node = nodes.find((item) => item.number === node?.parent)) path.unshift(node)
  return path
}

/** @type {(nodes: BeamNode[], node: BeamNode) => BeamNode} */
export const findBestContinuation = (nodes, node) => nodes.filter((item) => item.parent === node.number).sort((item, other) => item.rank - other.rank)[0]

/** @type {(nodes: BeamNode[], node: BeamNode, direction: 1 | -1) => BeamNode} */
export function findColumnNeighbour(nodes, node, direction) {
  const column = nodes.filter((item) => item.step === node.step).sort((item, other) => item.rank - other.rank)
  return column[column.indexOf(node) + direction]
}

/** @type {(node: { text: string }, filter: string) => boolean} */
export const matchesFilter = ({ text }, filter) => text.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase())

/** Return a piece's text; dots mark one that continues a word.
 * @param {{ text: string, continues_word: boolean }} piece */
const formatPiece = ({ text, continues_word: isContinuation }) => (isContinuation ? `…${text}` : text)

/** @type {(messages: BeamData["messages"], node: BeamNode) => string} */
const describeNode = (messages, node) =>
  formatTemplate(messages.node, { text: formatPiece(node), step: node.step + 1, p: formatShare(node.p), fate: messages[node.fate], total: formatDecimal(node.total_log_probability) })

/** @type {(root: Root, number: number) => BeamNode | undefined} */
const getNode = (root, number) => root.nodesByNumber.get(number)

/** @param {BeamData} data */
function buildTree({ nodes, messages, steps, width, languages }) {
  const nodesByNumber = new Map(nodes.map((node) => [node.number, node]))
  /** @type {(node: BeamNode, style: string) => HTMLElement} */
  const makeBox = (node, style) => {
    const label = describeNode(messages, node)
    return make("button", { type: "button", role: "treeitem", class: `node ${node.fate}`, "data-node": node.number, tabindex: -1, "aria-label": label, title: label, style },
      make("span", { class: "piece", lang: languages[1] }, formatPiece(node)), make("span", { class: "p" }, node.fate === "finished" ? `✓ ${formatShare(node.p)}` : formatShare(node.p)))
  }
  const strips = buildStrips(nodes, LAYOUT, ({ parent }) => nodesByNumber.get(parent), makeBox, ({ fate, number }) => ({ class: fate, "data-line": number }), { role: "presentation" })
  return fadeOverflow(make("div", { class: "scroll tree" }, make("div", { class: "canvas", role: "tree", "aria-label": formatTemplate(messages.label, { width, steps }) }, ...strips)))
}

/** @param {Root} root */
function buildBeam(root) {
  const { data } = root
  const { messages, hypotheses } = data
  /** @type {(kind: BeamNode["fate"] | "its", text: string) => HTMLSpanElement} */
  const key = (kind, text) => make("span", { class: `node ${kind} sample` }, make("span", { class: "piece" }, text))
  const bar = make("div", { class: "bar" }, key("kept", messages.kept), key("finished", `✓ ${messages.finished}`), key("pruned", messages.pruned), key("its", messages.its),
    make("input", { type: "search", class: "filter", value: root.filter, placeholder: messages.filter, "aria-label": messages.filter_label, autocomplete: "off" }),
    make("span", { class: "soft sideways" }, messages.sideways),
    data.forced_count && !data.is_export ? make("button", { type: "button", class: "plain", "data-do": "free" }, formatTemplate(messages.free, { count: data.forced_count })) : null)
  const top = make("section", { class: "top" }, bar, buildTree(data), make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "soft" }, messages.key, " ", messages.signs))
  const list = hypotheses.map((item, rank) => make("li", {},
    make("button", { type: "button", class: "plain", "data-rank": rank }, make("span", { lang: data.languages[1] }, item.text)),
    make("span", { class: "soft" }, [formatTemplate(messages.score, { score: formatDecimal(item.score) }), !item.is_finished && messages.unfinished].filter(Boolean).join(", "))))
  const nextSection = make("section", { class: "next" })
  const bestSection = make("section", { class: "best" }, make("h3", {}, formatTemplate(messages.best, { count: hypotheses.length })), make("ol", {}, ...list))
  const alpha = make("section", { class: "maps" })
  root.lang = data.language
  root.replaceChildren(top, make("div", { class: "under" }, nextSection, bestSection), alpha, make("p", { class: "soft footnote" }, data.provenance))
  for (const section of [top, nextSection, bestSection, alpha]) registerSection(section)
}

/** @param {Root} root */
function renderNextPieces(root) {
  const { data, selectedNode } = root
  const { messages, languages } = data
  const section = find(root, ".next")
  if (data.is_export && (selectedNode < 0 || selectedNode !== data.selected)) return section.replaceChildren()
  if (selectedNode < 0) return section.replaceChildren(make("p", { class: "soft" }, messages.hint))
  const path = listPath(data.nodes, selectedNode)
  const text = path.map((node) => (node.continues_word ? node.text : ` ${node.text}`)).join("").trim()
  const head = make("h3", {}, formatTemplate(messages.next, { path: text || messages.start }))
  if (selectedNode !== data.selected) return section.replaceChildren(head, make("p", { class: "soft" }, messages.waiting))
  const rows = data.continuations.map((item) => {
    const share = make("span", { class: "share", style: `--share: ${item.p.toFixed(4)}` }, formatShare(item.p))
    const piece = make("span", { class: "piece", lang: languages[1] }, formatPiece(item))
    const takenNote = item.is_in_tree && make("span", { class: "soft" }, messages.took)
    return make("li", {}, share, item.is_selectable && !data.is_export ? make("button", { type: "button", class: "plain", "data-take": item.id, title: messages.take }, piece) : piece, takenNote)
  })
  section.replaceChildren(head, make("ol", {}, ...rows))
}

/**
 * Highlight the path to the selected node and its hypothesis, and show the hypothesis' map.
 * @param {Root} root
 */
function renderSelection(root) {
  const { data, selectedNode } = root
  const { messages, hypotheses, name } = data
  const path = new Set((selectedNode < 0 ? [] : listPath(data.nodes, selectedNode)).map((node) => node.number))
  const hypothesisIndex = Math.max(0, hypotheses.findIndex((item) => item.path.includes(selectedNode)))
  const hypothesisNodes = new Set(hypotheses[hypothesisIndex].path)
  for (const node of findAll(root, ".canvas .node")) {
    const number = Number(node.dataset.node)
    node.classList.toggle("path", path.has(number))
    node.classList.toggle("its", hypothesisNodes.has(number))
    node.classList.toggle("faded", !matchesFilter(/** @type {BeamNode} */ (getNode(root, number)), root.filter))
    node.tabIndex = number === (selectedNode < 0 ? data.nodes[0].number : selectedNode) ? 0 : -1
    node.setAttribute("aria-selected", String(number === selectedNode))
  }
  for (const line of root.querySelectorAll("[data-line]")) line.classList.toggle("its", hypothesisNodes.has(Number(line.getAttribute("data-line"))))
  showPressed(root, "rank", hypothesisIndex)
  const node = getNode(root, selectedNode)
  setText(find(root, ".description"), node ? describeNode(messages, node) : "\u00a0")
  renderNextPieces(root)
  if (root.drawnMap?.data === data && root.drawnMap.hypothesisIndex === hypothesisIndex) return // keep its scroll position
  root.drawnMap = { data, hypothesisIndex }
  const { alpha, target } = hypotheses[hypothesisIndex]
  const maps = find(root, ".maps")
  const sides = { source: data.source, target, languages: data.languages }
  maps.replaceChildren(alpha ? make("figure", {}, make("figcaption", {}, make("span", {}, messages.alpha)), buildMap(sides, alpha, styleAttentionCell, formatTemplate(messages.alpha_label, { model: name })))
    : make("p", { class: "soft" }, formatTemplate(messages.plain, { model: name })))
  setMapSize(maps, data.source, target.length)
}

/** @type {(root: Root, number: number) => void} */
function selectNode(root, number) {
  root.selectedNode = number
  renderSelection(root)
  const box = find(root, `.canvas [data-node="${number}"]`)
  box.focus({ preventScroll: true })
  box.scrollIntoView({ block: "nearest", inline: "nearest" })
  clearTimeout(root.reportTimer)
  const { search_id } = root.data // another tree may arrive first
  root.reportTimer = setTimeout(() => root.trigger("node", { search_id, node: number }), REPORT_DELAY)
}

/** @type {(root: Root, text: string) => void} */
function setFilter(root, text) {
  root.filter = text
  const box = /** @type {HTMLInputElement} */ (find(root, ".filter"))
  if (box.value !== text) box.value = text
  renderSelection(root)
}

/** @type {(root: Root, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  const box = findClosest(event.target, ".canvas .node")
  if (hasModifier(event)) return
  if (event.key === "Escape" && root.filter && findClosest(event.target, ".filter")) {
    event.preventDefault()
    event.stopPropagation() // otherwise it would end presenting
    return setFilter(root, "")
  }
  if (!box) return
  const { nodes, hypotheses } = root.data
  const number = Number(box.dataset.node)
  const node = /** @type {BeamNode} */ (getNode(root, number))
  /** @type {Record<string, () => number | undefined>} */
  const targets = { ArrowRight: () => findBestContinuation(nodes, node)?.number, ArrowLeft: () => (getNode(root, node.parent) ? node.parent : undefined),
    ArrowUp: () => findColumnNeighbour(nodes, node, -1)?.number, ArrowDown: () => findColumnNeighbour(nodes, node, 1)?.number,
    Home: () => nodes[0].number, End: () => hypotheses[0].path.at(-1) }
  if (Object.hasOwn(targets, event.key)) {
    const target = targets[event.key]()
    if (target !== undefined) selectNode(root, target)
  } else if (event.key === "Escape" && root.filter) setFilter(root, "")
  else if (event.key === "Backspace" && root.filter) setFilter(root, root.filter.slice(0, -1))
  else if (!isPresenting() && [...event.key].length === 1 && event.key !== " ") setFilter(root, root.filter + event.key)
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** @type {(root: Root, pieces: number[]) => void} */
const requestPrefix = (root, pieces) => root.trigger("take", { id: root.data.id, pieces })

/** @param {Root} root */
function addListeners(root) {
  root.addEventListener("click", (event) => {
    const box = findClosest(event.target, ".canvas .node")
    const takeButton = findClosest(event.target, "[data-take]")
    const rank = findClosest(event.target, "[data-rank]")
    if (box) selectNode(root, Number(box.dataset.node))
    else if (takeButton) requestPrefix(root, [...listPath(root.data.nodes, root.selectedNode).map((node) => node.id), Number(takeButton.dataset.take)])
    else if (rank) selectNode(root, root.data.hypotheses[Number(rank.dataset.rank)].path.at(-1) ?? -1)
    else if (findClosest(event.target, "[data-do=free]")) requestPrefix(root, [])
  })
  root.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement) setFilter(root, event.target.value)
  })
  root.addEventListener("keydown", (event) => handleKey(root, event))
}

/** @param {Mounted<BeamData>} mounted */
export default function mountBeam({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "beam", {}, addListeners)
  const isNew = storeData(root, data, { selected: 0, continuations: [] })
  const isOtherTree = root.data?.search_id !== data.search_id
  root.data = data
  root.nodesByNumber = new Map(data.nodes.map((node) => [node.number, node]))
  if (isOtherTree || isNew) {
    root.selectedNode = data.selected
    root.filter = isOtherTree ? "" : root.filter
  }
  if (isNew) {
    redraw(root, () => {
      buildBeam(root)
      renderSelection(root)
    }, '.canvas [tabindex="0"]')
  } else renderNextPieces(root)
  return () => clearTimeout(root.reportTimer)
}
