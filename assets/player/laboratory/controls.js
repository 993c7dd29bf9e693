// What can be made of rows by rule, at one step, a range of them or all; and the changes that hold, each with a button
// that takes it back.

/** @import { ConsoleWords } from "../payloads.js" */
/** @import { Console } from "./console.js" */
import { find, findAll, make, nearest } from "../shared/dom.js"
import { filled } from "../shared/format.js"
import { current, where } from "./share.js"

/** @type {("step" | "range" | "all")[]} */
const SCOPES = ["step", "range", "all"]

/**
 * Each rule with its name and what it does.
 * @param {ConsoleWords} words
 * @returns {[string, string, string][]}
 */
const ways = (words) => [
  ["uniform", words.do_uniform, words.help_uniform], ["max", words.do_max, words.help_max],
  ["others", words.do_others, words.help_others], ["before", words.do_before, words.help_before],
  ["diagonal", words.do_diagonal, words.help_diagonal], ["shuffled", words.do_shuffled, words.help_shuffled],
  ["temperature", words.do_temperature, words.help_temperature], ["never", words.do_never, words.help_never],
  ["only", words.do_only, words.help_only],
]

/**
 * A number that the reader may type.
 * @param {string} name
 * @param {number} value
 * @param {string} label
 * @param {Record<string, number>} [limits]
 */
const typed = (name, value, label, limits = {}) =>
  make("input", { type: "number", name, value, "aria-label": label, title: label, inputmode: "decimal", ...limits })

/** @param {Console} root */
export function controls(root) {
  const { data, scope, range, numbers } = root
  const { words } = data
  const last = current(data).pieces.length
  const names = { step: words.scope_step, range: words.scope_range, all: words.scope_all }
  const scopes = SCOPES.map((kind) =>
    make("button", { type: "button", role: "radio", "data-scope": kind, "aria-checked": String(kind === scope), tabindex: kind === scope ? 0 : -1 }, names[kind]))
  const ends = make("span", { class: "ends", hidden: scope === "range" ? null : "" },
    typed("from", Math.min(range[0], last), words.from, { min: 1, max: last }), "–", typed("to", Math.min(range[1], last), words.to, { min: 1, max: last }))
  /** @type {Record<string, () => HTMLElement>} */
  const asked = {
    shuffled: () => typed("seed", numbers.seed, words.seed, { min: 0, max: 999999, step: 1 }),
    temperature: () => typed("temperature", numbers.temperature, words.temperature, { min: 0.05, max: 20, step: 0.05 }),
  }
  const rules = ways(words).map(([way, name, help]) =>
    make("span", { class: "rule" }, make("button", { type: "button", class: "way", "data-way": way, title: help }, name), asked[way]?.()))
  const chips = data.changes.map(({ written, said }) =>
    make("span", { class: "chip" }, make("span", {}, said), make("button", { type: "button", "data-less": written, "aria-label": filled(words.less, { change: said }), title: filled(words.less, { change: said }) }, "×")))
  const none = make("button", { type: "button", class: "none", disabled: data.changes.length ? null : "" }, words.none)
  return make("div", { class: "controls" },
    make("div", { class: "line" }, make("span", { class: "at" }, words.at), make("span", { class: "scopes", role: "radiogroup", "aria-label": words.at }, ...scopes), ends, ...rules),
    make("div", { class: "line chips" }, none, ...(chips.length ? chips : [make("span", { class: "soft" }, words.own)])))
}

/**
 * The buttons that speak of the word that is looked at.
 * @param {Console} root
 */
export function labels(root) {
  const { data, place } = root
  const word = wordAt(root).map((k) => data.source[k].text).join("")
  for (const way of ["never", "only"]) find(root, `[data-way=${way}]`).textContent = filled(data.words[way === "never" ? "do_never" : "do_only"], { word: word || data.source[place].text })
  find(root, "[data-scope=step]").textContent = filled(data.words.scope_step, { step: root.step + 1, word: current(data).pieces[root.step].text })
}

/**
 * The places of all pieces of the source word that is looked at.
 * @param {Console} root
 */
function wordAt({ data, place }) {
  const { word } = data.source[place]
  return word < 0 ? [place] : data.source.flatMap((piece, k) => (piece.word === word ? [k] : []))
}

/**
 * Ask for rows made by rule.
 * @param {Console} root
 * @param {string} way
 */
function ask(root, way) {
  const { data, numbers, step, range } = root
  const what = { shuffled: `=${numbers.seed}`, temperature: `=${numbers.temperature}`, never: `=${places(root)}`, only: `=${places(root)}` }
  const steps = where({ kind: root.scope, step: step + 1, from: range[0], to: range[1] })
  root.draft = null
  root.tell({ more: `${data.map}@${steps}:${way}${Object.hasOwn(what, way) ? what[/** @type {keyof typeof what} */ (way)] : ""}` })
}

/** @param {Console} root */
const places = (root) => wordAt(root).map((k) => k + 1).join(".")

/**
 * @param {Console} root
 * @param {"step" | "range" | "all"} kind
 */
function choose(root, kind) {
  root.scope = kind
  for (const node of findAll(root, "[data-scope]")) {
    const on = node.dataset.scope === kind
    node.setAttribute("aria-checked", String(on))
    node.tabIndex = on ? 0 : -1
  }
  find(root, ".ends").hidden = kind !== "range"
}

/** @param {Console} root */
export function listenToControls(root) {
  root.addEventListener("click", (event) => {
    const scope = nearest(event.target, "[data-scope]")
    const way = nearest(event.target, "[data-way]")
    const less = nearest(event.target, "[data-less]")
    if (scope) choose(root, /** @type {"step"} */ (scope.dataset.scope))
    else if (way) ask(root, way.dataset.way ?? "")
    else if (less) root.tell({ less: less.dataset.less })
    else if (nearest(event.target, ".none")) root.tell({ none: true })
  })
  root.addEventListener("keydown", (event) => {
    const scope = nearest(event.target, "[data-scope]")
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!scope || !by) return
    event.preventDefault()
    choose(root, SCOPES[(SCOPES.indexOf(root.scope) + by + SCOPES.length) % SCOPES.length])
    find(root, `[data-scope=${root.scope}]`).focus()
  })
  root.addEventListener("change", (event) => {
    const input = event.target
    if (!(input instanceof HTMLInputElement) || !Number.isFinite(input.valueAsNumber)) return
    const [least, most] = [Number(input.min), Number(input.max)]
    const value = Math.min(most, Math.max(least, input.valueAsNumber))
    if (input.name === "from") root.range[0] = Math.round(value)
    else if (input.name === "to") root.range[1] = Math.round(value)
    else if (input.name === "seed") root.numbers.seed = Math.round(value)
    else if (input.name === "temperature") root.numbers.temperature = value
    else return
    input.value = String(input.name === "temperature" ? value : Math.round(value))
  })
}
