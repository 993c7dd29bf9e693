// Show one head of self-attention as matrices: Q, K and V of every token, scores, weights and output. The reader points at a
// query and a key, and switches the decoder's causal mask off.

/** @import { SelfAttentionData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
/** @import { Matrix } from "./matrices.js" */
import { find, findAll, findClosest, make, mountRoot, setText, storeData, typeset } from "../shared/dom.js"
import { moveCellFocus } from "../shared/focus.js"
import { formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { fadeOverflow } from "../shared/scroll_fade.js"
import { computeScores, computeWeights } from "./attention_math.js"
import { roundAsPrinted, offerExercise } from "./exercise_offers.js"
import { dot, findLargestSize, multiplyMatrices } from "./matrices.js"
import { reserveHeight } from "./reserve.js"
import { mixSignedColour, stripBackground } from "./strips.js"

/**
 * @typedef {object} SelfAttentionState
 * @property {number} query row that is pointed at
 * @property {number} key
 * @property {boolean} isMasked whether the causal mask is on
 * @property {Matrix} scores
 * @property {Matrix} weights
 */
/** @typedef {ComponentRoot<SelfAttentionData> & SelfAttentionState} Root */

const FORMULA = "Attention(Q, K, V) = softmax(Q Kᵀ / √dₖ) V"
const OPTIONS = 4 // queries that the exercise offers
const STRONGEST = 3 // keys in the sentence under the pictures

/** @type {(root: Root, name: string, caption: string, matrix: Matrix, part: "i" | "j") => HTMLElement} */
function buildStrips({ data }, name, caption, matrix, part) {
  const maximum = findLargestSize(matrix)
  return make("figure", { class: `strips ${name}` }, make("figcaption", {}, caption),
    ...matrix.map((row, index) => make("div", { class: "row", [`data-${part}`]: index },
      make("span", { class: "token", lang: data.token_language }, data.tokens[index]),
      make("span", { class: "cells", style: stripBackground(row, maximum) }))),
    make("p", { class: "soft range" }, formatTemplate(data.messages.range, { most: formatDecimal(maximum, 1), d: matrix[0].length })))
}

/** @type {(root: Root, name: string, caption: string, matrix: Matrix, isWeight: boolean) => HTMLElement} */
function buildTable({ data, isMasked, query, key }, name, caption, matrix, isWeight) {
  const { tokens, token_language: tokenLanguage } = data
  const maximum = isWeight ? 1 : findLargestSize(matrix)
  /** @type {(value: number, i: number, j: number) => HTMLElement} */
  const cell = (value, i, j) => {
    const isHidden = isMasked && j > i
    const label = isHidden ? data.messages.hidden : isWeight ? formatShare(value) : formatDecimal(value)
    return make("td", { "data-i": i, "data-j": j, tabindex: i === query && j === key ? 0 : -1, class: isHidden ? "hidden" : null,
      "aria-label": `${tokens[i]} → ${tokens[j]}: ${label}`, style: isHidden ? null : `background: ${mixSignedColour(value / maximum)}` })
  }
  return make("figure", { class: `square ${name}` }, make("figcaption", {}, caption), fadeOverflow(make("div", { class: "scroll" },
    make("table", { role: "grid", "aria-label": caption },
      make("thead", {}, make("tr", {}, make("td"), ...tokens.map((token, j) => make("th", { scope: "col", "data-j": j, lang: tokenLanguage }, make("span", {}, token))))),
      make("tbody", {}, ...matrix.map((row, i) => make("tr", {}, make("th", { scope: "row", "data-i": i, lang: tokenLanguage }, tokens[i]), ...row.map((value, j) => cell(value, i, j)))))))))
}

/** @param {Root} root */
function renderMatrices(root) {
  const { data, isMasked } = root
  const { messages, q, k, v } = data
  root.scores = computeScores(q, k)
  root.weights = computeWeights(root.scores, isMasked)
  const output = multiplyMatrices(root.weights, v)
  find(root, ".matrices").replaceChildren(
    buildStrips(root, "q", messages.q, q, "i"), buildStrips(root, "k", messages.k, k, "j"),
    buildTable(root, "scores", messages.scores, root.scores, false), buildTable(root, "weights", messages.weights, root.weights, true),
    buildStrips(root, "v", messages.v, v, "j"), buildStrips(root, "z", messages.z, output, "i"))
  renderChoice(root)
}

/** @param {Root} root */
function renderChoice(root) {
  const { query, key } = root
  for (const node of findAll(root, "[data-i], [data-j]")) {
    const { i, j } = node.dataset
    node.classList.toggle("here", (i == null || Number(i) === query) && (j == null || Number(j) === key))
  }
  setText(find(root, ".description"), describeChoice(root))
}

/** @type {(state: Pick<Root, "data" | keyof SelfAttentionState>) => string} */
function describeChoice({ data, query, key, scores, weights, isMasked }) {
  const { tokens, messages, q, k } = data
  const isHidden = isMasked && key > query
  const strongest = weights[query].map((weight, j) => ({ weight, j })).sort((a, b) => b.weight - a.weight).slice(0, STRONGEST)
  const parts = [formatTemplate(isHidden ? messages.description_hidden : messages.description, {
    query: tokens[query], key: tokens[key], product: formatDecimal(dot(q[query], k[key]), 1), root: formatDecimal(Math.sqrt(q[0].length), 1),
    score: formatDecimal(scores[query][key]), weight: formatShare(weights[query][key]) }),
  formatTemplate(messages.strongest, { query: tokens[query], list: strongest.map(({ weight, j }) => `“${tokens[j]}” (${formatShare(weight)})`).join(", ") })]
  if (data.stack === "decoder" && !isMasked) {
    const laterWeight = weights[query].reduce((sum, weight, j) => sum + (j > query ? weight : 0), 0)
    parts.push(formatTemplate(messages.later, { query: tokens[query], share: formatShare(laterWeight) }))
  }
  return parts.join(" ")
}

/**
 * List the longest descriptions of all cells.
 * @param {Root} root
 */
function listLongest({ data, scores }) {
  const masks = data.stack === "decoder" ? [true, false] : [false]
  const texts = masks.flatMap((isMasked) => {
    const weights = computeWeights(scores, isMasked)
    return scores.flatMap((row, query) => row.map((_, key) => describeChoice({ data, query, key, scores, weights, isMasked })))
  })
  return texts.sort((a, b) => b.length - a.length).slice(0, 5).map((text) => [text])
}

/** @param {Root} root */
function buildSelfAttention(root) {
  const { data } = root
  const { messages, language, stack } = data
  root.lang = language
  root.dataset.stack = stack
  root.style.setProperty("--n", String(data.tokens.length))
  root.isMasked = stack === "decoder"
  root.query = Math.min(root.query, data.tokens.length - 1)
  root.key = Math.min(root.key, data.tokens.length - 1)
  const controls = stack === "decoder" ? [make("div", { class: "controls" }, make("label", { class: "mask" }, make("input", { type: "checkbox", checked: "" }), messages.mask), make("span", { class: "soft" }, messages.mask_about))] : []
  root.replaceChildren(
    make("div", { class: "head" }, make("h2", {}, formatTemplate(messages[`heading_${stack}`], { model: data.model, layer: data.layer, head: data.head })),
      make("p", { class: "formula" }, FORMULA)),
    ...controls, make("div", { class: "matrices" }), make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "soft" }, ...typeset(messages.note)))
  registerSection(root)
  registerSection(find(root, ".matrices"))
  renderMatrices(root)
  reserveHeight(find(root, ".description"), () => listLongest(root))
}

