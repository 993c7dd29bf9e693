// One sentence through a family of models: a column each, its translation and a small picture of where it looked. A word
// that is pointed at lights up its partners in every column. All data comes once; every text is set as text.

/** @import { FamilyData, FamilyMember } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Lit } from "./light.js" */
import { anew } from "../shared/anew.js"
import { gapNodes, draw, find, findAll, make, nearest, rooted, term } from "../shared/dom.js"
import { clean, fill, filled, two } from "../shared/format.js"
import { modified, touched } from "../shared/keys.js"
import { announce } from "../shared/walk.js"
import { walkedWords } from "./beside.js"
import { cells, lookers, looked, NAMED_FROM, strongest } from "./light.js"

/**
 * @typedef {object} Parts
 * @property {FamilyData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {HTMLElement | null} pinned the word whose light stays on
 * @property {HTMLElement | null} [over] the word that the pointer is over
 * @property {Mounted<FamilyData>["setTriggerValue"]} tell
 */
/** @typedef {HTMLElement & Parts} Root */

const SIDE = 100 // of a picture, in its own units
const MOST = 8 // words that are listed

// ---- what is drawn once --------------------------------------------------------------------------------------------

/** @param {FamilyData} data */
function source({ source: words, tail, languages, text }) {
  const line = make("p", { class: "source", lang: languages[0], dir: "auto" })
  if (!words.length) line.append(text)
  words.forEach(([gap, word], k) => line.append(...gapNodes(gap),
    make("span", { class: "word", role: "button", tabindex: k ? -1 : 0, "data-source": k, "aria-pressed": "false" }, word)))
  line.append(...gapNodes(tail))
  return line
}

/**
 * @param {FamilyData} data
 * @param {FamilyMember} member
 * @param {number} m
 */
function translation({ words, languages }, { answer }, m) {
  const line = make("p", { class: "target", lang: languages[1], dir: "auto" })
  const names = { "": "", repeated: words.mark_repeated, invented: words.mark_invented }
  answer?.words.forEach(([gap, word], k) => {
    const mark = answer.marks[k]
    line.append(...gapNodes(gap), make("span", { class: `word ${mark}`, role: "button", tabindex: k ? -1 : 0, "data-m": m, "data-k": k, "aria-pressed": "false",
      "aria-label": [clean(word), names[mark]].filter(Boolean).join(", ") }, word))
  })
  line.append(...gapNodes(answer?.tail ?? ""))
  return line
}

/**
 * What is right and wrong, as far as it can be told.
 * @param {FamilyData} data
 * @param {FamilyMember} member
 */
function judged({ words, told: known, source: from, languages }, { answer }) {
  const line = make("p", { class: "judged" })
  if (!answer) return line
  /** @type {(template: string, found: string[], language: string) => (string | Node)[]} */
  const fault = (template, found, language) => (found.length
    ? [make("span", { class: "fault" }, ...fill(template, { list: make("b", { lang: language }, several(found)) }))] : [])
  /** @param {string} mark */
  const marked = (mark) => [...new Set(answer.words.filter((_, k) => answer.marks[k] === mark).map(([, word]) => word))]
  const faults = [
    ...fault(words.lost, answer.lost.map((k) => from[k][1]), languages[0]),
    ...fault(words.repeated, marked("repeated"), languages[1]),
    ...fault(words.invented, marked("invented"), languages[1]),
    ...(answer.finished ? [] : [make("span", { class: "fault" }, words.unfinished)]),
  ]
  line.append(...(faults.length ? faults : [make("span", { class: "right" }, known ? words.clean : words.clean_untold)]))
  return line
}

/**
 * A small picture of where the model looked: a row a word of the translation, a column a word of the source.
 * @param {FamilyData} data
 * @param {FamilyMember} member
 * @param {number} m
 */
function picture({ words, source: from }, { answer, name, title, attends }, m) {
  if (!attends) return make("p", { class: "picture none" }, words.blind)
  if (!answer?.looks) return make("div", { class: "picture" })
  const [across, down] = [from.length + 1, Math.max(1, answer.words.length)]
  const drawing = draw("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "column", x: 0, y: 0, width: SIDE / across, height: SIDE }),
    draw("rect", { class: "row", x: 0, y: 0, width: SIDE, height: SIDE / down }),
    ...cells(answer.looks, from.length).map(({ t, s, value }) =>
      draw("rect", { class: "cell", x: (s * SIDE) / across, y: (t * SIDE) / down, width: SIDE / across, height: SIDE / down, "fill-opacity": value })))
  return make("button", { type: "button", class: "picture", "data-open": name, "data-of": m, "aria-label": filled(words.picture, { model: title }) },
    drawing, make("span", { class: "open", "aria-hidden": "true" }, words.open))
}

