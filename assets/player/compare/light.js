// What lights up in the comparison, and the line that says it: what a word of a translation looked at, and by which words
// a word of the source was looked at. A model without attention is told beside the one that has it.

/** @import { ComparedStage } from "../payloads.js" */
/** @import { Comparison } from "./compare.js" */
import { find, findAll, make, nearest } from "../shared/dom.js"
import { clean, fill, two } from "../shared/format.js"
import { markNames, stageOf } from "./drawing.js"

const PARTNER_FROM = 0.05 // a word is named as a partner from here up

/** What a word looked at: places of the source and how much.
 * @typedef {{ place: number, value: number }[]} Looks */

/**
 * The k-th word of model m: whose attention tells of it (its own, or that of the word across from it), and what that is.
 * @param {ComparedStage} stage
 * @param {number} m
 * @param {number} k
 * @returns {{ across: number, own: boolean, looks: Looks | null }} `across`: the other model in whose column a word stands, or -1
 */
export function looked(stage, m, k) {
  const column = stage.columns.find((places) => places[m] === k) ?? []
  const across = column.findIndex((place, other) => other !== m && place != null)
  /** @type {(model: number, word: number) => Looks | null} */
  const looksOf = (model, word) => {
    const { looks } = stage.sides[model]
    return looks && looks[word].map(([place, value]) => ({ place, value }))
  }
  const own = looksOf(m, k)
  if (own) return { across, own: true, looks: own }
  const other = across >= 0 ? column[across] : null
  return { across, own: false, looks: other == null ? null : looksOf(across, other) }
}

/**
 * Which words looked at a place of the source, and how much.
 * @param {ComparedStage} stage
 * @param {number} place
 */
export function lookers(stage, place) {
  return stage.sides.flatMap((side, m) =>
    (side.looks ?? []).flatMap((row, k) => row.filter(([at]) => at === place).map(([, value]) => ({ m, k, value }))))
}

/**
 * The greatest of them, those worth naming.
 * @template {{ value: number }} One
 * @param {One[]} found
 * @param {number} most
 */
const strongest = (found, most) => found.filter(({ value }) => value >= PARTNER_FROM).sort((a, b) => b.value - a.value).slice(0, most)

/**
 * Light a word and its partners; null puts all lights out.
 * @param {Comparison} root
 * @param {EventTarget | null} node
 */
export function light(root, node) {
  const word = nearest(node, "[data-target]")
  const from = word ? null : nearest(node, "[data-source]")
  /** @type {Map<number, number>} */
  const lit = new Map()
  /** @type {(one: HTMLElement) => number} */
  let strength = (one) => Number(one === word)
  if (word) {
    const { looks } = looked(stageOf(root), Number(word.dataset.model), Number(word.dataset.target))
    for (const { place, value } of looks ?? []) if (place >= 0) lit.set(place, value)
  } else if (from) {
    const place = Number(from.dataset.source)
    const found = lookers(stageOf(root), place)
    lit.set(place, 1)
    strength = (one) => found.find(({ m, k }) => m === Number(one.dataset.model) && k === Number(one.dataset.target))?.value ?? 0
  }
  for (const one of findAll(root, "[data-target]")) {
    one.style.setProperty("--lit", String(strength(one)))
    one.setAttribute("aria-pressed", String(one === root.pinned))
  }
  for (const one of findAll(root, "[data-source]")) {
    one.setAttribute("aria-pressed", String(one === root.pinned))
    one.style.setProperty("--lit", String(lit.get(Number(one.dataset.source)) ?? 0))
  }
  const line = word ? ofTarget(root, word) : from ? ofSource(root, Number(from.dataset.source)) : [root.data.words.idle]
  find(root, ".readout").replaceChildren(...line)
}

/** @type {(text: string, kind: string, language: string) => HTMLElement} */
const bold = (text, kind, language) => make("b", { class: kind, lang: language }, text)

/**
 * @param {Comparison} root
 * @param {number} place -1 for the end
 */
const sourceWord = ({ data }, place) => bold(place < 0 ? data.words.end : data.source[place][1], "source", data.languages[0])

/**
 * @param {Comparison} root
 * @param {number} m
 * @param {number} k
 */
const targetWord = (root, m, k) => bold(clean(stageOf(root).sides[m].words[k][1]), "target", root.data.languages[1])

/**
 * Nodes with their values, one after the other, or a word for none.
 * @param {Comparison} root
 * @param {{ node: Node, value: number }[]} partners
 */
const listed = (root, partners) => make("span", {}, ...(partners.length
  ? partners.flatMap(({ node, value }, n) => [n ? ", " : "", node, ` ${two(value)}`])
  : [root.data.words.nothing]))

/**
 * @param {Comparison} root
 * @param {HTMLElement} word
 * @returns {(string | Node)[]}
 */
function ofTarget(root, word) {
  const { data } = root
  const { words } = data
  const now = stageOf(root)
  const [m, k] = [Number(word.dataset.model), Number(word.dataset.target)]
  const { across, own, looks } = looked(now, m, k)
  const target = targetWord(root, m, k)
  const list = listed(root, strongest(looks ?? [], 3).map(({ place, value }) => ({ node: sourceWord(root, place), value })))
  const mark = now.sides[m].marks[k]
  const noted = mark ? [" · ", markNames(words)[mark]] : []
  if (own) return [...fill(words.looked, { target, list }), ...noted]
  if (!looks) return [...fill(words.blind, { target, model: data.models[m].name }), ...noted]
  const column = now.columns.find((places) => places[m] === k) ?? []
  const other = targetWord(root, across, Number(column[across]))
  return [...fill(words.beside, { target, other, model: data.models[across].name, list }), ...noted]
}

/**
 * @param {Comparison} root
 * @param {number} place
 * @returns {(string | Node)[]}
 */
function ofSource(root, place) {
  const { words, models } = root.data
  const { sides } = stageOf(root)
  const list = listed(root, strongest(lookers(stageOf(root), place), 4).map(({ m, k, value }) => ({ node: targetWord(root, m, k), value })))
  return [
    ...fill(words.seen, { source: sourceWord(root, place), list }),
    ...models.flatMap(({ name: model }, m) => (sides[m].lost.includes(place) ? [" · ", ...fill(words.lost_by, { model })] : [])),
  ]
}
