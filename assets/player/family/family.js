// Show one sentence's translations by several models, one column each, with the training of each above and a small
// attention map below. A hovered word highlights its partners in every column. On a phone the columns are swiped.

/** @import { EqualHoursComparison, FamilyData, FamilyMember } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Partner } from "../shared/partners.js" */
import { line as buildLinePath } from "d3-shape"
import { redraw } from "../shared/redraw.js"
import { renderGap, draw, find, findAll, make, findClosest, mountRoot, makeTerm, setText, storeData } from "../shared/dom.js"
import { normaliseSpaces, fillTemplate, formatTemplate, formatShare } from "../shared/format.js"
import { moveWordFocus, setTabStop } from "../shared/focus.js"
import { hasModifier, isTouch } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { PARTNER_FROM, listStrongestPartners, listWordsAttendingTo } from "../shared/partners.js"

/**
 * @typedef {object} FamilyState
 * @property {HTMLElement | null} pinnedWord the word that stays highlighted
 * @property {HTMLElement | null} [hoveredWord] the word under the pointer
 * @property {boolean} isEqualShown whether RNNsearch of equal hours is shown
 * @property {Record<string, number>} hourIndices positions of the sliders over the hours, by the model's title
 */
/** @typedef {ComponentRoot<FamilyData> & FamilyState} Root */

const SIDE = 100 // size of a picture in its own units
const MAX_LISTED = 8 // listed words
const CURVE = [160, 64] // width and height of a learning curve in its own units

/**
 * Return what word k of member m attends to; null without attention.
 * @type {(members: FamilyMember[], m: number, k: number) => Partner[] | null}
 */
export function listPartnersOfWord(members, m, k) {
  const rows = members[m].translation?.attended
  return rows ? rows[k].map(([place, value]) => ({ m, k: place, value })) : null
}

/** @param {Partner[]} partners */
export function listStrongestPerModel(partners) {
  /** @type {Map<number, Partner>} */
  const best = new Map()
  for (const item of partners) if (item.value >= PARTNER_FROM && item.value > (best.get(item.m)?.value ?? 0)) best.set(item.m, item)
  return [...best.values()].sort((a, b) => a.m - b.m)
}

/**
 * Return the cells of a map: rows are target words, columns source words, the end last.
 * @param {[number, number][][]} rows
 * @param {number} words number of source words
 */
export const mapCells = (rows, words) => rows.flatMap((row, t) =>
  row.map(([place, value]) => ({ t, s: place < 0 ? words : place, value })))

/** @param {FamilyData} data */
function buildSource({ source: words, unknown_words: unknownWords, tail, languages, text }) {
  const line = make("p", { class: "source", lang: languages[0], dir: "auto" })
  if (!words.length) line.append(text)
  words.forEach(([gap, word], k) => line.append(...renderGap(gap),
    make("span", { class: unknownWords.includes(k) ? "word unknown" : "word", role: "button", tabindex: k ? -1 : 0, "data-source": k, "aria-pressed": "false" }, word)))
  line.append(...renderGap(tail))
  return line
}

/** @type {(data: FamilyData, member: FamilyMember, m: number) => HTMLParagraphElement} */
function buildTranslation({ messages, languages }, { translation }, m) {
  const line = make("p", { class: "target", lang: languages[1], dir: "auto" })
  const names = { "": "", repetition: messages.mark_repeated, addition: messages.mark_invented, substitution: "" }
  translation?.words.forEach(([gap, word], k) => {
    const mark = translation.marks[k]
    const kinds = ["word", mark, translation.unknown_words.includes(k) && "unknown", translation.copied_words.includes(k) && "copied"].filter(Boolean)
    line.append(...renderGap(gap), make("span", { class: kinds.join(" "), role: "button", tabindex: k ? -1 : 0, "data-m": m, "data-k": k, "aria-pressed": "false",
      "aria-label": [normaliseSpaces(word), names[mark], translation.unknown_words.includes(k) && messages.mark_unknown, translation.copied_words.includes(k) && messages.mark_copied].filter(Boolean).join(", ") }, word))
  })
  line.append(...renderGap(translation?.tail ?? ""))
  return line
}

