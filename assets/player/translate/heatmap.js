// The picture of one sentence's translations: the running texts and the n best (texts.js), ribbons and heatmap of the one
// that is chosen (map.js), what lights up (light.js), and what is said of it (told.js). All data comes once; every text is set as text.

/** @import { HeatmapData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { anew } from "../shared/anew.js"
import { find, findAll, make, nearest, readAloud, rooted } from "../shared/dom.js"
import { filled, letters } from "../shared/format.js"
import { modified, touched } from "../shared/keys.js"
import { announce } from "../shared/walk.js"
import { ready } from "./box.js"
import { light, POINTED, positions, readings } from "./light.js"
import { along, heads, lane, place, ribbons, table } from "./map.js"
import { head, mark, nbest, ranked, sentence, wholeText } from "./texts.js"
import { chances, described, legend, marks } from "./told.js"

/**
 * @typedef {object} Kept
 * @property {HeatmapData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {number} rank which of the n best is drawn
 * @property {import("./light.js").Pointed | null} pinned what a click has lit, until it is put out
 * @property {ReturnType<typeof setTimeout>} [telling]
 * @property {ResizeObserver} observer
 * @property {Mounted<HeatmapData>["setStateValue"]} tell
 */
/** @typedef {HTMLElement & Kept} Picture */

const DENSE = 14 // rows; more of them close up
const TOLD_AFTER = 250 // milliseconds of rest before the page is told which translation was chosen

/**
 * All that stays while the reader chooses among the n best.
 * @param {Picture} root
 * @param {HeatmapData} data
 */
function build(root, data) {
  const { words, beside } = data
  const names = { label: words.best, log: words.best_log, score: words.best_score, hint: words.best_hint }
  /** @param {number} r */
  const title = (r) => {
    const { log_probability: log, score } = data.best[r]
    return filled(words.best_row, { rank: r + 1, log, score, text: wholeText(data.best[r]) })
  }
  const other = beside
    ? [head(beside.name, beside.notes), sentence(beside, data.best.length, data, beside.gloss !== null || beside.likely !== null),
       make("p", { class: "unseen" }, chances(beside, words))]
    : [make("p", { class: "label" }, words.plain_missing)]
  root.lang = data.language
  root.classList.toggle("glossed", data.gloss)
  root.classList.toggle("grey", data.scale === "grey")
  root.style.setProperty("--columns", String(data.source.labels.length))
  root.style.setProperty("--longest", String(Math.max(...data.source.labels.map(letters))))
  root.replaceChildren(
    make("div", { class: data.alone ? "texts alone" : "texts" }, make("section", { class: "attended" }), !data.alone && make("section", { class: "plain" }, ...other)),
    ...(data.best.length > 1 ? [nbest(data.best, names, title, data.languages[1])] : []),
    make("p", { class: "readout", "aria-live": "polite" }),
    make("div", { class: "map" }),
    legend(data),
    make("p", { class: "unseen", id: "description" }))
}

/**
 * All that is the chosen translation's.
 * @param {Picture} root
 * @param {HeatmapData} data
 * @param {number} rank
 */
function show(root, data, rank) {
  const reading = data.best[rank]
  root.rank = rank
  root.pinned = null
  root.style.setProperty("--rows", String(reading.labels.length))
  const attended = find(root, ".attended")
  attended.replaceChildren(head(data.name, reading.notes), sentence(reading, rank, data, reading.gloss !== null || reading.likely !== null))
  attended.classList.toggle("without", !reading.attended)
  for (const node of findAll(root, ".marks")) node.remove()
  reading.differences.forEach((found, k) => {
    const section = find(root, k ? ".plain" : ".attended")
    section.append(...marks(data, found, k ? data.best.length : rank))
  })
  const map = find(root, ".map")
  announce(map)
  map.classList.toggle("none", !reading.alpha)
  map.classList.toggle("dense", reading.labels.length > DENSE)
  if (reading.alpha) {
    const heat = table(data, reading, reading.alpha, filled(data.words.label, { model: data.name }))
    map.replaceChildren(lane(data.source, "source", data.languages[0]), lane(reading, "target", data.languages[1]),
      heads(heat), make("div", { class: "heat" }, heat), ribbons(reading.alpha))
    find(map, ".heat").onscroll = () => along(map)
    stop(map, find(map, "tbody th"))
    place(map)
    along(map)
  } else {
    map.replaceChildren(make("p", {}, filled(data.words.no_map, { model: data.name })))
  }
  mark(root, rank)
  find(root, "#description").textContent = described(data, reading)
  light(root, null)
}

/**
 * Where the arrow keys lead to from a cell of the table: a node, null where there is none, undefined for other keys.
 * @param {Picture} root
 * @param {HTMLTableCellElement} cell
 * @param {string} key
 * @returns {HTMLElement | null | undefined}
 */
