// Show sentences as a table with their translations, or as bars, sorted by any of their numbers. Sorting, paging and opening
// run here.

/** @import { BarMeasure, SentenceBarsData } from "../payloads.js" */
/** @import { ComponentRoot, MountedPacked } from "../shared/component.js" */
/** @import { Order } from "./order.js" */
import { redraw } from "../shared/redraw.js"
import { SVG_NAMESPACE, draw, find, make, findClosest, announceText, mountRoot } from "../shared/dom.js"
import { formatDecimal, fillTemplate, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { makeDownloadButtons } from "../shared/downloads.js"
import { buildDetails } from "./details.js"
import { buildMeter, buildTable } from "./table.js"
import { computeScaleEnds, ORDERS, buildOutlinePath, sortRows, formatCsv } from "./order.js"

/**
 * The view, the shown measure and series by index, their order, the first row of the list, and the line of the opened sentence. A
 * line identifies a sentence; its index changes while a running job adds others. `isChosen`: whether the reader chose
 * the measure or the order.
 * @typedef {{ view: "table" | "bars", measure: number, series: number, order: Order, start: number, openLine: number | null, isChosen: boolean }} Choice
 */
/**
 * @typedef {object} BarsState
 * @property {Choice} state
 * @property {number[]} rowIndices indices of the shown sentences, in order
 */
/** @typedef {ComponentRoot<SentenceBarsData> & BarsState} SentenceBars */

const ROWS = 20 // sentences per page of the list

/** @param {SentenceBars} root */
const getCurrentMeasure = (root) => root.data.measures[root.state.measure]

/** @param {SentenceBars} root */
const getCurrentValues = (root) => getCurrentMeasure(root).series[root.state.series].values

/**
 * Return the value of a shown sentence, which always has one.
 * @type {(root: SentenceBars, rowIndex: number) => number}
 */
const getValue = (root, rowIndex) => /** @type {number} */ (getCurrentValues(root)[rowIndex])

/**
 * Return the position of a sentence in the order, -1 if it is not shown.
 * @type {(root: SentenceBars, line: number | null) => number}
 */
const findPosition = ({ rowIndices, data }, line) => rowIndices.findIndex((rowIndex) => data.rows[rowIndex].line === line)

/** @param {SentenceBars} root */
const getSourceLanguage = (root) => root.data.models[0].languages[0]

/** @param {SentenceBars} root */
const getCurrentScale = (root) => computeScaleEnds(getCurrentValues(root), getCurrentMeasure(root).included_value)

/** @param {SentenceBars} root */
const getCurrentOutline = (root) => buildOutlinePath(root.rowIndices.map((rowIndex) => getValue(root, rowIndex)), getCurrentScale(root))

/** @param {SentenceBars} root */
const hasTexts = ({ data }) => data.rows[0]?.source != null

/**
 * Return the order in which a view starts: a table is read like the file, bars begin with the worst.
 * @type {(view: Choice["view"], measure: BarMeasure) => Order}
 */
const getFirstOrder = (view, measure) => view === "table" ? "file" : measure.worst

/** @param {SentenceBars} root */
const getLastStart = (root) => Math.max(0, root.rowIndices.length - ROWS)

/** @type {(label: string, options: string[], selectedIndex: number, choose: (k: number) => void) => HTMLLabelElement} */
function makeSelect(label, options, selectedIndex, choose) {
  const select = make("select", { "aria-label": label }, ...options.map((text, k) => make("option", { value: k }, text)))
  select.value = String(selectedIndex)
  select.onchange = () => choose(Number(select.value))
  return make("label", {}, make("span", {}, label), select)
}

/** @param {SentenceBars} root */
function buildControls(root) {
  const { data, state } = root
  const { messages, file } = data
  const { series } = getCurrentMeasure(root)
  /** @param {Partial<Choice>} changes */
  const changeState = (changes) => {
    Object.assign(state, { start: 0, openLine: null, isChosen: true }, changes)
    sortSentences(root)
    renderBars(root)
  }
  /** @type {(view: Choice["view"], label: string) => HTMLElement} */
  const viewButton = (view, label) => {
    const button = make("button", { type: "button", class: "view", "data-view": view, "aria-pressed": String(state.view === view) }, label)
    button.onclick = () => changeState({ view, order: getFirstOrder(view, getCurrentMeasure(root)), isChosen: state.isChosen })
    return button
  }
  return make("div", { class: "controls" },
    hasTexts(root) && make("span", { class: "views", role: "group", "aria-label": messages.view }, viewButton("table", messages.table), viewButton("bars", messages.bars)),
    makeSelect(messages.measure, data.measures.map((measure) => measure.label), state.measure, (measure) => {
      const seriesIndex = Math.min(state.series, data.measures[measure].series.length - 1)
      changeState({ measure, series: seriesIndex, order: state.order === "file" && state.view === "bars" ? "file" : data.measures[measure].worst })
    }),
    series.length > 1
      ? makeSelect(messages.of, series.map((item) => item.label), state.series, (k) => changeState({ series: k }))
      : make("span", { class: "only" }, series[0].label),
    makeSelect(messages.order, [messages.low, messages.high, messages.file], ORDERS.indexOf(state.order), (k) => changeState({ order: ORDERS[k] })),
    state.view === "bars" && make("span", { class: "files" },
      ...makeDownloadButtons(messages, file, () => exportSvg(root), () => formatCsv(data, root.rowIndices))))
}

/**
 * Return the number of bar slots of the strip; few sentences do not fill it.
 * @param {SentenceBars} root
 */
const countBarSlots = (root) => Math.max(40, root.rowIndices.length)

/** @param {SentenceBars} root */
function buildStrip(root) {
  const { low, high } = getCurrentScale(root)
  const { digits, is_attention: isAttention } = getCurrentMeasure(root)
  const zero = (100 * high) / (high - low)
  const slots = countBarSlots(root)
  const openedPosition = findPosition(root, root.state.openLine)
  const picture = draw("svg", { viewBox: `0 0 ${slots} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    root.rowIndices.length > ROWS && draw("rect", { class: "window", x: root.state.start, y: 0, width: ROWS, height: 100 }),
    openedPosition >= 0 && draw("rect", { class: "opened", x: openedPosition, y: 0, width: Math.max(0.82, slots / 600), height: 100 }),
    draw("path", { class: "all", d: getCurrentOutline(root) }),
    draw("line", { class: "zero", x1: 0, x2: slots, y1: zero, y2: zero, "vector-effect": "non-scaling-stroke" }))
  /** @param {MouseEvent} event */
  const findSlot = (event) => {
    const box = picture.getBoundingClientRect()
    const k = Math.max(0, Math.min(slots - 1, Math.floor(((event.clientX - box.left) / box.width) * slots)))
    return k < root.rowIndices.length ? k : -1 // beside the last bar
  }
  picture.onpointermove = (event) => {
    describeSentence(root, root.rowIndices[findSlot(event)] ?? null)
  }
  picture.onpointerleave = () => describeSentence(root, null)
  picture.onclick = (event) => {
    const k = findSlot(event)
    if (k < 0) return
    Object.assign(root.state, { start: Math.min(k, getLastStart(root)), openLine: root.data.rows[root.rowIndices[k]].line })
    renderBars(root)
    focusSentence(root, k)
  }
  return make("div", { class: isAttention ? "strip attention" : "strip" },
    make("div", { class: "axis", "aria-hidden": "true" },
      make("span", {}, formatDecimal(high, digits)),
      low < 0 && high > 0 && make("span", { style: `top: ${zero}%` }, "0"),
      make("span", { style: "top: 100%" }, formatDecimal(low, digits))),
    picture)
}

/** @type {(root: SentenceBars, rowIndex: number | null) => void} */
function describeSentence(root, rowIndex) {
  const { messages, rows } = root.data
  const line = find(root, ".readout")
  if (rowIndex == null) {
    line.replaceChildren(rows[0]?.source == null ? messages.hint_numbers : messages.hint)
    return
  }
  const row = rows[rowIndex]
  line.replaceChildren(
    make("b", {}, formatTemplate(messages.row, { line: row.line, words: row.words })),
    ` ${formatDecimal(getValue(root, rowIndex), getCurrentMeasure(root).digits)} `, make("span", { lang: getSourceLanguage(root) }, row.source ?? ""))
}

/** @param {SentenceBars} root */
function exportSvg(root) {
  const { low, high } = getCurrentScale(root)
  const { digits, label, is_attention: isAttention, series } = getCurrentMeasure(root)
  const name = `${label}, ${series[root.state.series].label}`
  const zero = 20 + (210 * high) / (high - low)
  const fonts = "Source Sans 3, Source Sans Pro, Arial, Liberation Sans, Noto Sans CJK KR, sans-serif"
  /** @type {(content: string, x: number, y: number, anchor: string | null) => SVGElement} */
  const text = (content, x, y, anchor) => draw("text", { x, y, "text-anchor": anchor }, content)
  const picture = draw("svg", { xmlns: SVG_NAMESPACE, width: 900, height: 280, viewBox: "0 0 900 280", role: "img", "font-family": fonts,
    "font-size": 14, fill: "#1d2433" },
    draw("title", {}, name),
    draw("rect", { width: 900, height: 280, fill: "#ffffff" }),
    draw("svg", { x: 64, y: 20, width: 820, height: 210, viewBox: `0 0 ${countBarSlots(root)} 100`, preserveAspectRatio: "none" },
      draw("path", { d: getCurrentOutline(root), fill: isAttention ? "#6d4bc3" : "#6b7385" })),
    draw("line", { x1: 64, x2: 884, y1: zero, y2: zero, stroke: "#1d2433", "stroke-width": 1 }),
    text(formatDecimal(high, digits), 56, 25, "end"),
    text(formatDecimal(low, digits), 56, 234, "end"),
    text(`${name} (${root.data.title}, n = ${root.rowIndices.length})`, 64, 260, null),
    low < 0 && high > 0 && text("0", 56, zero + 5, "end"))
  return new XMLSerializer().serializeToString(picture)
}

/** @param {SentenceBars} root */
function buildList(root) {
  const visible = root.rowIndices.slice(root.state.start, root.state.start + ROWS)
  return make("ol", { class: "list", start: root.state.start + 1, "aria-label": root.data.messages.list },
    ...visible.map((rowIndex) => buildItem(root, rowIndex)))
}

/** @param {SentenceBars} root */
function buildSentenceTable(root) {
  const { data, state } = root
  const visible = root.rowIndices.slice(state.start, state.start + ROWS)
  return buildTable(data, getCurrentMeasure(root), state.series, visible, state.openLine, (rowIndex) => buildDetails(root, rowIndex), (row) => {
    state.openLine = state.openLine === row.line ? null : row.line
    renderBars(root)
    focusSentence(root, findPosition(root, row.line))
  })
}

/** @type {(root: SentenceBars, rowIndex: number) => HTMLLIElement} */
function buildItem(root, rowIndex) {
  const { rows, messages } = root.data
  const row = rows[rowIndex]
  const value = getValue(root, rowIndex)
  const isOpen = root.state.openLine === row.line
  const button = make("button", { type: "button", class: "row", "aria-expanded": isOpen, "data-line": row.line },
    make("span", { class: "number" }, String(row.line)),
    buildMeter(value, getCurrentScale(root)),
    make("span", { class: "value" }, formatDecimal(value, getCurrentMeasure(root).digits)),
    row.source == null
      ? make("span", { class: "text" }, formatTemplate(messages.length, { words: row.words }))
      : make("span", { class: "text", lang: getSourceLanguage(root) }, row.source))
  button.onclick = () => {
    root.state.openLine = isOpen ? null : row.line
    renderBars(root)
    focusSentence(root, findPosition(root, row.line))
  }
  return make("li", { class: isOpen ? "open" : null }, button, isOpen && buildDetails(root, rowIndex))
}

/** @param {SentenceBars} root */
function buildPager(root) {
  const { messages, rows } = root.data
  const { start } = root.state
  const total = root.rowIndices.length
  /** @type {(offset: number, text: string, isDisabled: boolean) => HTMLElement} */
  const step = (offset, text, isDisabled) => {
    const button = make("button", { type: "button", class: "step" }, text)
    button.disabled = isDisabled
    button.onclick = () => {
      Object.assign(root.state, { start: Math.max(0, Math.min(start + offset, getLastStart(root))), openLine: null })
      renderBars(root)
      announceText(root, find(root, ".pager .span").textContent ?? "")
    }
    return button
  }
  const withoutValue = rows.length - total
  /** @param {number} count */
  const format = (count) => count.toLocaleString("en")
  const span = { first: format(total ? start + 1 : 0), last: format(Math.min(total, start + ROWS)), total: format(total) }
  return make("div", { class: "pager" },
    step(-ROWS, messages.before, start === 0),
    make("span", { class: "span" }, ...fillTemplate(messages.span, span)),
    step(ROWS, messages.after, start >= getLastStart(root)),
    withoutValue > 0 && make("span", {}, formatTemplate(messages.without, { count: format(withoutValue) })))
}

/** @type {(root: SentenceBars, k: number) => void} */
function focusSentence(root, k) {
  const { state } = root
  if (k < state.start || k >= state.start + ROWS) {
    state.start = Math.max(0, Math.min(k < state.start ? k : k - ROWS + 1, getLastStart(root)))
    renderBars(root)
  }
  find(root, `.row[data-line="${root.data.rows[root.rowIndices[k]].line}"]`).focus({ preventScroll: false })
}

/** @param {SentenceBars} root */
function sortSentences(root) {
  const { data, state } = root
  state.measure = Math.min(state.measure, data.measures.length - 1)
  state.series = Math.min(state.series, getCurrentMeasure(root).series.length - 1)
  if (!hasTexts(root)) state.view = "bars"
  root.rowIndices = sortRows(getCurrentValues(root), state.order, state.view === "table")
  state.start = Math.min(state.start, getLastStart(root))
}

/**
 * Keep the chosen measure when new data arrives, and its series by label, or by index if the label is gone; without a choice,
 * or if the measure is gone, show the first one.
 * @type {(root: SentenceBars, previousMeasure: BarMeasure) => undefined}
 */
function keepChoice({ data, state }, { key, series }) {
  const measure = state.isChosen ? data.measures.findIndex((item) => item.key === key) : -1
  if (measure < 0) return void Object.assign(state, { measure: 0, series: 0, order: getFirstOrder(state.view, data.measures[0]), isChosen: false })
  const seriesIndex = data.measures[measure].series.findIndex(({ label }) => label === series[state.series].label)
  Object.assign(state, { measure, series: seriesIndex < 0 ? state.series : seriesIndex })
}

/** @param {SentenceBars} root */
function renderBars(root) {
  const { data } = root
  root.lang = data.language
  redraw(root, () => root.replaceChildren(
    buildControls(root),
    make("p", { class: "about" }, getCurrentMeasure(root).description),
    ...(root.state.view === "table" ? [buildSentenceTable(root)] : [buildStrip(root), make("p", { class: "readout" }), buildList(root)]),
    buildPager(root),
    make("p", { class: "unseen" }, data.description)), ".row")
  if (root.state.view === "bars") describeSentence(root, null)
}

/** @param {SentenceBars} root */
function addListeners(root) {
  root.addEventListener("keydown", (event) => {
    const row = findClosest(event.target, ".row")
    if (!row || hasModifier(event)) return
    const k = findPosition(root, Number(row.dataset.line))
    /** @type {Record<string, number>} */
    const targets = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: root.rowIndices.length - 1 }
    if (!Object.hasOwn(targets, event.key)) return
    event.preventDefault()
    const target = targets[event.key]
    if (target >= 0 && target < root.rowIndices.length) focusSentence(root, target)
  })
}

/** @param {MountedPacked<SentenceBarsData>} mounted */
export default function mountSentenceBars({ data: bytes, ...mounted }) {
  const root = mountRoot(mounted, "sentence-bars", {}, addListeners)
  const dataKey = new TextDecoder().decode(bytes)
  if (root.dataKey === dataKey) return
  /** @type {SentenceBarsData} */
  const data = JSON.parse(dataKey)
  const isSameData = root.data?.title === data.title
  const visible = isSameData ? getCurrentMeasure(root) : null
  const line = isSameData ? (findClosest(root.querySelector(":focus"), ".row")?.dataset.line ?? root.state.openLine) : null
  const positionBefore = line == null ? -1 : findPosition(root, Number(line))
  if (!isSameData) root.state = { view: "table", measure: 0, series: 0, order: data.rows[0]?.source == null ? data.measures[0].worst : "file", start: 0, openLine: null, isChosen: false }
  root.dataKey = dataKey
  root.data = data
  if (visible) keepChoice(root, visible)
  sortSentences(root)
  // Keep the focused row in place when new sentences move it.
  const positionNow = positionBefore < 0 ? -1 : findPosition(root, Number(line))
  if (positionNow >= 0) root.state.start = Math.max(0, Math.min(root.state.start + positionNow - positionBefore, getLastStart(root)))
  renderBars(root)
}