/** @type {(data: FamilyData, member: FamilyMember) => HTMLParagraphElement} */
function buildFaults({ messages, has_lexicon: hasLexicon, source: sourceWords, languages }, { translation }) {
  const line = make("p", { class: "judged" })
  if (!translation) return line
  /** @type {(template: string, faulty: string[], language: string) => (string | Node)[]} */
  const fault = (template, faulty, language) => (faulty.length
    ? [make("span", { class: "fault" }, ...fillTemplate(template, { list: make("b", { lang: language }, joinWords(faulty)) }))] : [])
  /** @param {string} mark */
  const listMarkedWords = (mark) => [...new Set(translation.words.filter((_, k) => translation.marks[k] === mark).map(([, word]) => word))]
  const faults = [
    ...fault(messages.lost, translation.omissions.map((k) => sourceWords[k][1]), languages[0]),
    ...fault(messages.repeated, listMarkedWords("repetition"), languages[1]),
    ...fault(messages.invented, listMarkedWords("addition"), languages[1]),
    ...(translation.is_finished ? [] : [make("span", { class: "fault" }, messages.unfinished)]),
  ]
  line.append(...(faults.length ? faults : [make("span", { class: "right" }, hasLexicon ? messages.clean : messages.clean_no_lexicon)]))
  return line
}

/** @type {(data: FamilyData, member: FamilyMember, m: number) => HTMLButtonElement | HTMLDivElement} */
function buildPicture({ messages, source: sourceWords }, { translation, name, title, has_attention: hasAttention }, m) {
  if (!hasAttention) return make("p", { class: "picture none" }, messages.blind)
  if (!translation?.attended) return make("div", { class: "picture" })
  const [columns, rows] = [sourceWords.length + 1, Math.max(1, translation.words.length)]
  const drawing = draw("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "column", x: 0, y: 0, width: SIDE / columns, height: SIDE }),
    draw("rect", { class: "row", x: 0, y: 0, width: SIDE, height: SIDE / rows }),
    ...mapCells(translation.attended, sourceWords.length).map(({ t, s, value }) =>
      draw("rect", { class: "cell", x: (s * SIDE) / columns, y: (t * SIDE) / rows, width: SIDE / columns, height: SIDE / rows, "fill-opacity": value })))
  return make("button", { type: "button", class: "picture", "data-open": name, "data-of": m, "aria-label": formatTemplate(messages.picture, { model: title }) },
    drawing, make("span", { class: "open", "aria-hidden": "true" }, messages.open))
}

/**
 * Build how long a model was trained, its BLEU, and the choice of RNNsearch with equal hours.
 * @type {(root: Root, data: FamilyData, member: FamilyMember) => HTMLElement}
 */
function buildTraining(root, data, { title, training: { bars, score, score_note: scoreNote, equal_hours: equalHours } }) {
  const { messages } = data
  const equalHoursSection = equalHours && make("div", { class: "equal" }, ...(equalHours.points.length ? buildCurves(root, data, equalHours, title) : []), make("p", { class: "soft" }, equalHours.run))
  return make("div", { class: "training" },
    ...bars.map(({ text, share }) => make("p", { class: "bar" }, text, make("i", { style: `width: ${100 * share}%` }))),
    bars.length ? "" : make("p", { class: "soft" }, messages.untaught),
    make("p", { class: "score" }, make("b", {}, score), " ", make("small", {}, scoreNote)),
    ...(equalHours && equalHoursSection ? [make("button", { type: "button", class: "choose", "aria-expanded": String(root.isEqualShown) }, equalHours.choice), equalHoursSection] : []))
}

/**
 * Build two learning curves with a slider over the hours. All columns have one scale of BLEU.
 * @type {(root: Root, data: FamilyData, equal: EqualHoursComparison, title: string) => Element[]}
 */
