// The picture of a sentence's translations: texts and n-best list (texts.js), ribbons and heatmap (map.js), highlights
// (highlight.js) and descriptions (descriptions.js).

/** @import { HeatmapData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { PointedPlace } from "./highlight.js" */
import { redraw } from "../shared/redraw.js"
import { find, findAll, make, findClosest, announceText, mountRoot, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { setTabStop } from "../shared/focus.js"
import { hasModifier, isTouch } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { setMapSize } from "../shared/word_map.js"
import { focusSentenceBox } from "./box_focus.js"
import { highlightPlace, PLACE_SELECTOR, placeOfNode, listTranslations } from "./highlight.js"
import { alignHeads, buildStickyHeads, buildLane, placeRibbons, drawRibbons, buildTable } from "./map.js"
import { buildHead, markChosen, buildNbest, rankOfKey, buildSentence, joinWholeText } from "./texts.js"
import { describeProbabilities, describeTranslation, buildLegend, buildFaults } from "./descriptions.js"

/**
 * @typedef {object} PictureState
 * @property {HeatmapData} data
 * @property {string} [dataKey] the data as JSON, to detect changes
 * @property {number} rank index of the shown translation in the n-best list
 * @property {PointedPlace | null} pinnedPlace place that stays highlighted
 * @property {ReturnType<typeof setTimeout>} [reportTimer]
 * @property {ResizeObserver} observer
 * @property {Mounted<HeatmapData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & PictureState} Picture */

const DENSE_FROM = 14 // rows from which they are drawn closer
const LONG_FROM = 36 // rows or columns from which the map shrinks to the window
const REPORT_DELAY = 250 // milliseconds of rest before the choice is reported

/**
 * Build everything that does not depend on the chosen translation.
 * @type {(root: Picture, data: HeatmapData) => void}
 */
function buildPicture(root, data) {
  const { messages, other_translation: otherTranslation } = data
  const names = { label: messages.best, log: messages.best_log, score: messages.best_score, hint: messages.best_hint }
  /** @param {number} index */
  const title = (index) => {
    const { log_probability: logProbability, score } = data.n_best[index]
    return formatTemplate(messages.best_row, { rank: index + 1, log: logProbability, score, text: joinWholeText(data.n_best[index]) })
  }
  const besideNodes = otherTranslation
    ? [buildHead(otherTranslation.name, otherTranslation.notes), buildSentence(otherTranslation, data.n_best.length, data, otherTranslation.most_attended !== null || otherTranslation.lexicon_gloss !== null),
       make("p", { class: "unseen" }, describeProbabilities(otherTranslation, messages))]
    : [make("p", { class: "label" }, messages.plain_missing)]
  root.lang = data.language
  root.classList.toggle("glossed", data.has_gloss)
  root.classList.toggle("grey", data.scale === "grey")
  root.replaceChildren(
    make("div", { class: data.is_alone ? "texts alone" : "texts" }, make("section", { class: "attended" }), !data.is_alone && make("section", { class: "plain" }, ...besideNodes)),
    ...(data.n_best.length > 1 ? [buildNbest(data.n_best, names, title, data.languages[1])] : []),
    make("p", { class: "readout", "aria-live": "polite" }),
    make("div", { class: "map" }),
    buildLegend(data),
    make("p", { class: "unseen", id: "description" }))
}

/** @type {(root: Picture, data: HeatmapData, rank: number) => void} */
function renderTranslation(root, data, rank) {
  const translation = data.n_best[rank]
  root.rank = rank
  root.pinnedPlace = null
  setMapSize(root, data.source.labels, translation.labels.length)
  const attendedSection = find(root, ".attended")
  attendedSection.replaceChildren(buildHead(data.name, translation.notes), buildSentence(translation, rank, data, translation.most_attended !== null || translation.lexicon_gloss !== null))
  attendedSection.classList.toggle("without", !translation.has_attention)
  for (const node of findAll(root, ".marks")) node.remove()
  translation.differences.forEach((difference, k) => {
    const section = find(root, k ? ".plain" : ".attended")
    section.append(...buildFaults(data, difference, k ? data.n_best.length : rank))
  })
  const map = find(root, ".map")
  registerSection(map)
  map.classList.toggle("none", !translation.alpha)
  map.classList.toggle("dense", translation.labels.length > DENSE_FROM)
  map.classList.toggle("long", Math.max(translation.labels.length, data.source.labels.length) > LONG_FROM)
  if (translation.alpha) {
    const heat = buildTable(data, translation, translation.alpha, formatTemplate(data.messages.label, { model: data.name }))
    map.replaceChildren(buildLane(data.source, "source", data.languages[0]), buildLane(translation, "target", data.languages[1]),
      buildStickyHeads(heat), make("div", { class: "heat" }, heat), drawRibbons(translation.alpha))
    find(map, ".heat").onscroll = () => alignHeads(map)
    setTabStop(map, "table *", find(map, "tbody th"))
    placeRibbons(map)
    alignHeads(map)
  } else {
    map.replaceChildren(make("p", {}, formatTemplate(data.messages.no_map, { model: data.name })))
  }
  markChosen(root, rank)
  find(root, "#description").textContent = describeTranslation(data, translation)
  highlightPlace(root, null)
}

/**
 * Return the cell that a key leads to, undefined where there is none, or null for other keys.
 * @type {(root: Picture, cell: HTMLTableCellElement, key: string) => HTMLElement | null | undefined}
 */
function findNeighbour(root, cell, key) {
  const row = /** @type {HTMLTableRowElement} */ (cell.parentNode)
  const body = row.closest("tbody")
  /** @type {Record<string, () => Element | null | undefined>} */
  const targets = {
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
    ArrowUp: () => (row.previousElementSibling ?? (body ? find(root, "thead tr") : null))?.children[cell.cellIndex],
    ArrowDown: () => (body ? row.nextElementSibling : find(root, "tbody tr"))?.children[cell.cellIndex],
    Home: () => row.querySelector("[data-target], [data-source]"),
    End: () => row.lastElementChild,
  }
  if (!Object.hasOwn(targets, key)) return null
  const node = targets[key]()
  return node instanceof HTMLElement && !node.classList.contains("corner") ? node : undefined
}

/** @type {(root: Picture, rank: number) => void} */
function chooseHypothesis(root, rank) {
  renderTranslation(root, root.data, rank)
  find(root, `[data-rank="${rank}"]`).focus({ preventScroll: true })
  clearTimeout(root.reportTimer)
  const { id } = root.data // other translations may arrive first
  root.reportTimer = setTimeout(() => root.trigger("chosen", { id, rank }), REPORT_DELAY)
}

/** @type {(root: Picture, place: PointedPlace | null, isTap?: boolean) => void} */
function togglePin(root, place, isTap = false) {
  if (place && !place.ts.length && !place.ss.length) place = null // nothing of it is drawn
  const isSame = place && JSON.stringify(place) === JSON.stringify(root.pinnedPlace)
  root.pinnedPlace = isSame ? null : place
  highlightPlace(root, isTap ? root.pinnedPlace : place) // a finger does not hover after its tap
}

/** @param {Picture} root */
function addListeners(root) {
  /** @param {EventTarget | null} node */
  const findPointedPlace = (node) => {
    const placeNode = findClosest(node, PLACE_SELECTOR)
    return placeNode && placeOfNode(root, placeNode.dataset)
  }
  /** @param {EventTarget | null} node */
  const point = (node) => highlightPlace(root, root.pinnedPlace ?? findPointedPlace(node))
  root.onpointerover = (event) => point(event.target)
  root.onpointerleave = () => point(root.querySelector("table :focus-visible"))
  root.addEventListener("focusin", (event) => {
    const cell = findClosest(event.target, "table [tabindex]")
    if (cell) setTabStop(find(root, ".map"), "table *", cell)
    point(event.target)
  })
  root.addEventListener("focusout", () => point(null))
  root.onclick = (event) => {
    const row = findClosest(event.target, "[role=radio]")
    if (!row) togglePin(root, findPointedPlace(event.target), isTouch(event))
    else if (Number(row.dataset.rank) !== root.rank) chooseHypothesis(root, Number(row.dataset.rank))
  }
  root.onkeydown = (event) => {
    if (hasModifier(event)) return
    const cell = findClosest(event.target, "th, td[data-target]")
    if (event.key === "Escape" && root.pinnedPlace) {
      event.preventDefault() // only a second Escape ends presenting
      togglePin(root, null)
    } else if (findClosest(event.target, "[role=radio]")) {
      if (event.key === " ") return event.preventDefault() // otherwise the page would scroll
      const rank = rankOfKey(event.key, root.rank, root.data.n_best.length)
      if (rank === undefined) return
      event.preventDefault()
      chooseHypothesis(root, rank)
    } else if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault()
      togglePin(root, findPointedPlace(cell))
    } else if (cell instanceof HTMLTableCellElement) {
      const neighbour = findNeighbour(root, cell, event.key)
      if (neighbour === null) return
      event.preventDefault()
      if (neighbour) setTabStop(root, "table *", neighbour).focus()
    }
  }
}