/**
 * @param {FamilyData} data
 * @param {FamilyMember} member
 * @param {number} m
 */
function column(data, member, m) {
  const { words } = data
  const { title, year, paper, answer, problem, size, taught } = member
  const said = [answer?.map ? filled(words.map, { map: answer.map }) : "", answer?.beside ?? ""].filter(Boolean)
  return make("article", { "aria-label": title, "aria-busy": String(!answer && !problem) },
    make("header", {}, make("span", { class: "year" }, year), make("h3", {}, term(`model:${title}`, title)), make("small", {}, paper)),
    problem ? make("p", { class: "problem" }, problem) : answer ? translation(data, member, m) : make("p", { class: "waiting" }, words.waiting),
    judged(data, member), picture(data, member, m), make("p", { class: "soft" }, said.join(" · ")),
    make("p", { class: "soft facts" }, make("span", {}, taught), make("span", {}, size)))
}

/**
 * @param {Root} root
 * @param {FamilyData} data
 */
function build(root, data) {
  const { words, members } = data
  const waiting = members.some(({ answer, problem }) => !answer && !problem)
  root.style.minHeight = waiting ? `${root.offsetHeight}px` : "" // nothing below moves while columns fill
  root.lang = data.language
  root.setAttribute("aria-label", words.label)
  const columns = make("div", { class: "columns" }, ...members.map((member, m) => column(data, member, m)))
  columns.style.setProperty("--columns", String(members.length))
  root.replaceChildren(
    make("div", { class: "whole" },
      make("div", { class: "top" }, source(data), make("p", { class: "readout", "aria-live": "polite" })),
      members.length ? columns : make("p", {}, words.choose)),
    make("p", { class: "soft" }, members.some(({ attends }) => attends) && `${words.rows} `, data.unequal && make("b", {}, data.unequal)),
    make("p", { class: "soft" }, members.some(({ answer }) => answer) && make("span", {}, data.told ? words.marked : words.untold), " ", data.made))
  announce(find(root, ".whole"))
}

/**
 * Some words in a line: of a translation that has gone wrong as a whole the first ones say enough.
 * @param {string[]} found
 */
const several = (found) => [...found.slice(0, MOST).map(clean), ...(found.length > MOST ? ["…"] : [])].join(", ")

// ---- what lights up ------------------------------------------------------------------------------------------------

/**
 * Light a word and its partners in all columns; null puts all lights out.
 * @param {Root} root
 * @param {HTMLElement | null} word
 */
function light(root, word) {
  const { members } = root.data
  const from = word?.dataset.source
  const [m, k] = [Number(word?.dataset.m), Number(word?.dataset.k)]
  const found = !word ? [] : from != null ? lookers(members, Number(from)) : looked(members, m, k) ?? []
  for (const one of findAll(root, ".word")) {
    const { source: place } = one.dataset
    const partner = one === word ? { value: 1 } : from != null
      ? found.find((lit) => lit.m === Number(one.dataset.m) && lit.k === Number(one.dataset.k))
      : found.find((lit) => place != null && lit.k === Number(place))
    one.style.setProperty("--lit", String(partner?.value ?? 0))
    one.setAttribute("aria-pressed", String(one === root.pinned))
  }
  findAll(root, "article").forEach((article, of) => band(root, article, of, word && from != null ? Number(from) : -1, from == null && of === m ? k : -1))
  find(root, ".readout").replaceChildren(...(word ? told(root, word, found) : [root.data.words.idle]))
}

/**
 * The column and the row of a picture that are pointed at, -1 for none.
 * @param {Root} root
 * @param {HTMLElement} article
 * @param {number} of
 * @param {number} s
 * @param {number} t
 */
function band({ data }, article, of, s, t) {
  const across = data.source.length + 1
  const down = data.members[of].answer?.words.length || 1
  const [upright, lying] = [article.querySelector("rect.column"), article.querySelector("rect.row")]
  upright?.setAttribute("x", String((Math.max(0, s) * SIDE) / across))
  upright?.classList.toggle("on", s >= 0)
  lying?.setAttribute("y", String((Math.max(0, t) * SIDE) / down))
  lying?.classList.toggle("on", t >= 0)
}

/**
 * @param {Root} root
 * @param {HTMLElement} word
 * @param {Lit[]} found
 * @returns {(string | Node)[]}
 */
