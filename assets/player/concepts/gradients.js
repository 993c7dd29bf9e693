// Show how much of each encoder state still reaches the output: one gradient curve per model over the distance in steps,
// and one model's gates beside it. A click chooses an output word.

/** @import { GateTable, GradientsData, GradientsModel } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { redraw } from "../shared/redraw.js"
import { renderGap, find, findAll, make, findClosest, mountRoot, makeTerm, setText, showPressed, storeData } from "../shared/dom.js"
import { formatTemplate, measureDisplayWidth, formatShare } from "../shared/format.js"
import { moveCellFocus, moveWordFocus } from "../shared/focus.js"
import { hasModifier } from "../shared/keys.js"
import { fadeOverflow } from "../shared/scroll_fade.js"
import { registerSection } from "../shared/presentation.js"
import { drawPlot, findDistance, formatGradient, moveCursor, drawLineSample } from "./gradients_plot.js"
import { reserveHeight } from "./reserve.js"

/**
 * @typedef {object} GradientsState
 * @property {number} chosenWord index from 1; 0: the whole translation
 * @property {string} gateModel model whose gates are shown
 * @property {Map<string, boolean>} shownLines models whose curve was shown (true) or hidden by the reader
 * @property {number} distance the pointed distance, -1 for none
 * @property {Pick<GradientsData, "selected_word" | "gate_model">} [reportedChoice] choice reported to the page, until its data agrees
 */
/** @typedef {ComponentRoot<GradientsData> & GradientsState} Root */

/** @type {(root: Root, model: GradientsModel) => boolean} */
const isLineShown = ({ shownLines: lines }, { name, is_hidden: isHidden }) => lines.get(name) ?? !isHidden

/** @param {Root} root */
const listShownCurves = (root) => root.data.models.filter((model) => isLineShown(root, model))
  .flatMap((model) => (model.curves[root.chosenWord] ? [{ model, curve: model.curves[root.chosenWord] }] : []))

/** @type {(data: GradientsData, model: GradientsModel, m: number) => HTMLParagraphElement} */
function buildModelRow({ messages, languages }, model, m) {
  const line = make("span", { class: "target", lang: languages[1] })
  model.words.forEach(([gap, word], k) => line.append(...renderGap(k ? gap : gap.trimStart()),
    make("span", { class: "word", role: "button", tabindex: k ? -1 : 0, "data-m": m, "data-k": k + 1, "aria-pressed": "false" }, word)))
  return make("p", { class: "model", "data-m": m, "aria-busy": String(!model.curves.length && !model.problem) },
    make("span", { class: "name" },
      make("button", { type: "button", class: "line-of", "data-line": model.name, "aria-label": formatTemplate(messages.line, { model: model.title }) }, drawLineSample(model)),
      makeTerm(`model:${model.title}`, model.title)),
    model.problem ? make("span", { class: "problem" }, model.problem) : model.curves.length ? line : make("span", { class: "waiting" }, messages.waiting))
}

/** @type {(data: GradientsData, table: GateTable, n: number) => HTMLDivElement} */
function buildGates({ messages, languages }, { side, tokens, rows }, n) {
  const [language, sideName] = side === "encoder" ? [languages[0], messages.encoder] : [languages[1], messages.decoder]
  const heads = tokens.map((piece, j) => make("th", { scope: "col", "data-j": j, lang: language }, make("span", {}, piece)))
  const body = rows.map(({ label, values }, i) => make("tr", {}, make("th", { scope: "row" }, label),
    ...values.map((value, j) =>
      make("td", { "data-table": n, "data-i": i, "data-j": j, tabindex: i || j ? -1 : 0, class: value == null ? "unrun" : null,
        "aria-label": value == null ? messages.unrun : formatShare(value), style: `--shade: ${(value ?? 0).toFixed(3)}` }))))
  const size = `--longest: ${Math.max(...tokens.map(measureDisplayWidth))}; --columns: ${tokens.length}`
  return fadeOverflow(make("div", { class: `scroll ${side}`, style: size }, make("table", { role: "grid", "aria-label": sideName },
    make("caption", {}, sideName), make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...body))))
}

