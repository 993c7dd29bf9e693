// What each word leaned on, beside α: two maps over the same words. Pointing at a cell of one lights it in both; arrow keys
// walk the cells.

/** @import { AskingData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { find, findAll, make, nearest, rooted, worded } from "../shared/dom.js"
import { decimal, decimalOrDash, filled, short, two } from "../shared/format.js"
import { announce } from "../shared/walk.js"
import { stepped } from "./walking.js"

/** @typedef {HTMLElement & { drawn?: string, data: AskingData }} Root */

const SHOWN = 0.25 // of the greatest value: cells from here up show their number

/**
 * A map: rows what was written, columns what was read.
 * @param {AskingData} data
 * @param {number[][]} values
 * @param {(value: number) => { shade: number, text: string, kind: string }} look
 * @param {string} label
 * @param {(number | null)[]} [ranks] a last column
 */
function map(data, values, look, label, ranks) {
  const { source, target, languages, words } = data
  const heads = source.map((text, s) => make("th", { scope: "col", "data-s": s, lang: languages[0] }, make("span", { class: "word" }, text)))
  const rank = ranks?.length ? [make("th", { class: "rank", scope: "col", title: words.rank_label }, make("span", {}, words.rank))] : []
  const rows = values.map((row, t) => make("tr", {},
    make("th", { scope: "row", "data-t": t, lang: languages[1] }, target[t]),
    ...row.map((value, s) => {
      const { shade, text, kind } = look(value)
      const cell = make("td", { "data-t": t, "data-s": s, tabindex: t || s ? -1 : 0, class: `${kind}${shade >= 0.6 ? " deep" : ""}` }, text)
      cell.style.setProperty("--shade", shade.toFixed(3))
      return cell
    }),
    ...(ranks?.length ? [make("td", { class: "rank" }, decimalOrDash(ranks[t]))] : [])))
  const table = make("table", { role: "grid", "aria-label": label },
    make("thead", {}, make("tr", {}, make("td", { "aria-hidden": "true" }), ...heads, ...rank)), make("tbody", {}, ...rows))
  return make("div", { class: "scroll" }, table)
}

/**
 * @param {AskingData} data
 * @param {number} value
 */
function leaned({ most }, value) {
  const shade = most > 0 ? Math.abs(value) / most : 0
  return { shade, text: shade >= SHOWN ? decimal(value, 1) : "", kind: value < 0 ? "against" : "for" }
}

/** @param {number} value */
const looked = (value) => ({ shade: value, text: value >= SHOWN ? short(value) : "", kind: "weight" })

/**
 * Say what a cell holds, and light it in both maps.
 * @param {Root} root
 * @param {HTMLElement | null} cell
 */
function point(root, cell) {
  for (const one of findAll(root, ".here")) one.classList.remove("here")
  const { words, source, target, values, alpha } = root.data
  if (!cell) return worded(find(root, ".said"), words.idle)
  const t = Number(cell.dataset.t)
  const s = Number(cell.dataset.s)
  for (const one of findAll(root, `td[data-t="${t}"][data-s="${s}"], tbody th[data-t="${t}"], thead th[data-s="${s}"]`)) one.classList.add("here")
  const places = { target: target[t], source: source[s], nats: decimal(values[t][s]) }
  worded(find(root, ".said"), alpha ? filled(words.cell_alpha, { ...places, weight: two(alpha[t][s]) }) : filled(words.cell, places))
}

/**
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  const cell = nearest(event.target, "td[data-s]")
  const to = cell && stepped(event.key, Number(cell.dataset.t), Number(cell.dataset.s), root.data.target.length, root.data.source.length)
  if (!cell || !to || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const next = /** @type {HTMLElement} */ (nearest(cell, "table")?.querySelector(`td[data-t="${to[0]}"][data-s="${to[1]}"]`))
  cell.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

/** @param {Root} root */
function build(root) {
  const { data } = root
  const { words, alpha, name, method, means } = data
  const left = alpha
    ? make("figure", {}, make("figcaption", {}, make("span", {}, filled(words.alpha, { model: name }))), map(data, alpha, looked, filled(words.alpha_label, { model: name })))
    : make("p", { class: "blind" }, filled(words.blind, { model: name }))
  const key = make("span", { class: "key" }, make("i", { class: "for" }), words.for, make("i", { class: "against" }), words.against, ` (${words.nats})`)
  const right = make("figure", {}, make("figcaption", {}, make("span", {}, filled(words.map, { method })), key),
    map(data, data.values, (value) => leaned(data, value), filled(words.map_label, { method, model: name }), data.ranks))
  const maps = make("section", { class: `maps${alpha ? "" : " alone"}`, role: "group", "aria-label": filled(words.label, { method }) },
    left, right, make("p", { class: "said", "aria-live": "polite" }))
  maps.style.setProperty("--columns", String(data.source.length))
  maps.style.setProperty("--rows", String(data.target.length))
  maps.style.setProperty("--longest", String(Math.max(...data.source.map((word) => word.length))))
  const overall = data.overall === null ? words.overall_none : filled(words.overall, { value: decimal(data.overall) })
  const told = make("section", { class: "note" }, make("p", { class: "means" }, means), alpha && make("p", {}, overall),
    make("p", { class: "soft" }, data.complete, data.complete && " ", make("span", { class: "made" }, data.made)))
  root.lang = data.language
  root.replaceChildren(maps, told)
  announce(maps)
  announce(told)
  point(root, null)
}

/** @param {Root} root */
function listen(root) {
  root.addEventListener("pointerover", (event) => point(root, nearest(event.target, "td[data-s]")))
  root.addEventListener("pointerleave", () => point(root, null))
  root.addEventListener("click", (event) => nearest(event.target, "td[data-s]")?.focus())
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, "td[data-s]")))
  root.addEventListener("keydown", (event) => pressed(root, event))
}

/** @param {Mounted<AskingData>} mounted */
export default function asking({ data: [data], parentElement }) {
  const root = rooted(parentElement, "asking", {}, listen)
  const drawn = JSON.stringify(data)
  if (root.drawn === drawn) return
  root.drawn = drawn
  root.data = data
  build(root)
}
