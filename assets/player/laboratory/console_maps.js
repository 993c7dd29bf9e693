// Build the editable map with its selected row enlarged, and small maps of the original attention and the difference.

/** @import { ConsoleColumn, ConsoleData, TokenPiece } from "../payloads.js" */
/** @import { Console } from "./console.js" */
import { draw, make } from "../shared/dom.js"
import { formatTemplate, findLargest, formatCell, formatShare } from "../shared/format.js"
import { getInkClass } from "../shared/shades.js"
import { fadeOverflow } from "../shared/scroll_fade.js"
import { getEditedSide, parseSteps } from "./attention_changes.js"

const NUMBER_FROM = 0.3 // weight from which a cell shows its number
const DRAWN_FROM = 0.01 // smallest weight drawn in small maps

/** @param {TokenPiece} piece */
const getPieceClass = ({ word, continues_word: continuesWord }) => (word < 0 ? "end" : continuesWord ? "joined" : "")

/**
 * Return the weights of a step, from the draft if the row is under edit.
 * @type {(root: Console, step: number) => number[]}
 */
export const getRowWeights = (root, step) => (root.draft && step === root.step ? root.draft : getEditedSide(root.data).alpha[step].map((part) => part / root.data.weight_scale))

/** @type {(cell: HTMLElement, value: number) => HTMLElement} */
export function shadeCell(cell, value) {
  cell.style.setProperty("--shade", value.toFixed(3))
  for (const name of ["deep", "deepest"]) cell.classList.toggle(name, getInkClass(value) === name)
  cell.textContent = value >= NUMBER_FROM ? formatCell(value) : ""
  return cell
}

/** @param {Console} root */
export function buildEditableMap(root) {
  const { data } = root
  const { messages, languages, source } = data
  const side = getEditedSide(data)
  const changedSteps = data.overrides.flatMap(({ override }) => parseSteps(override) ?? []).filter(({ map }) => map === data.map_key)
  const heads = source.map((piece, k) =>
    make("th", { scope: "col", class: getPieceClass(piece), "data-source": k, lang: piece.word < 0 ? null : languages[0] }, make("span", { class: piece.is_unknown ? "word source unknown" : "word source" }, piece.text)))
  const bars = source.map((_, k) =>
    make("td", { class: "bar", role: "slider", tabindex: -1, "data-source": k, "aria-readonly": data.is_export ? true : null, "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical" },
      make("i", {}), make("span", {})))
  const body = side.alpha.map((_, t) => {
    const isChanged = changedSteps.some(({ first, last }) => first <= t + 1 && t + 1 <= last)
    const label = make("th", { scope: "row", class: `step ${getPieceClass(side.pieces[t])}`, "data-step": t, tabindex: -1, lang: side.pieces[t].word < 0 ? null : languages[1] },
      make("span", { class: side.pieces[t].is_unknown ? "word target unknown" : "word target" }, side.pieces[t].text))
    const cells = getRowWeights(root, t).map((value, k) => shadeCell(make("td", { "data-step": t, "data-source": k }), value))
    return make("tr", { class: isChanged ? "changed" : null, "data-row": t }, label, ...cells)
  })
  const table = make("table", { "aria-label": formatTemplate(messages.map, { model: data.name }) },
    make("thead", {}, make("tr", {}, make("td", { class: "corner" }), ...heads)),
    make("tbody", { class: "editor" }, make("tr", {}, make("th", { scope: "row", class: "which" }), ...bars)),
    make("tbody", {}, ...body))
  return make("div", { class: "main" }, fadeOverflow(make("div", { class: "scroll" }, table)),
    make("p", { class: "readout", "aria-live": "polite" }, make("span", { class: "description" }),
      make("label", {}, make("span", { class: "weight-of" }), make("input", { type: "number", class: "weight", min: 0, max: 1, step: 0.05, inputmode: "decimal" }))))
}

/**
 * Draw a small map of weights from -1 to 1; `explainMissing` explains missing rows.
 * @type {(values: (number[] | null)[], width: number, name: string, explainMissing?: (row: number) => string) => SVGSVGElement}
 */
function drawSmallMap(values, width, name, explainMissing = () => "") {
  const drawing = draw("svg", { viewBox: `0 0 ${width} ${values.length}`, role: "img", "aria-label": name, preserveAspectRatio: "none" },
    draw("defs", {}, draw("pattern", { id: "none", width: 0.6, height: 0.6, patternUnits: "userSpaceOnUse" }, draw("path", { class: "hatch", d: "M0 0.6L0.6 0" }))),
    draw("rect", { class: "ground", width, height: values.length }))
  values.forEach((row, y) => {
    if (!row) drawing.append(draw("rect", { class: "none", x: 0, y, width, height: 1 }, draw("title", {}, explainMissing(y))))
    row?.forEach((value, x) => {
      if (Math.abs(value) < DRAWN_FROM) return
      drawing.append(draw("rect", { class: value < 0 ? "less" : "more", x, y, width: 1, height: 1, "fill-opacity": Math.min(1, Math.abs(value)).toFixed(3) }))
    })
  })
  return drawing
}

/** @param {ConsoleData} data */
export function buildSmallMaps(data) {
  const { messages, weight_scale: weightScale } = data
  /** @param {number[]} row */
  const shares = (row) => row.map((part) => part / weightScale)
  const width = data.source.length
  const differences = data.columns.map(({ difference }) => difference && shares(difference))
  const maximum = findLargest(differences.flatMap((row) => row?.map(Math.abs) ?? []), 0)
  /** @type {(name: string, values: (number[] | null)[], label: string, explainMissing?: (row: number) => string) => HTMLElement} */
  const figure = (name, values, label, explainMissing) => {
    const drawing = drawSmallMap(values, width, label, explainMissing)
    drawing.style.setProperty("--high", String(values.length))
    return make("figure", {}, make("figcaption", {}, name), drawing)
  }
  const unpaired = data.columns.filter(({ difference }) => !difference)
  const difference = figure(messages.small_difference, data.overridden ? differences : data.columns.map(() => new Array(width).fill(0)),
    formatTemplate(messages.map_difference, { most: formatShare(maximum) }), (row) => explainBlankRow(data, data.columns[row]))
  if (data.overridden && unpaired.length) difference.append(make("p", { class: "lone" }, messages.lone))
  return make("div", { class: "small" },
    figure(messages.small_before, data.original.alpha.map(shares), formatTemplate(messages.map_before, { model: data.name })), difference)
}

/** @type {(data: ConsoleData, column: ConsoleColumn) => string} */
function findUnpairedWord({ messages, original, overridden }, column) {
  const side = column.word_before == null ? overridden : original
  const word = column.word_before ?? column.word_after ?? -1
  return word < 0 ? messages.end : (side?.words[word][1].trim() ?? "")
}

/** @type {(data: ConsoleData, column: ConsoleColumn) => string} */
const explainBlankRow = (data, column) => formatTemplate(column.word_before == null ? data.messages.lone_new : data.messages.lone_gone, { word: findUnpairedWord(data, column) })
