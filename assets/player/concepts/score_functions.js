// Score functions of attention on one translation: their weights as a heatmap, their formulas and costs as a table.

/** @import { ScoresData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { find, findClosest, make, mountRoot, setText, showPressed, storeData, typeset } from "../shared/dom.js"
import { fillTemplate, formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { makeMatrix, showMatrix } from "./attention_parts.js"
import { softmax } from "./entropy.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { reserveHeight } from "./reserve.js"

/** @typedef {ComponentRoot<ScoresData> & { formIndex: number, cell: import("./attention_parts.js").Cell | undefined }} Root */

const FORMULAS = { additive: "e = vᵀ tanh(Ws + Uh)", concat: "e = vᵀ tanh(W′[s; h])", general: "e = sᵀWh", dot: "e = sᵀh", scaled_formula: "e = sᵀh / √n", scaled_head: "e = (W_Q s)ᵀ(W_K h) / √d" }
/** Parameters, multiplications once per source token, and per pair of tokens.
 * @type {Partial<Record<keyof typeof FORMULAS, [string, string, string]>>} */
const COSTS = {
  additive: ["a(n + m + 1)", "a·m", "a (+ a tanh)"], concat: ["a(n + m + 1)", "a·m", "a (+ a tanh)"],
  general: ["n·m", "n·m", "n"], dot: ["0", "0", "n"], scaled_head: ["d(n + m)", "d·m", "d + 1"],
}

/** @type {(data: ScoresData, form: ScoresData["forms"][number]) => HTMLElement[]} */
const makeState = ({ messages }, form) => [make("span", { class: "formula" }, ...typeset(FORMULAS[form.name])),
  make("span", { class: form.is_trained ? "tag trained" : "tag" }, formatTemplate(form.is_trained ? messages.trained : messages.untrained, { model: form.model }))]

/** @param {Root} root */
function renderForm(root) {
  const { data, formIndex } = root
  const form = data.forms[formIndex]
  showMatrix(root, form.energies.map((row) => softmax(row)))
  showPressed(root, "form", formIndex)
  for (const node of root.querySelectorAll("[data-row-of]")) node.setAttribute("aria-current", String(node.getAttribute("data-row-of") === form.name))
  find(root, ".state").replaceChildren(...makeState(data, form))
  setText(find(root, ".about"), form.note)
  renderCell(root)
}

/** @param {Root} root */
function renderCell(root) {
  const { data, formIndex, cell } = root
  const description = find(root, ".description")
  if (!cell) return setText(description, data.messages.hint)
  const row = data.forms[formIndex].energies[cell.row]
  description.replaceChildren(...fillTemplate(data.messages.description, {
    target: make("span", { class: "target-token" }, data.target[cell.row]), source: make("span", { class: "source-token" }, data.source[cell.column]),
    score: formatDecimal(row[cell.column]), weight: formatShare(softmax(row)[cell.column]) }))
}

/** @param {Root} root */
function buildScores(root) {
  const { data } = root
  const { messages, forms, source, target } = data
  root.lang = data.language
  const matrix = makeMatrix(target, source, messages.label, (cell) => {
    root.cell = cell
    renderCell(root)
  })
  const heads = [messages.column_formula, messages.column_parameters, messages.column_sentence, messages.column_pair].map((text) => make("th", { scope: "col" }, text))
  const rows = /** @type {(keyof typeof FORMULAS)[]} */ (Object.keys(COSTS)).map((name) => make("tr", { "data-row-of": name }, make("th", { scope: "row" }, messages[`name_${name}`]),
    make("td", { class: "formula" }, ...typeset(FORMULAS[name])), ...(COSTS[name] ?? []).map((text) => make("td", {}, text))))
  root.replaceChildren(
    make("p", { class: "choices", role: "group", "aria-label": messages.choose },
      ...forms.map(({ name }, k) => make("button", { type: "button", "data-form": k, "aria-pressed": "false" }, messages[`name_${name}`]))),
    make("p", { class: "state" }), make("p", { class: "about prose" }),
    make("div", { class: "side" },
      make("section", { class: "picture" }, matrix, make("p", { class: "description", "aria-live": "polite" })),
      make("section", { class: "costs" },
        make("div", { class: "scrolls" }, make("table", { class: "formulas" }, make("thead", {}, make("tr", {}, make("th", {}), ...heads)), make("tbody", {}, ...rows))),
        make("p", { class: "note" }, messages.symbols))),
    make("p", { class: "footnote" }, data.provenance))
  registerSection(root, { go: (direction) => choose(root, root.formIndex + direction) })
  registerSection(find(root, ".picture"))
  registerSection(find(root, ".costs"))
  reserveHeight(find(root, ".state"), () => forms.map((form) => makeState(data, form)))
  reserveHeight(find(root, ".about"), () => forms.map(({ note }) => [note]))
  renderForm(root)
}

/** @type {(root: Root, formIndex: number) => boolean} */
function choose(root, formIndex) {
  if (formIndex < 0 || formIndex >= root.data.forms.length) return false
  root.formIndex = formIndex
  renderForm(root)
  return true
}

/** @param {Root} root */
function setUp(root) {
  root.formIndex = 0
  root.onclick = ({ target }) => void choose(root, Number(findClosest(target, "[data-form]")?.dataset.form ?? -1))
}

/**
 * Ask which function gives the flattest weights. Concat is left out, as its weights are those of additive.
 * @type {(data: ScoresData) => Question | null}
 */
export function askFlattest({ forms, messages }) {
  const offeredForms = forms.filter(({ name }) => name !== "concat")
  const peaks = offeredForms.map(({ energies }) => energies.reduce((sum, row) => sum + Math.max(...softmax(row)), 0) / energies.length)
  const first = peaks.indexOf(Math.min(...peaks))
  if (peaks.filter((peak) => roundAsPrinted(peak) <= roundAsPrinted(peaks[first])).length > 1) return null
  return {
    places: { name: messages[`name_${offeredForms[first].name}`], peak: formatShare(peaks[first]), uniform: formatShare(1 / offeredForms[first].energies[0].length) },
    options: offeredForms.map(({ name }) => messages[`name_${name}`]),
    judge: (answer) => (answer === first ? null : { key: "scores_sharper", places: { name: messages[`name_${offeredForms[answer].name}`], peak: formatShare(peaks[answer]) } }),
  }
}

/** @param {Mounted<ScoresData>} mounted */
export default function mountScoreFunctions({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "scores", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  root.formIndex = Math.min(root.formIndex, data.forms.length - 1)
  root.cell = undefined
  buildScores(root)
  offerExercise("scores", root, () => askFlattest(data))
}