/** @param {Root} root */
function buildGradients(root) {
  const { data } = root
  const { messages, models } = data
  const hasAttention = models.some(({ curves }) => curves.some(({ direct }) => direct))
  root.lang = data.language
  root.classList.toggle("bare", models.every(({ problem }) => problem))
  root.setAttribute("aria-label", messages.label)
  const tabs = models.filter(({ curves }) => curves.length)
    .map(({ name, title }) => make("button", { type: "button", "data-gates": name, "aria-pressed": "false" }, title))
  const leftSection = make("section", { class: "reach" },
    make("p", { class: "choose" }, make("span", { class: "soft" }, `${messages.choose}:`), make("button", { type: "button", "data-k": 0, "aria-pressed": "false" }, messages.all)),
    make("div", { class: "models" }, ...models.map((model, m) => buildModelRow(data, model, m))),
    make("figure", {}, make("figcaption", {}, messages.upward, make("span", { class: hasAttention ? "key looks" : "key" }, hasAttention ? messages.curves : messages.curves_blind)),
      make("div", { class: "plot", role: "slider", tabindex: 0, "aria-label": messages.across, "aria-valuemin": 0 }),
      make("p", { class: "across soft" }, messages.across)),
    make("p", { class: "readout soft", "aria-live": "polite" }))
  const rightSection = make("section", { class: "gates" }, make("p", { class: "tabs" }, make("span", {}, messages.gates), ...tabs), make("div", { class: "tables" }),
    make("p", { class: "gate soft", "aria-live": "polite" }))
  root.replaceChildren(make("h2", {}, messages.heading), make("p", { class: "lead" }, messages.lead), make("div", { class: "pair" }, leftSection, rightSection),
    make("p", { class: "description", "aria-live": "polite" }),
    make("details", {}, make("summary", {}, messages.numbers), make("div", { class: "scroll numbers" })))
  registerSection(leftSection)
  registerSection(rightSection)
  reserveHeight(find(root, ".tables"), () => models.map((model) => listGates(data, model)))
  reserveHeight(find(root, ".description"), () => data.descriptions.map((text) => [text]))
  renderGates(root)
  chooseWord(root, root.chosenWord)
}

/** @type {(data: GradientsData, model: GradientsModel | undefined) => HTMLElement[]} */
const listGates = (data, model) => (model?.gates.length ? model.gates.map((table, n) => buildGates(data, table, n))
  : [make("p", { class: "soft" }, model?.no_gates || model?.problem || data.messages.waiting)])

/** @param {Root} root */
function renderGates(root) {
  const { data, gateModel } = root
  const model = data.models.find(({ name }) => name === gateModel)
  showPressed(root, "gates", gateModel)
  find(root, ".tables").replaceChildren(...listGates(data, model))
  find(root, ".gate").classList.toggle("unused", !model?.gates.length)
  pointAtCell(root, null)
}

/** @type {(root: Root, wordIndex: number) => void} */
function chooseWord(root, wordIndex) {
  root.chosenWord = wordIndex
  const { data } = root
  showPressed(find(root, ".reach"), "k", wordIndex)
  for (const element of findAll(root, "[data-line]")) {
    const model = data.models.find(({ name }) => name === element.dataset.line)
    element.setAttribute("aria-pressed", String(model !== undefined && isLineShown(root, model)))
  }
  const curves = listShownCurves(root)
  const last = Math.max(1, ...curves.map(({ curve }) => curve.values.length - 1))
  const slider = find(root, ".plot")
  slider.setAttribute("aria-valuemax", String(last))
  slider.replaceChildren(drawPlot(curves, last))
  find(root, ".description").textContent = data.descriptions[wordIndex] ?? ""
  find(root, ".numbers").replaceChildren(buildNumbers(data, curves))
  pointAtDistance(root, Math.min(root.distance, last))
}

/**
 * Build the table of the curves, one row per distance.
 * @type {(data: GradientsData, curves: ReturnType<typeof listShownCurves>) => HTMLTableElement}
 */