function neighbour(root, cell, key) {
  const row = /** @type {HTMLTableRowElement} */ (cell.parentNode)
  const inside = row.closest("tbody")
  /** @type {Record<string, () => Element | null | undefined>} */
  const ways = {
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
    ArrowUp: () => (row.previousElementSibling ?? (inside ? find(root, "thead tr") : null))?.children[cell.cellIndex],
    ArrowDown: () => (inside ? row.nextElementSibling : find(root, "tbody tr"))?.children[cell.cellIndex],
    Home: () => row.querySelector("[data-target], [data-source]"),
    End: () => row.lastElementChild,
  }
  if (!Object.hasOwn(ways, key)) return undefined
  const node = ways[key]()
  return node instanceof HTMLElement && !node.classList.contains("corner") ? node : null
}

/**
 * One stop for the Tab key: the cell the arrows came to last.
 * @param {HTMLElement} map
 * @param {HTMLElement} node
 */
function stop(map, node) {
  for (const other of findAll(map, 'table [tabindex="0"]')) other.tabIndex = -1
  node.tabIndex = 0
  return node
}

/**
 * @param {Picture} root
 * @param {number} rank
 */
function choose(root, rank) {
  show(root, root.data, rank)
  find(root, `[data-rank="${rank}"]`).focus({ preventScroll: true })
  clearTimeout(root.telling)
  const { of } = root.data // other translations may have come until it is told
  root.telling = setTimeout(() => root.tell("chosen", { of, rank }), TOLD_AFTER)
}

/**
 * A click keeps a light on, a second one puts it out.
 * @param {Picture} root
 * @param {import("./light.js").Pointed | null} pointed
 * @param {boolean} [finger] which rests on nothing once it is lifted
 */
function pin(root, pointed, finger = false) {
  if (pointed && !pointed.ts.length && !pointed.ss.length) pointed = null // nothing of it is drawn
  const same = pointed && JSON.stringify(pointed) === JSON.stringify(root.pinned)
  root.pinned = same ? null : pointed
  light(root, finger ? root.pinned : pointed)
}

/** @param {Picture} root */
function listen(root) {
  /** @param {EventTarget | null} node */
  const pointed = (node) => {
    const at = nearest(node, POINTED)
    return at && positions(root, at.dataset)
  }
  /** @param {EventTarget | null} node */
  const point = (node) => light(root, root.pinned ?? pointed(node))
  root.onpointerover = (event) => point(event.target)
  root.onpointerleave = () => point(root.querySelector("table :focus-visible"))
  root.addEventListener("focusin", (event) => {
    const cell = nearest(event.target, "table [tabindex]")
    if (cell) stop(find(root, ".map"), cell)
    point(event.target)
  })
  root.addEventListener("focusout", () => point(null))
  root.onclick = (event) => {
    const row = nearest(event.target, "[role=radio]")
    if (!row) pin(root, pointed(event.target), touched(event))
    else if (Number(row.dataset.rank) !== root.rank) choose(root, Number(row.dataset.rank))
  }
  root.onkeydown = (event) => {
    if (modified(event)) return
    const cell = nearest(event.target, "th, td[data-target]")
    if (nearest(event.target, "[role=radio]")) {
      if (event.key === " ") return event.preventDefault() // else the page would be scrolled
      const rank = ranked(event.key, root.rank, root.data.best.length)
      if (rank === undefined) return
      event.preventDefault()
      choose(root, rank)
    } else if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault()
      pin(root, pointed(cell))
    } else if (cell instanceof HTMLTableCellElement) {
      const next = neighbour(root, cell, event.key)
      if (next === undefined) return
      event.preventDefault()
      if (next) stop(root, next).focus()
    }
  }
}

/**
 * Weights travel as whole numbers of parts.
 * @param {HeatmapData} data
 */
function decoded(data) {
  for (const reading of readings(data)) {
    if (reading.alpha) reading.alpha = reading.alpha.map((row) => row.map((value) => value / data.parts))
  }
  return data
}

/** @param {Mounted<HeatmapData>} mounted */
export default function heatmap({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "picture", {}, (/** @type {Picture} */ made) => {
    listen(made)
    announce(made)
    made.observer = new ResizeObserver(() => {
      place(find(made, ".map"))
      along(find(made, ".map"))
    })
    document.fonts.ready.then(() => made.data && place(find(made, ".map")))
    ready(data.focus)
  })
  root.tell = setStateValue
  // Which one is chosen is known here first: what the page says of it counts for other translations only.
  const drawn = JSON.stringify({ ...data, chosen: 0 })
  if (root.drawn !== drawn) {
    const { data: before, pinned } = root
    const same = before?.of === data.of
    const rank = same ? root.rank : data.chosen
    root.drawn = drawn
    root.data = decoded(structuredClone(data))
    anew(root, () => {
      build(root, root.data)
      show(root, root.data, rank)
      // Another scale, or glosses, put no light out that was kept on; the model beside may be another one.
      if (same && pinned && before.unit === data.unit && pinned.r < data.best.length) pin(root, pinned)
    }, 'table [tabindex="0"]')
    root.observer.observe(root)
    const { name, best, languages } = root.data
    readAloud(root, `${name}: ${wholeText(best[rank])}`, languages[1])
  }
  return () => {
    clearTimeout(root.telling)
    root.observer.disconnect()
  }
}
