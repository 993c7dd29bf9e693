// Build the texts of the picture: words with probability and gloss, and the n-best list. Each word stores the index of
// its translation and its position.

/** @import { HeatmapData, HeatmapTranslation } from "../payloads.js" */
import { findDifferingWords } from "../shared/common_subsequence.js"
import { renderGap, findAll, make, makeTerm } from "../shared/dom.js"

/** @type {(translation: HeatmapTranslation, index: number, data: HeatmapData, gloss: boolean) => HTMLParagraphElement} */
export function buildSentence(translation, index, data, gloss) {
  const line = make("p", { class: "sentence", lang: translation.language, dir: "auto" })
  translation.words.forEach(([gap, text], k) => line.append(...renderGap(gap), gloss ? buildGlossedWord(translation, index, k, text, data) : buildWord(translation, index, k, text)))
  line.append(...renderGap(translation.tail))
  return line
}

/** @param {HeatmapTranslation} translation */
export const joinWholeText = ({ words, tail }) => words.flat().join("") + tail

/** @type {(translation: HeatmapTranslation, index: number, k: number, text: string) => HTMLSpanElement} */
export function buildWord(translation, index, k, text) {
  const isScored = translation.probabilities.length > 0
  const kinds = ["word target", !isScored && "unscored", translation.unknown_words.includes(k) && "unknown", translation.copied_words.includes(k) && "copied"].filter(Boolean)
  return make("span", { class: kinds.join(" "), "data-translation": index, "data-target-word": k, style: isScored ? `--chance: ${translation.probabilities[k]}` : null }, text)
}

/** @type {(data: HeatmapData, s: number) => HTMLSpanElement} */
export const buildSourceWord = ({ source, languages }, s) =>
  make("span", { class: source.unknown_words.includes(s) ? "word source unknown" : "word source", lang: languages[0], "data-source-word": s }, source.words[s][1])

const BREAK_FROM = 40 // characters; longer words may break anywhere

/**
 * Build a word with its gloss: the most attended source word, or a lexicon's translation. As a ruby annotation it affects
 * neither line breaks nor copied text.
 * @type {(translation: HeatmapTranslation, index: number, k: number, text: string, data: HeatmapData) => HTMLElement}
 */
function buildGlossedWord(translation, index, k, text, data) {
  const s = translation.most_attended ? translation.most_attended[k] : -1
  const lexiconGloss = translation.lexicon_gloss && translation.lexicon_gloss[k]
  const gloss = lexiconGloss ? make("rt", { lang: data.languages[0] }, lexiconGloss) : s < 0 ? make("rt", {}, "–") : make("rt", { lang: data.languages[0] }, buildSourceWord(data, s))
  return make("ruby", { class: text.length > BREAK_FROM ? "endless" : null }, buildWord(translation, index, k, text), gloss)
}

/** @type {(name: string, notes: string[]) => HTMLParagraphElement} */
export const buildHead = (name, notes) => make("p", { class: "label" }, make("b", {}, makeTerm(`model:${name}`, name)), ...notes.map((note) => make("span", {}, note)))

/**
 * @param {HeatmapTranslation[]} translations
 * @param {{ label: string, log: string, score: string, hint: string }} names names of the list and its columns
 * @param {(rank: number) => string} title title of a translation
 * @param {string} language
 */
export function buildNbest(translations, names, title, language) {
  const texts = translations.map((translation) => translation.words.map(([, text]) => text))
  const rows = translations.map((translation, index) => {
    const differences = findDifferingWords(texts[0], texts[index])
    const line = make("span", { class: "hypothesis", lang: language, dir: "auto" })
    translation.words.forEach(([gap, text], k) => {
      const node = buildWord(translation, index, k, text)
      node.classList.toggle("other", differences.has(k))
      line.append(gap, node)
    })
    line.append(translation.tail)
    return make("div", { role: "radio", "data-rank": index, tabindex: -1, "aria-label": title(index) },
      make("span", { class: "number rank" }, String(index + 1)),
      make("span", { class: "number" }, translation.log_probability),
      make("span", { class: "number" }, translation.score),
      line)
  })
  return make("div", { class: "best" },
    make("p", { class: "columns" }, make("span", {}), make("span", { class: "number" }, names.log),
      make("span", { class: "number" }, names.score), make("span", { class: "hint" }, names.hint)),
    make("div", { class: "rows", role: "radiogroup", "aria-label": names.label }, ...rows))
}

/** @type {(root: HTMLElement, rank: number) => void} */
export function markChosen(root, rank) {
  for (const row of findAll(root, "[role=radio]")) {
    const isOn = Number(row.dataset.rank) === rank
    row.setAttribute("aria-checked", String(isOn))
    row.tabIndex = isOn ? 0 : -1
  }
}

/** @type {(key: string, rank: number, count: number) => number | undefined} */
export function rankOfKey(key, rank, count) {
  /** @type {Record<string, number>} */
  const places = { ArrowUp: rank - 1, ArrowLeft: rank - 1, ArrowDown: rank + 1, ArrowRight: rank + 1, Home: 0, End: count - 1 }
  return Object.hasOwn(places, key) ? (places[key] + count) % count : undefined
}
