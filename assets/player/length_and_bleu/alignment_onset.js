// Show the onset of alignment in training: a slider over the recorded moments plays the maps of several models.

/** @import { AlignmentOnsetData, OnsetModel } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { line } from "d3-shape"
import { draw, find, findAll, make, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, formatShare } from "../shared/format.js"
import { getMarkerSign } from "../shared/markers.js"
import { scaleLinear } from "../shared/scale.js"
import { registerSection } from "../shared/presentation.js"
import { buildWeightTable, decodeWeights, followFocus, readPointedCell } from "../shared/weight_table.js"

/**
 * @typedef {object} OnsetState
 * @property {number} probe from 0
 * @property {number} position of the slider, from 0
 * @property {number[][][][]} weights maps of each model and moment; empty without attention
 * @property {((position: number) => void)[]} dotMovers
 * @property {Element | null} pointedNode hovered or focused node
 * @property {ReportedPosition} [reported] last report to the page
 * @property {ReturnType<typeof setInterval>} [playTimer]
 */
/** A probe and a moment, both from 1; moment 0 is the last.
 * @typedef {{ probe: number, moment: number }} ReportedPosition */
/** @typedef {ComponentRoot<AlignmentOnsetData> & OnsetState} OnsetRoot */

const MOMENT_TIME = 380 // milliseconds per moment while playing
const REPORT_DELAY = 500 // milliseconds of rest before the moment is reported

/**
 * Return the first slider position at which a model has reached a moment, or null.
 * @type {(moments: number[], moment: number | null) => number | null}
 */
export function findPosition(moments, moment) {
  if (moment === null) return null
  const position = moments.findIndex((item) => item >= moment)
  return position < 0 ? null : position
}

/**
 * Return the clicker's stops for a sentence: start, marks and end.
 * @type {(models: OnsetModel[], probe: number, last: number) => number[]}
 */
export function computeMarkStops(models, probe, last) {
  const marks = models.flatMap(({ moments, probes }) => [findPosition(moments, probes[probe].diagonal), findPosition(moments, probes[probe].reordering)])
  return [...new Set([0, ...marks.filter((mark) => mark !== null), last])].sort((a, b) => a - b)
}

/**
 * Format a number of pieces in the language's units (millions, in Korean hundred millions and ten thousands), with two
 * or three digits.
 * @type {(pieces: number, language: string) => string}
 */
export function formatAmount(pieces, language) {
  const format = new Intl.NumberFormat(language, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3, useGrouping: true })
  const roundedCount = Number(pieces.toPrecision(pieces < 10_000_000 ? 2 : 3))
  const remainder = language === "ko" ? roundedCount % 1e8 : 0
  return [roundedCount - remainder, remainder].filter((part, k) => part || (!roundedCount && !k)).map((part) => format.format(part)).join(" ")
}

/** @param {OnsetRoot} root */
const getLastPosition = (root) => root.data.ticks.length - 1

/** @type {(data: AlignmentOnsetData, probe: number, label: string) => HTMLTableElement} */
function buildMap({ probes, messages, languages }, probe, label) {
  const { source, target } = probes[probe]
  return buildWeightTable([...source.map(([, text]) => text), messages.end], target.map(([, text]) => text), { class: "alpha", "aria-label": label }, languages)
}

/**
 * Draw BLEU over the moments, and a dot at the current one.
 * @param {OnsetModel} model
 * @param {number} top
 */
function drawBleuLine(model, top) {
  const x = scaleLinear([0, Math.max(1, model.moments.length - 1)], [4, 196])
  const y = scaleLinear([0, top], [40, 4])
  /** @type {import("d3-shape").Line<number>} */
  const path = line((_, position) => x(position), (moment) => y(model.bleu[moment]))
  const picture = draw("svg", { viewBox: "0 0 200 44", class: "bleu", "aria-hidden": "true", preserveAspectRatio: "none" },
    draw("path", { d: "M0 40 L200 40", class: "rule" }), draw("path", { d: path(model.moments), class: model.is_dashed ? "line dashed" : "line" }))
  const dot = make("i", { class: "dot" })
  const moveDot = (/** @type {number} */ position) => {
    dot.style.left = `${x(position) / 2}%`
    dot.style.top = `${(100 * y(model.bleu[model.moments[position]])) / 44}%`
  }
  return { node: make("div", { class: "course" }, picture, dot), move: moveDot }
}

