// Highlight a place everywhere in the picture with its attention partners, and describe it in one line. Positions are
// indices, so that repeated words stay apart. Translations are the n best, then the other model's translation.

/** @import { HeatmapData, HeatmapTranslation } from "../payloads.js" */
/** @import { Kind, Side } from "./map.js" */
/** @import { Picture } from "./heatmap.js" */
import { find, findAll, make } from "../shared/dom.js"
import { PARTNER_FROM, listStrongestPartners } from "../shared/partners.js"
import { formatEquality, fillTemplate, formatTemplate, formatShare } from "../shared/format.js"

/** Target positions `ts` of translation `index`, source positions `ss`.
 * @typedef {{ index: number, ts: number[], ss: number[] }} PointedPlace */

const SHARED_FROM = 0.2 // weight from which cells are highlighted for another translation's word

/** @type {PointedPlace} */
const NO_PLACE = { index: 0, ts: [], ss: [] }

/** @type {(data: HeatmapData) => HeatmapTranslation[]} */
export const listTranslations = (data) => (data.other_translation ? [...data.n_best, data.other_translation] : data.n_best)

/**
 * Return the highlight strength (0 to 1) of each source position, and of each target position of every translation. In other
 * translations it is the shared attention to the same source words.
 * @param {Pick<HeatmapData, "n_best" | "other_translation" | "source">} data
 * @param {PointedPlace} place
 */
export function highlightStrengths(data, { index, ts, ss }) {
  const all = listTranslations(/** @type {HeatmapData} */ (data))
  const { alpha } = all[index]
  const source = data.source.labels.map((_, s) =>
    ss.length ? Number(ss.includes(s)) : alpha ? Math.max(0, ...ts.map((t) => alpha[t][s])) : 0)
  /** @param {number[]} row */
  const getAttentionStrength = (row) => (ss.length ? Math.max(...ss.map((s) => row[s])) : row.reduce((sum, value, s) => sum + value * source[s], 0))
  const target = all.map((translation, q) =>
    q === index && ts.length ? translation.labels.map((_, t) => Number(ts.includes(t))) : (translation.alpha ?? []).map(getAttentionStrength))
  return { source, target }
}

/**
 * Return the strength of each word: the largest of its pieces.
 * @type {(side: Side, strength: number[]) => Map<number, number>}
 */
export function findStrengthPerWord(side, strength) {
  /** @type {Map<number, number>} */
  const best = new Map()
  side.word_of.forEach((word, k) => best.set(word, Math.max(best.get(word) ?? 0, strength[k] ?? 0)))
  return best
}

/** @type {(root: Picture, place: PointedPlace | null) => void} */
export function highlightPlace(root, place) {
  const { data, rank } = root
  const { index, ts, ss } = place ?? NO_PLACE
  const isDrawnTranslation = !place || index === rank
  const strengths = highlightStrengths(data, place ?? NO_PLACE)
  /** @type {(node: HTMLElement, strength: number, isChosen: boolean) => void} */
  const setStrength = (node, strength, isChosen) => {
    node.style.setProperty("--lit", String(strength))
    node.classList.toggle("chosen", isChosen)
  }
  for (const node of findAll(root, "th, li, .heads [data-source]")) {
    if (node.dataset.target == null) {
      const s = Number(node.dataset.source)
      setStrength(node, strengths.source[s], ss.includes(s))
    } else {
      const t = Number(node.dataset.target)
      setStrength(node, strengths.target[rank][t], isDrawnTranslation && ts.includes(t))
    }
  }
  const target = listTranslations(data).map((translation, q) => findStrengthPerWord(translation, strengths.target[q]))
  const source = findStrengthPerWord(data.source, strengths.source)
  for (const node of findAll(root, "[data-target-word]")) {
    node.style.setProperty("--lit", String(target[Number(node.dataset.translation)].get(Number(node.dataset.targetWord)) ?? 0))
  }
  for (const node of findAll(root, "[data-source-word]")) {
    node.style.setProperty("--lit", String(source.get(Number(node.dataset.sourceWord)) ?? 0))
  }
  for (const node of findAll(root, "td[data-target], path")) {
    const s = Number(node.dataset.source)
    const t = isDrawnTranslation && ts.includes(Number(node.dataset.target))
    const pointedAt = ts.length && ss.length ? t && ss.includes(s) : t || ss.includes(s)
    node.classList.toggle("on", isDrawnTranslation ? pointedAt : strengths.source[s] >= SHARED_FROM)
  }
  root.classList.toggle("lit", ts.length + ss.length > 0)
  root.classList.toggle("pinned", root.pinnedPlace !== null)
  find(root, ".readout").replaceChildren(...describePlace(data, place ?? NO_PLACE))
}

