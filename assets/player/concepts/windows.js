// Global attention against the local windows of Luong et al. (2015), over the scores of a trained global model.

/** @import { WindowsData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { line as buildLinePath } from "d3-shape"
import { draw, find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData, typeset } from "../shared/dom.js"
import { argmax, formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { shareInWindow, weighInWindow } from "./attention_math.js"
import { describeStep, findStep, makeLegendEntry, makeMatrix, makeStepSlider, makeSteps, showMatrix, showStep } from "./attention_parts.js"
import { drawRule, drawTick } from "./axes.js"
import { softmax } from "./entropy.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { reserveHeight } from "./reserve.js"
import { makeSlider, showSlider } from "./sliders.js"

/** @typedef {"global" | "local_m" | "local_p"} Kind */
/** @typedef {ComponentRoot<WindowsData> & { kind: Kind, step: number, distance: number, isRenormalised: boolean, centers: number[] }} Root */

const KINDS = /** @type {Kind[]} */ (["global", "local_m", "local_p"])
const FORMULAS = {
  global: "α = softmax(e₁, …, e_S)", local_m: "p = t;  α = softmax(eⱼ : p − D ≤ j ≤ p + D)",
  local_p: "p = S·σ(vᵀ tanh(Ws));  αⱼ = softmax(eⱼ : p − D ≤ j ≤ p + D) · exp(−(j − p)² / 2σ²),  σ = D/2",
}
const [WIDTH, HEIGHT, LABELS] = [560, 250, 74] // in the picture's own units; LABELS: height of the tokens below
const LEFT = 30
const MAX_DISTANCE = 10
const ENOUGH = 0.9 // of the global attention, in the exercise
const TENTHS = 10 // steps of the centre's slider in a position

/** @type {(data: WindowsData, step: number) => number} */
const computeMonotonicCenter = ({ source }, step) => Math.min(step + 1, source.length)

/**
 * Return the centre of a step's window, counted from 1: the step for local-m, what the reader chose for local-p.
 * @type {(root: Root, step: number) => number}
 */
const getCenter = ({ kind, centers, data }, step) => (kind === "local_m" ? computeMonotonicCenter(data, step) : centers[step])

/** @type {(root: Root, step: number) => number[]} */
function weigh(root, step) {
  const energies = root.data.energies[step]
  if (root.kind === "global") return softmax(energies)
  return weighInWindow(energies, getCenter(root, step), root.distance, root.kind === "local_p", root.isRenormalised)
}

/** @param {Root} root */
function drawStep(root) {
  const { data, step, distance, kind } = root
  const global = softmax(data.energies[step]), local = weigh(root, step), count = data.source.length
  const xOf = scaleLinear([0.5, count + 0.5], [LEFT, WIDTH - 6]), yOf = scaleLinear([0, 1], [HEIGHT - LABELS, 8])
  const slot = (WIDTH - 6 - LEFT) / count, center = getCenter(root, step)
  /** @type {(weights: number[], name: string, shift: number, width: number) => SVGRectElement[]} */
  const bars = (weights, name, shift, width) => weights.map((weight, j) => draw("rect", {
    class: name, x: LEFT + slot * (j + shift), width: slot * width, y: yOf(weight), height: yOf(0) - yOf(weight) }))
  const positions = Array.from({ length: 81 }, (_, k) => center - distance + (k * distance) / 40).filter((x) => x >= 0.5 && x <= count + 0.5)
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    kind !== "global" && draw("rect", { class: "band", x: xOf(center - distance - 0.5), width: xOf(center + distance + 0.5) - xOf(center - distance - 0.5), y: yOf(1), height: yOf(0) - yOf(1) }),
    ...[0, 0.5, 1].flatMap((share) => [
      drawRule(LEFT, WIDTH - 6, yOf(share)), drawTick(LEFT - 5, yOf(share) + 4, "end", String(share), "tick number")]),
    ...bars(global, "global", 0.1, kind === "global" ? 0 : 0.36), ...bars(local, "local", kind === "global" ? 0.2 : 0.5, kind === "global" ? 0.6 : 0.36),
    kind === "local_p" && draw("path", { class: "gauss", d: buildLinePath((/** @type {number} */ x) => xOf(x), (x) => yOf(Math.exp(-2 * ((x - center) / distance) ** 2)))(positions) }),
    ...data.source.map((token, j) => draw("text", { class: "tick", "text-anchor": "end", transform: `translate(${xOf(j + 1) + 4} ${HEIGHT - LABELS + 12}) rotate(-60)` }, token)))
}

