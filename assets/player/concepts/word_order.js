// Word order: columns of words in two or three languages, joined by links or by heatmaps that share the English rows.

/** @import { WordOrderData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { linkHorizontal } from "d3-shape"
import { draw, find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatPercent, formatShare, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { makeLegendEntry } from "./attention_parts.js"

/** @typedef {"lines" | "maps"} View */
/** A word by its column and its position in the column.
 * @typedef {{ column: number, index: number }} Word */
/** @typedef {ComponentRoot<WordOrderData> & { view: View }} Root */

const VIEWS = /** @type {View[]} */ (["lines", "maps"])
const WIDTH = 100 // of the space between two columns, in the picture's own units
const KEYS = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] })

/** @type {(word: Word) => string} */
const getKey = ({ column, index }) => `${column}-${index}`

/**
 * Return the words that a word is linked with, through all columns: outwards from the middle one, and across it.
 * @type {(links: Pick<WordOrderData["translations"][number], "source" | "target" | "links">[], start: Word) => Set<string>}
 */
export function findLinked(links, start) {
  const linkedKeys = new Set([getKey(start)])
  const queue = [{ ...start, mapNumber: -1 }]
  for (let word = queue.pop(); word; word = queue.pop()) {
    const { column, index, mapNumber } = word
    links.forEach((map, number) => {
      if (number === mapNumber || (map.source !== column && map.target !== column)) return
      const isSource = map.source === column
      for (const [source, target] of map.links) {
        if ((isSource ? source : target) !== index) continue
        const linkedWord = { column: isSource ? map.target : map.source, index: isSource ? target : source }
        linkedKeys.add(getKey(linkedWord))
        queue.push({ ...linkedWord, mapNumber: number })
      }
    })
  }
  return linkedKeys
}

/** @type {(data: WordOrderData) => string[]} */
const findAccents = ({ columns, translations }) => columns.map((_, k) => {
  const roles = new Set(translations.flatMap((map) => [map.source === k && "source", map.target === k && "target"]).filter(Boolean))
  return roles.size > 1 ? "both" : String([...roles][0])
})

const drawLink = linkHorizontal()

/** @param {Root} root */
function makeLines({ data }) {
  const { columns, translations } = data
  const rows = Math.max(...columns.map(({ words }) => words.length))
  const accents = findAccents(data)
  const list = columns.map(({ words, language }, column) => make("ol", { class: `words ${accents[column]}`, lang: language },
    ...words.map((word, index) => make("li", { "data-word": getKey({ column, index }) }, word))))
  const gaps = columns.slice(1).map((_, leftColumn) => {
    const number = translations.findIndex(({ source, target }) => Math.min(source, target) === leftColumn && Math.max(source, target) === leftColumn + 1)
    const map = translations[number]
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "gap" })
    for (const [source, target] of map?.links ?? []) {
      const [a, b] = map.source === leftColumn ? [source, target] : [target, source]
      svg.append(draw("path", { d: drawLink({ source: [0, a + 0.5], target: [WIDTH, b + 0.5] }),
        "data-ends": `${getKey({ column: map.source, index: source })} ${getKey({ column: map.target, index: target })}`, class: map.reversed_words.includes(target) ? "turn" : "" }))
    }
    return svg
  })
  const grid = make("div", { class: "columns" }, ...list.flatMap((node, k) => (k ? [gaps[k - 1], node] : [node])))
  grid.style.setProperty("--rows", String(rows))
  return grid
}

/**
 * Make heatmaps that share the rows of one column: the middle of three, or the first map's target of two.
 * @param {Root} root
 */
function makeMaps({ data }) {
  const { columns, translations } = data
  const sharedColumn = columns.length > 2 ? 1 : translations[0].target
  const parts = columns.map((column, k) => ({ ...column, k, map: translations.find(({ source, target }) => k !== sharedColumn && (source === k || target === k) && (source === sharedColumn || target === sharedColumn)) }))
  const grid = make("div", { class: "chain" })
  grid.style.gridTemplateColumns = parts.map(({ k, words }) => (k === sharedColumn ? "max-content" : `repeat(${words.length}, var(--cell))`)).join(" ")
  const accents = findAccents(data)
  for (const { k, words, language } of parts) {
    if (k === sharedColumn) grid.append(make("span", {}))
    else grid.append(...words.map((word, index) => make("span", { class: `column ${accents[k]}`, lang: language, "data-word": getKey({ column: k, index }) }, word)))
  }
  columns[sharedColumn].words.forEach((word, row) => {
    for (const { k, words, map } of parts) {
      if (!map) {
        grid.append(make("span", { class: `row ${accents[sharedColumn]}`, lang: columns[sharedColumn].language, "data-word": getKey({ column: sharedColumn, index: row }) }, word))
        continue
      }
      grid.append(...words.map((otherWord, index) => {
        const weight = map.target === sharedColumn ? map.weights[row][index] : map.weights[index][row]
        const cell = make("i", { "data-word": getKey({ column: k, index }), "data-row": getKey({ column: sharedColumn, index: row }), title: `${word} · ${otherWord}: ${formatShare(weight)}` })
        cell.style.setProperty("--share", String(weight))
        return cell
      }))
    }
  })
  return make("div", { class: "scrolls" }, grid)
}

/**
 * Light up what a word is linked with; nothing without a word.
 * @type {(root: Root, word: Word | null) => void}
 */
