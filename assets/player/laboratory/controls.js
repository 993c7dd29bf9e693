// Buttons that apply rules to attention rows (one step, a range, or all), and the list of active changes. The button of an
// active rule is pressed; pressing it again removes the rule. Rules with a number show its field then.

/** @import { Console } from "./console.js" */
import { find, findAll, make, findClosest } from "../shared/dom.js"
import { fillTemplate, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { getEditedSide, parseRule, findRule, parseScope, formatScope } from "./attention_changes.js"

/** @type {("step" | "range" | "all")[]} */
const SCOPES = ["step", "range", "all"]

/** Limits of the rules that take a number. @type {Record<string, Record<string, number>>} */
const NUMBERED_RULES = { shuffled: { min: 0, max: 999999, step: 1 }, temperature: { min: 0.05, max: 20, step: 0.05 } }

const RULES = /** @type {const} */ (["uniform", "max", "others", "before", "diagonal", "shuffled", "temperature", "never", "only"])

/** @type {(name: string, value: number, label: string, limits?: Record<string, number>) => HTMLInputElement} */
const makeNumberInput = (name, value, label, limits = {}) =>
  make("input", { type: "number", name, value, "aria-label": label, title: label, inputmode: "decimal", ...limits })

/** @param {Console} root */
export function buildControls(root) {
  const { data, scope, range, numbers } = root
  const { messages } = data
  const last = getEditedSide(data).pieces.length
  const scopes = SCOPES.map((kind) =>
    make("button", { type: "button", role: "radio", "data-scope": kind, "aria-checked": String(kind === scope), tabindex: kind === scope ? 0 : -1 }, messages[`scope_${kind}`]))
  const rangeInputs = make("span", { class: "ends", hidden: scope === "range" ? null : "" },
    makeNumberInput("from", Math.min(range[0], last), messages.from, { min: 1, max: last }), "–", makeNumberInput("to", Math.min(range[1], last), messages.to, { min: 1, max: last }))
  const rules = RULES.map((rule) => make("button", { type: "button", class: "rule", "data-rule": rule, "aria-pressed": false, title: messages[`help_${rule}`] }, messages[`do_${rule}`]))
  const number = (/** @type {"shuffled" | "temperature"} */ rule, /** @type {string} */ label, /** @type {string} */ hint) =>
    make("label", { class: "number-of", "data-of": rule, hidden: "" }, label, makeNumberInput(rule, numbers[rule], label, NUMBERED_RULES[rule]), make("span", { class: "soft" }, hint))
  const chips = data.overrides.map(({ override, description }) =>
    make("span", { class: "chip" }, make("span", {}, description), make("button", { type: "button", "data-remove": override, "aria-label": formatTemplate(messages.less, { change: description }), title: formatTemplate(messages.less, { change: description }) }, "×")))
  const removeAll = make("button", { type: "button", class: "clear" }, messages.none)
  /** @type {(kind: string, name: string, ...parts: HTMLElement[]) => HTMLElement} */
  const line = (kind, name, ...parts) => make("div", { class: `line ${kind}` }, make("span", { class: "at" }, name), make("div", { class: "parts" }, ...parts))
  return make("div", { class: "controls" },
    line("where", messages.at, make("span", { class: "scopes", role: "radiogroup", "aria-label": messages.at }, ...scopes), rangeInputs),
    line("rules", messages.look, ...rules, number("shuffled", messages.seed, messages.seed_hint), number("temperature", messages.temperature, messages.temperature_hint)),
    make("p", { class: "soft help" }),
    line("chips", messages.changed, ...(chips.length ? [...chips, removeAll] : [make("span", { class: "soft" }, messages.own)])))
}

/**
 * Take the chosen steps and numbers from the active changes, which may come from a link, a file or the rule table.
 * @param {Console} root
 */
export function adoptChanges(root) {
  const { data } = root
  const changes = data.overrides.map(({ override }) => override)
  const scope = parseScope(changes, data.map_key, getEditedSide(data).pieces.length)
  if (!scope) return
  root.scope = scope.kind
  if (scope.kind === "step") root.step = scope.step - 1
  if (scope.kind === "range") root.range = [scope.firstStep, scope.lastStep]
  for (const { rule, value } of changes.flatMap((item) => parseRule(item) ?? [])) {
    if (rule === "shuffled" || rule === "temperature") root.numbers[rule] = Number(value)
  }
}

/**
 * Update the buttons that name the selected word and step, and which rules are active there.
 * @param {Console} root
 */
export function updateLabels(root) {
  const { data, sourceIndex } = root
  const word = listPiecesOfWord(root).map((k) => data.source[k].text).join("")
  const { messages, languages } = data
  for (const rule of /** @type {const} */ (["never", "only"])) {
    const button = find(root, `[data-rule=${rule}]`)
    button.replaceChildren(...fillTemplate(messages[`do_${rule}`], { word: make("u", { lang: data.source[sourceIndex].word < 0 ? null : languages[0] }, word) }))
    button.title = formatTemplate(messages[`help_${rule}`], { word })
  }
  find(root, "[data-scope=step]").textContent = formatTemplate(data.messages.scope_step, { step: root.step + 1, word: getEditedSide(data).pieces[root.step].text })
  const span = findChosenSpan(root)
  const currentRule = parseRule(findRule(data.overrides.map(({ override }) => override), data.map_key, ...span) ?? "")
  for (const button of findAll(root, "[data-rule]")) {
    const ruleName = button.dataset.rule ?? ""
    const value = parseRule(formatChange(root, ruleName))?.value
    button.setAttribute("aria-pressed", String(currentRule?.rule === ruleName && (Object.hasOwn(NUMBERED_RULES, ruleName) || currentRule.value === value)))
    if (ruleName === "before" && button instanceof HTMLButtonElement) button.disabled = span[1] === 1 // no row is before the first
  }
  showHelp(root)
  for (const label of findAll(root, ".number-of")) {
    const activeChange = findHoldingChange(root, label.dataset.of ?? "")
    label.hidden = activeChange === undefined
    const input = /** @type {HTMLInputElement} */ (find(label, "input"))
    if (activeChange !== undefined && !input.matches(":focus")) input.value = parseRule(activeChange)?.value ?? ""
  }
}

/**
 * Explain in a line the rule that is pointed at or focused, else the active one: titles need a mouse.
 * @param {Console} root
 */
function showHelp(root) {
  const rule = root.querySelector(`[data-rule="${root.helpRule}"]`) ?? root.querySelector("[data-rule][aria-pressed=true]")
  find(root, ".help").textContent = rule instanceof HTMLElement ? rule.title : ""
}

/** @param {Console} root */
function listPiecesOfWord({ data, sourceIndex }) {
  const { word } = data.source[sourceIndex]
  return word < 0 ? [sourceIndex] : data.source.flatMap((piece, k) => (piece.word === word ? [k] : []))
}

/** @param {Console} root */
const listChosenSteps = ({ data, scope, step, range }) => {
  const last = getEditedSide(data).pieces.length
  return formatScope({ kind: scope, step: step + 1, firstStep: Math.min(range[0], last), lastStep: Math.min(range[1], last) })
}

/**
 * Return the first and last chosen step, from 1.
 * @type {(root: Console) => [number, number]}
 */
function findChosenSpan({ data, scope, step, range }) {
  if (scope === "all") return [1, Infinity]
  const last = getEditedSide(data).pieces.length
  return scope === "step" ? [step + 1, step + 1] : [Math.min(...range, last), Math.min(Math.max(...range), last)]
}

/** @type {(root: Console, rule: string) => string} */
function formatChange(root, rule) {
  const { data, numbers } = root
  const argument = rule === "shuffled" || rule === "temperature" ? `=${numbers[rule]}` : rule === "never" || rule === "only" ? `=${listPiecesOfWord(root).map((k) => k + 1).join(".")}` : ""
  return `${data.map_key}@${listChosenSteps(root)}:${rule}${argument}`
}

/**
 * Find the active change that is this rule at exactly the chosen steps.
 * @type {(root: Console, rule: string) => string | undefined}
 */
function findHoldingChange(root, rule) {
  const change = formatChange(root, rule)
  const numberedPrefix = Object.hasOwn(NUMBERED_RULES, rule) ? change.slice(0, change.indexOf("=") + 1) : null
  return root.data.overrides.find(({ override }) => (numberedPrefix ? override.startsWith(numberedPrefix) : override === change))?.override
}

/** @type {(root: Console, rule: string) => void} */
function toggleRule(root, rule) {
  const findCoveringRule = () => findRule(root.data.overrides.map(({ override }) => override), root.data.map_key, ...findChosenSpan(root))
  const activeChange = findHoldingChange(root, rule) ?? (find(root, `[data-rule=${rule}]`).getAttribute("aria-pressed") === "true" ? findCoveringRule() : undefined)
  root.draft = null
  root.requestChange(activeChange === undefined ? { add: formatChange(root, rule) } : { remove: activeChange })
}

/** @type {(root: Console, kind: "step" | "range" | "all") => void} */
function chooseScope(root, kind) {
  root.scope = kind
  for (const node of findAll(root, "[data-scope]")) {
    const isChosen = node.dataset.scope === kind
    node.setAttribute("aria-checked", String(isChosen))
    node.tabIndex = isChosen ? 0 : -1
  }
  find(root, ".ends").hidden = kind !== "range"
  updateLabels(root)
}

/** @param {Console} root */
export function listenToControls(root) {
  root.addEventListener("click", (event) => {
    const scope = findClosest(event.target, "[data-scope]")
    const rule = findClosest(event.target, "[data-rule]")
    const remove = findClosest(event.target, "[data-remove]")
    if (scope) chooseScope(root, /** @type {"step"} */ (scope.dataset.scope))
    else if (rule) toggleRule(root, rule.dataset.rule ?? "")
    else if (remove) root.requestChange({ remove: remove.dataset.remove })
    else if (findClosest(event.target, ".clear")) root.requestChange({ clear: true })
  })
  root.addEventListener("keydown", (event) => {
    const scope = findClosest(event.target, "[data-scope]")
    const direction = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!scope || !direction || hasModifier(event)) return
    event.preventDefault()
    chooseScope(root, SCOPES[(SCOPES.indexOf(root.scope) + direction + SCOPES.length) % SCOPES.length])
    find(root, `[data-scope=${root.scope}]`).focus()
  })
  const chooseHelp = (/** @type {Event} */ event) => {
    root.helpRule = event.type === "pointerleave" ? "" : (findClosest(event.target, "[data-rule]")?.dataset.rule ?? "")
    showHelp(root)
  }
  for (const type of ["focusin", "pointerover", "pointerleave"]) root.addEventListener(type, chooseHelp)
  root.addEventListener("change", (event) => {
    const input = event.target
    if (!(input instanceof HTMLInputElement) || !Number.isFinite(input.valueAsNumber)) return
    const [minimum, maximum] = [Number(input.min), Number(input.max)]
    const value = Math.min(maximum, Math.max(minimum, input.valueAsNumber))
    const integer = Math.round(value)
    const { name } = input
    if (name === "from" || name === "to") root.range[name === "from" ? 0 : 1] = integer
    else if (name === "shuffled" || name === "temperature") root.numbers[name] = name === "shuffled" ? integer : value
    else return
    input.value = String(name === "temperature" ? value : integer)
    if (Object.hasOwn(NUMBERED_RULES, name)) root.requestChange({ add: formatChange(root, name) })
    else updateLabels(root)
  })
}
