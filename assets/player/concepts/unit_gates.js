// Show one unit of a GRU or an LSTM at every token: old state, gates, candidate, new state. The reader chooses a token and
// forces a gate from there on.

/** @import { UnitGatesData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { draw, find, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawCursor, drawRule, drawTick, makeCurveSample } from "./axes.js"
import { offerExercise } from "./exercise_offers.js"
import { reserveHeight } from "./reserve.js"
import { makeInlineSlider, showSlider } from "./sliders.js"
import { followMemory, getGatesAtStep } from "./units.js"

/** @typedef {ComponentRoot<UnitGatesData> & { model: number, unit: number, step: number, gate: number, value: number }} Root */

const GRU = "s′ = (1 − z)·s + z·s̃ = (1 − {z})·({old}) + {z}·({candidate}) = {new}"
const LSTM = "c′ = f·c + i·c̃ = {f}·({old}) + {i}·({candidate}) = {new}   h = o·tanh(c′) = {o}·tanh({new}) = {output}"
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [860, 190, 40, 26] // in the plot's own units

/** @param {Root} root */
const getModel = (root) => root.data.models[root.model]

/** @param {Root} root */
function getRun(root) {
  const run = getModel(root).units[root.unit]
  const forcing = { gate: root.gate, startStep: root.step, value: root.value }
  return { run, forcing, memory: followMemory(run, forcing) }
}

/** @param {Root} root */
const isGru = (root) => getModel(root).gates.length === 2

/** @type {(root: Root) => Record<string, string>} */
const getGateLabels = ({ data: { messages } }) => ({ update: messages.update, reset: messages.reset, input: messages.input, forget: messages.forget, output: messages.output })

/**
 * Count the rows of the table: those of an LSTM have the output gate and the output as well.
 * @param {number} gateCount
 */
const countRows = (gateCount) => (gateCount === 2 ? 5 : 7)

/** Return the rows of the table: label, values, and whether they are gates.
 * @type {(root: Root) => { label: string, values: number[], isGate: boolean }[]} */
function listRows(root) {
  const { messages } = root.data
  const { run, forcing, memory } = getRun(root)
  const steps = run.candidate.map((_, step) => getGatesAtStep(run, step, forcing))
  const labels = getGateLabels(root)
  const gates = getModel(root).gates.map((name, index) => ({ label: labels[name] ?? name, values: steps.map((row) => row[index]), isGate: true }))
  const old = { label: isGru(root) ? messages.old_state : messages.old_cell, values: memory.slice(0, -1), isGate: false }
  const candidate = { label: `${messages.candidate} ${isGru(root) ? "s̃" : "c̃"}`, values: run.candidate, isGate: false }
  const newMemory = { label: isGru(root) ? messages.new_state : messages.new_cell, values: memory.slice(1), isGate: false }
  if (isGru(root)) return [old, gates[1], candidate, gates[0], newMemory]
  const output = { label: messages.output_state, values: memory.slice(1).map((value, step) => steps[step][2] * Math.tanh(value)), isGate: false }
  return [old, gates[1], candidate, gates[0], newMemory, gates[2], output]
}

/** @param {Root} root */
function drawMemory(root) {
  const { tokens } = getModel(root)
  const { run, memory } = getRun(root)
  const maximum = Math.max(1, ...[...memory, ...run.memory].map(Math.abs))
  const x = scaleLinear([0, tokens.length], [LEFT, WIDTH - 30])
  const y = scaleLinear([-maximum, maximum], [HEIGHT - BOTTOM, 8])
  const stride = Math.ceil(tokens.length / 16)
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    root.gate >= 0 && draw("rect", { class: "shade", x: x(root.step), y: 8, width: x(tokens.length) - x(root.step), height: HEIGHT - BOTTOM - 8 }),
    ...[-maximum, 0, maximum].flatMap((value) => [drawRule(LEFT, WIDTH - 30, y(value)), drawTick(LEFT - 6, y(value) + 4, "end", formatDecimal(value, 1))]),
    ...tokens.flatMap((token, k) => (k % stride ? [] : [drawTick(x(k + 1), HEIGHT - 6, "middle", token)])),
    drawCursor(x(root.step + 1), 8, HEIGHT - BOTTOM),
    drawCurve(run.memory, "real", x, y), root.gate >= 0 && drawCurve(memory, "forced", x, y))
}