/** @param {Root} root */
function renderWindow(root) {
  const { data, step, distance, kind } = root
  const { messages, shared_messages: sharedMessages, source, target } = data
  const all = target.map((_, i) => weigh(root, i))
  const keptShares = target.map((_, i) => shareInWindow(data.energies[i], getCenter(root, i), distance))
  showPressed(root, "kind", kind)
  for (const node of findAll(root, "[data-only]")) {
    const isUsed = (node.dataset.only ?? "").split(" ").includes(kind)
    node.classList.toggle("unused", !isUsed)
    for (const input of node.querySelectorAll("input")) input.disabled = !isUsed
  }
  showStep(root, step)
  showSlider(root, "step", describeStep(sharedMessages, step, target), step)
  showSlider(root, "distance", String(distance))
  showSlider(root, "center", formatDecimal(getCenter(root, step), 1), Math.round(getCenter(root, step) * TENTHS))
  find(root, ".step-picture").replaceChildren(drawStep(root))
  showMatrix(root, all, step)
  find(root, ".formula").replaceChildren(...typeset(FORMULAS[kind]))
  setText(find(root, ".about"), messages[`about_${kind}`])
  const windowTranslation = kind === "global" ? data.translation : data[kind][distance - 1]
  setText(find(root, ".limited-label"), formatTemplate(messages.translation, { distance }))
  setText(find(root, ".limited"), windowTranslation)
  setText(find(root, ".compared"), windowTranslation === data.translation ? messages.same : messages.changed)
  setText(find(root, ".description"), kind === "global" ? formatTemplate(messages.description_global, { count: source.length }) : formatTemplate(messages.description, {
    center: formatDecimal(getCenter(root, step), 1), kept: formatShare(keptShares[step]), mean: formatShare(keptShares.reduce((a, b) => a + b, 0) / keptShares.length),
    sum: formatDecimal(all[step].reduce((a, b) => a + b, 0)), read: source.filter((_, j) => Math.abs(j + 1 - getCenter(root, step)) <= distance).length, count: source.length }))
}

/** @param {Root} root */
function buildWindows(root) {
  const { data } = root
  const { messages, shared_messages: sharedMessages, source, target } = data
  root.lang = data.language
  /** @type {(kinds: string, node: HTMLElement) => HTMLElement} */
  const limitToKinds = (kinds, node) => {
    node.dataset.only = kinds
    return node
  }
  root.replaceChildren(
    make("div", { class: "choices" },
      make("span", { class: "buttons", role: "group", "aria-label": messages.choose }, ...KINDS.map((kind) => make("button", { type: "button", "data-kind": kind, "aria-pressed": "false" }, messages[`kind_${kind}`]))),
      make("p", { class: "formula" })),
    makeSteps(target, sharedMessages),
    make("div", { class: "controls" },
      makeStepSlider(sharedMessages, 0, target.length - 1, root.step),
      limitToKinds("local_m local_p", makeSlider("distance", messages.distance, 1, MAX_DISTANCE, root.distance)),
      limitToKinds("local_p", makeSlider("center", messages.center, TENTHS, source.length * TENTHS, TENTHS)),
      limitToKinds("local_p", make("label", {}, make("input", { type: "checkbox", "data-name": "renormalised", checked: root.isRenormalised ? "" : null }), ` ${messages.renormalise}`))),
    make("section", { class: "picture side" },
      make("div", { class: "step" },
        make("div", { class: "step-picture" }),
        make("p", { class: "legend note" }, makeLegendEntry("local", messages.legend_local), limitToKinds("local_m local_p", makeLegendEntry("global", messages.legend_global))),
        make("p", { class: "about" }), make("p", { class: "description", "aria-live": "polite" }),
        make("dl", { class: "translations" },
          make("dt", {}, messages.translation_global), make("dd", { lang: data.target_language }, data.translation),
          make("dt", { class: "limited-label", "data-only": "local_m local_p" }),
          make("dd", { class: "limited-line", "data-only": "local_m local_p" }, make("span", { class: "limited", lang: data.target_language }), " ", make("span", { class: "compared note" })))),
      makeMatrix(target, source, messages.label, ({ row }) => goTo(root, row))),
    make("p", { class: "note" }, messages.note), make("p", { class: "footnote" }, data.provenance))
  reserveHeight(find(root, ".formula"), () => KINDS.map((kind) => typeset(FORMULAS[kind])))
  reserveHeight(find(root, ".about"), () => KINDS.map((kind) => [messages[`about_${kind}`]]))
  reserveHeight(find(root, ".description"), () => [[formatTemplate(messages.description, { center: formatDecimal(source.length, 1), kept: formatShare(0.99), mean: formatShare(0.99), sum: formatDecimal(1), read: source.length, count: source.length })]])
  reserveHeight(find(root, ".limited-line"), () => [...data.local_m, ...data.local_p].map((text) => [`${text} ${messages.changed}`]))
  registerSection(root, { go: (direction) => chooseKind(root, KINDS[KINDS.indexOf(root.kind) + direction]) })
  registerSection(find(root, ".picture"))
  renderWindow(root)
}

