// All maps of one translation side by side: a row a layer, a column a head. A click enlarges one, with its words; from
// there it can be taken to the large picture, where it says where the decoder looked.

/** @import { HeadGroup, HeadMap, HeadsData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { looked, map, sized, walked } from "../laboratory/map.js"
import { draw, find, findAll, make, nearest, rooted, worded } from "../shared/dom.js"
import { filled, two } from "../shared/format.js"
import { modified } from "../shared/keys.js"
import { announce } from "../shared/walk.js"

/**
 * @typedef {object} Parts
 * @property {HeadsData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {string} enlarged the key of the map that is enlarged, "" for none
 * @property {Mounted<HeadsData>["setStateValue"]} tell
 * @property {Mounted<HeadsData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & Parts} Root */

const SEEN = 0.04 // lighter cells are not drawn in a thumbnail

/**
 * @param {HeadsData} data
 * @param {HeadMap} one
 */
function named({ words }, { layer, head }) {
  const parts = [layer !== null && filled(words.layer, { number: layer }), head ? filled(words.head, { number: head }) : words.mean]
  return parts.filter(Boolean).join(", ")
}

/**
 * A map in a few square centimetres, its cells as dark as their weights.
 * @param {HeadMap} one
 * @param {number} parts
 */
function thumbnail({ values }, parts) {
  const [height, width] = [values.length, values[0].length]
  const cells = values.flatMap((row, t) => row.flatMap((value, s) =>
    (value / parts < SEEN ? [] : [draw("rect", { x: s, y: t, width: 1, height: 1, "fill-opacity": value / parts })])))
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells)
}

/**
 * @param {Root} root
 * @param {HeadGroup} group
 */
function grid(root, group) {
  const { data } = root
  const layers = [...new Set(group.maps.map(({ layer }) => layer))].sort((a, b) => (a ?? 0) - (b ?? 0))
  const rows = layers.map((layer) => {
    const maps = group.maps.filter((one) => one.layer === layer).sort((a, b) => (a.head ?? 0) - (b.head ?? 0))
    const thumbs = maps.map((one) => make("button", { type: "button", "data-key": one.key, "aria-label": `${group.name}, ${named(data, one)}`, "aria-expanded": "false" },
      thumbnail(one, data.parts), make("span", {}, one.head ? filled(data.words.head, { number: one.head }) : data.words.mean)))
    return make("div", { class: "layer" }, layer !== null && make("span", { class: "soft" }, filled(data.words.layer, { number: layer })), ...thumbs)
  })
  return make("section", { "aria-label": group.name }, make("h3", {}, group.name), make("p", { class: "soft" }, group.says), ...rows)
}

/**
 * Enlarge the map of that key, or none.
 * @param {Root} root
 * @param {string} key
 */
function enlarge(root, key) {
  root.enlarged = key
  for (const button of findAll(root, "button[data-key]")) button.setAttribute("aria-expanded", String(button.dataset.key === key))
  const place = find(root, ".large")
  const found = root.data.groups.flatMap((group) => group.maps.map((one) => ({ group, one }))).find(({ one }) => one.key === key)
  place.hidden = !found
  if (!found) return place.replaceChildren()
  const { group, one } = found
  const { words, parts, shown } = root.data
  const title = `${group.name}, ${named(root.data, one)}`
  const values = one.values.map((row) => row.map((value) => value / parts))
  const take = one.looks && make("button", { type: "button", class: "quiet", "data-take": key, disabled: key === shown ? "" : null }, key === shown ? words.taken : words.take)
  const prune = one.prunable && make("button", { type: "button", class: "quiet", "data-prune": key, title: words.prune_says }, words.prune)
  place.replaceChildren(
    make("div", { class: "bar" }, make("h3", {}, title), take, prune, make("button", { type: "button", class: "quiet", "data-close": "" }, words.close)),
    map(group, values, looked, title),
    make("p", { class: "said", "aria-live": "polite" }, words.idle))
  sized(place, group)
  announce(place)
}