/** @param {Root} root */
function describeUnit(root) {
  const { data: { messages }, step, gate, value } = root
  const { gates, tokens } = getModel(root)
  const { run, forcing, memory } = getRun(root)
  const token = tokens[step]
  const [first, second] = getGatesAtStep(run, step, forcing)
  const text = isGru(root) ? formatTemplate(messages.open_gru, { token, z: formatDecimal(first), share: Math.round(100 * first) })
    : formatTemplate(messages.open_lstm, { token, f: formatDecimal(second), i: formatDecimal(first), share: Math.round(100 * second) })
  if (gate < 0) return text
  return `${text} ${formatTemplate(messages.forced_description, { gate: getGateLabels(root)[gates[gate]] ?? gates[gate], value: formatDecimal(value), token, end: formatDecimal(memory[memory.length - 1]), real: formatDecimal(run.memory[run.memory.length - 1]) })}`
}

/** @param {Root} root */
function describeEquation(root) {
  const { run, forcing, memory } = getRun(root)
  const [first, second, third] = getGatesAtStep(run, root.step, forcing).map((value) => formatDecimal(value))
  const parts = { old: formatDecimal(memory[root.step]), candidate: formatDecimal(run.candidate[root.step]), new: formatDecimal(memory[root.step + 1]) }
  if (isGru(root)) return formatTemplate(GRU, { ...parts, z: first })
  const output = getGatesAtStep(run, root.step, forcing)[2] * Math.tanh(memory[root.step + 1])
  return formatTemplate(LSTM, { ...parts, i: first, f: second, o: third, output: formatDecimal(output) })
}

/** @param {Root} root */
function makeForceButtons(root) {
  const { messages } = root.data
  const forceable = getModel(root).gates.map((name, index) => ({ name, index })).filter(({ name }) => name !== "reset")
  return [make("span", {}, `${messages.force}:`), ...forceable.map(({ name, index }) =>
    make("button", { type: "button", "data-gate": index, "aria-pressed": String(index === root.gate) }, getGateLabels(root)[name] ?? name)),
  make("button", { type: "button", "data-gate": -1, "aria-pressed": String(root.gate < 0) }, messages.release)]
}

/** @param {Root} root */
function updatePicture(root) {
  const { data: { messages, source_language }, step } = root
  const { tokens, size, units } = getModel(root)
  const rows = listRows(root)
  const blankRows = Math.max(...root.data.models.map((model) => countRows(model.gates.length))) - rows.length
  find(root, "table").replaceChildren(
    make("thead", {}, make("tr", {}, make("th", {}), ...tokens.map((token, k) => make("th", { scope: "col", lang: source_language },
      make("button", { type: "button", "data-step": k, "aria-pressed": String(k === step) }, token))))),
    make("tbody", {}, ...rows.map(({ label, values, isGate }) => make("tr", { class: isGate ? "gate" : null }, make("th", { scope: "row" }, label),
      ...values.map((value, k) => make("td", { "data-step": k, class: [value < 0 && "minus", k === step && "at"].filter(Boolean).join(" "), style: `--v: ${Math.min(1, Math.abs(value)).toFixed(3)}` }, formatDecimal(value))))),
    ...Array.from({ length: blankRows }, () => make("tr", { class: "unused", "aria-hidden": "true" }, make("td", {})))))
  find(root, ".plot div").replaceChildren(drawMemory(root))
  find(root, ".plot figcaption").textContent = formatTemplate(messages.memory, { memory: isGru(root) ? messages.new_state : messages.new_cell })
  showPressed(root, "model", root.model)
  find(root, ".forceable").replaceChildren(...makeForceButtons(root))
  const select = /** @type {HTMLSelectElement} */ (find(root, "select"))
  select.replaceChildren(...units.map(({ number }, index) => make("option", { value: index, selected: index === root.unit ? "" : null }, formatTemplate(messages.unit_option, { number, size }))))
  const slider = /** @type {HTMLInputElement} */ (find(root, "[data-name=value]"))
  slider.disabled = root.gate < 0
  find(root, ".force-label").textContent = formatTemplate(messages.force_value, { token: tokens[step] })
  showSlider(root, "value", formatDecimal(root.value), root.value)
  setText(find(root, ".equation"), describeEquation(root))
  setText(find(root, ".description"), describeUnit(root))
  find(root, ".order").classList.toggle("unused", isGru(root))
}

/** @param {string[]} tokens */
const findLongest = (tokens) => tokens.reduce((best, { length }, k) => (length > tokens[best].length ? k : best), 0)

