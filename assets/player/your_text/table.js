// Show sentences as a table, with the translation of each model beside its source and the value of the chosen measure.

/** @import { BarMeasure, BarOutput, BarRow, SentenceBarsData } from "../payloads.js" */
import { make } from "../shared/dom.js"
import { formatDecimal } from "../shared/format.js"
import { isMeasurePerModel, computeScaleEnds } from "./order.js"

/**
 * Build one page of the table. `openDetails` builds the details of the opened sentence; `toggle` opens or closes one.
 * @type {(data: SentenceBarsData, measure: BarMeasure, series: number, rowIndices: number[], openLine: number | null,
 *   openDetails: (rowIndex: number) => HTMLElement, toggle: (row: BarRow) => void) => HTMLElement}
 */
export function buildTable(data, measure, series, rowIndices, openLine, openDetails, toggle) {
  const { messages, models, rows } = data
  const isPerModel = isMeasurePerModel(measure, models.map(({ title }) => title))
  const [sourceLanguage] = models[0].languages
  const columns = models.length + (isPerModel ? 2 : 3)
  const head = make("tr", {}, make("th", { scope: "col" }, messages.line), make("th", { scope: "col" }, messages.source),
    isPerModel ? null : make("th", { scope: "col" }, measure.series[series].label),
    ...models.map(({ title }) => make("th", { scope: "col" }, title)))
  const lines = rowIndices.flatMap((rowIndex) => {
    const row = rows[rowIndex]
    const isOpen = row.line === openLine
    const button = make("button", { type: "button", class: "row", "aria-expanded": String(isOpen), "data-line": row.line, lang: sourceLanguage }, row.source ?? "")
    button.onclick = () => toggle(row)
    const values = isPerModel ? null : make("td", { "data-label": measure.label }, buildValue(measure, series, rowIndex))
    const outputs = models.map((model, k) => {
      const modelSeries = isPerModel ? measure.series.findIndex(({ label }) => label === model.title) : -1
      return make("td", { class: "output", "data-label": model.title }, buildOutput(data, row.outputs?.[k], k), modelSeries < 0 ? null : buildValue(measure, modelSeries, rowIndex))
    })
    const line = make("tr", { class: isOpen ? "open" : null }, make("th", { scope: "row" }, String(row.line)), make("td", { class: "input" }, button), values, ...outputs)
    return isOpen ? [line, make("tr", { class: "opened" }, make("td", { colspan: columns }, openDetails(rowIndex)))] : [line]
  })
  return make("div", { class: "scroll" }, make("table", { class: measure.is_attention ? "texts attention" : "texts", "aria-label": messages.list },
    make("thead", {}, head), make("tbody", {}, ...lines)))
}

/** @type {(data: SentenceBarsData, output: BarOutput | undefined, k: number) => HTMLElement} */
function buildOutput({ models, messages, language }, output, k) {
  const { problem, text } = output ?? {}
  return make("span", { class: problem ? "problem" : "text", lang: problem ? language : models[k].languages[1] }, problem ?? (text || messages.nothing))
}

/** @type {(measure: BarMeasure, series: number, rowIndex: number) => HTMLElement | null} */
function buildValue(measure, series, rowIndex) {
  const { values } = measure.series[series]
  const value = values[rowIndex]
  if (value == null) return null
  return make("span", { class: "measured", title: measure.label }, buildMeter(value, computeScaleEnds(values, measure.included_value)), formatDecimal(value, measure.digits))
}

/** Build the bar from 0 to a value on a scale. @type {(value: number, scale: { low: number, high: number }) => HTMLElement} */
export function buildMeter(value, { low, high }) {
  const left = (100 * (Math.min(0, value) - low)) / (high - low)
  const width = Math.max(0.5, (100 * Math.abs(value)) / (high - low))
  return make("span", { class: "meter", "aria-hidden": "true" }, make("i", { style: `left: ${left}%; width: ${width}%` }))
}