function buildNumbers({ messages, languages }, curves) {
  const count = Math.max(0, ...curves.map(({ curve }) => curve.values.length))
  /** @type {(text: string, span: number) => HTMLElement} */
  const head = (text, span) => make("th", { scope: span > 1 ? "colgroup" : "col", colspan: span }, text)
  return make("table", {},
    make("thead", {}, make("tr", {}, make("td"), ...curves.map(({ model, curve }) => head(model.title, curve.direct ? 3 : 2))),
      make("tr", {}, head(messages.distance, 1), ...curves.flatMap(({ curve }) => [messages.piece, messages.gradient, ...(curve.direct ? [messages.look] : [])].map((text) => head(text, 1))))),
    make("tbody", {}, ...Array.from({ length: count }, (_, distance) => make("tr", {}, make("th", { scope: "row" }, String(distance)),
      ...curves.flatMap(({ model, curve: { values, direct } }) => [make("td", { lang: languages[0] }, model.tokens[distance] ?? ""),
        ...[values, ...(direct ? [direct] : [])].map((item) => make("td", {}, distance < item.length ? formatGradient(item[distance]) : ""))])))))
}

/**
 * Point at a distance (-1: none): show each curve's value, and mark the piece's column in the gates.
 * @type {(root: Root, distance: number) => void}
 */
function pointAtDistance(root, distance) {
  root.distance = distance
  const { data, gateModel } = root
  const { messages, models } = data
  const curves = listShownCurves(root)
  const slider = find(root, ".plot")
  moveCursor(slider, distance)
  const list = curves.flatMap(({ model, curve: { values, direct } }) => (distance < 0 || distance >= values.length ? [] : [
    formatTemplate(direct ? messages.value_look : messages.value, { model: model.title, piece: `“${model.tokens[distance]}”`, value: formatGradient(values[distance]), look: direct ? formatGradient(direct[distance]) : "" })]))
  const text = list.length ? formatTemplate(messages.at, { distance, list: list.join(" · ") }) : messages.hint
  find(root, ".readout").textContent = text
  slider.setAttribute("aria-valuenow", String(Math.max(0, distance)))
  slider.setAttribute("aria-valuetext", text)
  const place = distance < 0 ? undefined : models.find(({ name }) => name === gateModel)?.positions[distance]
  for (const node of findAll(root, ".encoder [data-j]")) node.classList.toggle("here", Number(node.dataset.j) === place)
}

/** @type {(root: Root, cell: HTMLElement | null) => undefined} */
function pointAtCell(root, cell) {
  const { messages, models } = root.data
  const table = cell && models.find(({ name }) => name === root.gateModel)?.gates[Number(cell.dataset.table)]
  const [i, j] = [Number(cell?.dataset.i), Number(cell?.dataset.j)]
  for (const node of findAll(root, "td[data-i]")) node.classList.toggle("at", node === cell)
  if (!table) return void setText(find(root, ".gate"), messages.gate_hint)
  const value = table.rows[i].values[j]
  setText(find(root, ".gate"), formatTemplate(messages.gate, { gate: table.rows[i].label, piece: `“${table.tokens[j]}”`, value: value == null ? messages.unrun : formatShare(value) }))
}

/**
 * Fade the curves of all other models; null shows all.
 * @type {(root: Root, model: HTMLElement | null) => void}
 */
function emphasiseModel(root, model) {
  const name = model && root.data.models[Number(model.dataset.m)].name
  for (const node of root.querySelectorAll(".plot [data-of]")) node.classList.toggle("faint", name !== null && node.getAttribute("data-of") !== name)
}

/** @param {Root} root */
function reportChoice(root) {
  root.reportedChoice = { selected_word: root.chosenWord, gate_model: root.gateModel }
  root.trigger("choice", { word_index: root.chosenWord, gates_model: root.gateModel, visible_lines: Object.fromEntries(root.shownLines) })
}

/**
 * Return whether data is older than the last reported choice, for the same sentence.
 * @type {(root: Root, data: GradientsData) => boolean}
 */