/** @param {OnsetRoot} root */
function buildOnset(root) {
  const { data } = root
  const { messages, probes, models, ticks, languages } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const choose = make("select", { class: "choose", "aria-label": messages.probe },
    ...probes.map(({ source }, k) => make("option", { value: k, lang: languages[0] }, source.map(([gap, word]) => gap + word).join("").trim())))
  const slider = make("input", { type: "range", class: "track", min: 0, max: ticks.length - 1, step: 1, "aria-label": messages.moment })
  const top = Math.max(5, ...models.flatMap(({ bleu }) => bleu))
  const sides = models.map((model) => {
    const course = drawBleuLine(model, top)
    const side = make("section", { class: "side" },
      make("h3", {}, `${getMarkerSign(model)} ${model.name}`),
      make("div", { class: "map" }), make("p", { class: "label" }, messages.wrote), make("p", { class: "wrote", lang: languages[1] }),
      course.node, make("p", { class: "label score" }))
    return { side, move: course.move }
  })
  root.replaceChildren(
    make("div", { class: "controls" }, choose),
    make("div", { class: "controls" }, make("button", { type: "button", class: "play" }, messages.play),
      make("div", { class: "slide" }, make("div", { class: "marks" }), slider), make("span", { class: "count", "aria-live": "polite" })),
    make("div", { class: "sides" }, ...sides.map(({ side }) => side)),
    make("p", { class: "readout", "aria-live": "polite" }, messages.hint))
  choose.onchange = () => chooseProbe(root, Number(choose.value))
  slider.oninput = () => stopAt(root, Number(slider.value))
  find(root, ".play").onclick = () => (root.playTimer ? stopAt(root) : play(root))
  root.dotMovers = sides.map(({ move }) => move)
}

/** @type {(root: OnsetRoot, probe: number) => void} */
function chooseProbe(root, probe) {
  const { data } = root
  root.probe = probe
  const rows = data.probes[probe].target.length
  root.weights = data.models.map(({ probes }) => (probes[probe].alpha ?? []).map((packed) => decodeWeights(packed, rows)))
  find(root, ".choose").querySelectorAll("option")[probe].selected = true
  findAll(root, ".side").forEach((side, m) => {
    find(side, ".map").replaceChildren(root.weights[m].length ? buildMap(data, probe, data.models[m].name) : make("p", { class: "plain" }, data.messages.plain))
  })
  renderMarks(root)
  renderMoment(root)
}

/** @param {OnsetRoot} root */
function renderMarks(root) {
  const { data, probe } = root
  const { messages, models, ticks } = data
  const markKinds = /** @type {["diagonal" | "reordering", string, string][]} */ ([["diagonal", "◇", messages.diagonal], ["reordering", "↺", messages.turning]])
  const marks = models.flatMap((model, m) => markKinds.flatMap(([kind, symbol, markName]) => {
    const moment = model.probes[probe][kind]
    const position = findPosition(model.moments, moment)
    if (position === null || moment === null) return []
    const title = formatTemplate(messages.mark, { model: model.name, what: markName, amount: formatAmount(model.target_tokens[moment], data.language) })
    const style = `left: ${(100 * position) / Math.max(1, ticks.length - 1)}%`
    return [make("button", { type: "button", class: `mark ${kind} row-${m}`, "data-position": position, title, "aria-label": title, style }, make("small", {}, getMarkerSign(model)), symbol)]
  }))
  find(root, ".marks").replaceChildren(...marks)
}

/** @param {OnsetRoot} root */
function renderMoment(root) {
  const { data, position, probe, weights } = root
  const { messages, models, ticks } = data
  const slider = /** @type {HTMLInputElement} */ (find(root, ".track"))
  slider.value = String(position)
  slider.setAttribute("aria-valuetext", formatTemplate(messages.seen, { amount: formatAmount(ticks[position], data.language) }))
  find(root, ".count").textContent = formatTemplate(messages.seen, { amount: formatAmount(ticks[position], data.language) })
  find(root, ".play").textContent = root.playTimer ? messages.pause : messages.play
  // Only the moment at rest is announced.
  for (const liveRegion of findAll(root, "[aria-live]")) liveRegion.setAttribute("aria-live", root.playTimer ? "off" : "polite")
  findAll(root, ".side").forEach((side, m) => {
    const model = models[m]
    const moment = model.moments[position]
    const rows = weights[m][moment]
    if (rows) {
      for (const cell of findAll(side, ".cell")) {
        const weight = rows[Number(cell.dataset.row)][Number(cell.dataset.column)]
        cell.style.setProperty("--weight", weight.toFixed(3))
        cell.setAttribute("aria-label", formatShare(weight))
      }
    }
    find(side, ".wrote").textContent = model.probes[probe].translations[moment].trim() || messages.nothing
    find(side, ".score").textContent = formatTemplate(messages.bleu, { amount: formatAmount(model.target_tokens[moment], data.language), bleu: formatDecimal(model.bleu[moment], 1) })
    side.classList.toggle("straight", isReached(model.probes[probe].diagonal, moment))
    side.classList.toggle("turned", isReached(model.probes[probe].reordering, moment))
  })
  for (const moveDot of root.dotMovers) moveDot(position)
  for (const mark of findAll(root, ".mark")) mark.classList.toggle("passed", Number(mark.dataset.position) <= position)
  if (root.pointedNode) pointAt(root, root.pointedNode.isConnected ? root.pointedNode : null) // its text was of another moment
  reportPosition(root)
}

