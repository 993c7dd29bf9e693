// Draw the comparison: growth bar, sentence, aligned translations with their marks, numbers, and a description for screen
// readers. Positions are indices, so that repeated words stay apart.

/** @import { CompareData, ComparedModel, ComparedSide } from "../payloads.js" */
/** @import { Comparison } from "./compare.js" */
import { renderGap, find, findAll, make, announceText, makeTerm } from "../shared/dom.js"
import { normaliseSpaces, fillTemplate, formatTemplate } from "../shared/format.js"
import { getMarkerSign } from "../shared/markers.js"
import { makeLengthCurve } from "./length_curve.js"

/** @typedef {CompareData["messages"]} Messages */

/** @param {Messages} messages */
export const markNames = (messages) =>
  ({ "": "", repetition: messages.mark_repeated, addition: messages.mark_invented, substitution: messages.mark_other })

/** @param {Comparison} root */
export const getCurrentPrefix = (root) => root.data.prefixes[root.prefixIndex]

/** @param {CompareData} data */
function buildGrowthBar(data) {
  const { messages } = data
  const bar = make("div", { class: "growth", role: "group", "aria-label": messages.grow })
  if (data.clause_count < 2) {
    bar.append(make("button", { type: "button", disabled: "" }, messages.grow), make("span", { class: "hint" }, messages.short))
  } else if (!data.has_prefixes) {
    bar.append(make("button", { type: "button", "data-do": "grow", disabled: data.is_growing ? "" : null }, messages.grow),
      make("span", { class: "hint" }, formatTemplate(messages.invite, { count: data.clause_count })))
  } else {
    /** @type {(act: string, kind: string | null, label: string, text: string) => HTMLElement} */
    const button = (act, kind, label, text) =>
      make("button", { type: "button", class: kind, "data-do": act, "aria-label": label, title: label }, text)
    bar.append(button("play", "play", messages.play, "▶"), button("back", null, messages.back, "◀"), button("on", null, messages.on, "▶"),
      make("input", { type: "range", class: "track", min: 1, max: data.prefixes.length, step: 1, "aria-label": messages.track }),
      make("span", { class: "where" }), make("span", { class: "hint keys" }, messages.keys))
  }
  return bar
}