/** @type {(data: HeatmapData, place: PointedPlace) => (string | Node)[]} */
function describePlace(data, { index, ts, ss }) {
  const { messages, source, languages } = data
  const translation = listTranslations(data)[index]
  const { alpha } = translation
  /** @type {(side: Side, kind: Kind, places: number[]) => HTMLElement} */
  const names = (side, kind, places) =>
    make("b", { class: kind, lang: languages[kind === "source" ? 0 : 1] }, places.map((k) => side.labels[k]).join(""))
  /** @type {(side: Side, kind: Kind, values: number[]) => HTMLElement} */
  const partners = (side, kind, values) => {
    const strongest = listStrongestPartners(values.map((value, k) => ({ value, k })), 3)
    if (!strongest.length) return make("span", {}, formatTemplate(messages.nobody, { value: formatShare(PARTNER_FROM) }))
    return make("span", {}, ...strongest.flatMap(({ value, k }, n) => [n ? ", " : "", names(side, kind, [k]), ` ${formatShare(value)}`]))
  }
  const target = () => names(translation, "target", ts)
  if (ts.length && ss.length && alpha) {
    return fillTemplate(messages.cell, { target: target(), source: names(source, "source", ss), value: formatEquality(alpha[ts[0]][ss[0]]) })
  }
  if (ts.length) {
    const word = translation.word_of[ts[0]]
    const isWholeWord = word >= 0 && ts.length === translation.word_of.filter((wordIndex) => wordIndex === word).length
    // Imported attention has no probabilities.
    const formatProbability = () => formatShare(isWholeWord ? translation.probabilities[word] : Math.exp(translation.label_log_probabilities[ts[0]]))
    const chance = translation.probabilities.length ? [" · ", ...fillTemplate(messages.chance, { target: target(), value: formatProbability() })] : []
    if (!alpha) return [target(), ...chance]
    // A word of several pieces attends with their mean (the word view of α).
    const row = source.labels.map((_, s) => ts.reduce((sum, t) => sum + alpha[t][s], 0) / ts.length)
    return [...fillTemplate(messages.row, { target: target(), list: partners(source, "source", row) }), ...chance]
  }
  if (ss.length && alpha) {
    const column = alpha.map((row) => ss.reduce((sum, s) => sum + row[s], 0))
    return fillTemplate(messages.column, { source: names(source, "source", ss), list: partners(translation, "target", column) })
  }
  return [data.n_best[0].alpha ? messages.idle : messages.idle_words]
}

export const PLACE_SELECTOR = "[data-target], [data-source], [data-target-word], [data-source-word]"

/**
 * Return the place of a node: a cell has a position on both sides; a word has all its pieces.
 * @type {(root: Pick<Picture, "data" | "rank">, node: DOMStringMap) => PointedPlace}
 */
export function placeOfNode(root, { translation, target, source, targetWord, sourceWord }) {
  /** @type {(side: Side, word: string) => number[]} */
  const pieces = (side, word) => side.word_of.flatMap((wordIndex, k) => (wordIndex === Number(word) ? [k] : []))
  const index = translation == null ? root.rank : Number(translation)
  if (targetWord != null) return { index, ts: pieces(listTranslations(root.data)[index], targetWord), ss: [] }
  if (sourceWord != null) return { index, ts: [], ss: pieces(root.data.source, sourceWord) }
  return { index, ts: target == null ? [] : [Number(target)], ss: source == null ? [] : [Number(source)] }
}