function buildCurves(root, { messages, members }, { title: base, points, set }, title) {
  const [width, height] = CURVE
  const last = points.length - 1
  const maximum = Math.max(...members.flatMap(({ training: { equal_hours: equalHours } }) => equalHours?.points.flatMap(([, first, second]) => [first, second]) ?? []))
  const cursor = draw("line", { class: "cursor", y1: 0, y2: height })
  /** @param {1 | 2} k */
  const path = (k) => buildLinePath((/** @type {number} */ _, n) => (width * n) / last, (score) => height * (1 - score / maximum))(points.map((point) => point[k]))
  const names = { base, model: title }
  const picture = draw("svg", { class: "curves", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": formatTemplate(messages.equal_curves, names) },
    cursor, draw("path", { class: "base", d: path(1) }), draw("path", { class: "own", d: path(2) }))
  const values = [make("b", {}), make("b", {})]
  const caption = make("p", { class: "soft" })
  const slider = make("input", { type: "range", min: 0, max: last, "aria-label": messages.equal_hours })
  slider.value = String(root.hourIndices[title] ?? last)
  const moveCursor = () => {
    const [hours, ...scores] = points[Number(slider.value)]
    setText(caption, formatTemplate(messages.equal_at, { set, hours: hours.toFixed(1) }))
    scores.forEach((value, k) => setText(values[k], value.toFixed(1)))
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String((width * Number(slider.value)) / last))
    slider.setAttribute("aria-valuetext", `${caption.textContent}: ${base} ${scores[0].toFixed(1)}, ${title} ${scores[1].toFixed(1)}`)
  }
  slider.oninput = () => {
    root.hourIndices[title] = Number(slider.value)
    moveCursor()
  }
  moveCursor()
  return [picture, slider, caption, make("p", { class: "key" }, values[0], base), make("p", { class: "key own" }, values[1], title)]
}

/** @type {(root: Root, data: FamilyData, member: FamilyMember, m: number) => HTMLElement} */
function buildColumn(root, data, member, m) {
  const { messages } = data
  const { title, year, paper, translation, problem, parameter_count: parameterCount, training } = member
  const text = [translation?.map_name ? formatTemplate(messages.map, { map: translation.map_name }) : "", translation?.shift_note ?? ""].filter(Boolean)
  return make("article", { class: training.has_fewer_hours ? "grey" : "", "aria-label": title, "aria-busy": String(!translation && !problem) },
    make("header", {}, make("span", { class: "year" }, year), make("h3", {}, makeTerm(`model:${title}`, title)), make("small", {}, paper)),
    buildTraining(root, data, member),
    problem ? make("p", { class: "problem" }, problem) : translation ? buildTranslation(data, member, m) : make("p", { class: "waiting" }, messages.waiting),
    buildFaults(data, member), buildPicture(data, member, m), make("p", { class: "soft" }, text.join(" · ")),
    make("p", { class: "soft facts" }, parameterCount))
}

/** @type {(root: Root, data: FamilyData) => void} */
function buildFamily(root, data) {
  const { messages, members } = data
  const isWaiting = members.some(({ translation, problem }) => !translation && !problem)
  root.style.minHeight = isWaiting ? `${root.offsetHeight}px` : "" // nothing below moves while columns fill
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const columns = make("div", { class: "columns", style: `--columns: ${members.length}` }, ...members.map((member, m) => buildColumn(root, data, member, m)))
  root.replaceChildren(
    make("div", { class: "whole" },
      make("div", { class: "top" }, buildSource(data), make("p", { class: "readout", "aria-live": "polite" })),
      make("p", { class: "unequal" }, data.unequal_note),
      make("p", { class: "soft how" }, members.some(({ training: { equal_hours: equalHours } }) => equalHours) && messages.equal_how),
      members.length ? columns : make("p", {}, messages.choose)),
    make("p", { class: "soft" }, members.some(({ has_attention: hasAttention }) => hasAttention) && messages.rows),
    make("p", { class: "soft" }, members.some(({ translation }) => translation) && make("span", {}, data.has_lexicon ? messages.marked : messages.no_lexicon), " ", ...data.unknown_notes.flatMap((note) => [make("span", {}, note), " "]), make("span", { class: "footnote" }, data.provenance)))
  registerSection(find(root, ".whole"))
}

