// Why √d: the weights that one query gives its keys, and the entropy of such weights against d, with the scale and
// without. Everything is drawn here, from a seed.

/** @import { RootData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { draw, find, make, rooted, worded } from "../shared/dom.js"
import { decimal, filled, two } from "../shared/format.js"
import { announce } from "../shared/walk.js"
import { sharpness } from "./entropy.js"

/**
 * @typedef {object} Parts
 * @property {RootData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {number} power d as a power of 2
 * @property {number} keys
 * @property {number} seed
 */
/** @typedef {HTMLElement & Parts} Root */

const POWERS = 9 // d up to 512
const QUERIES = 20
const KEYS = [2, 32] // the fewest and the most
const [WIDE, HIGH] = [460, 240] // of a picture, in its own units
const EDGE = { left: 34, right: 10, top: 10, bottom: 30 }

/** @typedef {ReturnType<typeof sharpness>} Sharpness */

/**
 * @param {number} share from 0 to 1
 * @returns {number} in the picture
 */
const across = (share) => EDGE.left + share * (WIDE - EDGE.left - EDGE.right)
/** @param {number} share */
const upward = (share) => EDGE.top + (1 - share) * (HIGH - EDGE.top - EDGE.bottom)

/** @type {(x: number, y: number, anchor: string, text: string) => SVGTextElement} */
const write = (x, y, anchor, text) => draw("text", { x, y, "text-anchor": anchor, class: "tick" }, text)

/**
 * The weights of one query, in pairs of bars.
 * @param {Sharpness} found
 */
function bars({ without, scaled }) {
  const count = without.weights.length
  const wide = (across(1) - across(0)) / count
  /** @type {(weights: number[], kind: string, shift: number) => SVGRectElement[]} */
  const row = (weights, kind, shift) => weights.map((weight, k) => draw("rect", {
    class: kind, x: across(0) + wide * (k + shift), y: upward(weight), width: wide * 0.42, height: upward(0) - upward(weight) }))
  return draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    ...[0, 0.5, 1].flatMap((share) => [
      draw("line", { x1: across(0), x2: across(1), y1: upward(share), y2: upward(share), class: "rule" }),
      write(across(0) - 6, upward(share) + 4, "end", String(share))]),
    ...row(without.weights, "without", 0.06), ...row(scaled.weights, "scaled", 0.52))
}

/**
 * Entropy against d, up to that of keys that are all alike.
 * @param {Root} root
 * @param {Sharpness[]} found for every power of 2
 */
function curves({ keys, power, data }, found) {
  const most = Math.log(keys)
  /** @type {(of: "without" | "scaled") => SVGPathElement} */
  const line = (of) => draw("path", { class: `line ${of}`,
    d: `M${found.map((one, k) => `${across(k / POWERS).toFixed(1)} ${upward(one[of].entropy / most).toFixed(1)}`).join(" L")}` })
  return draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    draw("line", { x1: across(0), x2: across(1), y1: upward(1), y2: upward(1), class: "rule even" }),
    draw("line", { x1: across(0), x2: across(1), y1: upward(0), y2: upward(0), class: "rule" }),
    write(across(1), upward(1) + 15, "end", filled(data.words.even, { keys, value: decimal(most) })),
    write(across(0) - 6, upward(0) + 4, "end", "0"),
    ...found.map((_, k) => write(across(k / POWERS), HIGH - 12, "middle", String(2 ** k))),
    draw("line", { x1: across(power / POWERS), x2: across(power / POWERS), y1: upward(1), y2: upward(0), class: "here" }),
    line("without"), line("scaled"),
    ...(/** @type {const} */ (["without", "scaled"])).map((of) =>
      draw("circle", { class: `point ${of}`, cx: across(power / POWERS), cy: upward(found[power][of].entropy / most), r: 5 })))
}

/** @param {Root} root */
function redraw(root) {
  const { keys, power, seed, data } = root
  const { words } = data
  const found = Array.from({ length: POWERS + 1 }, (_, k) => sharpness(2 ** k, keys, QUERIES, seed))
  const { without, scaled } = found[power]
  find(root, ".bars").replaceChildren(bars(found[power]))
  find(root, ".curves").replaceChildren(curves(root, found))
  for (const [name, value] of /** @type {[string, number][]} */ ([["power", 2 ** power], ["keys", keys]])) {
    find(root, `[data-value=${name}]`).textContent = String(value)
    find(root, `[data-name=${name}]`).setAttribute("aria-valuetext", String(value))
  }
  worded(find(root, ".told"), filled(words.told, {
    d: 2 ** power, sharp: two(without.weights[0]), low: decimal(without.entropy), mild: two(scaled.weights[0]), high: decimal(scaled.entropy), most: decimal(Math.log(keys)) }))
}

/** @param {Root} root */
function build(root) {
  const { words, language } = root.data
  /** @type {(name: string, label: string, least: number, most: number, value: number) => HTMLElement} */
  const slider = (name, label, least, most, value) => make("label", {}, make("span", {}, `${label}: `, make("b", { "data-value": name })),
    make("input", { type: "range", "data-name": name, min: least, max: most, step: 1, value }))
  /** @type {(kind: string, text: string) => HTMLElement} */
  const sample = (kind, text) => make("span", { class: `sample ${kind}` }, make("i", { "aria-hidden": "true" }), text)
  root.lang = language
  root.replaceChildren(
    make("h2", {}, words.heading), make("p", {}, words.lead),
    make("div", { class: "controls" }, slider("power", words.d, 0, POWERS, root.power), slider("keys", words.keys, KEYS[0], KEYS[1], root.keys),
      make("button", { type: "button" }, words.again)),
    make("p", { class: "legend" }, sample("without", words.without), sample("scaled", words.with_scale)),
    make("div", { class: "pictures" },
      make("figure", {}, make("figcaption", {}, words.weights), make("div", { class: "bars" })),
      make("figure", {}, make("figcaption", {}, filled(words.entropy, { queries: QUERIES })), make("div", { class: "curves" }))),
    make("p", { class: "told", "aria-live": "polite" }), make("p", { class: "soft" }, words.note))
  announce(find(root, ".pictures"))
  redraw(root)
}

/** @param {Root} root */
function begin(root) {
  root.power = 6
  root.keys = 12
  root.seed = 1
  root.oninput = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if (event.target.dataset.name === "power") root.power = Number(event.target.value)
    else root.keys = Number(event.target.value)
    redraw(root)
  }
  root.onclick = (event) => {
    if (!(event.target instanceof HTMLButtonElement)) return
    root.seed += 1
    redraw(root)
  }
}

/** @param {Mounted<RootData>} mounted */
export default function whyRoot({ data: [data], parentElement }) {
  const root = /** @type {Root} */ (rooted(parentElement, "root", {}, begin))
  const drawn = JSON.stringify(data)
  if (root.drawn === drawn) return
  root.drawn = drawn
  root.data = data
  build(root)
}
