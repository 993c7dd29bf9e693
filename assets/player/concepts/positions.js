// Show positional encodings over one axis of positions: the sines, the dot product with one position, and how the model does
// when the sentence starts later. Two sliders choose a position and a shift.

/** @import { PositionsData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { line as buildLinePath } from "d3-shape"
import { draw, find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawRule } from "./axes.js"
import { computeDotAtDistance, computeFrequency } from "./encodings.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { makeSlider, showSlider } from "./sliders.js"
import { stripBackground } from "./strips.js"
import { handleTokenKey, makeTokenButtons } from "./token_buttons.js"

/** @typedef {ComponentRoot<PositionsData> & { position: number, shift: number }} Root */

const ROWS = 32 // sines in the picture
const SLOWEST = 0.6 // of the pairs; slower ones hardly change within the axis
const HANDS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => k / 8) // pairs drawn as clock hands, as shares of all
const MAX_SHIFT = 40
const MAX_PRODUCT = 0.7 // in the exercise
const [WIDTH, HEIGHT] = [960, 120] // of a curve, in its own units
const [TOP, BOTTOM] = [14, HEIGHT - 8]

/** @param {Root} root */
const getLastPosition = ({ data }) => data.shifts[data.shifts.length - 1]

/** @param {Root} root */
const makeX = (root) => scaleLinear([-0.5, getLastPosition(root) + 0.5], [0, WIDTH])

/** @param {Root} root */
function drawSines(root) {
  const { d } = root.data
  const pairs = Array.from({ length: ROWS }, (_, row) => Math.round(row * SLOWEST * d / 2 / (ROWS - 1)))
  const positions = Array.from({ length: getLastPosition(root) + 1 }, (_, position) => position)
  return pairs.map((i) => make("div", { class: "sine", style: stripBackground(positions.map((position) => Math.sin(position * computeFrequency(i, d))), 1) }))
}

/** @type {(root: Root, values: [number, number][], range: [number, number], ticks: number[], hasPoints?: boolean) => SVGSVGElement} */
function drawCurve(root, values, range, ticks, hasPoints = false) {
  const x = makeX(root)
  const y = scaleLinear(range, [BOTTOM, TOP])
  const { max_training_length: trainingLength } = root.data
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    trainingLength != null && draw("rect", { class: "beyond", x: x(trainingLength - 0.5), width: WIDTH - x(trainingLength - 0.5), y: 0, height: HEIGHT }),
    ...ticks.map((tick) => drawRule(0, WIDTH, y(tick))),
    draw("path", { class: "curve", d: buildLinePath(([position]) => x(position), ([, value]) => y(value))(values) }),
    ...(hasPoints ? values.map(([position, value]) => draw("path", { class: "dot", d: `M${x(position)} ${y(value)}h.01` })) : []))
}

/**
 * Draw the clock hand of one pair of dimensions, at a `share` (0 to 1) of all pairs.
 * @type {(root: Root, share: number) => SVGSVGElement}
 */
function drawHand({ data, position, shift }, share) {
  const speed = computeFrequency(Math.round(share * (data.d / 2)), data.d)
  /** @type {(handPosition: number, kind: string) => SVGLineElement} */
  const hand = (handPosition, kind) => draw("line", { class: kind, x1: 0, y1: 0, x2: 17 * Math.sin(handPosition * speed), y2: -17 * Math.cos(handPosition * speed) })
  return draw("svg", { viewBox: "-20 -20 40 40", class: "clock", "aria-hidden": "true" }, draw("circle", { r: 18 }), hand(position + shift, "moved"), hand(position, "now"))
}

/** @param {Root} root */
function renderPosition(root) {
  const { data, position, shift } = root
  const { messages, d, tokens } = data
  const last = getLastPosition(root)
  const pairCount = d / 2
  find(root, ".dots").replaceChildren(drawCurve(root,
    Array.from({ length: last + 1 }, (_, otherPosition) => [otherPosition, computeDotAtDistance(otherPosition - position, d) / pairCount]), [-0.1, 1], [0, 1]))
  find(root, ".clocks").replaceChildren(...HANDS.map((share) => drawHand(root, share)))
  for (const node of findAll(root, ".cursor")) node.style.left = `${100 * (position + 0.5) / (last + 1)}%`
  for (const node of findAll(root, ".cursor.moved")) node.style.left = `${100 * (Math.min(position + shift, last) + 0.5) / (last + 1)}%`
  showPressed(root, "k", position)
  showSlider(root, "position", String(position), position)
  showSlider(root, "shift", String(shift))
  const positionText = position < tokens.length ? formatTemplate(messages.at_token, { position, token: tokens[position] }) : formatTemplate(messages.at, { position })
  setText(find(root, ".description"), `${positionText} ${formatTemplate(messages.description, { position, moved: position + shift, shift, d, value: formatDecimal(computeDotAtDistance(shift, d) / pairCount) })}`)
}

