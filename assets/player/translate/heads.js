// All maps of one translation side by side: a row a layer, a column a head. A click enlarges one, with its words; from
// there it can be taken to the large picture, where it says where the decoder looked.

/** @import { HeadGroup, HeadMap, HeadsData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { buildMap, setMapSize, lookUpTo } from "../shared/word_map.js"
import { redraw } from "../shared/redraw.js"
import { draw, find, findAll, make, findClosest, mountRoot, setText } from "../shared/dom.js"
import { formatTemplate, formatShare } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"

/**
 * @typedef {object} HeadsState
 * @property {HeadsData} data
 * @property {string} [dataKey] the data as it came but what is enlarged, to know other data by
 * @property {string} enlargedKey the key of the map that is enlarged, "" for none
 * @property {string} [reportedKey] the same as it was told to the page, until the page says so too
 * @property {Mounted<HeadsData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & HeadsState} Root */

const DRAWN_FROM = 0.04 // lighter cells are not drawn in a thumbnail

/** The map that the address asked for when the app was opened, until it has been shown. */
let linkedKey = new URL(location.href).searchParams.get("head")

/**
 * A map's head, or that it is the mean of the heads beside it; "" where there are none.
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
function headOf({ words }, { maps }, { layer, head }) {
  if (head) return formatTemplate(words.head, { number: head })
  return maps.some((other) => other.layer === layer && other.head) ? words.mean : ""
}

/**
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
function nameMap(data, group, one) {
  return [one.layer !== null && formatTemplate(data.words.layer, { number: one.layer }), headOf(data, group, one)].filter(Boolean).join(", ")
}

/**
 * @param {HeadsData} data
 * @param {HeadGroup} group
 * @param {HeadMap} one
 */
const titleOfMap = (data, group, one) => [group.name, nameMap(data, group, one)].filter(Boolean).join(", ")

/**
 * A map in a few square centimetres, its cells as dark as their weights.
 * @param {HeadMap} one
 * @param {number} full what the darkest is
 */
function drawThumbnail({ values }, full) {
  const [height, width] = [values.length, values[0].length]
  const cells = values.flatMap((row, t) => row.flatMap((value, s) =>
    (value / full < DRAWN_FROM ? [] : [draw("rect", { x: s, y: t, width: 1, height: 1, "fill-opacity": value / full })])))
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells)
}

/**
 * @param {Root} root
 * @param {HeadGroup} group
 */
function buildGroup(root, group) {
  const { data } = root
  const layers = [...new Set(group.maps.map(({ layer }) => layer))].sort((a, b) => (a ?? 0) - (b ?? 0))
  const rows = layers.map((layer) => {
    const maps = group.maps.filter((one) => one.layer === layer).sort((a, b) => (a.head ?? 0) - (b.head ?? 0))
    const thumbs = maps.map((one) => make("button", { type: "button", "data-key": one.key, "aria-label": titleOfMap(data, group, one), "aria-expanded": "false" },
      drawThumbnail(one, data.parts * group.most), make("span", {}, headOf(data, group, one))))
    return make("div", { class: "layer" }, layer !== null && make("span", { class: "soft" }, formatTemplate(data.words.layer, { number: layer })), ...thumbs)
  })
  return make("section", { "aria-label": group.name }, make("h3", {}, group.name), make("p", { class: "soft" }, group.says), ...rows)
}

/**
 * Enlarge the map of that key, or none.
 * @param {Root} root
 * @param {string} key
 */
function enlargeMap(root, key) {
  root.enlargedKey = key
  for (const button of findAll(root, "button[data-key]")) button.setAttribute("aria-expanded", String(button.dataset.key === key))
  const place = find(root, ".large")
  const found = root.data.groups.flatMap((group) => group.maps.map((one) => ({ group, one }))).find(({ one }) => one.key === key)
  place.hidden = !found
  if (!found) return place.replaceChildren()
  const { group, one } = found
  const { words, parts, shown } = root.data
  const title = titleOfMap(root.data, group, one)
  const values = one.values.map((row) => row.map((value) => value / parts))
  const take = one.looks && make("button", { type: "button", class: "quiet", "data-take": key, disabled: key === shown ? "" : null }, key === shown ? words.taken : words.take)
  const prune = one.prunable && make("button", { type: "button", class: "quiet", "data-prune": key, title: words.prune_says }, words.prune)
  place.replaceChildren(
    make("div", { class: "bar" }, make("h3", {}, title), take, prune, make("button", { type: "button", class: "quiet", "data-close": "" }, words.close)),
    buildMap(group, values, lookUpTo(group.most), title),
    make("p", { class: "said", "aria-live": "polite" }, words.idle))
  place.dataset.columns = group.sides[0]
  place.dataset.rows = group.sides[1]
  setMapSize(place, group)
  registerSection(place)
}