/** @type {(root: Root, target: EventTarget | null) => void} */
function choose(root, target) {
  const node = findClosest(target, "[data-i], [data-j]")
  if (!node) return
  const { i, j } = node.dataset
  if (i != null) root.query = Number(i)
  if (j != null) root.key = Number(j)
  renderChoice(root)
}

/** @param {Root} root */
function setUp(root) {
  root.query = root.key = 0
  root.onpointerover = root.onclick = (event) => choose(root, event.target)
  root.addEventListener("focusin", (event) => choose(root, event.target))
  root.onchange = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    root.isMasked = event.target.checked
    renderMatrices(root)
  }
  root.onkeydown = (event) => {
    const cell = findClosest(event.target, "tbody td")
    if (cell && !hasModifier(event) && moveCellFocus(cell, event.key, "i", "j")) event.preventDefault()
  }
}

/**
 * Ask which query puts the largest weight on a single key, in the decoder with the mask on.
 * @type {(data: SelfAttentionData) => Question | null}
 */
export function askLargestWeight({ q, k, tokens, stack }) {
  const rows = computeWeights(computeScores(q, k), stack === "decoder").map((row, index) => {
    const weight = Math.max(...row)
    return { index, weight, token: tokens[index], key: tokens[row.indexOf(weight)] }
  }).sort((a, b) => b.weight - a.weight)
  const [best, ...otherRows] = rows
  const usedTokens = new Set([best.token])
  const rivals = otherRows.filter(({ weight, token }) => roundAsPrinted(weight) < roundAsPrinted(best.weight) && !usedTokens.has(token) && usedTokens.add(token))
  if (!rivals.length) return null
  const offeredRows = [best, ...rivals.slice(0, OPTIONS - 1)].sort((a, b) => a.index - b.index)
  return {
    places: { token: best.token, key: best.key, weight: formatShare(best.weight) }, options: offeredRows.map(({ token }) => token), variant: stack === "decoder" ? "_decoder" : "",
    judge(answer) {
      const { token, key, weight } = offeredRows[answer]
      return offeredRows[answer] === best ? null : { key: "self_attention_less", places: { token, key, weight: formatShare(weight) } }
    },
  }
}

/** @param {Mounted<SelfAttentionData>} mounted */
export default function mountSelfAttention({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "self-attention", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildSelfAttention(root)
  offerExercise("self_attention", root, () => askLargestWeight(data))
}