/**
 * Join words; of a translation that is wrong throughout only the first ones.
 * @param {string[]} words
 */
const joinWords = (words) => [...words.slice(0, MAX_LISTED).map(normaliseSpaces), ...(words.length > MAX_LISTED ? ["…"] : [])].join(", ")

/** @type {(root: Root, word: HTMLElement | null) => void} */
function highlightWord(root, word) {
  const { members } = root.data
  const sourceIndex = word?.dataset.source
  const [m, k] = [Number(word?.dataset.m), Number(word?.dataset.k)]
  const partners = !word ? [] : sourceIndex != null ? listWordsAttendingTo(members.map(({ translation }) => translation?.attended), Number(sourceIndex)) : listPartnersOfWord(members, m, k) ?? []
  for (const node of findAll(root, ".word")) {
    const { source: place } = node.dataset
    const partner = node === word ? { value: 1 } : sourceIndex != null
      ? partners.find((lit) => lit.m === Number(node.dataset.m) && lit.k === Number(node.dataset.k))
      : partners.find((lit) => place != null && lit.k === Number(place))
    node.style.setProperty("--lit", String(partner?.value ?? 0))
    node.setAttribute("aria-pressed", String(node === root.pinnedWord))
  }
  findAll(root, "article").forEach((article, index) => moveBand(root, article, index, word && sourceIndex != null ? Number(sourceIndex) : -1, sourceIndex == null && index === m ? k : -1))
  find(root, ".readout").replaceChildren(...(word ? describeWord(root, word, partners) : [root.data.messages.idle]))
}

/**
 * Move the highlighted column and row of a map, -1 for none.
 * @type {(root: Root, article: HTMLElement, index: number, s: number, t: number) => void}
 */
function moveBand({ data }, article, index, s, t) {
  const columns = data.source.length + 1
  const rows = data.members[index].translation?.words.length || 1
  const [upright, lying] = [article.querySelector("rect.column"), article.querySelector("rect.row")]
  upright?.setAttribute("x", String((Math.max(0, s) * SIDE) / columns))
  upright?.classList.toggle("on", s >= 0)
  lying?.setAttribute("y", String((Math.max(0, t) * SIDE) / rows))
  lying?.classList.toggle("on", t >= 0)
}

/** @type {(root: Root, word: HTMLElement, partners: Partner[]) => (string | Node)[]} */
function describeWord({ data }, word, partners) {
  const { messages, members, source: sourceWords, languages } = data
  /** @type {(text: string, kind: string, language: string) => HTMLElement} */
  const bold = (text, kind, language) => make("b", { class: kind, lang: language }, normaliseSpaces(text))
  /** @type {(parts: (string | Node)[][]) => HTMLElement} */
  const list = (parts) => make("span", {}, ...(parts.length ? parts.flatMap((part, n) => [n ? ", " : "", ...part]) : [messages.nothing]))
  const place = word.dataset.source
  if (place != null) {
    const strongest = listStrongestPerModel(partners).map(({ m, k, value }) => fillTemplate(messages.of, {
      word: bold(members[m].translation?.words[k][1] ?? "", "tgt", languages[1]), weight: formatShare(value), model: members[m].title }))
    return fillTemplate(messages.seen, { source: bold(sourceWords[Number(place)][1], "src", languages[0]), list: list(strongest) })
  }
  const m = Number(word.dataset.m)
  const target = bold(word.textContent, "tgt", languages[1])
  const model = members[m].title
  if (!members[m].translation?.attended) return fillTemplate(messages.blind_word, { model, target })
  const strongest = listStrongestPartners(partners)
    .map(({ k: index, value }) => [index < 0 ? messages.end : bold(sourceWords[index][1], "src", languages[0]), ` ${formatShare(value)}`])
  return fillTemplate(messages.looked, { model, target, list: list(strongest) })
}

