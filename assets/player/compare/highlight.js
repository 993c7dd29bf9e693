// Highlight words of the comparison and their attention partners, and describe them in one line. A model without attention
// shows the attention of the other model's word in the same column.

/** @import { ComparedPrefix } from "../payloads.js" */
/** @import { Comparison } from "./compare.js" */
import { find, findAll, make, findClosest } from "../shared/dom.js"
import { normaliseSpaces, fillTemplate, formatShare } from "../shared/format.js"
import { listStrongestPartners, listWordsAttendingTo } from "../shared/partners.js"
import { markNames, getCurrentPrefix } from "./drawing.js"

/** Attended source positions and weights of a word.
 * @typedef {{ place: number, value: number }[]} Attention */

/**
 * Return the attention of word k of model m, or else of the other model's word in the same column.
 * @param {ComparedPrefix} prefix
 * @param {number} m
 * @param {number} k
 * @returns {{ otherModel: number, isOwn: boolean, attention: Attention | null }} `otherModel`: the model of the other word in the column, or -1
 */
export function getAttention(prefix, m, k) {
  const column = prefix.columns.find((places) => places[m] === k) ?? []
  const otherModel = column.findIndex((place, model) => model !== m && place != null)
  /** @type {(model: number, word: number) => Attention | null} */
  const getRow = (model, word) => {
    const { attended } = prefix.sides[model]
    return attended && attended[word].map(([place, value]) => ({ place, value }))
  }
  const ownRow = getRow(m, k)
  if (ownRow) return { otherModel, isOwn: true, attention: ownRow }
  const otherWord = otherModel >= 0 ? column[otherModel] : null
  return { otherModel, isOwn: false, attention: otherWord == null ? null : getRow(otherModel, otherWord) }
}

/** @type {(root: Comparison, node: EventTarget | null) => void} */
export function highlightWord(root, node) {
  const word = findClosest(node, "[data-target]")
  const sourceNode = word ? null : findClosest(node, "[data-source]")
  /** @type {Map<number, number>} */
  const lit = new Map()
  /** @type {(wordNode: HTMLElement) => number} */
  let strength = (wordNode) => Number(wordNode === word)
  if (word) {
    const { attention } = getAttention(getCurrentPrefix(root), Number(word.dataset.model), Number(word.dataset.target))
    for (const { place, value } of attention ?? []) if (place >= 0) lit.set(place, value)
  } else if (sourceNode) {
    const place = Number(sourceNode.dataset.source)
    const partners = listWordsAttendingTo(getCurrentPrefix(root).sides.map(({ attended }) => attended), place)
    lit.set(place, 1)
    strength = (wordNode) => partners.find(({ m, k }) => m === Number(wordNode.dataset.model) && k === Number(wordNode.dataset.target))?.value ?? 0
  }
  for (const wordNode of findAll(root, "[data-target]")) {
    wordNode.style.setProperty("--lit", String(strength(wordNode)))
    wordNode.setAttribute("aria-pressed", String(wordNode === root.pinnedWord))
  }
  for (const wordNode of findAll(root, "[data-source]")) {
    wordNode.setAttribute("aria-pressed", String(wordNode === root.pinnedWord))
    wordNode.style.setProperty("--lit", String(lit.get(Number(wordNode.dataset.source)) ?? 0))
  }
  const line = word ? describeTarget(root, word) : sourceNode ? describeSource(root, Number(sourceNode.dataset.source)) : [root.data.messages.idle]
  find(root, ".readout").replaceChildren(...line)
}

/** @type {(text: string, kind: string, language: string) => HTMLElement} */
const makeBold = (text, kind, language) => make("b", { class: kind, lang: language }, text)

/** @type {(root: Comparison, place: number) => HTMLElement} */
const makeSourceWord = ({ data }, place) => makeBold(place < 0 ? data.messages.end : data.source[place][1], "source", data.languages[0])

/** @type {(root: Comparison, m: number, k: number) => HTMLElement} */
const makeTargetWord = (root, m, k) => makeBold(normaliseSpaces(getCurrentPrefix(root).sides[m].words[k][1]), "target", root.data.languages[1])

/** @type {(root: Comparison, partners: { node: Node, value: number }[]) => HTMLSpanElement} */
const listPartners = (root, partners) => make("span", {}, ...(partners.length
  ? partners.flatMap(({ node, value }, n) => [n ? ", " : "", node, ` ${formatShare(value)}`])
  : [root.data.messages.nothing]))

/** @type {(root: Comparison, word: HTMLElement) => (string | Node)[]} */
function describeTarget(root, word) {
  const { data } = root
  const { messages } = data
  const prefix = getCurrentPrefix(root)
  const [m, k] = [Number(word.dataset.model), Number(word.dataset.target)]
  const { otherModel, isOwn, attention } = getAttention(prefix, m, k)
  const target = makeTargetWord(root, m, k)
  const list = listPartners(root, listStrongestPartners(attention ?? [], 3).map(({ place, value }) => ({ node: makeSourceWord(root, place), value })))
  const mark = prefix.sides[m].marks[k]
  const markSuffix = mark ? [" · ", markNames(messages)[mark]] : []
  if (isOwn) return [...fillTemplate(messages.looked, { target, list }), ...markSuffix]
  if (!attention) return [...fillTemplate(messages.blind, { target, model: data.models[m].name }), ...markSuffix]
  const column = prefix.columns.find((places) => places[m] === k) ?? []
  const otherWord = makeTargetWord(root, otherModel, Number(column[otherModel]))
  return [...fillTemplate(messages.beside, { target, other: otherWord, model: data.models[otherModel].name, list }), ...markSuffix]
}

/** @type {(root: Comparison, place: number) => (string | Node)[]} */
function describeSource(root, place) {
  const { messages, models } = root.data
  const { sides } = getCurrentPrefix(root)
  const list = listPartners(root, listStrongestPartners(listWordsAttendingTo(getCurrentPrefix(root).sides.map(({ attended }) => attended), place), 4).map(({ m, k, value }) => ({ node: makeTargetWord(root, m, k), value })))
  return [
    ...fillTemplate(messages.seen, { source: makeSourceWord(root, place), list }),
    ...models.flatMap(({ name: model }, m) => (sides[m].omissions.includes(place) ? [" · ", ...fillTemplate(messages.lost_by, { model })] : [])),
  ]
}