/** @type {(dimension: string, wave: string) => HTMLElement} */
const makeEncoding = (dimension, wave) => make("span", {}, `PE(pos, ${dimension}) = ${wave}(pos / 10000`, make("sup", {}, "2i/d"), ")")

/** @param {Root} root */
function buildPositions(root) {
  const { data } = root
  const { messages, language, d, tokens, token_language: tokenLanguage, max_training_length: trainingLength, shifts, log_probs: logProbs, model } = data
  const last = getLastPosition(root)
  root.lang = language
  root.position = Math.min(root.position, last)
  const minimum = Math.floor(Math.min(...logProbs, -1))
  /** @type {(kind: string, ...children: Node[]) => HTMLElement} */
  const panel = (kind, ...children) => make("div", { class: `panel ${kind}` }, make("div", { class: "drawing" }, ...children), make("i", { class: "cursor" }), make("i", { class: "cursor moved" }))
  const ticks = make("p", { class: "ticks soft", "aria-hidden": "true" }, ...Array.from({ length: Math.floor(last / 40) + 1 }, (_, k) =>
    make("span", { style: `left: ${100 * (40 * k + 0.5) / (last + 1)}%` }, String(40 * k))))
  root.replaceChildren(
    make("p", { class: "formula" }, makeEncoding("2i", "sin"), makeEncoding("2i+1", "cos"), make("span", {}, `${messages.input} = √d · E x + PE(pos)`)),
    make("p", { class: "tokens", role: "group", "aria-label": messages.tokens }, ...makeTokenButtons(tokens, tokenLanguage, 0)),
    make("div", { class: "controls" }, makeSlider("position", messages.slider_position, 0, last, root.position), makeSlider("shift", messages.slider_shift, 0, MAX_SHIFT, root.shift)),
    make("figure", {}, make("figcaption", {}, formatTemplate(messages.sines, { rows: ROWS, d })), panel("sines", ...drawSines(root))),
    make("figure", {}, make("figcaption", {}, messages.dots), panel("dots-panel", make("div", { class: "dots" }))),
    make("figure", {}, make("figcaption", {}, formatTemplate(messages.measured, { model, low: formatDecimal(minimum, 0) })),
      panel("measured", drawCurve(root, shifts.map((shift, k) => [shift, logProbs[k]]), [minimum, 0], [minimum, 0], true))),
    ticks,
    make("figure", { class: "hands" }, make("figcaption", {}, messages.hands), make("div", { class: "clocks" })),
    make("p", { class: "description", "aria-live": "polite" }),
    make("p", {}, formatTemplate(messages.shifted, { model, start: formatDecimal(logProbs[0]), later: formatDecimal(logProbs[shifts.indexOf(40)]), last, end: formatDecimal(logProbs[logProbs.length - 1]) }),
      " ", trainingLength ? formatTemplate(messages.trained, { trained: trainingLength }) : messages.untrained))
  registerSection(root)
  renderPosition(root)
}

/** @param {Root} root */
function setUp(root) {
  root.position = 3
  root.shift = 5
  root.oninput = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    root[event.target.dataset.name === "position" ? "position" : "shift"] = Number(event.target.value)
    renderPosition(root)
  }
  root.onclick = (event) => {
    const word = findClosest(event.target, ".word")
    if (!word) return
    root.position = Number(word.dataset.k)
    renderPosition(root)
  }
  root.onkeydown = (event) => {
    const word = findClosest(event.target, ".word")
    if (word && !hasModifier(event) && handleTokenKey(word, event.key)) event.preventDefault()
  }
}

/**
 * Ask for the smallest shift whose dot product is below MAX_PRODUCT of the largest one.
 * @type {(data: Pick<PositionsData, "d">) => Question | null}
 */
export function askFarShift({ d }) {
  const scale = Array.from({ length: MAX_SHIFT + 1 }, (_, shift) => shift)
  /** @param {number} shift */
  const product = (shift) => roundAsPrinted(computeDotAtDistance(shift, d) / (d / 2))
  const shift = scale.find((one) => product(one) < MAX_PRODUCT)
  if (shift == null) return null
  return {
    places: { far: formatDecimal(MAX_PRODUCT), shift, value: formatDecimal(product(shift)), near: formatDecimal(product(shift - 1)) }, scale,
    judge: (answer) => (answer === shift ? null : { key: answer < shift ? "positions_small" : "positions_large", places: { answer, value: formatDecimal(product(answer)) } }),
  }
}

/** @param {Mounted<PositionsData>} mounted */
export default function mountPositionalEncodings({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "positions", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildPositions(root)
  offerExercise("positions", root, () => askFarShift(data))
}
