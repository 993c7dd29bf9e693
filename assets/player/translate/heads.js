// All maps of one translation side by side: a row a layer, a column a head. A click enlarges one, with its words; from
// there it can be taken to the large picture, where it says where the decoder looked.

/** @import { HeadGroup, HeadMap, HeadsData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { map, sized, upTo } from "../laboratory/map.js"
import { anew } from "../shared/anew.js"
import { draw, find, findAll, make, nearest, rooted, worded } from "../shared/dom.js"
import { filled, two } from "../shared/format.js"
import { modified } from "../shared/keys.js"
import { announce } from "../shared/walk.js"

/**
 * @typedef {object} Parts
 * @property {HeadsData} data
 * @property {string} [drawn] the data as it came but what is enlarged, to know other data by
 * @property {string} enlarged the key of the map that is enlarged, "" for none
 * @property {string} [asked] the same as it was told to the page, until the page says so too
 * @property {Mounted<HeadsData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & Parts} Root */

const SEEN = 0.04 // lighter cells are not drawn in a thumbnail

/** The map that the address asked for when the app was opened, until it has been shown. */
let linked = new URL(location.href).searchParams.get("head")

/**
 * A map's head, or that it is the mean of the heads beside it; "" where there are none.
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
function headOf({ words }, { maps }, { layer, head }) {
  if (head) return filled(words.head, { number: head })
  return maps.some((other) => other.layer === layer && other.head) ? words.mean : ""
}

/**
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
function named(data, group, one) {
  return [one.layer !== null && filled(data.words.layer, { number: one.layer }), headOf(data, group, one)].filter(Boolean).join(", ")
}

/**
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
const titled = (data, group, one) => [group.name, named(data, group, one)].filter(Boolean).join(", ")

/**
 * A map in a few square centimetres, its cells as dark as their weights.
 * @param {HeadMap} one
 * @param {number} full what the darkest is
 */
function thumbnail({ values }, full) {
  const [height, width] = [values.length, values[0].length]
  const cells = values.flatMap((row, t) => row.flatMap((value, s) =>
    (value / full < SEEN ? [] : [draw("rect", { x: s, y: t, width: 1, height: 1, "fill-opacity": value / full })])))
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
    const thumbs = maps.map((one) => make("button", { type: "button", "data-key": one.key, "aria-label": titled(data, group, one), "aria-expanded": "false" },
      thumbnail(one, data.parts * group.most), make("span", {}, headOf(data, group, one))))
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
  const title = titled(root.data, group, one)
  const values = one.values.map((row) => row.map((value) => value / parts))
  const take = one.looks && make("button", { type: "button", class: "quiet", "data-take": key, disabled: key === shown ? "" : null }, key === shown ? words.taken : words.take)
  const prune = one.prunable && make("button", { type: "button", class: "quiet", "data-prune": key, title: words.prune_says }, words.prune)
  place.replaceChildren(
    make("div", { class: "bar" }, make("h3", {}, title), take, prune, make("button", { type: "button", class: "quiet", "data-close": "" }, words.close)),
    map(group, values, upTo(group.most), title),
    make("p", { class: "said", "aria-live": "polite" }, words.idle))
  place.dataset.columns = group.sides[0]
  place.dataset.rows = group.sides[1]
  sized(place, group)
  announce(place)
}

/**
 * Enlarge what the reader asks for, and let the link carry it.
 * @param {Root} root
 * @param {string} key
 */
function open(root, key) {
  enlarge(root, key)
  if (root.data.enlarged === null) return
  root.asked = key
  root.trigger("enlarged", key)
}

/**
 * Say what a cell of the enlarged map holds, and which of the heads holds most there.
 * @param {Root} root
 * @param {HTMLElement | null} cell
 */
function point(root, cell) {
  const said = root.querySelector(".large .said")
  if (!(said instanceof HTMLElement)) return
  for (const one of findAll(root, ".here, .most")) one.classList.remove("here", "most")
  const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlarged))
  if (!cell || !group) return worded(said, root.data.words.idle)
  const [t, s] = [Number(cell.dataset.t), Number(cell.dataset.s)]
  for (const one of findAll(root, `.large td[data-t="${t}"][data-s="${s}"], .large tbody th[data-t="${t}"], .large thead th[data-s="${s}"]`)) one.classList.add("here")
  const { words, parts } = root.data
  const held = /** @param {HeadMap} one */ ({ values }) => values[t][s]
  const value = group.maps.filter(({ key }) => key === root.enlarged).map(held)[0]
  const told = filled(group.account ? words.cell_account : words.cell, { row: group.target[t], column: group.source[s], weight: two(value / parts) })
  const heads = group.maps.filter(({ head }) => head)
  if (heads.length < 2) return worded(said, told)
  const most = heads.reduce((best, one) => (held(one) > held(best) ? one : best))
  find(root, `button[data-key="${most.key}"]`).classList.add("most")
  worded(said, `${told}; ${filled(words.most, { count: heads.length, name: named(root.data, group, most), weight: two(held(most) / parts) })}`)
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
      open(root, button.dataset.key === root.enlarged ? "" : button.dataset.key)
      find(root, ".large").scrollIntoView({ block: "nearest" })
    }
    else if (button?.dataset.take) root.trigger("chosen", button.dataset.take)
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
    if (event.key === "Escape" && root.enlarged) {
      event.preventDefault() // else it would end presenting too
      close(root)
    } else if (next instanceof HTMLElement) {
      event.preventDefault()
      next.focus()
    }
  })
}

/**
 * Close what is enlarged; the keyboard goes back to its thumbnail.
 * @param {Root} root
 */
function close(root) {
  const button = root.querySelector(`button[data-key="${root.enlarged}"]`)
  open(root, "")
  if (button instanceof HTMLElement) button.focus()
}

/** @param {Mounted<HeadsData>} mounted */
export default function allHeads({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "heads", {}, listen)
  root.trigger = setTriggerValue
  const { enlarged, ...rest } = data
  const drawn = JSON.stringify(rest)
  const late = root.asked !== undefined && enlarged !== root.asked // the page has yet to hear of the last click
  if (!late) root.asked = undefined
  const wanted = late || enlarged === null ? root.enlarged : enlarged
  root.data = data
  if (root.drawn === drawn) {
    if (wanted !== root.enlarged) enlarge(root, wanted)
    return
  }
  root.drawn = drawn
  root.lang = data.language
  anew(root, () => {
    root.replaceChildren(make("div", { class: "all" }, ...data.groups.map((group) => grid(root, group))), make("div", { class: "maps large", role: "group", hidden: "" }))
    for (const section of findAll(root, "section")) announce(section)
    enlarge(root, wanted ?? "")
  }, "[data-close]")
  if (wanted && wanted === linked) find(root, ".large").scrollIntoView({ block: "nearest" }) // once: the reader came for it
  linked = null
}
