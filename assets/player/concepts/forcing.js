// Compare teacher forcing with free running: above, each token of the given translation with its probability after the given
// ones before it; below, the translation that continues on its own after the first of them.

/** @import { ForcingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { findDifferingWords } from "../shared/common_subsequence.js"
import { find, findAll, findClosest, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatDecimal, formatShare, formatTemplate } from "../shared/format.js"
import { offerExercise } from "./exercise_offers.js"
import { makePlayback } from "./playback.js"
import { reserveHeight } from "./reserve.js"

/** @typedef {ComponentRoot<ForcingData>} Root */

const EQUATION = "p(y | x) = ∏ p(yᵢ | y₁ … yᵢ₋₁, x)"

/**
 * Return which of the tokens are also in the rest of the given translation, in the same order: a longest common subsequence.
 * @type {(tokens: string[], referenceTokens: string[]) => boolean[]}
 */
export function matchTokens(tokens, referenceTokens) {
  const differences = findDifferingWords(referenceTokens, tokens)
  return tokens.map((_, k) => !differences.has(k))
}

/** @type {(data: ForcingData, step: number) => string} */
function describeToken({ messages, forced_tokens: forcedTokens }, step) {
  const { text, p, best_token: bestToken, best_p, is_best } = forcedTokens[step]
  return formatTemplate(is_best ? messages.token_first : messages.token, { token: text, p: formatShare(p), best: bestToken, best_p: formatShare(best_p) })
}

/** @param {ForcingData} data */
function describeDeviation({ messages, forced_tokens: forcedTokens, continuations: [free], first_difference: firstDifference, free_rest: freeRest }) {
  if (firstDifference < 0) return messages.same
  return formatTemplate(messages.deviates, { number: firstDifference + 1, free: free[firstDifference] ?? messages.ends, given: forcedTokens[firstDifference]?.text ?? messages.ends, rest: freeRest || messages.ends })
}

/** @type {(tokens: string[], count: number, matches: boolean[]) => HTMLElement[]} */
const makeTokens = (tokens, count, matches) => tokens.map((text, k) => make("span", { class: `token ${k < count ? "given" : matches[k - count] ? "same" : "other"}` }, text))

/** @type {(data: ForcingData, count: number) => boolean[]} */
const matchContinuation = ({ forced_tokens: forcedTokens, continuations }, count) => matchTokens(continuations[count].slice(count), forcedTokens.slice(count).map(({ text }) => text))

/** @type {(root: Root, count: number) => void} */
function showContinuation(root, count) {
  const { messages, forced_tokens: forcedTokens, continuations } = root.data
  const matches = matchContinuation(root.data, count)
  find(root, ".free .tokens").replaceChildren(...makeTokens(continuations[count], count, matches))
  find(root, ".free h3").textContent = formatTemplate(messages.heading_free, { given: count })
  const matchCount = matches.filter(Boolean).length
  setText(find(root, ".continued"), formatTemplate(messages.continued, { given: count, same: matchCount, total: forcedTokens.length - count }))
  for (const [k, node] of findAll(root, "button.token").entries()) node.setAttribute("aria-pressed", String(k < count))
}

/** @param {Root} root */
function buildForcing(root) {
  const { data } = root
  const { messages, forced_tokens: forcedTokens, continuations, target_language, loss } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const section = make("section", {})
  const playback = makePlayback(section, continuations.length - 1, data.controls, (count) => showContinuation(root, count), 900)
  playback.node.append(make("span", { class: "soft" }, messages.given))
  const buttons = forcedTokens.map(({ text, p, best_token: bestToken, is_best }, k) => make("button", { type: "button", class: "token", "data-k": k, "aria-pressed": "false", "aria-label": describeToken(data, k) },
    make("span", {}, text), make("span", { class: "bar", style: `--p: ${p}` }), make("span", { class: "first" }, is_best ? formatShare(p) : `(${bestToken})`)))
  section.append(
    make("div", { class: "forced" }, make("h3", {}, messages.heading_forced), make("div", { class: "tokens", lang: target_language }, ...buttons), make("p", { class: "soft token-description", "aria-live": "polite" }, describeToken(data, 0))),
    make("p", { class: "equation" }, EQUATION), make("p", {}, formatTemplate(messages.loss, { loss: formatDecimal(loss) })),
    playback.node,
    make("div", { class: "free" }, make("h3", {}, ""), make("div", { class: "tokens", lang: target_language }),
      make("p", { class: "legend" }, ...[["given", messages.legend_given], ["same", messages.legend_same], ["other", messages.legend_other]].map(([kind, text]) => make("span", { class: `token ${kind}` }, text)))),
    make("p", { class: "continued", "aria-live": "polite" }), make("p", { class: "description" }, describeDeviation(data)))
  /** @type {(event: Event) => void} */
  const showTokenDescription = ({ target }) => {
    const node = findClosest(target, "button.token")
    if (node) setText(find(root, ".token-description"), describeToken(data, Number(node.dataset.k)))
  }
  section.onmouseover = showTokenDescription
  section.addEventListener("focusin", showTokenDescription)
  section.addEventListener("click", ({ target }) => {
    const node = findClosest(target, "button.token")
    if (node) playback.go(Number(node.dataset.k))
  })
  root.replaceChildren(section)
  reserveHeight(find(root, ".free .tokens"), () => continuations.map((tokens, count) => makeTokens(tokens, count, [])))
  reserveHeight(find(root, ".token-description"), () => forcedTokens.map((_, k) => [describeToken(data, k)]))
  showContinuation(root, 0)
}

/**
 * Ask how many tokens must be given until the model continues exactly as the rest is.
 * @type {(data: ForcingData) => Question | null}
 */
export function askGivenCount(data) {
  const { forced_tokens: forcedTokens, continuations, first_difference: firstDifference } = data
  if (firstDifference < 0) return null
  /** @param {number} count */
  const isExact = (count) => continuations[count].length === forcedTokens.length && matchContinuation(data, count).every(Boolean)
  const scale = [...continuations.keys()]
  const count = scale.find(isExact)
  if (!count) return null
  return {
    places: { count, total: forcedTokens.length, token: forcedTokens[count - 1].text, best: forcedTokens[count - 1].best_token, best_p: formatShare(forcedTokens[count - 1].best_p) }, scale,
    judge: (answer) => (answer === count ? null : { key: answer < count ? "training_few" : "training_many", places: { answer, same: matchContinuation(data, answer).filter(Boolean).length, rest: forcedTokens.length - answer } }),
  }
}

/** @param {Mounted<ForcingData>} mounted */
export default function mountForcing({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "forcing", { role: "group" }, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildForcing(root)
  offerExercise("training", root, () => askGivenCount(data))
}