/** @param {CompareData} data */
function buildFacts({ messages, models }) {
  const columns = [messages.log, messages.length, messages.lost, messages.repeated, messages.invented, messages.covered]
  const rows = models.map((model) => make("tr", {}, make("th", { scope: "row" }, makeModelName(model)), ...columns.map(() => make("td"))))
  return make("table", { class: "facts" }, make("caption", { class: "unseen" }, messages.facts),
    make("thead", {}, make("tr", {}, ...[messages.model, ...columns].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows))
}

/** @param {ComparedModel} model */
const makeModelName = (model) =>
  make("span", { class: model.is_dashed ? "name dashed" : "name" }, make("span", { "aria-hidden": "true" }, `${getMarkerSign(model)} `), makeTerm(`model:${model.name}`, model.name))

/** @param {CompareData} data */
function buildLegend({ messages, has_lexicon: hasLexicon, models, has_prefixes: hasPrefixes, unknown_notes: notes }) {
  /** @type {(kind: string, meaning: string, title: string) => HTMLElement} */
  const sample = (kind, meaning, title) => make("span", { class: `word sample ${kind}` }, makeTerm(meaning, title))
  const list = models.map((model) => `${getMarkerSign(model)} ${model.name}`).join(", ")
  return make("p", { class: "legend" },
    ...(hasLexicon ? [
      make("span", { class: "where" }, messages.in_source), sample("lost", "lost", messages.mark_lost), make("span", {}, formatTemplate(messages.signs, { list })),
    ] : [make("span", {}, messages.no_lexicon)]),
    make("span", { class: "where" }, messages.in_target),
    ...(hasLexicon ? [sample("addition", "invented", messages.mark_invented), sample("followed", "thread", messages.mark_thread)] : []),
    sample("repetition", "repeated", messages.mark_repeated), make("span", { class: "word sample substitution" }, messages.differing),
    hasPrefixes && make("span", { class: "word sample new" }, messages.changed), make("span", {}, messages.rule),
    ...notes.map((note) => make("span", {}, note)))
}

/** @type {(root: Comparison, data: CompareData) => void} */
export function buildComparison(root, data) {
  const { messages } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const line = make("p", { class: "source", lang: data.languages[0], dir: "auto" })
  data.source.forEach(([gap, text], k) => line.append(...renderGap(gap),
    make("span", { class: "cell" }, make("span", { class: data.unknown_words.includes(k) ? "word unknown" : "word", role: "button", tabindex: k ? -1 : 0, "aria-pressed": "false", "data-source": k }, text), make("small", { lang: data.language }))))
  line.append(...renderGap(data.tail))
  root.curve = makeLengthCurve(data.curve, data.models, root.curve?.selectedSet())
  root.replaceChildren(
    buildGrowthBar(data),
    ...(data.training_notes.length ? [make("p", { class: "hint trained" }, `${messages.taught} ${data.training_notes.join(" · ")}. ${data.equal_training}`)] : []),
    ...(data.ignores_overrides ? [make("p", { class: "hint bare" }, messages.bare)] : []),
    make("div", { class: "sheet" },
      make("div", { class: "main" },
        buildLegend(data),
        make("p", { class: "label" }, messages.source), line,
        make("p", { class: "label" }, messages.aligned),
        data.is_same_model && make("p", { class: "same" }, messages.same),
        make("div", { class: "pair", role: "group", "aria-label": messages.aligned }),
        make("p", { class: "readout", "aria-live": "polite" }),
        make("div", { class: "gone" })),
      make("aside", {}, root.curve.figure, buildFacts(data))),
    make("p", { class: "footnote" }, data.models.length < 2 ? `${messages.alone} ` : null, data.provenance))
}

/** @type {(data: CompareData, side: ComparedSide, m: number, k: number | null) => HTMLElement} */
function buildTargetWord({ messages, languages, models }, side, m, k) {
  const cell = models[m].is_dashed ? "cell dashed" : "cell"
  // The model has no word in this column.
  if (k == null) return make("span", { class: `${cell} none`, "aria-hidden": "true" }, make("span", { class: "word" }, "–"), make("small"))
  const mark = side.marks[k]
  const markName = markNames(messages)[mark]
  const text = normaliseSpaces(side.words[k][1])
  const last = side.last_followed === k
  const spokenText = [text, markName, side.unknown_words.includes(k) && messages.mark_unknown, side.copied_words.includes(k) && messages.mark_copied, last && messages.mark_thread, side.is_new[k] && messages.changed].filter(Boolean).join(", ")
  const node = make("span", { class: ["word", mark, side.unknown_words.includes(k) && "unknown", side.copied_words.includes(k) && "copied", last && "followed", side.is_new[k] && "new"].filter(Boolean).join(" "), role: "button", tabindex: -1,
    lang: languages[1], "data-model": m, "data-target": k, "aria-label": spokenText, "aria-pressed": "false" }, text)
  const gap = side.words[k][0].trim()
  const tail = k === side.words.length - 1 ? side.tail : ""
  const content = gap || tail ? make("span", {}, ...renderGap(gap && `${gap} `), node, ...renderGap(tail)) : node // with copied symbols beside it
  return make("span", { class: cell }, content, make("small", { "aria-hidden": "true" }, last ? `${messages.mark_thread} ▸` : mark === "substitution" ? "" : markName)) // a difference is no error: the column shows it
}

/** @param {Comparison} root */
function renderPair(root) {
  const { data } = root
  const prefix = getCurrentPrefix(root)
  const names = make("span", { class: "column names" },
    ...data.models.map((model) => make("span", { class: model.is_dashed ? "cell dashed" : "cell" }, makeModelName(model), make("small"))))
  const columns = prefix.columns.map((places) =>
    make("span", { class: "column" }, ...data.models.map((_, m) => buildTargetWord(data, prefix.sides[m], m, places[m]))))
  const node = find(root, ".pair")
  node.replaceChildren(names, ...columns)
  const [first] = findAll(node, "[data-target]")
  if (first) first.tabIndex = 0
}

/** @param {Comparison} root */
function renderSource(root) {
  const { data } = root
  const prefix = getCurrentPrefix(root)
  findAll(root, "[data-source]").forEach((node, k) => {
    const omittingModels = data.models.filter((_, m) => prefix.sides[m].omissions.includes(k))
    node.classList.toggle("lost", omittingModels.length > 0)
    node.classList.toggle("unfed", k >= prefix.end)
    node.classList.toggle("fresh", data.has_prefixes && k >= prefix.previous_end && k < prefix.end)
    const omissionNote = node.nextElementSibling
    if (omissionNote) omissionNote.textContent = omittingModels.length ? `${data.messages.mark_lost} ${omittingModels.map(getMarkerSign).join("")}` : ""
  })
}

/** @param {Comparison} root */
function renderFacts(root) {
  const prefix = getCurrentPrefix(root)
  findAll(root, ".facts tbody tr").forEach((row, m) => {
    const side = prefix.sides[m]
    /** @param {string} mark */
    const countMark = (mark) => side.marks.filter((item) => item === mark).length
    const coverageText = side.attended_word_count == null ? root.data.messages.no_attention : `${side.attended_word_count} / ${side.source_word_count}`
    const [omissionCount, additionCount] = root.data.has_lexicon ? [side.omissions.length, countMark("addition")] : ["–", "–"]
    const values = [side.log_probability, side.word_count, omissionCount, countMark("repetition"), additionCount, coverageText]
    findAll(row, "td").forEach((cell, k) => (cell.textContent = String(values[k])))
  })
}

/** @param {Comparison} root */
function renderRemovedWords(root) {
  const { data } = root
  const { messages } = data
  const prefix = getCurrentPrefix(root)
  find(root, ".gone").replaceChildren(...prefix.sides.flatMap((side, m) => {
    /** @type {(string | Node)[][]} */
    const parts = side.is_finished ? [] : [[messages.unfinished]]
    if (side.last_followed === -1) parts.push([messages.threadless])
    else if (side.last_followed != null) parts.push([formatTemplate(messages.thread, { word: normaliseSpaces(side.words[side.last_followed][1]) })])
    if (root.prefixIndex > 0 && side.removed_words.length) parts.push(fillTemplate(messages.gone, { list: make("s", { lang: data.languages[1] }, side.removed_words.map(normaliseSpaces).join(", ")) }))
    return parts.length ? [make("p", {}, makeModelName(data.models[m]), ": ", ...parts.flatMap((part, k) => [k ? messages.and : "", ...part]), ".")] : []
  }))
}

/** @param {Comparison} root */
function announceMarks(root) {
  const { data } = root
  const { messages } = data
  const prefix = getCurrentPrefix(root)
  /** @param {string[]} texts */
  const list = (texts) => (texts.length ? texts.join(", ") : messages.nothing)
  /** @type {(side: ComparedSide, mark: string) => string} */
  const listMarkedWords = (side, mark) => list(side.words.filter((_, k) => side.marks[k] === mark).map(([, text]) => normaliseSpaces(text)))
  /** @param {number[]} places */
  const listSourceWords = (places) => list(places.map((k) => data.source[k][1]))
  const spokenText = prefix.sides.map((side, m) => formatTemplate(messages.description, {
    model: data.models[m].name, text: side.words.flat().join(""), lost: listSourceWords(side.omissions), repeated: listMarkedWords(side, "repetition"), invented: listMarkedWords(side, "addition"),
  }))
  if (data.has_prefixes) spokenText.unshift(`${describePosition(root)}.`)
  announceText(root, root.isPlaying ? "" : spokenText.join(" "))
}

/** @param {Comparison} root */
const describePosition = (root) =>
  formatTemplate(root.data.messages.where, { clause: root.prefixIndex + 1, last: root.data.prefixes.length, count: getCurrentPrefix(root).word_count })

/** @param {Comparison} root */
export function renderPrefix(root) {
  const { data } = root
  renderPair(root)
  renderSource(root)
  renderFacts(root)
  renderRemovedWords(root)
  announceMarks(root)
  if (data.has_prefixes) {
    find(root, ".where").textContent = describePosition(root)
    const track = /** @type {HTMLInputElement} */ (find(root, ".track"))
    track.value = String(root.prefixIndex + 1)
    track.setAttribute("aria-valuetext", describePosition(root))
    const button = find(root, "[data-do=play]")
    button.textContent = root.isPlaying ? "❚❚" : "▶"
    button.title = root.isPlaying ? data.messages.pause : data.messages.play
    button.setAttribute("aria-label", button.title)
  }
  root.curve.moveTo(getCurrentPrefix(root).word_count)
}

/**
 * Reserve the height of the tallest prefix, so that nothing below moves while the sentence grows.
 * @param {Comparison} root
 */
export function reserveHeight(root) {
  const main = find(root, ".main")
  main.style.minHeight = ""
  if (!root.data.has_prefixes) return
  const prefixIndex = root.prefixIndex
  let maxHeight = 0
  for (root.prefixIndex = 0; root.prefixIndex < root.data.prefixes.length; root.prefixIndex++) {
    renderPair(root)
    renderSource(root)
    renderRemovedWords(root)
    maxHeight = Math.max(maxHeight, main.scrollHeight)
  }
  root.prefixIndex = prefixIndex
  main.style.minHeight = `${maxHeight}px`
}