function told({ data }, word, found) {
  const { words, members, source: from, languages } = data
  /** @type {(text: string, kind: string, language: string) => HTMLElement} */
  const bold = (text, kind, language) => make("b", { class: kind, lang: language }, clean(text))
  /** @type {(parts: (string | Node)[][]) => HTMLElement} */
  const list = (parts) => make("span", {}, ...(parts.length ? parts.flatMap((part, n) => [n ? ", " : "", ...part]) : [words.nothing]))
  const place = word.dataset.source
  if (place != null) {
    const partners = strongest(found).map(({ m, k, value }) => fill(words.of, {
      word: bold(members[m].answer?.words[k][1] ?? "", "tgt", languages[1]), weight: two(value), model: members[m].title }))
    return fill(words.seen, { source: bold(from[Number(place)][1], "src", languages[0]), list: list(partners) })
  }
  const m = Number(word.dataset.m)
  const target = bold(word.textContent, "tgt", languages[1])
  const model = members[m].title
  if (!members[m].answer?.looks) return fill(words.blind_word, { model, target })
  const partners = found.filter(({ value }) => value >= NAMED_FROM).sort((a, b) => b.value - a.value)
    .map(({ k: at, value }) => [at < 0 ? words.end : bold(from[at][1], "src", languages[0]), ` ${two(value)}`])
  return fill(words.looked, { model, target, list: list(partners) })
}

// ---- pointer and keys ----------------------------------------------------------------------------------------------

/**
 * The word of a picture's row or column that the pointer is over.
 * @param {Root} root
 * @param {PointerEvent} event
 */
function under(root, event) {
  const drawing = nearest(event.target, ".picture")?.querySelector("svg")
  if (!drawing) return null
  const m = Number(nearest(drawing, "[data-of]")?.dataset.of)
  const box = drawing.getBoundingClientRect()
  const k = Math.floor(((event.clientY - box.top) / box.height) * (root.data.members[m].answer?.words.length || 1))
  return /** @type {HTMLElement | null} */ (root.querySelector(`.word[data-m="${m}"][data-k="${k}"]`))
}

/**
 * @param {Root} root
 * @param {HTMLElement} word
 * @param {boolean} [finger] which rests on nothing once it is lifted
 */
function pin(root, word, finger = false) {
  root.pinned = root.pinned === word ? null : word
  root.over = undefined
  light(root, root.pinned ?? (finger ? null : word))
}

/**
 * The word that stands where another one stood, once more answers have come to the same sentence.
 * @param {Root} root
 * @param {HTMLElement | null} word
 */
function again(root, word) {
  if (!word) return null
  const { source: from, m, k } = word.dataset
  return /** @type {HTMLElement | null} */ (root.querySelector(from != null ? `.word[data-source="${from}"]` : `.word[data-m="${m}"][data-k="${k}"]`))
}

/** @param {Root} root */
function listen(root) {
  root.pinned = null
  root.onpointermove = (event) => {
    if (root.pinned || event.pointerType === "touch") return
    const word = nearest(event.target, ".word") ?? under(root, event)
    if (word === root.over) return
    root.over = word
    light(root, word)
  }
  root.onpointerleave = () => {
    root.over = undefined
    light(root, root.pinned)
  }
  root.addEventListener("focusin", (event) => {
    const word = nearest(event.target, ".word")
    if (!word) return
    for (const one of findAll(/** @type {HTMLElement} */ (word.parentElement), ".word")) one.tabIndex = one === word ? 0 : -1
    if (!root.pinned) light(root, word)
  })
  root.onclick = (event) => {
    const opening = nearest(event.target, "[data-open]")
    const word = nearest(event.target, ".word")
    if (opening) root.tell("open", opening.dataset.open)
    else if (word) pin(root, word, touched(event))
    else if (root.pinned) {
      root.pinned = null
      light(root, null)
    }
  }
  root.onkeydown = (event) => {
    const word = nearest(event.target, ".word")
    if (!word || modified(event)) return
    if (event.key === "Enter" || event.key === " ") pin(root, word)
    else if (!walkedWords(word, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** @param {Mounted<FamilyData>} mounted */
export default function family({ data: [data], parentElement, setTriggerValue }) {
  const root = /** @type {Root} */ (rooted(parentElement, "family", { role: "group" }, listen))
  root.tell = setTriggerValue
  const drawn = JSON.stringify(data)
  if (root.drawn === drawn) return
  const { data: before, pinned } = root
  const same = before?.text === data.text && String(before.members.map(({ name }) => name)) === String(data.members.map(({ name }) => name))
  root.drawn = drawn
  root.data = data
  anew(root, () => {
    build(root, data)
    root.pinned = same ? again(root, pinned) : null
    light(root, root.pinned)
  }, ".word")
}
