// What each word leaned on, beside α: two maps over the same words. Pointing at a cell of one lights it in both; arrow keys
// walk the cells.

/** @import { AskingData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { find, findAll, make, nearest, rooted, worded } from "../shared/dom.js"
import { decimal, filled, two } from "../shared/format.js"
import { announce } from "../shared/walk.js"
import { leaned } from "./leaned.js"
import { looked, map, sized } from "./map.js"

const FINE = 0.1 // nats; less is told with more decimals

/** @typedef {HTMLElement & { drawn?: string, data: AskingData }} Root */

/**
 * Say what a cell holds, and light it in both maps.
 * @param {Root} root
 * @param {HTMLElement | null} cell
 */
function point(root, cell) {
  for (const one of findAll(root, ".here")) one.classList.remove("here")
  const { words, source, target, values, alpha } = root.data
  if (!cell) return worded(find(root, ".said"), alpha ? words.idle : words.idle_plain)
  const t = Number(cell.dataset.t)
  const s = Number(cell.dataset.s)
  for (const one of findAll(root, `td[data-t="${t}"][data-s="${s}"], tbody th[data-t="${t}"], thead th[data-s="${s}"]`)) one.classList.add("here")
  const places = { target: target[t], source: source[s], nats: decimal(values[t][s], Math.abs(values[t][s]) < FINE ? 4 : 2) }
  worded(find(root, ".said"), alpha ? filled(words.cell_alpha, { ...places, weight: two(alpha[t][s]) }) : filled(words.cell, places))
}

/** @param {Root} root */
function build(root) {
  const { data } = root
  const { words, alpha, name, method, means } = data
  const left = alpha
    ? make("figure", {}, make("figcaption", {}, make("span", {}, filled(words.alpha, { model: name }))), map(data, alpha, looked, filled(words.alpha_label, { model: name })))
    : make("p", { class: "blind" }, filled(words.blind, { model: name }))
  const key = make("span", { class: "key" }, make("i", { class: "for" }), words.for, make("i", { class: "against" }), words.against, ` (${words.nats})`, make("span", { class: "scaled" }, words.scaled))
  const looks = data.values.map(leaned)
  const right = make("figure", {}, make("figcaption", {}, make("span", {}, filled(alpha ? words.map : words.map_plain, { method })), key),
    map(data, data.values, (value, t) => looks[t](value), filled(words.map_label, { method, model: name }), { head: words.rank, label: words.rank_label, values: data.ranks }))
  const maps = make("section", { class: `maps${alpha ? "" : " alone"}`, role: "group", "aria-label": filled(words.label, { method }) },
    left, right, make("p", { class: "said", "aria-live": "polite" }))
  sized(maps, data)
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