/** @type {(root: Root, step: number) => boolean} */
function goTo(root, step) {
  if (step < 0 || step >= root.data.target.length) return false
  if (step === root.step) return true
  root.step = step
  renderWindow(root)
  return true
}

/** @type {(root: Root, kind: Kind | undefined) => boolean} */
function chooseKind(root, kind) {
  if (!kind) return false
  root.kind = kind
  renderWindow(root)
  return true
}

/** @param {Root} root */
function setUp(root) {
  root.kind = "local_m"
  root.distance = 2
  root.isRenormalised = false
  root.oninput = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    const { name } = target.dataset
    if (name === "renormalised") root.isRenormalised = target.checked
    else if (name === "step") root.step = Number(target.value)
    else if (name === "distance") root.distance = Number(target.value)
    else root.centers[root.step] = Number(target.value) / TENTHS
    renderWindow(root)
  }
  root.onclick = (event) => {
    const kind = /** @type {Kind | undefined} */ (findClosest(event.target, "[data-kind]")?.dataset.kind)
    if (!chooseKind(root, kind)) goTo(root, findStep(event) ?? -1)
  }
}

/**
 * Ask for the smallest window of local-m that holds ENOUGH of a step's global attention. Of the steps with such a window, it
 * is the one that attends to a word furthest from its centre.
 * @type {(data: WindowsData) => Question | null}
 */
export function askSmallestWindow(data) {
  const { energies, target } = data
  const scale = Array.from({ length: MAX_DISTANCE }, (_, k) => k + 1)
  /** @type {(step: number, distance: number) => number} */
  const share = (step, distance) => shareInWindow(energies[step], computeMonotonicCenter(data, step), distance)
  const steps = energies.map((row, step) => ({
    step, attendedIndex: argmax(row), distance: scale.find((distance) => roundAsPrinted(share(step, distance)) >= ENOUGH) ?? 0 }))
  /** @param {typeof steps[number]} one */
  const offset = ({ step, attendedIndex }) => Math.abs(attendedIndex + 1 - computeMonotonicCenter(data, step))
  const end = data.source.length - 1
  const [best] = steps.filter(({ attendedIndex, distance }) => distance && attendedIndex < end).sort((a, b) => offset(b) - offset(a))
  if (!best) return null
  const { step, attendedIndex, distance } = best
  return {
    places: { token: target[step], step: step + 1, enough: formatDecimal(ENOUGH), distance, kept: formatShare(share(step, distance)), center: computeMonotonicCenter(data, step), source: data.source[attendedIndex], place: attendedIndex + 1 }, scale,
    judge: (answer) => (answer === distance ? null : { key: answer < distance ? "windows_small" : "windows_large", places: { answer, kept: formatShare(share(step, answer)) } }),
  }
}

/** @param {Mounted<WindowsData>} mounted */
export default function mountWindows({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "windows", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  root.step = Math.min(2, data.target.length - 1)
  root.centers = data.energies.map((row) => argmax(row) + 1)
  buildWindows(root)
  offerExercise("windows", root, () => askSmallestWindow(data))
}
