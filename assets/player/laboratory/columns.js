// Align both translations word by word, with the effect of the changes on each word. Row names are repeated before every
// line of columns.

/** @import { ConsoleColumn, ConsoleData, ConsoleSide } from "../payloads.js" */
import { findAll, make } from "../shared/dom.js"
import { normaliseSpaces, formatDecimal, formatTemplate, formatSigned } from "../shared/format.js"

const ZERO_BELOW = 0.005 // nats; smaller values are written as 0
const HALVING = Math.log(2) // nats; a loss that halves the probability

/** @type {(value: number | null, plus: boolean) => string} */
const formatNats = (value, plus) => (value == null ? " " : Math.abs(value) < ZERO_BELOW ? "0" : plus ? formatSigned(value) : formatDecimal(value))

/** @type {(side: ConsoleSide, word: number | null, data: ConsoleData) => string} */
const formatWord = (side, word, data) => (word == null ? "–" : word < 0 ? data.messages.end : side.words[word][1].trim())

/** @type {(data: ConsoleData, column: ConsoleColumn) => string | null} */
function describeColumn(data, { word_before: wordBefore, word_after: wordAfter, log_probability_gain: logProbabilityGain, kl_divergence: klDivergence, log_probability: logProbability }) {
  const { messages } = data
  if (!data.overridden) return null
  const numbers = { gained: formatNats(logProbabilityGain, true), moved: formatNats(klDivergence, false), log: formatNats(logProbability, false) }
  const pair = { was: normaliseSpaces(formatWord(data.original, wordBefore, data)), now: normaliseSpaces(formatWord(data.overridden, wordAfter, data)) }
  return formatTemplate(wordBefore == null ? messages.column_new : wordAfter == null ? messages.column_gone : messages.column, { ...pair, ...numbers })
}

/** @type {(data: ConsoleData, item: ConsoleColumn) => HTMLLIElement} */
function buildColumn(data, item) {
  const { word_before: wordBefore, word_after: wordAfter, is_changed: isChanged, log_probability_gain: logProbabilityGain, kl_divergence: klDivergence, log_probability: logProbability } = item
  const { languages } = data
  const description = describeColumn(data, item)
  const all = make("li", { class: isChanged ? "column changed" : "column", title: description },
    make("span", { class: wordBefore == null ? "was" : "was word", lang: wordBefore != null && wordBefore < 0 ? null : languages[1] }, formatWord(data.original, wordBefore, data)),
    make("span", { class: logProbabilityGain != null && logProbabilityGain < -HALVING ? "number lost" : "number" }, formatNats(logProbabilityGain, true)),
    make("span", { class: "number" }, formatNats(klDivergence, false)),
    make("span", { class: "now", lang: wordAfter != null && wordAfter < 0 ? null : languages[1] }, data.overridden ? formatWord(data.overridden, wordAfter, data) : " "),
    make("span", { class: "number" }, formatNats(logProbability, false)))
  if (description) {
    for (const part of all.children) part.setAttribute("aria-hidden", "true")
    all.append(make("span", { class: "unseen", lang: data.language }, description))
  }
  return all
}

/** @param {ConsoleData} data */
export function buildColumns(data) {
  const { messages, original, overridden } = data
  const logs = overridden ? [formatTemplate(messages.logs, { before: original.log_probability, after: overridden.log_probability }), data.total_gain && formatTemplate(messages.sum, { sum: data.total_gain })]
    : [formatTemplate(messages.log, { before: original.log_probability })]
  const head = make("p", { class: "label" }, make("b", {}, data.name), data.summary && make("span", { class: "summary" }, data.summary), make("span", {}, overridden ? data.unchanged_note : messages.idle), ...logs.map((item) => item && make("span", {}, item)),
    data.has_back_link && !data.is_export ? make("button", { type: "button", class: "back" }, messages.back) : null)
  const names = make("div", { class: "column names" }, ...[messages.before, messages.gained, messages.moved, messages.after, messages.log_name].map((name) => make("span", {}, name)))
  const list = make("ol", { class: "columns", "aria-label": messages.columns }, ...data.columns.map((item) => buildColumn(data, item)), overridden ? null : make("li", { class: "soon" }, messages.soon))
  const rowNames = make("div", { class: "beside" }, names)
  if (overridden) repeatRowNames(rowNames, names, list)
  return [head, make("div", { class: overridden ? "aligned" : "aligned idle" }, rowNames, list)]
}

/**
 * Repeat the row names before every further line of columns.
 * @type {(rowNames: HTMLElement, names: HTMLElement, list: HTMLElement) => void}
 */
function repeatRowNames(rowNames, names, list) {
  const texts = [...names.children].map((name) => name.textContent)
  new ResizeObserver(() => {
    const tops = [...new Set(findAll(list, ".column").map((item) => item.offsetTop))].slice(1)
    rowNames.replaceChildren(names, ...tops.map((top) =>
      make("div", { class: "column names again", "aria-hidden": "true", style: `top: ${top}px` }, ...texts.map((name) => make("span", {}, name)))))
  }).observe(list)
}
