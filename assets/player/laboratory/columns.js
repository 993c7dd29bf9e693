// Both translations, one below the other word by word, and what the changes made of each word. Where the columns go on in a
// further line, the names of their rows stand before it again.

/** @import { ConsoleColumn, ConsoleData, ConsoleSide } from "../payloads.js" */
import { findAll, make } from "../shared/dom.js"
import { clean, decimal, filled, signed } from "../shared/format.js"

const CLEAR = 0.005 // nats; less is written as nothing
const HALVED = Math.log(2) // nats; a word that lost more is half as likely as it was

/**
 * @param {number | null} value
 * @param {boolean} plus
 */
const nats = (value, plus) => (value == null ? " " : Math.abs(value) < CLEAR ? "0" : plus ? signed(value) : decimal(value))

/**
 * A word of a side, a dash where it has none.
 * @param {ConsoleSide} side
 * @param {number | null} word
 * @param {ConsoleData} data
 */
const text = (side, word, data) => (word == null ? "–" : word < 0 ? data.words.end : side.words[word][1].trim())

/**
 * What is to be told of a column where it is pointed at.
 * @param {ConsoleData} data
 * @param {ConsoleColumn} column
 */
function told(data, { before, after, gained, moved, log }) {
  const { words } = data
  if (!data.after) return null
  const numbers = { gained: nats(gained, true), moved: nats(moved, false), log: nats(log, false) }
  const pair = { was: clean(text(data.before, before, data)), now: clean(text(data.after, after, data)) }
  return filled(before == null ? words.column_new : after == null ? words.column_gone : words.column, { ...pair, ...numbers })
}

/**
 * The word before with what the change made of it below it, then the word after with its own probability.
 * @param {ConsoleData} data
 * @param {ConsoleColumn} one
 */
function column(data, one) {
  const { before, after, flipped, gained, moved, log } = one
  const { languages } = data
  const said = told(data, one)
  const all = make("li", { class: flipped ? "column flipped" : "column", title: said },
    make("span", { class: before == null ? "was" : "was word", lang: before != null && before < 0 ? null : languages[1] }, text(data.before, before, data)),
    make("span", { class: gained != null && gained < -HALVED ? "number lost" : "number" }, nats(gained, true)),
    make("span", { class: "number" }, nats(moved, false)),
    make("span", { class: "now", lang: after != null && after < 0 ? null : languages[1] }, data.after ? text(data.after, after, data) : " "),
    make("span", { class: "number" }, nats(log, false)))
  if (said) {
    for (const part of all.children) part.setAttribute("aria-hidden", "true")
    all.append(make("span", { class: "unseen", lang: data.language }, said))
  }
  return all
}

/** @param {ConsoleData} data */
export function columns(data) {
  const { words, before, after } = data
  const logs = after ? [filled(words.logs, { before: before.log_probability, after: after.log_probability }), data.sum && filled(words.sum, { sum: data.sum })]
    : [filled(words.log, { before: before.log_probability })]
  const head = make("p", { class: "label" }, make("b", {}, data.name), data.told && make("span", { class: "told" }, data.told), make("span", {}, after ? data.kept : words.idle), ...logs.map((one) => one && make("span", {}, one)),
    data.back && !data.alone ? make("button", { type: "button", class: "back" }, words.back) : null)
  const names = make("div", { class: "column names" }, ...[words.before, words.gained, words.moved, words.after, words.log_name].map((name) => make("span", {}, name)))
  const list = make("ol", { class: "columns", "aria-label": words.columns }, ...data.columns.map((one) => column(data, one)), after ? null : make("li", { class: "soon" }, words.soon))
  const beside = make("div", { class: "beside" }, names)
  if (after) repeated(beside, names, list)
  return [head, make("div", { class: after ? "aligned" : "aligned idle" }, beside, list)]
}

/**
 * Keep the names of the rows before every line of the columns, however often these break.
 * @param {HTMLElement} beside
 * @param {HTMLElement} names before the first line
 * @param {HTMLElement} list
 */
function repeated(beside, names, list) {
  const texts = [...names.children].map((name) => name.textContent)
  new ResizeObserver(() => {
    const tops = [...new Set(findAll(list, ".column").map((one) => one.offsetTop))].slice(1)
    beside.replaceChildren(names, ...tops.map((top) => {
      const again = make("div", { class: "column names again", "aria-hidden": "true" }, ...texts.map((name) => make("span", {}, name)))
      again.style.top = `${top}px`
      return again
    }))
  }).observe(list)
}
