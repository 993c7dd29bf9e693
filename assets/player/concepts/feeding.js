// The order of one decoder step in three papers, played over the sentence's steps, and a translation with and without
// input feeding.

/** @import { FeedingData, FeedingTranslation } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { find, findAll, findClosest, make, mountRoot, showPressed, storeData } from "../shared/dom.js"
import { fillTemplate, formatEquality, formatTemplate } from "../shared/format.js"
import { makePlayback } from "./playback.js"

/** @typedef {ComponentRoot<FeedingData> & { hasFeeding: boolean, position: number }} Root */
/** @typedef {"attend" | "update" | "generate"} Phase */

/** @type {Record<"paper" | "code" | "luong", Phase[]>} */
const ORDERS = { paper: ["attend", "update", "generate"], code: ["attend", "generate", "update"], luong: ["update", "attend", "generate"] }

/** @type {Record<keyof typeof ORDERS, Record<Phase, string>>} */
const FORMULAS = {
  paper: { attend: "αᵢ, cᵢ ← sᵢ₋₁", update: "sᵢ = f(sᵢ₋₁, yᵢ₋₁, cᵢ)", generate: "yᵢ ← sᵢ, yᵢ₋₁, cᵢ" },
  code: { attend: "αᵢ, cᵢ ← s′ᵢ", generate: "yᵢ ← s′ᵢ, yᵢ₋₁, cᵢ", update: "s′ᵢ₊₁ = f(s′ᵢ, yᵢ, cᵢ)" },
  luong: { update: "sᵢ = LSTM(sᵢ₋₁, [yᵢ₋₁; s̃ᵢ₋₁])", attend: "αᵢ, cᵢ ← sᵢ", generate: "s̃ᵢ = tanh(W[cᵢ; sᵢ]);  yᵢ ← s̃ᵢ" },
}

/** @type {(root: Root) => FeedingTranslation} */
const getSelectedTranslation = ({ data, hasFeeding }) => (hasFeeding ? data.with_feeding : data.without_feeding)

/** @param {Root} root */
function renderPosition(root) {
  const { data, position } = root
  const { messages } = data
  const step = Math.floor(position / 3), phase = position % 3
  for (const node of findAll(root, "[data-phase]")) node.classList.toggle("now", Number(node.dataset.phase) === phase)
  for (const node of findAll(root, "[data-token]")) node.classList.toggle("now", Number(node.dataset.token) === step)
  for (const node of findAll(root, "[data-fed]")) node.classList.toggle("off", (node.dataset.fed === "yes") !== root.hasFeeding)
  showPressed(root, "switch", root.hasFeeding ? "on" : "off")
  const luong = getSelectedTranslation(root).tokens
  /** @type {(tokens: string[], k: number) => string} */
  const getToken = (tokens, k) => (k < 0 ? messages.nothing : tokens[k] ?? "–")
  /** @type {(name: string, tokens: string[]) => void} */
  const writeTokens = (name, tokens) => find(root, `[data-order=${name}] .tokens`).replaceChildren(...fillTemplate(messages.tokens, {
    step: String(step + 1), previous: make("span", { class: "target-token" }, getToken(tokens, step - 1)), token: make("span", { class: "target-token" }, getToken(tokens, step)) }))
  for (const name of ["paper", "code"]) writeTokens(name, data.rnnsearch)
  writeTokens("luong", luong)
}

/** @type {(root: Root, name: "paper" | "code" | "luong") => HTMLElement} */
function makeOrder({ data }, name) {
  const { messages, titles } = data
  const boxes = ORDERS[name].flatMap((phase, k) => [
    ...(k ? [make("li", { class: "arrow", "aria-hidden": "true" }, "→")] : []),
    make("li", { class: phase, "data-phase": k }, make("b", {}, messages[`phase_${phase}`]), make("span", { class: "formula" }, FORMULAS[name][phase]))])
  return make("section", { class: "order", "data-order": name },
    make("div", { class: "heading" }, make("h3", {}, formatTemplate(messages[`order_${name}`], { rnnsearch: titles[0], luong: titles[1] })), make("p", { class: "tokens note" })),
    make("ol", { class: "chain" }, ...boxes),
    make("p", { class: "back" }, messages[`back_${name}`]),
    name === "luong" && make("p", { class: "back fed", "data-fed": "yes" }, messages.fed_back))
}

/** @type {(translation: FeedingTranslation, divergence: number) => HTMLElement[]} */
const makeTokens = ({ tokens, probabilities }, divergence) => tokens.map((token, k) => {
  const node = make("span", { class: k >= divergence ? "token differs" : "token", "data-token": k, title: `p ${formatEquality(probabilities[k])}` }, token)
  node.style.setProperty("--p", String(probabilities[k]))
  return node
})

/** @param {Root} root */
function buildFeeding(root) {
  const { data } = root
  const { messages, with_feeding: withFeeding, without_feeding: withoutFeeding, first_difference: firstDifference, rnnsearch } = data
  root.lang = data.language
  const steps = Math.max(withFeeding.tokens.length, withoutFeeding.tokens.length, rnnsearch.length)
  const isSame = firstDifference < 0
  const orders = make("section", { class: "orders", "aria-label": messages.label }, ...["paper", "code", "luong"].map((name) => makeOrder(root, /** @type {"paper"} */ (name))))
  const playback = makePlayback(orders, 3 * steps - 1, { play: messages.play, pause: messages.pause, back: messages.previous, on: messages.next, track: messages.track }, (position) => {
    root.position = position
    renderPosition(root)
  }, 700)
  root.replaceChildren(playback.node, orders,
    make("p", { class: "choices", role: "group", "aria-label": messages.feeding },
      make("span", {}, `${messages.feeding}: `), make("button", { type: "button", "data-switch": "on" }, messages.on), make("button", { type: "button", "data-switch": "off" }, messages.off)),
    make("dl", { class: "rows" },
      make("dt", { "data-fed": "yes" }, messages.with_feeding), make("dd", { "data-fed": "yes", lang: data.target_language }, ...makeTokens(withFeeding, isSame ? Infinity : firstDifference)),
      make("dt", { "data-fed": "no" }, messages.without_feeding), make("dd", { "data-fed": "no", lang: data.target_language }, ...makeTokens(withoutFeeding, isSame ? Infinity : firstDifference))),
    make("p", { class: "description", "aria-live": "polite" }, isSame ? messages.description_same : formatTemplate(messages.description_changed, { step: firstDifference + 1 })),
    make("p", { class: "note" }, messages.note), make("p", { class: "footnote" }, data.provenance))
  root.position = 0
  renderPosition(root)
}

/** @param {Root} root */
function setUp(root) {
  root.hasFeeding = true
  root.addEventListener("click", ({ target }) => {
    const state = findClosest(target, "[data-switch]")?.dataset.switch
    if (!state) return
    root.hasFeeding = state === "on"
    renderPosition(root)
  })
}

/** @param {Mounted<FeedingData>} mounted */
export default function mountFeeding({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "feeding", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildFeeding(root)
}