/**
 * Say what a cell of the enlarged map holds.
 * @param {Root} root
 * @param {HTMLElement | null} cell
 */
function point(root, cell) {
  const said = root.querySelector(".large .said")
  if (!(said instanceof HTMLElement)) return
  for (const one of findAll(root, ".here")) one.classList.remove("here")
  const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlarged))
  if (!cell || !group) return worded(said, root.data.words.idle)
  const [t, s] = [Number(cell.dataset.t), Number(cell.dataset.s)]
  for (const one of findAll(root, `.large td[data-t="${t}"][data-s="${s}"], .large tbody th[data-t="${t}"], .large thead th[data-s="${s}"]`)) one.classList.add("here")
  const value = group.maps.find(({ key }) => key === root.enlarged)?.values[t][s] ?? 0
  worded(said, filled(root.data.words.cell, { row: group.target[t], column: group.source[s], weight: two(value / root.data.parts) }))
}

/**
 * The thumbnail beside one, for the arrow keys.
 * @param {HTMLElement} button
 * @param {string} key
 */
function beside(button, key) {
  const row = /** @type {HTMLElement} */ (button.parentElement)
  const place = [...row.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (button))
  /** @type {Record<string, () => Element | null | undefined>} */
  const ways = {
    ArrowLeft: () => row.querySelectorAll("button")[place - 1],
    ArrowRight: () => row.querySelectorAll("button")[place + 1],
    ArrowUp: () => row.previousElementSibling?.querySelectorAll("button")[place],
    ArrowDown: () => row.nextElementSibling?.querySelectorAll("button")[place],
  }
  return Object.hasOwn(ways, key) ? ways[key]() : undefined
}

/** @param {Root} root */
function listen(root) {
  root.addEventListener("click", (event) => {
    const button = nearest(event.target, "button")
    if (button?.dataset.key) {
      enlarge(root, button.dataset.key === root.enlarged ? "" : button.dataset.key)
      find(root, ".large").scrollIntoView({ block: "nearest" })
    }
    else if (button?.dataset.take) root.tell("chosen", button.dataset.take)
    else if (button?.dataset.prune) root.trigger("prune", button.dataset.prune)
    else if (button) close(root)
    else nearest(event.target, "td[data-s]")?.focus()
  })
  root.addEventListener("pointerover", (event) => point(root, nearest(event.target, "td[data-s]")))
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, "td[data-s]")))
  root.addEventListener("keydown", (event) => {
    if (modified(event)) return
    const button = nearest(event.target, "button[data-key]")
    const next = button && beside(button, event.key)
    const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlarged))
    if (event.key === "Escape" && root.enlarged) close(root)
    else if (next instanceof HTMLElement) {
      event.preventDefault()
      next.focus()
    } else if (group) walked(event, group)
  })
}

/**
 * Close what is enlarged; the keyboard goes back to its thumbnail.
 * @param {Root} root
 */
function close(root) {
  const button = root.querySelector(`button[data-key="${root.enlarged}"]`)
  enlarge(root, "")
  if (button instanceof HTMLElement) button.focus()
}

/** @param {Mounted<HeadsData>} mounted */
export default function allHeads({ data: [data], parentElement, setStateValue, setTriggerValue }) {
  const root = rooted(parentElement, "heads", {}, listen)
  root.tell = setStateValue
  root.trigger = setTriggerValue
  const drawn = JSON.stringify(data)
  if (root.drawn === drawn) return
  const kept = root.data?.of === data.of ? root.enlarged : ""
  root.drawn = drawn
  root.data = data
  root.lang = data.language
  root.replaceChildren(make("div", { class: "all" }, ...data.groups.map((group) => grid(root, group))), make("div", { class: "maps large", role: "group", hidden: "" }))
  for (const section of findAll(root, "section")) announce(section)
  enlarge(root, kept)
}
