// Show the distribution of the next token at one step, and what temperature, top-k and top-p make of it: the ten most likely
// tokens and all others together.

/** @import { NextTokenData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { find, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { argmax, formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { reserveHeight } from "./reserve.js"
import { computeEntropyWithRest, reshape } from "./sampling.js"
import { makeInlineSlider, showSlider } from "./sliders.js"

/** @typedef {ComponentRoot<NextTokenData> & { step: number, temperatureIndex: number, topK: number, topP: number }} Root */

const BAR_COUNT = 10 // tokens with a bar of their own
const MAX_K = 20 // of the slider; one further is "all"

/** @param {number[]} values */
const addUp = (values) => values.reduce((sum, value) => sum + value, 0)

/** @type {(root: Root, index: number) => string} */
const describeBefore = ({ data: { messages, steps } }, index) => formatTemplate(messages.before, { text: steps[index].prefix || messages.start })

/** @param {Root} root */
function updatePicture(root) {
  const { data: { messages, steps, temperatures, translation }, step: index, temperatureIndex, topK, topP } = root
  const step = steps[index]
  const neutralIndex = temperatures.indexOf(1)
  const originalDistribution = reshape(step, temperatures, { temperatureIndex: neutralIndex, topK: 0, topP: 1 })
  const distribution = reshape(step, temperatures, { temperatureIndex, topK, topP })
  const count = step.log_probs.length - BAR_COUNT + step.rest_count
  /** @type {(name: string, originalProbability: number, probability: number, kind: string) => HTMLElement} */
  const row = (name, originalProbability, probability, kind) => make("li", { class: `${kind} ${probability > 0 ? "" : "cut"}` }, make("span", { class: "name" }, name),
    make("span", { class: "bar", style: `--own: ${originalProbability.toFixed(4)}; --after: ${probability.toFixed(4)}` }), make("span", {}, formatShare(originalProbability)), make("span", {}, probability > 0 ? formatShare(probability) : "–"))
  find(root, "ol").replaceChildren(
    make("li", { class: "head" }, make("span", {}, messages.head_token), make("span", {}), make("span", {}, messages.head_before), make("span", {}, messages.head_after)),
    ...step.tokens.slice(0, BAR_COUNT).map((token, k) => row(token, originalDistribution.probabilities[k], distribution.probabilities[k], token === translation[index] ? "chosen" : "")),
    row(formatTemplate(messages.others, { count: count.toLocaleString("en") }), addUp(originalDistribution.probabilities.slice(BAR_COUNT)) + originalDistribution.restProbability, addUp(distribution.probabilities.slice(BAR_COUNT)) + distribution.restProbability, "others"))
  find(root, ".before").textContent = describeBefore(root, index)
  showSlider(root, "step", `${index + 1}: ${translation[index]}`)
  showSlider(root, "temperature", formatDecimal(temperatures[temperatureIndex], 1))
  showSlider(root, "topK", topK ? String(topK) : messages.every)
  showSlider(root, "topP", topP < 1 ? formatDecimal(topP) : messages.every)
  const keptText = distribution.restProbability > 0 ? (topP < 1 ? formatTemplate(messages.kept_many, { count: distribution.keptCount }) : messages.kept_all) : formatTemplate(messages.kept_some, { count: distribution.keptCount })
  const [originalEntropy, entropy] = [originalDistribution, distribution].map(({ probabilities, restProbability }) => computeEntropyWithRest(probabilities, restProbability, step.rest_count))
  const isOriginal = temperatureIndex === neutralIndex && !topK && topP === 1
  setText(find(root, ".description"), formatTemplate(isOriginal ? messages.description_even : entropy > originalEntropy ? messages.description_up : messages.description, {
    kept: keptText, token: step.tokens[0], p: formatShare(distribution.probabilities[0]), before: formatShare(originalDistribution.probabilities[0]), entropy_before: formatDecimal(originalEntropy), entropy: formatDecimal(entropy) }))
}

/**
 * Find the step at which the model is least certain.
 * @param {Root} root
 */
function findOpenStep({ data: { steps, temperatures }, temperatureIndex }) {
  const entropies = steps.map((step) => {
    const { probabilities, restProbability } = reshape(step, temperatures, { temperatureIndex, topK: 0, topP: 1 })
    return computeEntropyWithRest(probabilities, restProbability, step.rest_count)
  })
  return argmax(entropies)
}