function isOutdated({ reportedChoice, data: previous }, data) {
  if (!reportedChoice || (reportedChoice.selected_word === data.selected_word && reportedChoice.gate_model === data.gate_model)) return false
  const wordPairs = previous.models.map(({ name, words }) => [words, data.models.find((item) => item.name === name)?.words ?? []])
    .filter(([previousWords, currentWords]) => previousWords.length && currentWords.length)
  return wordPairs.length > 0 && wordPairs.every(([previousWords, currentWords]) => JSON.stringify(previousWords) === JSON.stringify(currentWords))
}

/** @type {(root: Root, button: HTMLElement) => void} */
function toggleWord(root, button) {
  const wordIndex = Number(button.dataset.k)
  chooseWord(root, wordIndex === root.chosenWord ? 0 : wordIndex)
  reportChoice(root)
}

/** @type {(root: Root, key: string) => boolean} */
function movePlotCursor(root, key) {
  const last = Number(find(root, ".plot").getAttribute("aria-valuemax"))
  /** @type {Record<string, number | undefined>} */
  const targets = { ArrowLeft: root.distance - 1, ArrowDown: root.distance - 1, ArrowRight: root.distance + 1, ArrowUp: root.distance + 1, Home: 0, End: last }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  if (target === undefined) return false
  pointAtDistance(root, Math.max(0, Math.min(last, target)))
  return true
}

/** @param {Root} root */
function addListeners(root) {
  root.chosenWord = 0
  root.distance = -1
  root.shownLines = new Map()
  /** @param {PointerEvent} event */
  const handlePointer = (event) => {
    const picture = findClosest(event.target, ".plot")
    const cell = findClosest(event.target, "td[data-i]")
    emphasiseModel(root, findClosest(event.target, ".model"))
    if (picture) pointAtDistance(root, findDistance(picture, event.clientX))
    else if (cell) pointAtCell(root, cell)
  }
  root.onpointermove = handlePointer
  root.onpointerdown = handlePointer
  root.onpointerleave = () => {
    pointAtCell(root, null)
    emphasiseModel(root, null)
  }
  root.addEventListener("focusin", (event) => {
    const cell = findClosest(event.target, "td[data-i]")
    if (cell) pointAtCell(root, cell)
    emphasiseModel(root, findClosest(event.target, ".model"))
  })
  root.onclick = (event) => {
    const word = findClosest(event.target, ".reach [data-k]")
    const tab = findClosest(event.target, "[data-gates]")
    const line = findClosest(event.target, "[data-line]")
    if (word) toggleWord(root, word)
    else if (line) {
      root.shownLines.set(line.dataset.line ?? "", line.getAttribute("aria-pressed") !== "true")
      chooseWord(root, root.chosenWord)
      reportChoice(root)
    }
    else if (tab) {
      root.gateModel = tab.dataset.gates ?? ""
      renderGates(root)
      reportChoice(root)
    }
  }
  root.onkeydown = (event) => {
    const word = findClosest(event.target, ".word")
    const cell = findClosest(event.target, "td[data-i]")
    if (hasModifier(event)) return
    if (word && (event.key === "Enter" || event.key === " ")) toggleWord(root, word)
    else if (!(word ? moveWordFocus(word, event.key) : cell ? moveCellFocus(cell, event.key, "i", "j") : findClosest(event.target, ".plot") && movePlotCursor(root, event.key))) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/**
 * Draw the gradients; keep the reader's choice until the page's data agrees with it.
 * @param {Mounted<GradientsData>} mounted
 */
export default function mountGradients({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "gradients", { role: "group" }, addListeners)
  const { selected_word: selectedWord, gate_model: gateModel } = isOutdated(root, data) ? { selected_word: root.chosenWord, gate_model: root.gateModel } : data
  if (selectedWord === data.selected_word && gateModel === data.gate_model) root.reportedChoice = undefined
  if (!storeData(root, data, { selected_word: 0, gate_model: "", models: data.models.map((model) => ({ ...model, is_hidden: false })) })) {
    if (gateModel !== root.gateModel) {
      root.gateModel = gateModel
      renderGates(root)
    }
    if (selectedWord !== root.chosenWord) chooseWord(root, selectedWord)
    return
  }
  root.data = data
  root.chosenWord = selectedWord
  root.gateModel = gateModel
  redraw(root, () => buildGradients(root))
}

