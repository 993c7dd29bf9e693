// Score functions of attention on one translation: their weights as a heatmap, their formulas and costs as a table.

/** @import { ScoresData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { find, findClosest, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { fillTemplate, formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { makeMatrix, showMatrix } from "./attention_parts.js"
import { softmax } from "./entropy.js"

/** @typedef {ComponentRoot<ScoresData> & { chosen: number, cell: import("./attention_parts.js").Cell | undefined }} Root */

const COLUMNS = /** @type {const} */ (["formula", "parameters", "sentence", "pair"])
const FORMULAS = /** @type {const} */ (["additive", "concat", "general", "dot", "scaled_head"])

/** @param {Root} root */
function renderForm(root) {
  const { data, chosen } = root
  const { words, forms } = data
  const form = forms[chosen]
  showMatrix(root, form.energies.map((row) => softmax(row)))
  for (const node of root.querySelectorAll("[data-form]")) node.setAttribute("aria-pressed", String(Number(node.getAttribute("data-form")) === chosen))
  for (const node of root.querySelectorAll("[data-row-of]")) node.setAttribute("aria-current", String(node.getAttribute("data-row-of") === form.name))
  find(root, ".state").replaceChildren(
    make("span", { class: "formula" }, words[`${form.name}_formula`]),
    make("span", { class: form.trained ? "tag trained" : "tag" }, formatTemplate(form.trained ? words.trained : words.untrained, { model: form.model })))
  setText(find(root, ".about"), form.note || words[`${form.name}_about`])
  renderCell(root)
}

/** @param {Root} root */
function renderCell(root) {
  const { data, chosen, cell } = root
  const told = find(root, ".told")
  if (!cell) return setText(told, data.words.hint)
  const row = data.forms[chosen].energies[cell.row]
  told.replaceChildren(...fillTemplate(data.words.told, {
    target: make("span", { class: "target-token" }, data.target[cell.row]), source: make("span", { class: "source-token" }, data.source[cell.column]),
    score: formatDecimal(row[cell.column]), weight: formatShare(softmax(row)[cell.column]) }))
}

/** @param {Root} root */
function buildScores(root) {
  const { data } = root
  const { words, forms, source, target } = data
  root.lang = data.language
  const matrix = makeMatrix(target, source, words.label, (cell) => {
    root.cell = cell
    renderCell(root)
  })
  const heads = COLUMNS.map((name) => make("th", { scope: "col" }, words[`column_${name}`]))
  const rows = FORMULAS.map((name) => make("tr", { "data-row-of": name }, make("th", { scope: "row" }, words[name]),
    ...COLUMNS.map((column) => make("td", { class: column === "formula" ? "formula" : "" }, words[`${name}_${column}`]))))
  root.replaceChildren(
    make("p", { class: "choices", role: "group", "aria-label": words.choose },
      ...forms.map(({ name }, k) => make("button", { type: "button", "data-form": k, "aria-pressed": "false" }, words[name]))),
    make("p", { class: "state" }), make("p", { class: "about prose" }),
    make("div", { class: "side" },
      make("section", { class: "picture" }, matrix, make("p", { class: "told", "aria-live": "polite" })),
      make("section", { class: "costs" },
        make("div", { class: "scrolls" }, make("table", { class: "formulas" }, make("thead", {}, make("tr", {}, make("th", {}), ...heads)), make("tbody", {}, ...rows))),
        make("p", { class: "note" }, words.symbols))),
    make("p", { class: "made" }))
  setText(find(root, ".made"), data.made)
  registerSection(find(root, ".picture"), { go: (by) => choose(root, root.chosen + by) })
  registerSection(find(root, ".costs"))
  renderForm(root)
}

/** @type {(root: Root, chosen: number) => boolean} */
function choose(root, chosen) {
  if (chosen < 0 || chosen >= root.data.forms.length) return false
  root.chosen = chosen
  renderForm(root)
  return true
}

/** @param {Root} root */
function setUp(root) {
  root.chosen = 0
  root.onclick = ({ target }) => choose(root, Number(findClosest(target, "[data-form]")?.dataset.form ?? -1))
}

/** @param {Mounted<ScoresData>} mounted */
export default function scoreFunctions({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "scores", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  root.chosen = Math.min(root.chosen, data.forms.length - 1)
  root.cell = undefined
  buildScores(root)
}
