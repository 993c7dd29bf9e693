// Both translations, one below the other word by word, and what the changes made of each word.

/** @import { ConsoleColumn, ConsoleData, ConsoleSide } from "../payloads.js" */
import { make } from "../shared/dom.js"
import { clean, decimal, filled } from "../shared/format.js"

const CLEAR = 0.005 // nats; less is written as nothing
const HALVED = Math.log(2) // nats; a word that lost more is half as likely as it was

/**
 * @param {number | null} value
 * @param {boolean} signed
 */
const nats = (value, signed) => (value == null ? " " : Math.abs(value) < CLEAR ? "0" : `${signed && value > 0 ? "+" : ""}${decimal(value, 2)}`)

/**
 * A word of a side, a dash where it has none.
 * @param {ConsoleSide} side
 * @param {number | null} word
 * @param {ConsoleData} data
 */
const text = (side, word, data) => (word == null ? "–" : word < 0 ? data.words.end : side.words[word][1].trim())

/**
 * @param {ConsoleData} data
 * @param {ConsoleColumn} column
 */
function column(data, { before, after, flipped, gained, moved }) {
  const { words, languages } = data
  const [was, now] = [text(data.before, before, data), data.after ? text(data.after, after, data) : " "]
  const told = data.after
    ? filled(words.column, { was: clean(was), now: clean(now), gained: nats(gained, true), moved: nats(moved, false) })
    : null
  return make("li", { class: flipped ? "column flipped" : "column", title: told },
    make("span", { class: before == null ? "was" : "was word", lang: before != null && before < 0 ? null : languages[1] }, was),
    make("span", { class: "now", lang: after != null && after < 0 ? null : languages[1] }, now),
    make("span", { class: gained != null && gained < -HALVED ? "number lost" : "number" }, nats(gained, true)),
    make("span", { class: "number" }, nats(moved, false)))
}

/** @param {ConsoleData} data */
export function columns(data) {
  const { words } = data
  const head = make("p", { class: "label" }, make("b", {}, data.name), data.after ? make("span", {}, data.kept) : make("span", {}, words.idle),
    make("span", {}, data.after ? filled(words.logs, { before: data.before.log_probability, after: data.after.log_probability }) : filled(words.log, { before: data.before.log_probability })))
  const names = make("li", { class: "column names" }, make("span", {}, words.before), make("span", {}, words.after), make("span", {}, words.gained), make("span", {}, words.moved))
  return [head, make("ol", { class: data.after ? "columns" : "columns idle", "aria-label": words.columns }, names, ...data.columns.map((one) => column(data, one)))]
}
