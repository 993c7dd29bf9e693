// Attention as soft retrieval: the query of one step, its score with each key, the weights, and the weighted sum of the
// values. A temperature turns the softmax from a hard lookup to a plain mean.

/** @import { RetrievalData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { find, make, mountRoot, storeData } from "../shared/dom.js"
import { argmax, fillTemplate, formatDecimal, formatShare } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { weighAtTemperature } from "./attention_math.js"
import { describeStep, findStep, makeStepSlider, makeSteps, showStep } from "./attention_parts.js"
import { computeEntropy } from "./entropy.js"
import { offerExercise } from "./exercise_offers.js"
import { findLargestSize, sumWeighted } from "./matrices.js"
import { makeSlider, showSlider } from "./sliders.js"
import { stripBackground } from "./strips.js"

/** @typedef {ComponentRoot<RetrievalData> & { step: number, temperatureIndex: number, numbers: HTMLElement[][] }} Root */

/** @type {(kind: string, values: number[], largest: number) => HTMLElement} */
function makeStrip(kind, values, largest) {
  const strip = make("span", { class: `strip ${kind}`, "aria-hidden": "true" })
  strip.style.cssText = stripBackground(values, largest)
  return strip
}

/** @type {(data: RetrievalData, temperatureIndex: number) => string} */
function nameTemperature(data, temperatureIndex) {
  const value = data.temperatures[temperatureIndex]
  if (value === 0) return data.messages.hard
  if (value == null) return data.messages.uniform
  return value === 1 ? data.messages.own : String(value)
}

/** @param {Root} root */
function renderStep(root) {
  const { data, step, temperatureIndex, numbers } = root
  const { messages, temperatures, predictions, values } = data
  const energies = data.energies[step]
  const weights = weighAtTemperature(energies, temperatures[temperatureIndex])
  const best = argmax(energies)
  showStep(root, step)
  showSlider(root, "step", describeStep(data.shared_messages, step, data.target), step)
  showSlider(root, "temperature", nameTemperature(data, temperatureIndex))
  numbers.forEach(([row, score, weight, bar], j) => {
    row.classList.toggle("best", j === best)
    score.textContent = formatDecimal(energies[j], 1)
    weight.textContent = formatShare(weights[j])
    bar.style.width = `${100 * weights[j]}%`
  })
  find(root, ".query-strip").replaceChildren(makeStrip("query", data.queries[step], findLargestSize(data.queries)))
  find(root, ".context-strip").replaceChildren(makeStrip("context", sumWeighted(weights, values), findLargestSize(values)))
  const [token, probability] = predictions[step][temperatureIndex]
  const [originalToken] = predictions[step][temperatures.indexOf(1)]
  find(root, ".description").replaceChildren(...fillTemplate(token === originalToken ? messages.description_same : messages.description_changed, {
    source: data.source[best], weight: formatShare(Math.max(...weights)), entropy: formatDecimal(computeEntropy(weights)), most: formatDecimal(Math.log(weights.length)),
    token: make("b", { class: token === originalToken ? "" : "changed" }, token === originalToken ? data.target[step] : token), probability: formatShare(probability), own: data.target[step] }))
}

/** @param {Root} root */
function buildRetrieval(root) {
  const { data, temperatureIndex } = root
  const { messages, shared_messages: sharedMessages, source, target, keys, values, units } = data
  root.lang = data.language
  const [largestKey, largestValue] = [findLargestSize(keys), findLargestSize(values)]
  root.numbers = source.map(() => [make("tr"), make("td", { class: "number" }), make("td", { class: "number" }), make("i", { class: "bar" })])
  const rows = root.numbers.map(([row, score, weight, bar], j) => {
    row.append(make("td", { class: "source-token" }, source[j]), make("td", {}, makeStrip("key", keys[j], largestKey)), score, weight,
      make("td", {}, make("span", { class: "track" }, bar)), make("td", {}, makeStrip("value", values[j], largestValue)))
    return row
  })
  root.replaceChildren(
    makeSteps(target, sharedMessages),
    make("div", { class: "controls" }, makeStepSlider(sharedMessages, 0, target.length - 1, root.step),
      make("div", {}, makeSlider("temperature", messages.temperature, 0, data.temperatures.length - 1, temperatureIndex), make("div", { class: "ends", "aria-hidden": "true" }, make("span", {}, messages.hard_end), make("span", {}, messages.uniform_end)))),
    make("section", { class: "picture side", "aria-label": messages.label },
      make("div", { class: "scrolls" }, make("table", { class: "lookup" },
        make("thead", {}, make("tr", {}, ...[messages.source, messages.key, messages.score, messages.weight, "", messages.value].map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...rows))),
      make("div", { class: "result" },
        make("p", { class: "query-line" }, make("span", {}, messages.query), make("span", { class: "query-strip" })),
        make("p", { class: "query-line" }, make("span", {}, messages.context), make("span", { class: "context-strip" })),
        make("p", { class: "description", "aria-live": "polite" }))),
    make("p", { class: "note" }, ...fillTemplate(messages.note, { alignment: String(units[0]), annotation: String(units[1]) })), make("p", { class: "footnote" }, data.provenance))
  registerSection(root)
  renderStep(root)
}

/** @type {(root: Root, step: number) => boolean} */
function goTo(root, step) {
  if (step < 0 || step >= root.data.target.length) return false
  root.step = step
  renderStep(root)
  return true
}

/** @param {Root} root */
function setUp(root) {
  root.oninput = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    if (target.dataset.name === "step") root.step = Number(target.value)
    else root.temperatureIndex = Number(target.value)
    renderStep(root)
  }
  root.onclick = (event) => void goTo(root, findStep(event) ?? -1)
}

/**
 * Ask for the lowest temperature above 1 with which a step generates another token. It is the step that changes last, at a
 * finite one if there is such a step, so that several can be tried.
 * @type {(data: RetrievalData) => Question | null}
 */
export function askChangingTemperature(data) {
  const { predictions, temperatures, target } = data
  const neutralIndex = temperatures.indexOf(1)
  const changeIndices = predictions.map((step) => step.findIndex(([token], k) => k > neutralIndex && token !== step[neutralIndex][0]))
  const last = temperatures.length - 1
  const changeIndex = Math.max(...(changeIndices.some((k) => k > 0 && k < last) ? changeIndices.filter((k) => k < last) : changeIndices))
  if (changeIndex < 0) return null
  const step = changeIndices.indexOf(changeIndex)
  /** @param {number} temperatureIndex */
  const describe = (temperatureIndex) => ({ temperature: nameTemperature(data, temperatureIndex), token: predictions[step][temperatureIndex][0], probability: formatShare(predictions[step][temperatureIndex][1]) })
  return {
    places: { own: target[step], step: step + 1, ...describe(changeIndex) }, options: temperatures.slice(neutralIndex + 1).map((_, k) => nameTemperature(data, neutralIndex + 1 + k)),
    judge: (answer) => (neutralIndex + 1 + answer === changeIndex ? null : { key: neutralIndex + 1 + answer < changeIndex ? "retrieval_low" : "retrieval_high", places: describe(neutralIndex + 1 + answer) }),
  }
}

/** @param {Mounted<RetrievalData>} mounted */
export default function mountRetrieval({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "retrieval", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  root.step = Math.min(2, data.target.length - 1)
  root.temperatureIndex = data.temperatures.indexOf(1)
  buildRetrieval(root)
  offerExercise("retrieval", root, () => askChangingTemperature(data))
}
