// What can be made of rows by rule, at one step, a range of them or all; and the changes that hold, each with a button
// that takes it back. A rule that holds at the steps that are chosen is pressed, and pressed again is taken back; what
// number it takes is asked for beside it then.

/** @import { ConsoleWords } from "../payloads.js" */
/** @import { Console } from "./console.js" */
import { find, findAll, make, nearest } from "../shared/dom.js"
import { fill, filled } from "../shared/format.js"
import { current, ruled, ruling, scopeOf, where } from "./share.js"

/** @type {("step" | "range" | "all")[]} */
const SCOPES = ["step", "range", "all"]

/** The rules that take a number, with its limits. @type {Record<string, Record<string, number>>} */
const NUMBERED = { shuffled: { min: 0, max: 999999, step: 1 }, temperature: { min: 0.05, max: 20, step: 0.05 } }

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
  const rules = ways(words).map(([way, name, help]) => make("button", { type: "button", class: "way", "data-way": way, "aria-pressed": false, title: help }, name))
  const number = (/** @type {"shuffled" | "temperature"} */ way, /** @type {string} */ label, /** @type {string} */ hint) =>
    make("label", { class: "number-of", "data-of": way, hidden: "" }, label, typed(way, numbers[way], label, NUMBERED[way]), make("span", { class: "soft" }, hint))
  const chips = data.changes.map(({ written, said }) =>
    make("span", { class: "chip" }, make("span", {}, said), make("button", { type: "button", "data-less": written, "aria-label": filled(words.less, { change: said }), title: filled(words.less, { change: said }) }, "×")))
  const none = make("button", { type: "button", class: "none" }, words.none)
  /** @type {(kind: string, name: string, ...parts: HTMLElement[]) => HTMLElement} */
  const line = (kind, name, ...parts) => make("div", { class: `line ${kind}` }, make("span", { class: "at" }, name), make("div", { class: "parts" }, ...parts))
  return make("div", { class: "controls" },
    line("where", words.at, make("span", { class: "scopes", role: "radiogroup", "aria-label": words.at }, ...scopes), ends),
    line("rules", words.look, ...rules, number("shuffled", words.seed, words.seed_hint), number("temperature", words.temperature, words.temperature_hint)),
    make("p", { class: "soft help" }, root.helped),
    line("chips", words.changed, ...(chips.length ? [...chips, none] : [make("span", { class: "soft" }, words.own)])))
}

/**
 * Let the choice of steps, and the numbers, say what the changes say that hold: they came with a link, a file or from
 * the table of rules.
 * @param {Console} root
 */
export function adopt(root) {
  const { data } = root
  const changes = data.changes.map(({ written }) => written)
  const scope = scopeOf(changes, data.map, current(data).pieces.length)
  if (!scope) return
  root.scope = scope.kind
  if (scope.kind === "step") root.step = scope.step - 1
  if (scope.kind === "range") root.range = [scope.from, scope.to]
  for (const rule of changes.flatMap((one) => ruled(one) ?? [])) {
    if (rule.way === "shuffled" || rule.way === "temperature") root.numbers[rule.way] = Number(rule.value)
  }
}

/**
 * The buttons that speak of the word and the step that are looked at, and which rules hold there.
 * @param {Console} root
 */