function showLinked(root, word) {
  const { data } = root
  const linked = word ? findLinked(data.translations, word) : new Set()
  root.classList.toggle("chosen", word != null)
  for (const node of findAll(root, "[data-word]")) node.classList.toggle("on", linked.has(node.dataset.word) && (!node.dataset.row || linked.has(node.dataset.row)))
  for (const node of root.querySelectorAll("path")) node.classList.toggle("on", (node.getAttribute("data-ends") ?? "").split(" ").every((end) => linked.has(end)))
  const sentences = data.columns.map(({ words }, column) => words.filter((_, index) => linked.has(getKey({ column, index }))).join(" ")).filter(Boolean).join(" – ")
  setText(find(root, ".description"), word ? formatTemplate(data.messages.description, { words: sentences }) : data.messages.hint)
}

/** @type {(node: HTMLElement | null) => Word | null} */
function readWord(node) {
  const [column, index] = (node?.dataset.word ?? "").split("-").map(Number)
  return node ? { column, index } : null
}

/** @param {Root} root */
function renderView(root) {
  const { data, view } = root
  showPressed(root, "view", view)
  const languages = data.columns.map(({ name }) => name).join(", ")
  const picture = make("div", { class: "drawn", role: "application", tabindex: 0, "aria-label": formatTemplate(data.messages.label, { languages }), "aria-describedby": "word-order-counts" },
    view === "lines" ? makeLines(root) : makeMaps(root))
  find(root, ".picture").replaceChildren(picture)
  /** @type {Word} */
  let current = { column: 0, index: 0 }
  picture.onpointerover = ({ target }) => showLinked(root, readWord(findClosest(target, "[data-word]")))
  picture.onclick = ({ target }) => showLinked(root, readWord(findClosest(target, "[data-word]")))
  picture.onpointerleave = () => showLinked(root, null)
  picture.onfocus = () => picture.matches(":focus-visible") && showLinked(root, current) // a click chooses its own word
  picture.onblur = () => showLinked(root, null)
  picture.onkeydown = (event) => {
    if (hasModifier(event)) return
    const move = KEYS[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    const column = Math.max(0, Math.min(data.columns.length - 1, current.column + move[0]))
    current = { column, index: Math.max(0, Math.min(data.columns[column].words.length - 1, current.index + move[1])) }
    showLinked(root, current)
  }
  for (const node of findAll(root, "[data-only]")) node.classList.toggle("unused", node.dataset.only !== view)
  showLinked(root, null)
}

/** @type {(data: WordOrderData) => HTMLElement} */
function makeMeasured({ reversed_shares: reversedShares, messages, language }) {
  /** @param {number} share */
  const format = (share) => formatPercent(share, language, 1)
  if (!reversedShares.length) return make("p", { class: "note" }, messages.unmeasured)
  return make("table", { class: "measured" }, make("tbody", {}, ...reversedShares.map((row) => {
    const bar = make("i", { class: "bar" }), band = make("i", { class: "band" })
    bar.style.width = `${100 * row.share}%`
    band.style.left = `${100 * row.low}%`
    band.style.width = `${100 * (row.high - row.low)}%`
    return make("tr", { title: row.command }, make("th", { scope: "row" }, row.title), make("td", {}, make("span", { class: "track" }, bar, band)),
      make("td", { class: "number" }, format(row.share)), make("td", { class: "note" }, `${format(row.low)}–${format(row.high)}`),
      make("td", { class: "note" }, formatTemplate(messages.measured_data, { sentences: row.sentences, data: row.data, model: row.model })))
  })))
}

/** @param {Root} root */
function buildWordOrder(root) {
  const { data } = root
  const { messages } = data
  root.lang = data.language
  const counts = data.translations.map((map) => make("span", {}, make("b", {}, formatTemplate(map.links.length > 1 ? messages.count : messages.count_one, { title: map.title, turned: map.reversed_words.length, links: Math.max(0, map.links.length - 1) })),
    " ", make("span", { class: "note" }, formatTemplate(messages.by, { model: map.model }))))
  root.replaceChildren(
    make("div", { class: "choices" }, make("span", { class: "buttons", role: "group", "aria-label": messages.show }, ...VIEWS.map((view) => make("button", { type: "button", "data-view": view, "aria-pressed": "false" }, messages[view])))),
    make("p", { class: "counts", id: "word-order-counts" }, ...counts),
    make("section", { class: "picture" }),
    make("p", { class: "description", "aria-live": "polite" }),
    make("div", { class: "explained" },
      make("p", { class: "legend note", "data-only": "lines" }, makeLegendEntry("turn", messages.key_turn), makeLegendEntry("on-key", messages.key_on)),
      make("p", { class: "note", "data-only": "maps" }, messages.sums)),
    ...(data.is_chain ? [make("p", { class: "note" }, messages.chain)] : []), ...(data.is_model_missing ? [make("p", { class: "note" }, messages.missing)] : []),
    make("p", { class: "note" }, messages.note),
    make("section", { class: "shares" }, make("h3", {}, messages.measured), makeMeasured(data), make("p", { class: "note" }, messages.measured_note)))
  registerSection(root, { go: (direction) => chooseView(root, VIEWS[VIEWS.indexOf(root.view) + direction]) })
  renderView(root)
}

/** @type {(root: Root, view: View | undefined) => boolean} */
function chooseView(root, view) {
  if (!view) return false
  root.view = view
  renderView(root)
  return true
}

/** @param {Root} root */
function setUp(root) {
  root.view = "lines"
  root.onclick = ({ target }) => {
    const node = findClosest(target, "[data-view]")
    if (node) chooseView(root, /** @type {View} */ (node.dataset.view))
  }
}

/** @param {Mounted<WordOrderData>} mounted */
export default function mountWordOrder({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "word-order", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildWordOrder(root)
}
