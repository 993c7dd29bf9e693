// Coverage filling up: the attention that each source word has received after each step, for two models.

/** @import { CoverageData, CoveredTranslation } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { find, findAll, make, mountRoot, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, findLargest } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { describeStepNumber, makeStepSlider } from "./attention_parts.js"
import { showSlider } from "./sliders.js"

/** @typedef {ComponentRoot<CoverageData> & { step: number }} Root */

/** @type {(model: CoveredTranslation, step: number) => number} */
const findModelStep = ({ coverage_by_step: coverageByStep }, step) => Math.min(step, coverageByStep.length - 1)

/** @param {Root} root */
function renderStep(root) {
  const { data, step } = root
  const { models, shared_messages: sharedMessages } = data
  const largest = findLargestValue(root)
  showSlider(root, "step", describeStepNumber(sharedMessages, step, getLastStep(root)), step)
  models.forEach((model, k) => {
    const modelStep = findModelStep(model, step), values = model.coverage_by_step[modelStep], word = modelStep && modelStep === step ? model.word_of[modelStep - 1] : -1
    for (const node of findAll(root, `[data-words="${k}"] [data-word]`)) {
      const index = Number(node.dataset.word), first = model.word_of.indexOf(index)
      node.classList.toggle("later", first >= modelStep)
      node.classList.toggle("now", index === word)
    }
    findAll(root, `[data-bar="${k}"]`).forEach((bar, j) => {
      bar.style.width = `${(100 * values[j]) / largest}%`
      find(root, `[data-amount="${k}-${j}"]`).textContent = formatDecimal(values[j], 1)
    })
  })
}

/** @param {Root} root */
const getLastStep = ({ data }) => findLargest(data.models.map((model) => model.coverage_by_step.length - 1), 0)

/**
 * Return the largest number of all steps and needs, so that bars keep their scale.
 * @param {Root} root
 */
const findLargestValue = ({ data }) => findLargest(data.models.flatMap((model) => [...(model.coverage_by_step.at(-1) ?? []), ...model.fertility]), 1)

/** @type {(root: Root, model: CoveredTranslation, k: number) => HTMLElement} */
function makeLine({ data }, model, k) {
  const repeatedWords = model.repetitions.map((index) => model.target[index][1]).join(" ")
  return make("p", { class: "description-line" }, make("b", {}, `${model.title}: `),
    make("span", { class: "target", "data-words": k, lang: data.languages[1] }, ...model.target.flatMap(([gap, word], index) => [
      gap, make("span", { "data-word": index, class: model.repetitions.includes(index) ? "repeated" : "" }, word)])),
    make("span", { class: "note" }, ` ${repeatedWords ? formatTemplate(data.messages.repeated, { words: repeatedWords }) : data.messages.clean}`))
}

/** @param {Root} root */
function buildCoverage(root) {
  const { data } = root
  const { messages, shared_messages: sharedMessages, models, source } = data
  root.lang = data.language
  const largest = findLargestValue(root)
  const rows = source.map(([, word], j) => make("tr", {}, make("th", { scope: "row", class: "source-token" }, word), ...models.flatMap((model, k) => {
    const bar = make("i", { class: "bar", "data-bar": k }), track = make("span", { class: "track" }, bar)
    if (model.fertility[j]) {
      const need = make("i", { class: "need", title: formatTemplate(messages.need, { value: formatDecimal(model.fertility[j], 1) }) })
      need.style.insetInlineStart = `${(100 * model.fertility[j]) / largest}%`
      track.append(need)
    }
    return [make("td", {}, track), make("td", { class: "number amount", "data-amount": `${k}-${j}` })]
  })))
  root.replaceChildren(
    make("div", { class: "controls" }, makeStepSlider(sharedMessages, 0, getLastStep(root), root.step)),
    make("section", { class: "picture", "aria-label": messages.label },
      ...models.map((model, k) => makeLine(root, model, k)),
      make("div", { class: "scrolls" }, make("table", { class: "fill" },
        make("colgroup", {}, make("col", { class: "word" }), ...models.flatMap(() => [make("col"), make("col", { class: "amount" })])),
        make("thead", {}, make("tr", {}, make("th", {}, messages.source), ...models.map(({ title }) => make("th", { colspan: 2, scope: "colgroup" }, title)))),
        make("tbody", {}, ...rows)))),
    make("p", { class: "note" }, messages.note), make("p", { class: "footnote" }, data.provenance))
  registerSection(root)
  renderStep(root)
}

/** @param {Root} root */
function setUp(root) {
  root.oninput = ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    root.step = Number(target.value)
    renderStep(root)
  }
}

/** @param {Mounted<CoverageData>} mounted */
export default function mountCoverage({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "coverage", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  root.step = getLastStep(root)
  buildCoverage(root)
}