export function labels(root) {
  const { data, place } = root
  const word = wordAt(root).map((k) => data.source[k].text).join("")
  const { words, languages } = data
  for (const [way, name, help] of [["never", words.do_never, words.help_never], ["only", words.do_only, words.help_only]]) {
    const button = find(root, `[data-way=${way}]`)
    button.replaceChildren(...fill(name, { word: make("u", { lang: data.source[place].word < 0 ? null : languages[0] }, word) }))
    button.title = filled(help, { word })
  }
  find(root, "[data-scope=step]").textContent = filled(data.words.scope_step, { step: root.step + 1, word: current(data).pieces[root.step].text })
  const now = ruled(ruling(data.changes.map(({ written }) => written), data.map, ...spanned(root)) ?? "")
  for (const button of findAll(root, "[data-way]")) {
    const way = button.dataset.way ?? ""
    const value = ruled(change(root, way))?.value
    button.setAttribute("aria-pressed", String(now?.way === way && (Object.hasOwn(NUMBERED, way) || now.value === value)))
  }
  for (const label of findAll(root, ".number-of")) {
    const holding = held(root, label.dataset.of ?? "")
    label.hidden = holding === undefined
    const input = /** @type {HTMLInputElement} */ (find(label, "input"))
    if (holding !== undefined && !input.matches(":focus")) input.value = ruled(holding)?.value ?? ""
  }
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
 * The steps that are chosen, as changes name them.
 * @param {Console} root
 */
const chosen = ({ data, scope, step, range }) => {
  const last = current(data).pieces.length
  return where({ kind: scope, step: step + 1, from: Math.min(range[0], last), to: Math.min(range[1], last) })
}

/**
 * The first and the last of the steps that are chosen, from 1.
 * @param {Console} root
 * @returns {[number, number]}
 */
function spanned({ data, scope, step, range }) {
  if (scope === "all") return [1, Infinity]
  const last = current(data).pieces.length
  return scope === "step" ? [step + 1, step + 1] : [Math.min(...range, last), Math.min(Math.max(...range), last)]
}

/**
 * A rule of the steps that are chosen, as changes are written.
 * @param {Console} root
 * @param {string} way
 */
function change(root, way) {
  const { data, numbers } = root
  const what = way === "shuffled" || way === "temperature" ? `=${numbers[way]}` : way === "never" || way === "only" ? `=${wordAt(root).map((k) => k + 1).join(".")}` : ""
  return `${data.map}@${chosen(root)}:${way}${what}`
}

/**
 * The change by which a rule holds at just the steps that are chosen, as it is written; undefined where it does not.
 * @param {Console} root
 * @param {string} way
 */
function held(root, way) {
  const asked = change(root, way)
  const numbered = Object.hasOwn(NUMBERED, way) ? asked.slice(0, asked.indexOf("=") + 1) : null
  return root.data.changes.find(({ written }) => (numbered ? written.startsWith(numbered) : written === asked))?.written
}

/**
 * Ask for rows made by rule, or take the rule back where it holds.
 * @param {Console} root
 * @param {string} way
 */
function ask(root, way) {
  const wider = () => ruling(root.data.changes.map(({ written }) => written), root.data.map, ...spanned(root))
  const holding = held(root, way) ?? (find(root, `[data-way=${way}]`).getAttribute("aria-pressed") === "true" ? wider() : undefined)
  root.draft = null
  root.tell(holding === undefined ? { more: change(root, way) } : { less: holding })
}

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
  labels(root)
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
  // What a rule does is read below them: a title is for the mouse alone.
  const help = (/** @type {Event} */ event) => {
    const way = nearest(event.target, "[data-way]")
    if (way) find(root, ".help").textContent = root.helped = way.title
  }
  root.addEventListener("focusin", help)
  root.addEventListener("pointerover", help)
  root.addEventListener("change", (event) => {
    const input = event.target
    if (!(input instanceof HTMLInputElement) || !Number.isFinite(input.valueAsNumber)) return
    const [least, most] = [Number(input.min), Number(input.max)]
    const value = Math.min(most, Math.max(least, input.valueAsNumber))
    const whole = Math.round(value)
    const { name } = input
    if (name === "from" || name === "to") root.range[name === "from" ? 0 : 1] = whole
    else if (name === "shuffled" || name === "temperature") root.numbers[name] = name === "shuffled" ? whole : value
    else return
    input.value = String(name === "temperature" ? value : whole)
    if (Object.hasOwn(NUMBERED, name)) root.tell({ more: change(root, name) })
    else labels(root)
  })
}