/** @param {Root} root */
function buildUnits(root) {
  const { data } = root
  const { messages, models } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  root.model = Math.min(root.model, models.length - 1)
  root.step = Math.min(root.step, models[root.model].tokens.length - 1)
  const slider = makeInlineSlider({ name: "value", label: "", min: 0, max: 1, step: 0.05, value: root.value })
  const caption = find(slider, "span")
  caption.className = "force-label"
  const section = make("section", {},
    make("div", { class: "controls" },
      make("span", { class: "buttons", role: "group", "aria-label": messages.cell }, ...models.map(({ cell, title }, k) => make("button", { type: "button", "data-model": k, "aria-pressed": "false" }, `${cell} (${title})`))),
      make("label", {}, `${messages.unit}: `, make("select", { "aria-label": messages.unit })),
    ),
    make("div", { class: "controls" }, make("span", { class: "buttons forceable" }), slider),
    make("div", { class: "scroll" }, make("table", {})),
    make("p", { class: "equation" }), make("p", { class: "description", "aria-live": "polite" }),
    make("figure", { class: "plot" }, make("figcaption", { id: "plot-caption" }), make("div", { tabindex: 0, role: "group", "aria-labelledby": "plot-caption" }),
      make("p", { class: "legend" }, ...[["real", messages.real], ["forced", messages.forced]].map(([kind, text]) =>
        makeCurveSample(kind, text)))),
    make("p", { class: "soft" }, messages.hint), make("p", { class: "soft order" }, messages.order_reversed),
    make("p", { class: "soft" }, formatTemplate(messages.note, { count: models[0].units.length })))
  root.replaceChildren(section)
  registerSection(section)
  /** @type {(describe: (state: Root) => string) => () => string[][]} */
  const listStates = (describe) => () => models.flatMap(({ gates, tokens }, model) => [-1, ...gates.keys()].map((gate) => [describe({ ...root, model, unit: 0, gate, step: findLongest(tokens) })]))
  reserveHeight(find(root, ".description"), listStates(describeUnit))
  reserveHeight(find(root, ".forceable"), () => models.map((_, model) => makeForceButtons({ ...root, model })))
  reserveHeight(find(root, ".equation"), listStates(describeEquation))
  updatePicture(root)
}

/** @param {Root} root */
function setUp(root) {
  Object.assign(root, { model: 0, unit: 0, step: 0, gate: -1, value: 0 })
  root.onclick = ({ target }) => {
    const node = findClosest(target, "[data-model], [data-gate], [data-step]")
    if (!node) return
    const { model, gate, step } = node.dataset
    if (model !== undefined) Object.assign(root, { model: Number(model), unit: 0, gate: -1, step: Math.min(root.step, root.data.models[Number(model)].tokens.length - 1) })
    if (gate !== undefined) root.gate = Number(gate)
    if (step !== undefined) root.step = Number(step)
    updatePicture(root)
    const selector = model !== undefined ? `[data-model="${model}"]` : gate !== undefined ? `[data-gate="${gate}"]` : `button[data-step="${step}"]`
    if (node.matches("button")) find(root, selector).focus()
  }
  root.oninput = ({ target }) => {
    if (target instanceof HTMLSelectElement) root.unit = Number(target.value)
    else if (target instanceof HTMLInputElement) root.value = Number(target.value)
    updatePicture(root)
  }
}

/**
 * Ask at what value a unit of the GRU ends if its update gate is closed from a token on. Of all units and tokens, it is the
 * pair where that changes the end most.
 * @type {(data: UnitGatesData) => Question | null}
 */
export function askClosedGate({ models, messages }) {
  const model = models.find(({ gates }) => gates.length === 2)
  if (!model || model.tokens.length < 2) return null
  const { cell, tokens, units, size } = model
  /** @type {(run: typeof units[number]) => number} */
  const endOf = ({ memory }) => memory[memory.length - 1]
  const [{ run, startStep }] = units.flatMap((unit) => tokens.slice(1).map((_, k) => ({ run: unit, startStep: k + 1 })))
    .sort((a, b) => Math.abs(b.run.memory[b.startStep] - endOf(b.run)) - Math.abs(a.run.memory[a.startStep] - endOf(a.run)))
  /** @param {number} value */
  const endWith = (value) => followMemory(run, { gate: 0, startStep, value })[tokens.length]
  const value = endWith(0)
  return {
    places: { cell, unit: formatTemplate(messages.unit_option, { number: run.number, size }), token: tokens[startStep], position: startStep + 1, before: tokens[startStep - 1], value: formatDecimal(value), end: formatDecimal(endOf(run)) },
    judge(answer) {
      /** @param {number} memoryValue */
      const isNear = (memoryValue) => Math.abs(answer - memoryValue) < 0.015
      return isNear(value) ? null : { key: isNear(endOf(run)) ? "gates_computed" : isNear(endWith(1)) ? "gates_open" : "gates_other", places: { answer: formatDecimal(answer) } }
    },
  }
}

/** @param {Mounted<UnitGatesData>} mounted */
export default function mountUnitGates({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "unit-gates", { role: "group" }, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildUnits(root)
  offerExercise("gates", root, () => askClosedGate(data))
}
