// Show translations with each word's surprise. A chosen word lists its alternatives: the reader takes one or types a word,
// and the model continues from there.

/** @import { ForcedRow, ForcedWord, ForcedDecodingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { redraw } from "../shared/redraw.js"
import { renderGap, find, findAll, make, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { formatDecimal, formatTemplate, formatShare } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { showSections } from "../shared/presentation.js"

/** @typedef {ComponentRoot<ForcedDecodingData>} Root */

/** @type {(data: ForcedDecodingData, row: ForcedRow, r: number) => HTMLLIElement} */
function buildRow(data, row, r) {
  const { messages, languages } = data
  const items = row.words.flatMap((word, w) => {
    const label = formatTemplate(messages.surprise, { word: word.text, nats: formatDecimal(word.surprise) })
    const button = make("button", { type: "button", class: `word${word.is_different ? " other" : ""}`, "data-row": r, "data-word": w, title: label,
      "aria-pressed": false, tabindex: w ? -1 : 0, style: `--share: ${Math.min(1, word.surprise / data.full_bar).toFixed(3)}` }, word.text, make("span", { class: "unseen", lang: data.language }, ` ${formatTemplate(messages.surprise_alone, { nats: formatDecimal(word.surprise) })}`))
    return [...renderGap(word.gap), button]
  })
  return make("li", {}, make("p", { class: "soft" }, make("b", {}, row.title), ` ${formatTemplate(messages.log, { value: row.log_probability })}`),
    make("p", { class: "text", lang: languages[1], dir: "auto" }, ...items), row.divergence_note && make("p", { class: "parts" }, row.divergence_note))
}

/** @param {Root} root */
function buildWords(root) {
  const { data } = root
  const { messages } = data
  const rows = make("section", {}, make("ol", {}, ...data.rows.map((row, r) => buildRow(data, row, r))),
    data.has_forced_prefix && !data.is_export ? make("button", { type: "button", class: "plain", "data-do": "free" }, messages.free) : null)
  const alternativesSection = make("section", { class: "instead" }, make("p", { class: "soft" }, messages.hint, data.is_export ? null : ` ${messages.hint_take}`))
  const noteSection = make("section", { class: "note soft" }, make("p", {}, messages.means), make("p", {}, messages.signs), make("p", { class: "footnote" }, data.provenance))
  showSections(root, data.language, [rows, alternativesSection, noteSection])
}

/** @type {(root: Root, button: HTMLElement) => [ForcedRow, ForcedWord]} */
function getWordOfButton(root, button) {
  const row = root.data.rows[Number(button.dataset.row)]
  return [row, row.words[Number(button.dataset.word)]]
}

/** @type {(root: Root, button: HTMLElement) => void} */
function showAlternatives(root, button) {
  const { messages, languages } = root.data
  for (const node of findAll(root, ".word")) node.setAttribute("aria-pressed", String(node === button))
  const [row, word] = getWordOfButton(root, button)
  const choices = word.choices.map((item) => {
    const share = make("span", { class: "share", style: `--share: ${item.p.toFixed(4)}` }, formatShare(item.p))
    const text = item.continues_word ? `…${item.text}` : item.text
    return make("li", {}, root.data.is_export ? make("span", { lang: languages[1] }, text) : make("button", { type: "button", class: "plain", "data-take": item.id, title: messages.take, lang: languages[1] }, text), share)
  })
  const form = root.data.is_export ? [] : [make("form", {}, make("input", { type: "text", maxlength: 200, lang: languages[1], placeholder: messages.type, "aria-label": messages.type, autocomplete: "off" }),
    make("button", { type: "submit", class: "plain" }, messages.go))]
  find(root, ".instead").replaceChildren(make("p", { class: "soft" }, formatTemplate(messages.alternatives, { word: word.text, row: row.title })), make("ol", {}, ...choices), ...form)
}

/** @param {Root} root */
const getChosenWord = (root) => /** @type {ForcedWord} */ (getWordOfButton(root, find(root, '.word[aria-pressed="true"]'))[1])

/** @type {(root: Root, event: string, pieces: number[], details?: { text?: string }) => void} */
const requestPrefix = (root, event, pieces, details = {}) => root.trigger(event, { id: root.data.id, pieces, ...details })

/** @param {Root} root */
function addListeners(root) {
  root.addEventListener("click", (event) => {
    const word = findClosest(event.target, ".word")
    const takeButton = findClosest(event.target, "[data-take]")
    if (word) showAlternatives(root, word)
    else if (takeButton) requestPrefix(root, "take", [...getChosenWord(root).prefix_ids, Number(takeButton.dataset.take)])
    else if (findClosest(event.target, "[data-do=free]")) requestPrefix(root, "take", [])
  })
  root.addEventListener("submit", (event) => {
    event.preventDefault()
    const text = /** @type {HTMLInputElement} */ (find(root, "form input")).value.trim()
    if (text) requestPrefix(root, "type", getChosenWord(root).prefix_ids, { text })
  })
  root.addEventListener("keydown", (event) => {
    const word = findClosest(event.target, ".word")
    if (!word || hasModifier(event)) return
    const [r, w] = [Number(word.dataset.row), Number(word.dataset.word)]
    /** @type {Record<string, [number, number] | undefined>} */
    const targets = { ArrowLeft: [r, w - 1], ArrowRight: [r, w + 1], ArrowUp: [r - 1, w], ArrowDown: [r + 1, w] }
    const target = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined
    const neighbour = target && /** @type {HTMLElement | null} */ (root.querySelector(`[data-row="${target[0]}"][data-word="${target[1]}"]`))
    if (!target) return
    event.preventDefault()
    neighbour?.focus()
  })
}

/** @param {Mounted<ForcedDecodingData>} mounted */
export default function mountForced({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "forced-decoding", {}, addListeners)
  if (!storeData(root, data)) return
  const pressedWord = /** @type {HTMLElement | null} */ (root.querySelector('.word[aria-pressed="true"]'))
  root.data = data
  redraw(root, () => buildWords(root), `[data-row="${pressedWord?.dataset.row}"][data-word="${pressedWord?.dataset.word}"]`, ".word")
}
