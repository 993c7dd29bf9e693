// Play a bidirectional encoder: its states appear from left to right, then from right to left, and are then joined.

/** @import { DirectionsData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { makeCells, makeScale } from "./cells.js"
import { offerExercise } from "./exercise_offers.js"
import { makePlayback } from "./playback.js"
import { reserveHeight } from "./reserve.js"

const EQUATION = "→hⱼ = GRU(→hⱼ₋₁, E xⱼ)   ←hⱼ = GRU(←hⱼ₊₁, E xⱼ)   hⱼ = [→hⱼ ; ←hⱼ]"

/** @typedef {ComponentRoot<DirectionsData> & { step: number, selectedToken: number }} Root */

/**
 * Return how many states each direction has computed at a step, from 0 (none) to 2n + 1 (all, joined).
 * @type {(step: number, count: number) => { forward: number, backward: number, isJoined: boolean }}
 */
export const countStates = (step, count) => ({ forward: Math.min(step, count), backward: Math.max(0, Math.min(step - count, count)), isJoined: step > 2 * count })

/** @param {string[]} tokens */
const quoteTokens = (tokens) => (tokens.length ? `“${tokens.join(" ").replaceAll(" ·", "")}”` : "–")

/** @type {(root: Root) => string} */
function describeStep({ data: { messages, tokens }, step, selectedToken }) {
  const { forward, backward, isJoined } = countStates(step, tokens.length)
  if (isJoined) return formatTemplate(messages.joined, { j: "ⱼ", token: `“${tokens[selectedToken]}”`, left: quoteTokens(tokens.slice(0, selectedToken + 1)), right: quoteTokens(tokens.slice(selectedToken)) })
  if (backward) {
    const j = tokens.length - backward
    return formatTemplate(messages.reads_back, { token: `“${tokens[j]}”`, j: `[${j + 1}]`, after: `[${j + 2}]`, list: quoteTokens(tokens.slice(j)) })
  }
  return forward ? formatTemplate(messages.reads, { token: `“${tokens[forward - 1]}”`, j: `[${forward}]`, before: `[${forward - 1}]`, list: quoteTokens(tokens.slice(0, forward)) }) : messages.start
}

/** @type {(root: Root, step: number) => void} */
function showStep(root, step) {
  root.step = step
  const { data: { tokens, forward, backward }, selectedToken } = root
  const counts = countStates(step, tokens.length)
  const firstBackward = tokens.length - counts.backward
  const nowForward = counts.backward ? -1 : counts.forward - 1
  find(root, "table").classList.toggle("joined", counts.isJoined)
  /** @type {(row: string, states: number[][], isRead: (j: number) => boolean, currentIndex: number, isCovered: (j: number) => boolean) => void} */
  const fillRow = (row, states, isRead, currentIndex, isCovered) => findAll(root, `.${row} td`).forEach((node, j) => {
    node.replaceChildren(makeCells(isRead(j) ? states[j] : states[j].map(() => null)))
    node.classList.toggle("now", j === currentIndex)
    node.classList.toggle("read", isCovered(j))
  })
  fillRow("forward", forward, (j) => j < counts.forward, nowForward, (j) => counts.isJoined && j <= selectedToken)
  fillRow("backward", backward, (j) => j >= firstBackward, counts.isJoined || !counts.backward ? -1 : firstBackward, (j) => counts.isJoined && j >= selectedToken)
  const current = findAll(root, "td.now")[0]
  const view = find(root, ".scroll")
  if (current) view.scrollLeft = current.offsetLeft - view.clientWidth / 2
  showPressed(root, "j", counts.isJoined ? selectedToken : -1)
  setText(find(root, ".description"), describeStep(root))
}

/** @param {Root} root */
function buildDirections(root) {
  const { data } = root
  const { messages, tokens, forward, units, source_language } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  root.selectedToken = 0
  const last = 2 * tokens.length + 1
  const section = make("section", {})
  const playback = makePlayback(section, last, data.controls, (step) => showStep(root, step), 450, last)
  /** @type {(row: string, label: string) => HTMLElement} */
  const row = (kind, label) => make("tr", { class: kind }, make("th", { scope: "row" }, label), ...tokens.map(() => make("td", {})))
  section.append(playback.node, make("p", { class: "equation" }, EQUATION),
    make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}), ...tokens.map((token, j) => make("th", { scope: "col", lang: source_language }, make("button", { type: "button", "data-j": j }, token))))),
      make("tbody", {}, row("forward", `→ ${messages.forward}`), row("backward", `← ${messages.backward}`)))),
    make("p", { class: "description", "aria-live": "polite" }),
    make("p", { class: "legend" }, makeScale(), `${data.title}. ${formatTemplate(messages.units, { shown: forward[0].length, units })}`), make("p", { class: "soft" }, messages.hint))
  /** @type {(event: Event) => void} */
  const choose = ({ target }) => {
    const node = findClosest(target, "[data-j], td")
    if (!node) return
    root.selectedToken = node instanceof HTMLTableCellElement ? node.cellIndex - 1 : Number(node.dataset.j)
    showStep(root, root.step)
  }
  section.onmouseover = (event) => {
    if (root.step === last) choose(event)
  }
  section.onclick = (event) => {
    if (!findClosest(event.target, "table")) return
    choose(event)
    if (root.step < last) playback.go(last)
  }
  root.replaceChildren(section)
  reserveHeight(find(root, ".description"), () => [tokens.length, 2 * tokens.length, last].map((step) => [describeStep({ ...root, step })]))
  playback.go(playback.step())
}

/**
 * Ask which token is the first to have both halves of its annotation.
 * @type {(tokens: string[]) => Question}
 */
export function askFirstAnnotation(tokens) {
  const count = tokens.length
  const offeredIndices = [...new Set([0, Math.floor(count / 2), count - 1])]
  /** @type {(isThere: (counts: ReturnType<typeof countStates>) => boolean) => number} */
  const findFirstStep = (isThere) => Array.from({ length: 2 * count + 1 }, (_, step) => step).findIndex((step) => isThere(countStates(step, count)))
  const steps = offeredIndices.map((j) => ({ forward: findFirstStep(({ forward }) => forward > j), backward: findFirstStep(({ backward }) => backward >= count - j) }))
  const complete = steps.map(({ forward, backward }) => Math.max(forward, backward))
  const first = complete.indexOf(Math.min(...complete))
  return {
    places: { token: tokens[offeredIndices[first]], step: complete[first], count }, options: offeredIndices.map((j) => tokens[j]),
    judge: (answer) => (answer === first ? null : { key: "bidirectional_later", places: { token: tokens[offeredIndices[answer]], ...steps[answer] } }),
  }
}

/** @param {Mounted<DirectionsData>} mounted */
export default function mountBidirectional({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "bidirectional", { role: "group" }, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildDirections(root)
  offerExercise("bidirectional", root, () => askFirstAnnotation(data.tokens))
}
