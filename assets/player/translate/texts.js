// Build the texts of the picture: words with probability and gloss, and the n-best list. A reading is one translation; each
// word stores its reading and position.

/** @import { HeatmapData, HeatmapTranslation } from "../payloads.js" */
import { differingWords } from "../shared/common_subsequence.js"
import { renderGap, findAll, make, makeTerm } from "../shared/dom.js"

/** @type {(reading: HeatmapTranslation, r: number, data: HeatmapData, gloss: boolean) => HTMLParagraphElement} */
export function buildSentence(reading, r, data, gloss) {
  const line = make("p", { class: "sentence", lang: reading.language, dir: "auto" })
  reading.words.forEach(([gap, text], k) => line.append(...renderGap(gap), gloss ? buildGlossedWord(reading, r, k, text, data) : buildWord(reading, r, k, text)))
  line.append(...renderGap(reading.tail))
  return line
}

/** @param {HeatmapTranslation} reading */
export const wholeText = ({ words, tail }) => words.flat().join("") + tail

/** @type {(reading: HeatmapTranslation, r: number, k: number, text: string) => HTMLSpanElement} */
export function buildWord(reading, r, k, text) {
  const isScored = reading.probabilities.length > 0
  const kinds = ["word target", !isScored && "unscored", reading.unknown_words.includes(k) && "unknown", reading.copied_words.includes(k) && "copied"].filter(Boolean)
  return make("span", { class: kinds.join(" "), "data-reading": r, "data-target-word": k, style: isScored ? `--chance: ${reading.probabilities[k]}` : null }, text)
}

/** @type {(data: HeatmapData, s: number) => HTMLSpanElement} */
export const buildSourceWord = ({ source, languages }, s) =>
  make("span", { class: source.unknown_words.includes(s) ? "word source unknown" : "word source", lang: languages[0], "data-source-word": s }, source.words[s][1])

const BREAK_FROM = 40 // characters; longer words may break anywhere

/**
 * Build a word with its gloss: the most attended source word, or a lexicon's translation. As a ruby annotation it affects
 * neither line breaks nor copied text.
 * @type {(reading: HeatmapTranslation, r: number, k: number, text: string, data: HeatmapData) => HTMLElement}
 */
function buildGlossedWord(reading, r, k, text, data) {
  const s = reading.most_attended ? reading.most_attended[k] : -1
  const lexiconGloss = reading.lexicon_gloss && reading.lexicon_gloss[k]
  const gloss = lexiconGloss ? make("rt", { lang: data.languages[0] }, lexiconGloss) : s < 0 ? make("rt", {}, "–") : make("rt", { lang: data.languages[0] }, buildSourceWord(data, s))
  return make("ruby", { class: text.length > BREAK_FROM ? "endless" : null }, buildWord(reading, r, k, text), gloss)
}

/** @type {(name: string, notes: string[]) => HTMLParagraphElement} */
export const buildHead = (name, notes) => make("p", { class: "label" }, make("b", {}, makeTerm(`model:${name}`, name)), ...notes.map((note) => make("span", {}, note)))

/**
 * @param {HeatmapTranslation[]} readings
 * @param {{ label: string, log: string, score: string, hint: string }} names names of the list and its columns
 * @param {(rank: number) => string} title title of a translation
 * @param {string} language
 */
export function buildNbest(readings, names, title, language) {
  const texts = readings.map((reading) => reading.words.map(([, text]) => text))
  const rows = readings.map((reading, r) => {
    const differences = differingWords(texts[0], texts[r])
    const line = make("span", { class: "hypothesis", lang: language, dir: "auto" })
    reading.words.forEach(([gap, text], k) => {
      const node = buildWord(reading, r, k, text)
      node.classList.toggle("other", differences.has(k))
      line.append(gap, node)
    })
    line.append(reading.tail)
    return make("div", { role: "radio", "data-rank": r, tabindex: -1, "aria-label": title(r) },
      make("span", { class: "number rank" }, String(r + 1)),
      make("span", { class: "number" }, reading.log_probability),
      make("span", { class: "number" }, reading.score),
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