/**
 * Enlarge what the reader asks for, and let the link carry it.
 * @param {Root} root
 * @param {string} key
 */
function openMap(root, key) {
  enlargeMap(root, key)
  if (root.data.enlarged === null) return
  root.reportedKey = key
  root.trigger("enlarged", key)
}

/**
 * Say what a cell of the enlarged map holds, and which of the heads holds most there.
 * @param {Root} root
 * @param {HTMLElement | null} cell
 */
function pointAtCell(root, cell) {
  const said = root.querySelector(".large .said")
  if (!(said instanceof HTMLElement)) return
  for (const one of findAll(root, ".here, .most")) one.classList.remove("here", "most")
  const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlargedKey))
  if (!cell || !group) return setText(said, root.data.words.idle)
  const [t, s] = [Number(cell.dataset.t), Number(cell.dataset.s)]
  for (const one of findAll(root, `.large td[data-t="${t}"][data-s="${s}"], .large tbody th[data-t="${t}"], .large thead th[data-s="${s}"]`)) one.classList.add("here")
  const { words, parts } = root.data
  const weightAt = /** @param {HeadMap} one */ ({ values }) => values[t][s]
  const value = group.maps.filter(({ key }) => key === root.enlargedKey).map(weightAt)[0]
  const told = formatTemplate(group.account ? words.cell_account : words.cell, { row: group.target[t], column: group.source[s], weight: formatShare(value / parts) })
  const heads = group.maps.filter(({ head }) => head)
  if (heads.length < 2) return setText(said, told)
  const most = heads.reduce((best, one) => (weightAt(one) > weightAt(best) ? one : best))
  find(root, `button[data-key="${most.key}"]`).classList.add("most")
  setText(said, `${told}; ${formatTemplate(words.most, { count: heads.length, name: nameMap(root.data, group, most), weight: formatShare(weightAt(most) / parts) })}`)
}

/**
 * The thumbnail beside one, for the arrow keys.
 * @param {HTMLElement} button
 * @param {string} key
 */
function findNeighbour(button, key) {
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
function addListeners(root) {
  root.addEventListener("click", (event) => {
    const button = findClosest(event.target, "button")
    if (button?.dataset.key) {
      openMap(root, button.dataset.key === root.enlargedKey ? "" : button.dataset.key)
      find(root, ".large").scrollIntoView({ block: "nearest" })
    }
    else if (button?.dataset.take) root.trigger("chosen", button.dataset.take)
    else if (button?.dataset.prune) root.trigger("prune", button.dataset.prune)
    else if (button) closeMap(root)
    else findClosest(event.target, "td[data-s]")?.focus()
  })
  root.addEventListener("pointerover", (event) => pointAtCell(root, findClosest(event.target, "td[data-s]")))
  root.addEventListener("focusin", (event) => pointAtCell(root, findClosest(event.target, "td[data-s]")))
  root.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return
    const button = findClosest(event.target, "button[data-key]")
    const next = button && findNeighbour(button, event.key)
    if (event.key === "Escape" && root.enlargedKey) {
      event.preventDefault() // else it would end presenting too
      closeMap(root)
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
function closeMap(root) {
  const button = root.querySelector(`button[data-key="${root.enlargedKey}"]`)
  openMap(root, "")
  if (button instanceof HTMLElement) button.focus()
}

/** @param {Mounted<HeadsData>} mounted */
export default function allHeads({ data: [data], parentElement, setTriggerValue }) {
  const root = mountRoot(parentElement, "heads", {}, addListeners)
  root.trigger = setTriggerValue
  const { enlarged, ...rest } = data
  const drawn = JSON.stringify(rest)
  const late = root.reportedKey !== undefined && enlarged !== root.reportedKey // the page has yet to hear of the last click
  if (!late) root.reportedKey = undefined
  const wanted = late || enlarged === null ? root.enlargedKey : enlarged
  root.data = data
  if (root.dataKey === drawn) {
    if (wanted !== root.enlargedKey) enlargeMap(root, wanted)
    return
  }
  root.dataKey = drawn
  root.lang = data.language
  redraw(root, () => {
    root.replaceChildren(make("div", { class: "all" }, ...data.groups.map((group) => buildGroup(root, group))), make("div", { class: "maps large", role: "group", hidden: "" }))
    for (const section of findAll(root, "section")) registerSection(section)
    enlargeMap(root, wanted ?? "")
  }, "[data-close]")
  if (wanted && wanted === linkedKey) find(root, ".large").scrollIntoView({ block: "nearest" }) // once: the reader came for it
  linkedKey = null
}