/** @param {HeatmapData} data */
function divideWeights(data) {
  for (const translation of listTranslations(data)) {
    if (translation.alpha) translation.alpha = translation.alpha.map((row) => row.map((value) => value / data.weight_scale))
  }
  return data
}

/** @param {Mounted<HeatmapData>} mounted */
export default function mountHeatmap({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "picture", {}, (/** @type {Picture} */ newRoot) => {
    addListeners(newRoot)
    registerSection(newRoot)
    newRoot.observer = new ResizeObserver(() => {
      placeRibbons(find(newRoot, ".map"))
      alignHeads(find(newRoot, ".map"))
    })
    document.fonts.ready.then(() => newRoot.data && placeRibbons(find(newRoot, ".map")))
    focusSentenceBox(data.focus)
  })
  // The choice is local; the page's value counts only for new translations.
  if (storeData(root, data, { rank: 0 })) {
    const { data: previous, pinnedPlace: pinned } = root
    const isSame = previous?.id === data.id
    const rank = isSame ? root.rank : data.rank
    root.data = divideWeights(structuredClone(data))
    redraw(root, () => {
      buildPicture(root, root.data)
      renderTranslation(root, root.data, rank)
      // Another scale or glosses keep the pinned highlight; the model beside may have changed.
      if (isSame && pinned && previous.unit === data.unit && pinned.index < data.n_best.length) togglePin(root, pinned)
    }, 'table [tabindex="0"]')
    root.observer.observe(root)
    const { name, n_best: nBest, languages } = root.data
    announceText(root, `${name}: ${joinWholeText(nBest[rank])}`, languages[1])
  }
  return () => {
    clearTimeout(root.reportTimer)
    root.observer.disconnect()
  }
}
