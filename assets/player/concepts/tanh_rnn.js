// Show vanishing and exploding gradients of a plain tanh RNN over the sentence: the product of W and tanh′ from the last state
// back to each earlier one, on a logarithmic axis.

/** @import { TanhData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { draw, find, make, mountRoot, setText, storeData, typeset } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawCursor, drawRule, drawTick, findPosition, makeCurveSample } from "./axes.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { formatGradient } from "./gradients_plot.js"
import { measureGradients } from "./recurrence.js"
import { makeInlineSlider, showSlider } from "./sliders.js"

/** @typedef {ComponentRoot<TanhData> & { lambda: number, size: number, pointedToken: number }} Root */

const EQUATION = "hₜ = tanh(W hₜ₋₁ + xₜ)   ∂h_T/∂hₜ = ∏ diag(1 − hₖ²)·W,  k = t+1 … T"
const [WIDTH, HEIGHT] = [900, 280] // in the plot's own units
const EDGE = { left: 62, right: 36, top: 12, bottom: 26 }
const [VANISHED, EXPLODED] = [0.5, 2]
const LAMBDAS = { min: 0.5, max: 1.5, step: 0.05 }
const INPUT_SIZE = 0.3
const DECADES = 6 // powers of ten above and below 1; what lies beyond is drawn at the edge

/** @param {number} count */
const makeX = (count) => scaleLinear([0, Math.max(1, count - 1)], [EDGE.left, WIDTH - EDGE.right])

const yOf = scaleLinear([-DECADES, DECADES], [HEIGHT - EDGE.bottom, EDGE.top])

/** @param {number} value */
const logY = (value) => yOf(Math.log10(Math.max(value, 1e-300)))

/** @type {(root: Root, norms: number[]) => SVGSVGElement} */
function drawNorms({ data: { tokens }, lambda, pointedToken }, norms) {
  const x = makeX(tokens.length)
  const last = tokens.length - 1
  const stride = Math.ceil(tokens.length / 16)
  const cursorToken = pointedToken < 0 ? 0 : pointedToken
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...[-6, -4, -2, 0, 2, 4, 6].flatMap((power) => [drawRule(EDGE.left, WIDTH - EDGE.right, yOf(power), power ? "rule" : "one"),
      drawTick(EDGE.left - 8, yOf(power) + 4, "end", power > 0 ? (10 ** power).toLocaleString("en") : formatGradient(10 ** power))]),
    ...tokens.flatMap((token, k) => (k % stride ? [] : [drawTick(x(k), HEIGHT - 6, "middle", token)])),
    drawCursor(x(cursorToken), EDGE.top, HEIGHT - EDGE.bottom),
    drawCurve(tokens.map((_, k) => lambda ** (last - k)), "without", x, logY), drawCurve(norms, "with", x, logY),
    ...norms.map((value, k) => draw("circle", { cx: x(k), cy: logY(value), r: k === cursorToken ? 5 : 2.6, fill: "var(--src)" })))
}

/** @param {number} value */
const formatNorm = (value) => (value >= 1000 ? Math.round(value).toLocaleString("en") : formatGradient(value))

/** @param {Root} root */
function updatePicture(root) {
  const { data: { messages, tokens, matrix, inputs }, lambda, size, pointedToken } = root
  const { norms, slopes } = measureGradients(matrix, inputs, lambda, size)
  const last = tokens.length - 1
  find(root, ".plot div").replaceChildren(drawNorms(root, norms))
  showSlider(root, "lambda", formatDecimal(lambda))
  showSlider(root, "size", formatDecimal(size))
  const bare = lambda ** last
  const template = norms[0] < VANISHED && bare > EXPLODED ? messages.damped : norms[0] < VANISHED ? messages.vanishes : norms[0] > EXPLODED ? messages.explodes : bare > EXPLODED ? messages.damped : messages.keeps
  const text = formatTemplate(template, { value: formatDecimal(lambda), token: tokens[0], steps: last, norm: formatNorm(norms[0]), bare: formatNorm(bare) })
  setText(find(root, ".description"), text)
  const cursorToken = pointedToken < 0 ? 0 : pointedToken
  setText(find(root, ".at"), formatTemplate(messages.at, { token: `“${tokens[cursorToken]}”`, steps: last - cursorToken, norm: formatNorm(norms[cursorToken]), slope: formatDecimal(slopes[cursorToken]) }))
  const plot = find(root, ".plot")
  plot.setAttribute("aria-valuenow", String(cursorToken))
  plot.setAttribute("aria-valuetext", find(root, ".at").textContent ?? "")
}

