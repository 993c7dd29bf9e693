// Show all attention maps of a translation: one row per layer, one column per head. A click enlarges a map; from there it
// can be shown in the main picture.

/** @import { HeadGroup, HeadMap, HeadsData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { buildMap, setMapSize, makeCellStyle } from "../shared/word_map.js"
import { redraw } from "../shared/redraw.js"
import { draw, find, findAll, make, findClosest, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatTemplate, formatShare } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"

/**
 * @typedef {object} HeadsState
 * @property {string} enlargedKey key of the enlarged map, "" for none
 * @property {string} [reportedKey] key last reported to the page, until its data agrees
 */
/** @typedef {ComponentRoot<HeadsData> & HeadsState} Root */

const DRAWN_FROM = 0.04 // lightest cell of a thumbnail

/** Map requested by the address at start, until it has been shown. */
let linkedKey = new URL(location.href).searchParams.get("head")

/**
 * Return the head's name, or "mean" for the mean of heads, or "".
 * @type {(data: HeadsData, group: HeadGroup, map: HeadMap) => string}
 */
function getHead({ messages }, { maps }, { layer, head }) {
  if (head) return formatTemplate(messages.head, { number: head })
  return maps.some((item) => item.layer === layer && item.head) ? messages.mean : ""
}

/** @type {(data: HeadsData, group: HeadGroup, map: HeadMap) => string} */
function nameMap(data, group, map) {
  return [map.layer !== null && formatTemplate(data.messages.layer, { number: map.layer }), getHead(data, group, map)].filter(Boolean).join(", ")
}

/** @type {(data: HeadsData, group: HeadGroup, map: HeadMap) => string} */
const formatMapTitle = (data, group, map) => [group.name, nameMap(data, group, map)].filter(Boolean).join(", ")

/** @type {(map: HeadMap, maxWeight: number) => SVGSVGElement} */
function drawThumbnail({ values }, maxWeight) {
  const [height, width] = [values.length, values[0].length]
  const cells = values.flatMap((row, t) => row.flatMap((value, s) =>
    (value / maxWeight < DRAWN_FROM ? [] : [draw("rect", { x: s, y: t, width: 1, height: 1, "fill-opacity": value / maxWeight })])))
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells)
}

/** @type {(root: Root, group: HeadGroup) => HTMLElement} */
function buildGroup(root, group) {
  const { data } = root
  const layers = [...new Set(group.maps.map(({ layer }) => layer))].sort((a, b) => (a ?? 0) - (b ?? 0))
  const rows = layers.map((layer) => {
    const maps = group.maps.filter((map) => map.layer === layer).sort((a, b) => (a.head ?? 0) - (b.head ?? 0))
    const thumbs = maps.map((map) => make("button", { type: "button", "data-key": map.key, "aria-label": formatMapTitle(data, group, map), "aria-expanded": "false" },
      drawThumbnail(map, data.weight_scale * group.max_weight), make("span", {}, getHead(data, group, map))))
    return make("div", { class: "layer" }, layer !== null && make("span", { class: "soft" }, formatTemplate(data.messages.layer, { number: layer })), ...thumbs)
  })
  return make("section", { "aria-label": group.name }, make("h3", {}, group.name), make("p", { class: "soft" }, group.description), ...rows)
}

/** @type {(root: Root, key: string) => void} */
function enlargeMap(root, key) {
  root.enlargedKey = key
  for (const button of findAll(root, "button[data-key]")) button.setAttribute("aria-expanded", String(button.dataset.key === key))
  const place = find(root, ".large")
  const match = root.data.groups.flatMap((group) => group.maps.map((map) => ({ group, map }))).find(({ map }) => map.key === key)
  place.hidden = !match
  if (!match) return place.replaceChildren()
  const { group, map } = match
  const { messages, weight_scale: weightScale, selected } = root.data
  const title = formatMapTitle(root.data, group, map)
  const values = map.values.map((row) => row.map((value) => value / weightScale))
  const takeButton = map.is_selectable && make("button", { type: "button", class: "quiet", "data-take": key, disabled: key === selected ? "" : null }, key === selected ? messages.taken : messages.take)
  const pruneButton = map.is_prunable && make("button", { type: "button", class: "quiet", "data-prune": key, title: messages.prune_says }, messages.prune)
  place.replaceChildren(
    make("div", { class: "bar" }, make("h3", {}, title), takeButton, pruneButton, make("button", { type: "button", class: "quiet", "data-close": "" }, messages.close)),
    buildMap(group, values, makeCellStyle(group.max_weight), title),
    make("p", { class: "description", "aria-live": "polite" }, messages.idle))
  place.dataset.columns = group.sides[0]
  place.dataset.rows = group.sides[1]
  setMapSize(place, group.source, group.target.length)
  registerSection(place)
}

