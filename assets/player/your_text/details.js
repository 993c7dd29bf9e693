// Show an opened sentence: its texts, all its numbers, and links to other pages.

/** @import { BarMeasure, BarSeries } from "../payloads.js" */
/** @import { SentenceBars } from "./sentence_bars.js" */
import { make } from "../shared/dom.js"
import { formatDecimalOrDash } from "../shared/format.js"
import { isMeasurePerModel } from "./order.js"

/** @type {(root: SentenceBars, rowIndex: number) => HTMLDivElement} */
export function buildDetails(root, rowIndex) {
  const { data } = root
  const { messages } = data
  const row = data.rows[rowIndex]
  const [sourceLanguage, targetLanguage] = data.models[0].languages
  /** @type {(name: string, kind: string, language: string, content: string) => HTMLElement} */
  const text = (name, kind, language, content) =>
    make("div", { class: kind }, make("dt", {}, name), make("dd", { lang: language }, content))
  const { source, reference, outputs } = row
  const isTable = root.state.view === "table" // it has source and translations already
  const texts = source == null ? null : make("dl", {},
    isTable ? null : text(messages.source, "source", sourceLanguage, source),
    reference == null ? null : text(messages.reference, "reference", targetLanguage, reference),
    ...(isTable ? [] : data.models).map((model, k) => {
      const { problem, text: output } = outputs?.[k] ?? {}
      return text(model.title, "target", problem ? data.language : model.languages[1], problem ?? (output || messages.nothing))
    }))
  return make("div", { class: "details" }, texts, buildNumbers(root, rowIndex), source == null ? null : buildLinks(root, row.line, source))
}

/**
 * Build a sentence's numbers: first those of the sentence and of pairs of models, then a table with one row per measure
 * and one column per model.
 * @type {(root: SentenceBars, rowIndex: number) => HTMLDivElement}
 */
function buildNumbers({ data: { measures, models } }, rowIndex) {
  const names = models.map((model) => model.title)
  /** @type {(measure: BarMeasure, series: BarSeries | undefined) => string} */
  const format = (measure, series) => formatDecimalOrDash(series?.values[rowIndex], measure.digits)
  const single = measures.filter((measure) => !isMeasurePerModel(measure, names)).flatMap((measure) => measure.series.map((series) =>
    make("span", {}, measure.key === "length" ? `${measure.label} ` : `${measure.label}, ${series.label} `, make("b", {}, format(measure, series)))))
  const lines = measures.filter((measure) => isMeasurePerModel(measure, names)).map((measure) =>
    make("tr", {}, make("th", { scope: "row" }, measure.label),
      ...names.map((name) => make("td", {}, format(measure, measure.series.find((series) => series.label === name))))))
  return make("div", { class: "numbers" },
    make("p", { class: "single" }, ...single),
    make("table", {},
      make("thead", {}, make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...lines)))
}

/** @type {(root: SentenceBars, line: number, sentence: string) => HTMLParagraphElement} */
function buildLinks(root, line, sentence) {
  const { models, pages, link_params: linkParams, messages } = root.data
  /** @type {(page: string, model: string, otherModel: string | undefined, text: string) => HTMLElement} */
  const anchor = (page, model, otherModel, text) => {
    const query = new URLSearchParams({ sentence, model, ...(otherModel ? { "other-model": otherModel } : {}), ...linkParams })
    const link = make("a", { href: `${page}?${query}` }, text)
    link.onclick = (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault() // within the app, so that the session is kept
      root.trigger("open", { page, line, model, other_model: otherModel ?? null })
    }
    return link
  }
  const [firstModel, secondModel] = models
  const links = pages.flatMap((page) => {
    if (page.is_per_model) return models.map((model) => anchor(page.url, model.name, undefined, `${page.title}: ${model.title}`))
    return page.url === "compare" && !secondModel ? [] : [anchor(page.url, firstModel.name, secondModel?.name, page.title)]
  })
  return make("p", { class: "links" }, make("span", {}, messages.open), ...links)
}
