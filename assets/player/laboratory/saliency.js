// Show saliency beside attention: two maps over the same words. A hovered cell is highlighted in both; arrow keys move
// through the cells.

/** @import { SaliencyData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { CellStyle } from "../shared/word_map.js" */
import { find, findAll, make, findClosest, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, formatShare, formatCell } from "../shared/format.js"
import { showSections } from "../shared/presentation.js"
import { getInkClass, SOURCE } from "../shared/shades.js"
import { styleAttentionCell, buildMap, setMapSize } from "../shared/word_map.js"

const SMALL = 0.1 // nats; smaller values get more decimals
const NUMBER_FROM = 0.25 // share of the row's maximum from which a cell shows its number

/** @typedef {ComponentRoot<SaliencyData>} Root */

/**
 * Return the style function of a row; shades are relative to its largest absolute value.
 * @type {(row: number[]) => (value: number) => CellStyle}
 */
export function makeSaliencyStyle(row) {
  const maximum = Math.max(...row.map(Math.abs))
  return (value) => {
    const shade = maximum > 0 ? Math.abs(value) / maximum : 0
    return { shade, text: shade >= NUMBER_FROM ? formatNats(value) : "", kind: value < 0 ? "against" : `for ${getInkClass(shade, SOURCE)}` }
  }
}

/** @param {number} value */
function formatNats(value) {
  const size = Math.abs(value)
  return size < 0.005 ? "<.01" : size >= 0.995 ? formatDecimal(value, 1) : `${value < 0 ? "−" : ""}${formatCell(size)}`
}

/** @type {(root: Root, cell: HTMLElement | null) => void} */
function pointAtCell(root, cell) {
  for (const node of findAll(root, ".here")) node.classList.remove("here")
  const { messages, source, target, values, alpha } = root.data
  if (!cell) return setText(find(root, ".description"), alpha ? messages.idle : messages.idle_plain)
  const t = Number(cell.dataset.t)
  const s = Number(cell.dataset.s)
  for (const element of findAll(root, `td[data-t="${t}"][data-s="${s}"], tbody th[data-t="${t}"], thead th[data-s="${s}"]`)) element.classList.add("here")
  const places = { target: target[t], source: source[s], nats: formatDecimal(values[t][s], Math.abs(values[t][s]) < SMALL ? 4 : 2) }
  setText(find(root, ".description"), alpha ? formatTemplate(messages.cell_alpha, { ...places, weight: formatShare(alpha[t][s]) }) : formatTemplate(messages.cell, places))
}

/** @param {Root} root */
function buildSaliency(root) {
  const { data } = root
  const { messages, alpha, name, method, definition } = data
  const alphaFigure = alpha
    ? make("figure", {}, make("figcaption", {}, make("span", {}, formatTemplate(messages.alpha, { model: name }))), buildMap(data, alpha, styleAttentionCell, formatTemplate(messages.alpha_label, { model: name })))
    : make("p", { class: "blind" }, formatTemplate(messages.blind, { model: name }))
  const key = make("span", { class: "key" }, make("i", { class: "for" }), messages.for, make("i", { class: "against" }), messages.against, ` (${messages.nats})`, make("span", { class: "scaled" }, messages.scaled))
  const rowStyles = data.values.map(makeSaliencyStyle)
  const saliencyFigure = make("figure", {}, make("figcaption", {}, make("span", {}, formatTemplate(alpha ? messages.map : messages.map_plain, { method })), key),
    buildMap(data, data.values, (value, t) => rowStyles[t](value), formatTemplate(messages.map_label, { method, model: name }), { head: messages.rank, label: messages.rank_label, values: data.ranks }))
  const maps = make("section", { class: `maps${alpha ? "" : " alone"}`, role: "group", "aria-label": formatTemplate(messages.label, { method }) },
    alphaFigure, saliencyFigure, make("p", { class: "description", "aria-live": "polite" }))
  setMapSize(maps, data.source, data.target.length)
  const overall = data.overall === null ? messages.overall_none : formatTemplate(messages.overall, { value: formatDecimal(data.overall) })
  const noteSection = make("section", { class: "note" }, make("p", { class: "means" }, definition), alpha && make("p", {}, overall),
    make("p", { class: "soft" }, data.completeness, data.completeness && " ", make("span", { class: "footnote" }, data.provenance)))
  showSections(root, data.language, [maps, noteSection])
  pointAtCell(root, null)
}

/** @param {Root} root */
function addListeners(root) {
  root.addEventListener("pointerover", (event) => pointAtCell(root, findClosest(event.target, "td[data-s]")))
  root.addEventListener("pointerleave", () => pointAtCell(root, null))
  root.addEventListener("click", (event) => findClosest(event.target, "td[data-s]")?.focus())
  root.addEventListener("focusin", (event) => pointAtCell(root, findClosest(event.target, "td[data-s]")))
}

/** @param {Mounted<SaliencyData>} mounted */
export default function mountSaliency({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "saliency", {}, addListeners)
  if (!storeData(root, data)) return
  root.data = data
  buildSaliency(root)
}
