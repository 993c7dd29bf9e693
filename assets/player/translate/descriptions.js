// Describe the picture in words: legend, errors of a translation, and a text for screen readers.

/** @import { Difference, HeatmapData, HeatmapTranslation } from "../payloads.js" */
import { make } from "../shared/dom.js"
import { argmax, fillTemplate, formatTemplate, formatShare } from "../shared/format.js"
import { listTranslations } from "./highlight.js"
import { buildScaleBar } from "./map.js"
import { buildSourceWord, buildWord } from "./texts.js"

/** @param {HeatmapData} data */
export function buildLegend(data) {
  const { messages } = data
  const hasMap = data.n_best[0].alpha
  const rows = data.unit === "pieces" ? messages.legend_pieces : messages.legend
  const hasMarks = data.n_best.some((translation) => translation.differences.some(({ omissions, repetitions, additions }) => omissions.length + repetitions.length + additions.length))
  const hasDrift = data.n_best.some((translation) => translation.differences.some(({ last_followed: lastFollowed }) => lastFollowed !== null))
  const hasAttentionGloss = data.has_gloss && listTranslations(data).some((translation) => translation.most_attended)
  const hasLexiconGloss = listTranslations(data).some((translation) => translation.lexicon_gloss)
  return make("div", { class: "legend" },
    hasMap && make("span", { class: "scale" }, data.scale === "root" ? messages.scale_root : messages.scale,
      make("i", {}, "0"), buildScaleBar(data.scale), make("i", {}, "1")),
    hasMap && make("span", {}, formatTemplate(rows, { model: data.name }), messages.legend_end && ` ${messages.legend_end}`),
    data.n_best[0].probabilities.length > 0 && make("span", {}, make("span", { class: "sample", "aria-hidden": "true" }), " ", messages.legend_chance),
    hasAttentionGloss && make("span", {}, messages.legend_gloss),
    hasLexiconGloss && make("span", {}, messages.legend_likely),
    data.has_copied_symbols && make("span", {}, messages.legend_copied),
    ...data.unknown_notes.map((note) => make("span", {}, note)),
    hasMarks && data.has_lexicon && make("span", {}, messages.legend_lost),
    hasDrift && messages.legend_reference && make("span", {}, messages.legend_reference),
    !data.has_lexicon && !data.is_alone && make("span", {}, messages.legend_no_lexicon),
    data.cell_limit > 0 && make("span", {}, formatTemplate(messages.cut, { limit: data.cell_limit })),
    make("span", { class: "footnote" }, data.provenance))
}

/**
 * List what translation `index` lost, invented and repeated compared with the other translation, and where it lost the thread.
 * @type {(data: HeatmapData, difference: Difference, index: number) => HTMLParagraphElement[]}
 */
export function buildFaults(data, difference, index) {
  const { messages } = data
  const translation = listTranslations(data)[index]
  /** @param {Node[]} nodes */
  const joinNodes = (nodes) => nodes.flatMap((node, k) => (k ? [", ", node] : [node]))
  const omittedWords = difference.omissions.map((s) => buildSourceWord(data, s))
  /** @param {number} k */
  const buildOwnWord = (k) => buildWord(translation, index, k, translation.words[k][1])
  /** @param {[number, number]} each */
  const buildCountedWord = ([k, times]) => (times > 1 ? make("span", {}, buildOwnWord(k), ` × ${times}`) : buildOwnWord(k))
  /** @type {(text: string, places: number[]) => (string | Node)[][]} */
  const describeWords = (text, places) =>
    (places.length ? [fillTemplate(text, { list: make("span", { lang: translation.language }, ...joinNodes(countWords(translation.words, places).map(buildCountedWord))) })] : [])
  const sentences = [
    ...(omittedWords.length ? [fillTemplate(messages.lost, { list: make("span", {}, ...joinNodes(omittedWords)) })] : []),
    ...describeWords(messages.invented, difference.additions),
    ...describeWords(messages.repeated, difference.repetitions),
    ...(difference.last_followed == null ? []
      : [difference.last_followed < 0 ? [messages.threadless] : fillTemplate(messages.thread, { word: make("span", { lang: translation.language }, buildOwnWord(difference.last_followed)) })]),
  ]
  return sentences.length ? [make("p", { class: "marks" }, ...sentences.map((parts) => make("span", {}, ...parts)))] : []
}

/**
 * Count equal words at these positions: first position and count.
 * @type {(words: [string, string][], places: number[]) => [number, number][]}
 */
export function countWords(words, places) {
  /** @type {Map<string, [number, number]>} */
  const counts = new Map()
  for (const k of places) {
    const text = words[k][1].toLowerCase()
    const [first, times] = counts.get(text) ?? [k, 0]
    counts.set(text, [first, times + 1])
  }
  return [...counts.values()]
}

/** @type {(data: HeatmapData, translation: HeatmapTranslation) => string} */
export function describeTranslation(data, translation) {
  const { messages, source } = data
  if (!translation.alpha) return describeProbabilities(translation, messages)
  const rows = translation.alpha.map((row, t) => {
    const strongest = argmax(row)
    return formatTemplate(messages.described_row, { target: translation.labels[t], source: source.labels[strongest], value: formatShare(row[strongest]) })
  })
  const picture = formatTemplate(messages.described, { rows: rows.length, columns: source.labels.length })
  return `${picture} ${rows.join("; ")}. ${describeProbabilities(translation, messages)}`
}

/** @type {(translation: HeatmapTranslation, messages: HeatmapData["messages"]) => string} */
export function describeProbabilities(translation, messages) {
  if (!translation.probabilities.length) return ""
  return `${messages.chances} ${translation.words.map(([, text], k) => `${text} ${formatShare(translation.probabilities[k])}`).join("; ")}.`
}