/** @type {(root: Root, event: PointerEvent) => HTMLElement | null} */
function findWordUnderPointer(root, event) {
  const drawing = findClosest(event.target, ".picture")?.querySelector("svg")
  if (!drawing) return null
  const m = Number(findClosest(drawing, "[data-of]")?.dataset.of)
  const box = drawing.getBoundingClientRect()
  const k = Math.floor(((event.clientY - box.top) / box.height) * (root.data.members[m].translation?.words.length || 1))
  return /** @type {HTMLElement | null} */ (root.querySelector(`.word[data-m="${m}"][data-k="${k}"]`))
}

/** @type {(root: Root, word: HTMLElement | null, isTap?: boolean) => void} */
function togglePin(root, word, isTap = false) {
  root.pinnedWord = root.pinnedWord === word ? null : word
  root.hoveredWord = undefined
  highlightWord(root, root.pinnedWord ?? (isTap ? null : word)) // a finger does not hover after its tap
}

/**
 * Find the same word again after more answers have arrived.
 * @type {(root: Root, word: HTMLElement | null) => HTMLElement | null}
 */
function findSameWord(root, word) {
  if (!word) return null
  const { source: sourceIndex, m, k } = word.dataset
  return /** @type {HTMLElement | null} */ (root.querySelector(sourceIndex != null ? `.word[data-source="${sourceIndex}"]` : `.word[data-m="${m}"][data-k="${k}"]`))
}

/** @type {(root: Root, isShown: boolean) => void} */
function showEqual(root, isShown) {
  root.isEqualShown = isShown
  root.classList.toggle("is-equal", isShown)
  for (const button of findAll(root, ".choose")) button.setAttribute("aria-expanded", String(isShown))
}

/** @param {Root} root */
function addListeners(root) {
  root.pinnedWord = null
  root.hourIndices = {}
  root.onpointermove = (event) => {
    if (root.pinnedWord || event.pointerType === "touch") return
    const word = findClosest(event.target, ".word") ?? findWordUnderPointer(root, event)
    if (word === root.hoveredWord) return
    root.hoveredWord = word
    highlightWord(root, word)
  }
  root.onpointerleave = () => {
    root.hoveredWord = undefined
    highlightWord(root, root.pinnedWord)
  }
  root.addEventListener("focusin", (event) => {
    const word = findClosest(event.target, ".word")
    if (!word) return
    setTabStop(/** @type {HTMLElement} */ (word.parentElement), ".word", word)
    if (!root.pinnedWord) highlightWord(root, word)
  })
  root.onclick = (event) => {
    const opening = findClosest(event.target, "[data-open]")
    if (findClosest(event.target, ".choose")) {
      showEqual(root, !root.isEqualShown)
      root.trigger("equal", root.isEqualShown)
    }
    const word = findClosest(event.target, ".word")
    if (opening) root.trigger("open", opening.dataset.open)
    else if (word) togglePin(root, word, isTouch(event))
    else if (root.pinnedWord) togglePin(root, null)
  }
  root.onkeydown = (event) => {
    const word = findClosest(event.target, ".word")
    if (!word || hasModifier(event)) return
    if (event.key === "Escape" && root.pinnedWord) togglePin(root, null)
    else if (event.key === "Enter" || event.key === " ") togglePin(root, word)
    else if (!moveWordFocus(word, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** @param {Mounted<FamilyData>} mounted */
export default function mountFamily({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "family", { role: "group" }, addListeners)
  const isNew = storeData(root, data, { shows_equal_hours: false })
  showEqual(root, data.shows_equal_hours)
  if (!isNew) return
  const { data: previous, pinnedWord: pinned } = root
  const isSameSentence = previous?.text === data.text && String(previous.members.map(({ name }) => name)) === String(data.members.map(({ name }) => name))
  root.data = data
  redraw(root, () => {
    buildFamily(root, data)
    root.pinnedWord = isSameSentence ? findSameWord(root, pinned) : null
    highlightWord(root, root.pinnedWord)
  }, ".word")
}