/** @param {Root} root */
function buildPicture(root) {
  const { data: { messages, steps, temperatures, language, target_language } } = root
  root.lang = language
  root.setAttribute("aria-label", messages.label)
  root.temperatureIndex = temperatures.indexOf(1)
  root.step = findOpenStep(root)
  const section = make("section", {},
    make("div", { class: "controls" },
      makeInlineSlider({ name: "step", label: messages.step, min: 0, max: steps.length - 1, step: 1, value: root.step })),
    make("p", { class: "before", lang: target_language }),
    make("div", { class: "controls" },
      makeInlineSlider({ name: "temperature", label: messages.temperature, min: 0, max: temperatures.length - 1, step: 1, value: root.temperatureIndex }),
      makeInlineSlider({ name: "topK", label: messages.top_k, min: 1, max: MAX_K + 1, step: 1, value: root.topK || MAX_K + 1 }),
      makeInlineSlider({ name: "topP", label: messages.top_p, min: 0.05, max: 1, step: 0.05, value: root.topP })),
    make("ol", { lang: target_language }), make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "equation soft" }, messages.equation))
  root.replaceChildren(section)
  registerSection(section)
  reserveHeight(find(root, ".before"), () => steps.map((_, index) => [describeBefore(root, index)]))
  const [keptText, token, number] = [formatTemplate(messages.kept_many, { count: MAX_K }), steps[root.step].tokens[0], formatShare(0.99)]
  reserveHeight(find(root, ".description"), () => [messages.description, messages.description_up, messages.description_even].map((template) => [
    formatTemplate(template, { kept: keptText, token, p: number, before: number, entropy: number, entropy_before: number })]))
  updatePicture(root)
}

/** @param {Root} root */
function setUp(root) {
  Object.assign(root, { topK: 0, topP: 1 })
  root.oninput = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    const value = Number(target.value)
    const { name } = target.dataset
    if (name === "step") root.step = value
    else if (name === "temperature") root.temperatureIndex = value
    else if (name === "topK") root.topK = value > MAX_K ? 0 : value
    else root.topP = value
    updatePicture(root)
  }
}

/**
 * Ask for the lowest temperature with which the most likely token of a step is drawn less than half of the time. It is the
 * step that needs the highest one, but if possible not the highest of all.
 * @type {(data: NextTokenData) => Question | null}
 */
export function askHalvingTemperature({ steps, temperatures, translation }) {
  const neutralIndex = temperatures.indexOf(1)
  /** @type {(step: NextTokenData["steps"][number], temperatureIndex: number) => number} */
  const best = (step, temperatureIndex) => roundAsPrinted(reshape(step, temperatures, { temperatureIndex, topK: 0, topP: 1 }).probabilities[0])
  const halvingIndices = steps.map((step) => (best(step, neutralIndex) < 0.5 ? -1 : temperatures.findIndex((_, k) => k > neutralIndex && best(step, k) < 0.5)))
  const last = temperatures.length - 1
  const temperatureIndex = Math.max(...(halvingIndices.some((one) => one > 0 && one < last) ? halvingIndices.filter((one) => one < last) : halvingIndices))
  if (temperatureIndex < 0) return null
  const index = halvingIndices.indexOf(temperatureIndex)
  const step = steps[index]
  return {
    places: { step: index + 1, written: translation[index], token: step.tokens[0], own: formatShare(best(step, neutralIndex)), temperature: formatDecimal(temperatures[temperatureIndex], 1), p: formatShare(best(step, temperatureIndex)) }, scale: temperatures,
    judge: (answer) => (answer === temperatures[temperatureIndex] ? null : { key: answer < temperatures[temperatureIndex] ? "choosing_low" : "choosing_high", places: { answer: formatDecimal(answer, 1), token: step.tokens[0], p: formatShare(best(step, temperatures.indexOf(answer))) } }),
  }
}

/** @param {Mounted<NextTokenData>} mounted */
export default function mountNextToken({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "next-token", { role: "group" }, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildPicture(root)
  offerExercise("choosing", root, () => askHalvingTemperature(data))
}