/** @type {(mark: number | null, moment: number) => boolean} */
const isReached = (mark, moment) => mark !== null && moment >= mark

/** @param {OnsetRoot} root */
function reportPosition(root) {
  clearTimeout(root.reportTimer)
  if (root.playTimer) return
  const reported = { probe: root.probe + 1, moment: root.position === getLastPosition(root) ? 0 : root.position + 1 }
  if (reported.probe === root.reported?.probe && reported.moment === root.reported.moment) return
  root.reportTimer = setTimeout(() => {
    root.reported = reported
    root.trigger("position", reported)
  }, REPORT_DELAY)
}

/**
 * Stop playing, and go to a position.
 * @type {(root: OnsetRoot, position?: number) => void}
 */
function stopAt(root, position = root.position) {
  clearInterval(root.playTimer)
  root.playTimer = undefined
  root.position = Math.max(0, Math.min(getLastPosition(root), position))
  renderMoment(root)
}

/** @param {OnsetRoot} root */
function play(root) {
  if (root.position >= getLastPosition(root)) root.position = 0
  root.playTimer = setInterval(() => {
    if (root.position + 1 >= getLastPosition(root)) return stopAt(root, root.position + 1)
    root.position += 1
    renderMoment(root)
  }, MOMENT_TIME)
  renderMoment(root)
}

/** @type {(root: OnsetRoot, direction: 1 | -1) => boolean} */
function stepToMark(root, direction) {
  if (!root.data) return false
  const stops = computeMarkStops(root.data.models, root.probe, getLastPosition(root))
  const target = direction > 0 ? stops.find((stop) => stop > root.position) : stops.findLast((stop) => stop < root.position)
  if (target === undefined) return false
  stopAt(root, target)
  return true
}

/** @type {(root: OnsetRoot, target: EventTarget | null) => undefined} */
function pointAt(root, target) {
  const { data, probe, position, weights } = root
  root.pointedNode = target instanceof Element ? target : null
  const node = findClosest(target, "[data-row]")
  const side = findClosest(node, ".side")
  const m = side ? findAll(root, ".side").indexOf(side) : -1
  for (const cell of findAll(root, ".cell")) cell.classList.toggle("lit", node !== null && cell.dataset.row === node.dataset.row)
  const rows = m < 0 ? undefined : weights[m][data.models[m].moments[position]]
  if (!node || !rows) return void (find(root, ".readout").textContent = data.messages.hint)
  const { i, j, isCell, weight } = readPointedCell(node, rows)
  const { source, target: words } = data.probes[probe]
  const texts = { model: data.models[m].name, target: words[i][1], source: source[j]?.[1] ?? data.messages.end, weight: formatShare(weight) }
  find(root, ".readout").textContent = formatTemplate(isCell ? data.messages.cell : data.messages.looks, texts)
}

/** @param {OnsetRoot} root */
function setUp(root) {
  root.pointedNode = null
  followFocus(root, pointAt)
  root.onclick = (event) => {
    const mark = findClosest(event.target, ".mark")
    if (mark) stopAt(root, Number(mark.dataset.position))
    else pointAt(root, event.target)
  }
  registerSection(root, {
    go: (direction) => stepToMark(root, direction),
    skipRest() {
      if (!root.data || root.position === getLastPosition(root)) return false
      stopAt(root, getLastPosition(root))
      return true
    },
  })
}

/** @param {Mounted<AlignmentOnsetData>} mounted */
export default function mountAlignmentOnset({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "alignment-onset", { role: "group" }, setUp)
  if (storeData(root, data, { probe: 0, moment: 0 })) {
    clearInterval(root.playTimer)
    root.playTimer = undefined
    const isSameData = root.data?.id === data.id
    root.data = data
    root.reported = { probe: data.probe, moment: data.moment }
    if (!isSameData) {
      root.probe = data.probe - 1
      root.position = data.moment ? data.moment - 1 : data.ticks.length - 1
    }
    buildOnset(root)
    chooseProbe(root, root.probe)
  }
  return () => {
    clearInterval(root.playTimer)
    clearTimeout(root.reportTimer)
  }
}