/** @param {Root} root */
function buildPicture(root) {
  const { data: { messages, tokens, language } } = root
  root.lang = language
  root.pointedToken = -1
  const plot = make("figure", { class: "plot", role: "slider", tabindex: 0, "aria-label": messages.label, "aria-valuemin": 0, "aria-valuemax": tokens.length - 1 }, make("figcaption", {}, ...typeset(messages.axis)), make("div", {}))
  /** @param {number} k */
  const point = (k) => {
    root.pointedToken = Math.max(0, Math.min(tokens.length - 1, k))
    updatePicture(root)
  }
  plot.onpointermove = ({ clientX }) => point(findPosition(find(plot, "svg"), clientX, { width: WIDTH, left: EDGE.left, right: WIDTH - EDGE.right, last: tokens.length - 1 }))
  plot.onkeydown = (event) => {
    if (hasModifier(event)) return
    const offset = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -tokens.length, End: tokens.length }[event.key]
    if (!offset) return
    event.preventDefault()
    point(Math.max(0, root.pointedToken) + offset)
  }
  const section = make("section", {}, make("h2", {}, messages.heading),
    make("div", { class: "controls" }, makeInlineSlider({ name: "lambda", label: messages.lambda, ...LAMBDAS, value: root.lambda }),
      makeInlineSlider({ name: "size", label: messages.input, min: 0, max: 2, step: 0.1, value: root.size })),
    make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "equation" }, ...typeset(EQUATION)), plot,
    make("p", { class: "legend" }, ...[["with", messages.with_tanh], ["without", messages.without_tanh]].map(([kind, text]) =>
      makeCurveSample(kind, text))),
    make("p", { class: "at soft" }), make("p", { class: "soft" }, messages.note))
  root.replaceChildren(section)
  registerSection(section)
  updatePicture(root)
}

/** @param {Root} root */
function setUp(root) {
  root.lambda = 0.7
  root.size = INPUT_SIZE
  root.oninput = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset.name === "lambda") root.lambda = Number(target.value)
    else root.size = Number(target.value)
    updatePicture(root)
  }
}

/**
 * Ask for the smallest |λ| with which half of the gradient reaches the first token.
 * @type {(data: TanhData) => Question | null}
 */
export function askSmallestLambda({ tokens, matrix, inputs }) {
  const { min, max, step } = LAMBDAS
  const scale = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, k) => roundAsPrinted(min + k * step))
  const norms = scale.map((lambda) => measureGradients(matrix, inputs, lambda, INPUT_SIZE).norms[0])
  const first = norms.findIndex((norm) => roundAsPrinted(norm, 3) >= VANISHED)
  if (first < 0) return null
  return {
    places: { token: tokens[0], size: formatDecimal(INPUT_SIZE), value: formatDecimal(scale[first]), norm: formatNorm(norms[first]), steps: tokens.length - 1 }, scale,
    judge(answer) {
      const index = scale.indexOf(answer)
      return index === first ? null : { key: index < first ? "gradients_low" : "gradients_high", places: { answer: formatDecimal(answer), norm: formatNorm(norms[index]), token: tokens[0] } }
    },
  }
}

/** @param {Mounted<TanhData>} mounted */
export default function mountTanhRnn({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "tanh-rnn", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildPicture(root)
  offerExercise("gradients", root, () => askSmallestLambda(data))
}