/** @type {(root: Root, key: string) => void} */
function openMap(root, key) {
  enlargeMap(root, key)
  if (root.data.enlarged === null) return
  root.reportedKey = key
  root.trigger("enlarged", key)
}

/**
 * Describe a cell of the enlarged map, and mark the head with the largest weight there.
 * @type {(root: Root, cell: HTMLElement | null) => void}
 */
function pointAtCell(root, cell) {
  const line = root.querySelector(".large .description")
  if (!(line instanceof HTMLElement)) return
  for (const node of findAll(root, ".here, .most")) node.classList.remove("here", "most")
  const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlargedKey))
  if (!cell || !group) return setText(line, root.data.messages.idle)
  const [t, s] = [Number(cell.dataset.t), Number(cell.dataset.s)]
  for (const element of findAll(root, `.large td[data-t="${t}"][data-s="${s}"], .large tbody th[data-t="${t}"], .large thead th[data-s="${s}"]`)) element.classList.add("here")
  const { messages, weight_scale: weightScale } = root.data
  const weightAt = /** @param {HeadMap} map */ ({ values }) => values[t][s]
  const value = group.maps.filter(({ key }) => key === root.enlargedKey).map(weightAt)[0]
  const text = formatTemplate(group.is_coverage ? messages.cell_account : messages.cell, { row: group.target[t], column: group.source[s], weight: formatShare(value / weightScale) })
  const heads = group.maps.filter(({ head }) => head)
  if (heads.length < 2) return setText(line, text)
  const strongest = heads.reduce((best, map) => (weightAt(map) > weightAt(best) ? map : best))
  find(root, `button[data-key="${strongest.key}"]`).classList.add("most")
  setText(line, `${text}; ${formatTemplate(messages.most, { count: heads.length, name: nameMap(root.data, group, strongest), weight: formatShare(weightAt(strongest) / weightScale) })}`)
}

/** @type {(button: HTMLElement, key: string) => Element | null | undefined} */
function findNeighbour(button, key) {
  const row = /** @type {HTMLElement} */ (button.parentElement)
  const buttons = findAll(row, "button")
  const place = buttons.indexOf(button)
  /** @type {Record<string, Element | undefined>} */
  const targets = {
    ArrowLeft: buttons[place - 1], ArrowRight: buttons[place + 1],
    ArrowUp: row.previousElementSibling?.querySelectorAll("button")[place], ArrowDown: row.nextElementSibling?.querySelectorAll("button")[place],
  }
  return Object.hasOwn(targets, key) ? targets[key] : undefined
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
  root.addEventListener("pointerleave", () => pointAtCell(root, null))
  root.addEventListener("focusin", (event) => pointAtCell(root, findClosest(event.target, "td[data-s]")))
  root.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return
    const button = findClosest(event.target, "button[data-key]")
    const neighbour = button && findNeighbour(button, event.key)
    if (event.key === "Escape" && root.enlargedKey) {
      event.preventDefault() // otherwise it would end presenting
      closeMap(root)
    } else if (neighbour instanceof HTMLElement) {
      event.preventDefault()
      neighbour.focus()
    }
  })
}

/** @param {Root} root */
function closeMap(root) {
  const button = root.querySelector(`button[data-key="${root.enlargedKey}"]`)
  openMap(root, "")
  if (button instanceof HTMLElement) button.focus()
}

/** @param {Mounted<HeadsData>} mounted */
export default function mountAllHeads({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "heads", {}, addListeners)
  const { enlarged } = data
  const isOutdated = root.reportedKey !== undefined && enlarged !== root.reportedKey // the page has not processed the last click
  if (!isOutdated) root.reportedKey = undefined
  const key = isOutdated || enlarged === null ? root.enlargedKey : enlarged
  root.data = data
  if (!storeData(root, data, { enlarged: null })) {
    if (key !== root.enlargedKey) enlargeMap(root, key)
    return
  }
  root.lang = data.language
  redraw(root, () => {
    root.replaceChildren(make("div", { class: "all" }, ...data.groups.map((group) => buildGroup(root, group))), make("div", { class: "maps large", role: "group", hidden: "" }))
    for (const section of findAll(root, "section")) registerSection(section)
    enlargeMap(root, key ?? "")
  }, "[data-close]")
  if (key && key === linkedKey) find(root, ".large").scrollIntoView({ block: "nearest" }) // once: the link pointed to it
  linkedKey = null
}
