// Show the operations of one layer over the sentence length for four types of layers; sliders choose the sizes.

/** @import { CountedCostsData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Sizes } from "./operations.js" */
import { draw, find, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatExponent, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawCursor, drawRule, drawTick } from "./axes.js"
import { countOperations, countPath, countSequential, LAYER_TYPES } from "./operations.js"
import { reserveHeight } from "./reserve.js"
import { makeSlider, showSlider } from "./sliders.js"

/** @typedef {ComponentRoot<CountedCostsData> & { powers: Record<"n" | "d", number>, k: number, r: number }} Root */

const RANGES = { n: [2, 13], d: [5, 11] } // powers of two
const RIVAL_RANGES = { k: [2, 15], r: [4, 64] }
const [WIDTH, HEIGHT] = [620, 300] // in the picture's own units
const EDGE = { left: 46, right: 22, top: 10, bottom: 30 }
const DECADES = [3, 6, 9, 12] // labelled powers of ten
const FORMULAS = { recurrent: "n·d²", convolution: "k·n·d²", self_attention: "n²·d", restricted: "r·n·d" }
const ORDERS = { recurrent: ["O(n)", "O(n)"], convolution: ["O(1)", "O(logₖ n)"], self_attention: ["O(1)", "O(1)"], restricted: ["O(1)", "O(n/r)"] }

/** @type {(root: Root) => Sizes} */
const readSizes = ({ powers, k, r }) => ({ n: 2 ** powers.n, d: 2 ** powers.d, k, r })

/** @param {number} count */
export function formatCount(count) {
  if (count < 10000) return String(Math.round(count))
  const [digits, power] = count.toExponential(1).split("e+")
  return `${digits} × 10${formatExponent(power)}`
}

/** @param {Root} root */
function drawCurves(root) {
  const sizes = readSizes(root)
  const x = scaleLinear([RANGES.n[0], RANGES.n[1]], [EDGE.left, WIDTH - EDGE.right])
  const y = scaleLinear([2.5, 12.5], [HEIGHT - EDGE.bottom, EDGE.top])
  const lengths = Array.from({ length: RANGES.n[1] - RANGES.n[0] + 1 }, (_, k) => RANGES.n[0] + k)
  /** @param {number} count */
  const height = (count) => y(Math.log10(count))
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": root.data.messages.curves },
    ...DECADES.flatMap((power) => [drawRule(EDGE.left, WIDTH, y(power)), drawTick(EDGE.left - 6, y(power) + 5, "end", `10${formatExponent(power)}`)]),
    ...lengths.map((power) => drawTick(x(power), HEIGHT - 10, "middle", String(2 ** power))),
    drawCursor(x(root.powers.n), EDGE.top, HEIGHT - EDGE.bottom),
    ...LAYER_TYPES.flatMap((type) => [
      drawCurve(lengths.map((power) => countOperations(type, { ...sizes, n: 2 ** power })), type, (index) => x(lengths[index]), height),
      draw("circle", { class: `point ${type}`, cx: x(root.powers.n), cy: height(countOperations(type, sizes)), r: 5 })]))
}

/** @param {Root} root */
function renderCosts(root) {
  const { messages } = root.data
  const sizes = readSizes(root)
  find(root, ".curves").replaceChildren(drawCurves(root))
  for (const name of /** @type {const} */ (["n", "d", "k", "r"])) showSlider(root, name, String(sizes[name]))
  find(root, "tbody").replaceChildren(...LAYER_TYPES.map((type) => make("tr", { class: type }, make("th", { scope: "row" }, make("i", { "aria-hidden": "true" }), messages[`type_${type}`]),
    ...[[`O(${FORMULAS[type].replaceAll("·", " ")})`, formatCount(countOperations(type, sizes))], [ORDERS[type][0], formatCount(countSequential(type, sizes))], [ORDERS[type][1], formatCount(countPath(type, sizes))]]
      .map(([order, count]) => make("td", {}, make("span", { class: "soft" }, order), ` ${count}`)))))
  const [attention, recurrent] = [countOperations("self_attention", sizes), countOperations("recurrent", sizes)]
  const key = attention === recurrent ? "equal" : attention < recurrent ? "fewer" : "more"
  const ratio = Math.max(attention / recurrent, recurrent / attention)
  setText(find(root, ".description"), formatTemplate(messages[`description_${key}`], { n: sizes.n, d: sizes.d, times: formatCount(ratio) }))
}

/** @param {Root} root */
function buildCosts(root) {
  const { messages, language } = root.data
  root.lang = language
  /** @type {(name: "n" | "d" | "k" | "r", minimum: number, maximum: number, value: number) => HTMLElement} */
  const slider = (name, minimum, maximum, value) => makeSlider(name, messages[`size_${name}`], minimum, maximum, value)
  const [n, d, k, r] = [slider("n", RANGES.n[0], RANGES.n[1], root.powers.n), slider("d", RANGES.d[0], RANGES.d[1], root.powers.d),
    slider("k", RIVAL_RANGES.k[0], RIVAL_RANGES.k[1], root.k), slider("r", RIVAL_RANGES.r[0], RIVAL_RANGES.r[1], root.r)]
  const heads = [messages.type, messages.operations, messages.sequential, messages.path].map((text) => make("th", { scope: "col" }, text))
  root.replaceChildren(make("div", { class: "controls" }, n, d, k, r),
    make("div", { class: "pair" }, make("figure", {}, make("figcaption", {}, messages.curves), make("div", { class: "curves" })),
      make("div", { class: "scroll" }, make("table", {}, make("caption", {}, messages.caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody")))),
    make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "soft" }, messages.note))
  registerSection(find(root, ".pair"))
  reserveHeight(find(root, ".description"), () => [messages.description_fewer, messages.description_more, messages.description_equal].map((template) => [formatTemplate(template, { n: 2 ** RANGES.n[1], d: 2 ** RANGES.d[1], times: formatCount(2 ** RANGES.n[1]) })]))
  renderCosts(root)
}

/** @param {Root} root */
function setUp(root) {
  root.powers = { n: 5, d: 9 }
  root.k = 3
  root.r = 16
  root.oninput = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const name = event.target.dataset.name
    if (name === "n" || name === "d") root.powers[name] = Number(event.target.value)
    else root[name === "k" ? "k" : "r"] = Number(event.target.value)
    renderCosts(root)
  }
}

/** @param {Mounted<CountedCostsData>} mounted */
export default function mountCountedCosts({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "counted-costs", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildCosts(root)
}
