// Show why attention divides by √d: the weights of one query, and their entropy over d, with and without scaling. Everything
// is computed here from a seed.

/** @import { ScalingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { draw, find, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, formatShare } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawCursor, drawRule, drawTick } from "./axes.js"
import { measureSharpness } from "./entropy.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { makeSlider, showSlider } from "./sliders.js"

/**
 * @typedef {object} ScalingState
 * @property {number} power log2 of d
 * @property {number} keys
 * @property {number} seed
 */
/** @typedef {ComponentRoot<ScalingData> & ScalingState} Root */

const MAX_POWER = 9 // d up to 512
const QUERIES = 20
const KEY_RANGE = [2, 32] // minimum and maximum
const KEYS = 12 // at first, and in the exercise
const [WIDTH, HEIGHT] = [460, 240] // in the picture's own units
const EDGE = { left: 34, right: 10, top: 10, bottom: 30 }

/** @typedef {ReturnType<typeof measureSharpness>} Sharpness */

const xOf = scaleLinear([0, 1], [EDGE.left, WIDTH - EDGE.right])
const yOf = scaleLinear([0, 1], [HEIGHT - EDGE.bottom, EDGE.top])

/** @param {Sharpness} sharpness */
function drawBars({ without, scaled }) {
  const count = without.weights.length
  const slotWidth = (xOf(1) - xOf(0)) / count
  /** @type {(weights: number[], kind: string, shift: number) => SVGRectElement[]} */
  const row = (weights, kind, shift) => weights.map((weight, k) => draw("rect", {
    class: kind, x: xOf(0) + slotWidth * (k + shift), y: yOf(weight), width: slotWidth * 0.42, height: yOf(0) - yOf(weight) }))
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...[0, 0.5, 1].flatMap((share) => [drawRule(xOf(0), xOf(1), yOf(share)), drawTick(xOf(0) - 6, yOf(share) + 4, "end", String(share))]),
    ...row(without.weights, "without", 0.06), ...row(scaled.weights, "scaled", 0.52))
}

/**
 * Draw the entropy over d, up to that of uniform weights.
 * @type {(root: Root, results: Sharpness[]) => SVGSVGElement}
 */
function drawCurves({ keys, power, data }, results) {
  const maxEntropy = Math.log(keys)
  /** @type {(series: "without" | "scaled") => SVGPathElement} */
  const curve = (series) => drawCurve(results.map((item) => item[series].entropy / maxEntropy), series, (k) => xOf(k / MAX_POWER), yOf)
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    drawRule(xOf(0), xOf(1), yOf(1), "rule even"), drawRule(xOf(0), xOf(1), yOf(0)),
    drawTick(xOf(1), yOf(1) + 15, "end", formatTemplate(data.messages.even, { keys, value: formatDecimal(maxEntropy) })),
    drawTick(xOf(0) - 6, yOf(0) + 4, "end", "0"),
    ...results.map((_, k) => drawTick(xOf(k / MAX_POWER), HEIGHT - 12, "middle", String(2 ** k))),
    drawCursor(xOf(power / MAX_POWER), yOf(1), yOf(0)), curve("without"), curve("scaled"),
    ...(/** @type {const} */ (["without", "scaled"])).map((variant) =>
      draw("circle", { class: `point ${variant}`, cx: xOf(power / MAX_POWER), cy: yOf(results[power][variant].entropy / maxEntropy), r: 5 })))
}

/** @type {(keys: number, seed: number) => Sharpness[]} */
const measureAll = (keys, seed) => Array.from({ length: MAX_POWER + 1 }, (_, k) => measureSharpness(2 ** k, keys, QUERIES, seed))

/** @param {Root} root */
function renderPictures(root) {
  const { keys, power, seed, data } = root
  const { messages } = data
  const results = measureAll(keys, seed)
  const { without, scaled } = results[power]
  find(root, ".bars").replaceChildren(drawBars(results[power]))
  find(root, ".curves").replaceChildren(drawCurves(root, results))
  showSlider(root, "power", String(2 ** power))
  showSlider(root, "keys", String(keys))
  setText(find(root, ".description"), formatTemplate(messages.description, {
    d: 2 ** power, sharp: formatShare(without.weights[0]), low: formatDecimal(without.entropy), mild: formatShare(scaled.weights[0]), high: formatDecimal(scaled.entropy), most: formatDecimal(Math.log(keys)) }))
}

/** @param {Root} root */
function buildScaling(root) {
  const { messages, language } = root.data
  /** @type {(kind: string, text: string) => HTMLElement} */
  const sample = (kind, text) => make("span", { class: `sample ${kind}` }, make("i", { "aria-hidden": "true" }), text)
  root.lang = language
  root.replaceChildren(
    make("div", { class: "controls" }, makeSlider("power", messages.d, 0, MAX_POWER, root.power), makeSlider("keys", messages.keys, KEY_RANGE[0], KEY_RANGE[1], root.keys),
      make("button", { type: "button" }, messages.again)),
    make("p", { class: "legend" }, sample("without", messages.without), sample("scaled", messages.with_scale)),
    make("div", { class: "pictures" },
      make("figure", {}, make("figcaption", {}, messages.weights), make("div", { class: "bars" })),
      make("figure", {}, make("figcaption", {}, formatTemplate(messages.entropy, { queries: QUERIES })), make("div", { class: "curves" }))),
    make("p", { class: "description", "aria-live": "polite" }), make("p", {}, messages.lead), make("p", { class: "soft" }, messages.note))
  registerSection(root)
  renderPictures(root)
}

/** @param {Root} root */
function setUp(root) {
  root.power = 6
  root.keys = KEYS
  root.seed = 1
  root.oninput = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if (event.target.dataset.name === "power") root.power = Number(event.target.value)
    else root.keys = Number(event.target.value)
    renderPictures(root)
  }
  root.onclick = (event) => {
    if (!(event.target instanceof HTMLButtonElement)) return
    root.seed += 1
    renderPictures(root)
  }
}

/**
 * Ask for the smallest d with which the unscaled weights have less than 1 nat of entropy.
 * @type {(seed: number) => Question | null}
 */
export function askSharpDimension(seed) {
  const results = measureAll(KEYS, seed)
  const first = results.findIndex(({ without }) => roundAsPrinted(without.entropy) < 1)
  if (first < 0) return null
  /** @param {number} power */
  const describe = (power) => ({ low: formatDecimal(results[power].without.entropy), high: formatDecimal(results[power].scaled.entropy) })
  return {
    places: { keys: KEYS, d: 2 ** first, most: formatDecimal(Math.log(KEYS)), ...describe(first) }, scale: results.map((_, power) => 2 ** power),
    judge: (answer) => (answer === 2 ** first ? null : { key: answer < 2 ** first ? "scaling_small" : "scaling_large", places: { answer, ...describe(Math.log2(answer)) } }),
  }
}

/** @param {Mounted<ScalingData>} mounted */
export default function mountSoftmaxScaling({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "softmax-scaling", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildScaling(root)
  offerExercise("scaling", root, () => askSharpDimension(root.seed))
}
