// What lights up in the comparison, and the line that says it: what a word of a translation looked at, and by which words
// a word of the source was looked at. A model without attention is told beside the one that has it.

/** @import { ComparedStage } from "../payloads.js" */
/** @import { Comparison } from "./compare.js" */
import { find, findAll, make, findClosest } from "../shared/dom.js"
import { normalizeSpaces, fillTemplate, formatShare } from "../shared/format.js"
import { markNames, currentStage } from "./drawing.js"

const PARTNER_FROM = 0.05 // a word is named as a partner from here up

/** What a word looked at: places of the source and how much.
 * @typedef {{ place: number, value: number }[]} Attention */

/**
 * The k-th word of model m: whose attention tells of it (its own, or that of the word across from it), and what that is.
 * @param {ComparedStage} stage
 * @param {number} m
 * @param {number} k
 * @returns {{ across: number, own: boolean, looks: Attention | null }} `across`: the other model in whose column a word stands, or -1
 */
export function attentionOf(stage, m, k) {
  const column = stage.columns.find((places) => places[m] === k) ?? []
  const across = column.findIndex((place, other) => other !== m && place != null)
  /** @type {(model: number, word: number) => Attention | null} */
  const rowOf = (model, word) => {
    const { looks } = stage.sides[model]
    return looks && looks[word].map(([place, value]) => ({ place, value }))
  }
  const own = rowOf(m, k)
  if (own) return { across, own: true, looks: own }
  const other = across >= 0 ? column[across] : null
  return { across, own: false, looks: other == null ? null : rowOf(across, other) }
}

/**
 * Which words looked at a place of the source, and how much.
 * @param {ComparedStage} stage
 * @param {number} place
 */
export function wordsAttendingTo(stage, place) {
  return stage.sides.flatMap((side, m) =>
    (side.looks ?? []).flatMap((row, k) => row.filter(([at]) => at === place).map(([, value]) => ({ m, k, value }))))
}

/**
 * The greatest of them, those worth naming.
 * @template {{ value: number }} One
 * @param {One[]} found
 * @param {number} most
 */
const strongestPartners = (found, most) => found.filter(({ value }) => value >= PARTNER_FROM).sort((a, b) => b.value - a.value).slice(0, most)

/**
 * Light a word and its partners; null puts all lights out.
 * @param {Comparison} root
 * @param {EventTarget | null} node
 */
export function highlightWord(root, node) {
  const word = findClosest(node, "[data-target]")
  const from = word ? null : findClosest(node, "[data-source]")
  /** @type {Map<number, number>} */
  const lit = new Map()
  /** @type {(one: HTMLElement) => number} */
  let strength = (one) => Number(one === word)
  if (word) {
    const { looks } = attentionOf(currentStage(root), Number(word.dataset.model), Number(word.dataset.target))
    for (const { place, value } of looks ?? []) if (place >= 0) lit.set(place, value)
  } else if (from) {
    const place = Number(from.dataset.source)
    const found = wordsAttendingTo(currentStage(root), place)
    lit.set(place, 1)
    strength = (one) => found.find(({ m, k }) => m === Number(one.dataset.model) && k === Number(one.dataset.target))?.value ?? 0
  }
  for (const one of findAll(root, "[data-target]")) {
    one.style.setProperty("--lit", String(strength(one)))
    one.setAttribute("aria-pressed", String(one === root.pinnedWord))
  }
  for (const one of findAll(root, "[data-source]")) {
    one.setAttribute("aria-pressed", String(one === root.pinnedWord))
    one.style.setProperty("--lit", String(lit.get(Number(one.dataset.source)) ?? 0))
  }
  const line = word ? describeTarget(root, word) : from ? describeSource(root, Number(from.dataset.source)) : [root.data.words.idle]
  find(root, ".readout").replaceChildren(...line)
}

/** @type {(text: string, kind: string, language: string) => HTMLElement} */
const makeBold = (text, kind, language) => make("b", { class: kind, lang: language }, text)

/**
 * @param {Comparison} root
 * @param {number} place -1 for the end
 */
const makeSourceWord = ({ data }, place) => makeBold(place < 0 ? data.words.end : data.source[place][1], "source", data.languages[0])

/**
 * @param {Comparison} root
 * @param {number} m
 * @param {number} k
 */
const makeTargetWord = (root, m, k) => makeBold(normalizeSpaces(currentStage(root).sides[m].words[k][1]), "target", root.data.languages[1])

/**
 * Nodes with their values, one after the other, or a word for none.
 * @param {Comparison} root
 * @param {{ node: Node, value: number }[]} partners
 */
const listPartners = (root, partners) => make("span", {}, ...(partners.length
  ? partners.flatMap(({ node, value }, n) => [n ? ", " : "", node, ` ${formatShare(value)}`])
  : [root.data.words.nothing]))

/**
 * @param {Comparison} root
 * @param {HTMLElement} word
 * @returns {(string | Node)[]}
 */
function describeTarget(root, word) {
  const { data } = root
  const { words } = data
  const now = currentStage(root)
  const [m, k] = [Number(word.dataset.model), Number(word.dataset.target)]
  const { across, own, looks } = attentionOf(now, m, k)
  const target = makeTargetWord(root, m, k)
  const list = listPartners(root, strongestPartners(looks ?? [], 3).map(({ place, value }) => ({ node: makeSourceWord(root, place), value })))
  const mark = now.sides[m].marks[k]
  const noted = mark ? [" · ", markNames(words)[mark]] : []
  if (own) return [...fillTemplate(words.looked, { target, list }), ...noted]
  if (!looks) return [...fillTemplate(words.blind, { target, model: data.models[m].name }), ...noted]
  const column = now.columns.find((places) => places[m] === k) ?? []
  const other = makeTargetWord(root, across, Number(column[across]))
  return [...fillTemplate(words.beside, { target, other, model: data.models[across].name, list }), ...noted]
}

/**
 * @param {Comparison} root
 * @param {number} place
 * @returns {(string | Node)[]}
 */
function describeSource(root, place) {
  const { words, models } = root.data
  const { sides } = currentStage(root)
  const list = listPartners(root, strongestPartners(wordsAttendingTo(currentStage(root), place), 4).map(({ m, k, value }) => ({ node: makeTargetWord(root, m, k), value })))
  return [
    ...fillTemplate(words.seen, { source: makeSourceWord(root, place), list }),
    ...models.flatMap(({ name: model }, m) => (sides[m].lost.includes(place) ? [" · ", ...fillTemplate(words.lost_by, { model })] : [])),
  ]
}
