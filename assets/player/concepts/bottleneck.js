// Show one vector against many annotations: the sentence grows word by word, RNNencdec's vector does not. Below each model
// stands its translation of the words so far, and how many of their content words it keeps.

/** @import { BottleneckData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { draw, find, findAll, make, mountRoot, setText, storeData, typeset } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawCursor, drawRule, drawTick, makeCurveSample, placeCursor } from "./axes.js"
import { makeCells, makeScale } from "./cells.js"
import { offerExercise } from "./exercise_offers.js"
import { makePlayback } from "./playback.js"
import { reserveHeight } from "./reserve.js"

/** @typedef {ComponentRoot<BottleneckData>} Root */

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [560, 150, 30, 24] // in the plot's own units

/**
 * Count the content words of a prefix, and those that each model keeps.
 * @type {(data: BottleneckData, index: number) => { total: number, keptCounts: number[], lostWords: string[][] }}
 */
export function countContentWords({ source, content, prefixes }, index) {
  const { end, translations } = prefixes[index]
  const readWords = content.filter((word) => word < end)
  const lostWords = translations.map((one) => readWords.filter((word) => one.omissions.includes(word)).map((word) => source[word][1]))
  return { total: readWords.length, keptCounts: lostWords.map((words) => readWords.length - words.length), lostWords }
}

/** @param {BottleneckData} data */
function drawCurves(data) {
  const counts = data.prefixes.map((_, index) => countContentWords(data, index))
  const last = data.prefixes.length - 1
  const maximum = Math.max(1, counts[last].total)
  const x = scaleLinear([0, Math.max(1, last)], [LEFT, WIDTH - 8])
  const y = scaleLinear([0, maximum], [HEIGHT - BOTTOM, 8])
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...[0, maximum].flatMap((value) => [drawRule(LEFT, WIDTH - 8, y(value)), drawTick(LEFT - 6, y(value) + 4, "end", String(value))]),
    drawTick(x(0), HEIGHT - 6, "middle", String(data.prefixes[0].word_count)), drawTick(x(last), HEIGHT - 6, "middle", String(data.prefixes[last].word_count)),
    drawCursor(0, 4, HEIGHT - BOTTOM),
    drawCurve(counts.map(({ total }) => total), "all", x, y), drawCurve(counts.map(({ keptCounts }) => keptCounts[0]), "plain", x, y), drawCurve(counts.map(({ keptCounts }) => keptCounts[1]), "attending", x, y))
}

/** @type {(data: BottleneckData) => HTMLElement} */
function makePlot(data) {
  const { messages, titles } = data
  return make("figure", { class: "plot" }, make("figcaption", {}, messages.curve), make("div", {}, drawCurves(data)),
    make("p", { class: "legend" }, ...[["plain", titles[0]], ["attending", titles[1]], ["all", messages.all]].map(([kind, title]) =>
      makeCurveSample(kind, title))))
}

/** @type {(data: BottleneckData, index: number, k: number) => string} */
function describeKept(data, index, k) {
  const { messages } = data
  if (!data.has_lexicon) return ""
  const { total, keptCounts, lostWords } = countContentWords(data, index)
  return `${formatTemplate(messages.kept, { kept: keptCounts[k], total })} · ${lostWords[k].length ? formatTemplate(messages.lost, { list: lostWords[k].join(", ") }) : messages.none_lost}`
}

/** @type {(data: BottleneckData, index: number) => string} */
function describePart(data, index) {
  const { messages, prefixes, sizes, titles } = data
  const { word_count: wordCount, annotations } = prefixes[index]
  const { total, keptCounts } = countContentWords(data, index)
  return formatTemplate(data.has_lexicon ? messages.description : messages.description_uncounted, { count: wordCount, plain: titles[0], vector: sizes[0], plain_kept: keptCounts[0], total, attending: titles[1], annotations: (annotations.length * sizes[1]).toLocaleString("en"), size: sizes[1], attending_kept: keptCounts[1] })
}

/** @type {(root: Root, index: number) => void} */
function showPart(root, index) {
  const { data } = root
  const { messages, prefixes, sizes, titles } = data
  const { end, word_count: wordCount, vector, annotations, tokens, translations } = prefixes[index]
  findAll(root, ".source .word").forEach((node, k) => node.classList.toggle("unread", k >= end))
  find(root, ".states.one").replaceChildren(make("figure", {}, makeCells(vector), make("span", { class: "name" }, "c")))
  find(root, ".states.many").replaceChildren(...annotations.map((row, j) => make("figure", {}, makeCells(row), make("span", { class: "name", lang: data.languages[0] }, tokens[j]))))
  setText(find(root, ".many-title"), formatTemplate(messages.annotations, { title: titles[1], count: annotations.length, size: sizes[1] }))
  translations.forEach(({ text }, k) => {
    find(root, `.side-${k} .output`).textContent = text
    setText(find(root, `.side-${k} .kept`), describeKept(data, index, k))
  })
  if (data.has_lexicon) placeCursor(root, scaleLinear([0, Math.max(1, prefixes.length - 1)], [LEFT, WIDTH - 8])(index))
  setText(find(root, ".description"), describePart(data, index))
  const progress = formatTemplate(messages.read, { count: wordCount, total: prefixes[prefixes.length - 1].word_count })
  find(root, ".track").setAttribute("aria-valuetext", progress)
  find(root, ".reading").textContent = progress
}

/** @param {Root} root */
function buildBottleneck(root) {
  const { data } = root
  const { messages, source, content, sizes, titles, languages, prefixes } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const line = make("p", { class: "source", lang: languages[0] })
  source.forEach(([gap, word], k) => line.append(k ? gap : gap.trimStart(), make("span", { class: data.has_lexicon && content.includes(k) ? "word content" : "word" }, word)))
  /** @type {(k: number, title: string) => HTMLElement} */
  const side = (k, title) => make("div", { class: `side-${k}` }, make("h3", { id: `title-${k}`, class: k ? "many-title" : "one-title" }, title), make("p", { class: "output", lang: languages[1] }), make("p", { class: "kept" }),
    make("div", { class: `scroll states ${k ? "many" : "one"}`, tabindex: k ? 0 : null, role: "group", "aria-labelledby": `title-${k}` }))
  const section = make("section", {})
  const playback = makePlayback(section, prefixes.length - 1, data.controls, (index) => showPart(root, index), 900, prefixes.length - 1)
  playback.node.append(make("span", { class: "soft reading" }))
  section.append(playback.node, line, make("div", { class: "pair" }, side(0, formatTemplate(messages.vector, { title: titles[0], size: sizes[0] })), side(1, "")),
    make("p", { class: "description", "aria-live": "polite" }),
    ...(data.has_lexicon ? [makePlot(data)] : []),
    make("p", { class: "legend" }, makeScale(), formatTemplate(messages.drawn, { drawn: prefixes[0].vector.length })),
    make("p", { class: "soft" }, ...typeset(data.has_lexicon ? messages.note : messages.note_uncounted)))
  root.replaceChildren(section)
  for (const k of [0, 1]) {
    reserveHeight(find(root, `.side-${k} .output`), () => prefixes.map(({ translations }) => [translations[k].text]))
    reserveHeight(find(root, `.side-${k} .kept`), () => prefixes.map((_, index) => [describeKept(data, index, k)]))
  }
  reserveHeight(find(root, ".description"), () => prefixes.map((_, index) => [describePart(data, index)]))
  playback.go(playback.step())
}

/**
 * Ask after how many words RNNencdec first loses a content word that RNNsearch keeps.
 * @type {(data: BottleneckData) => Question | null}
 */
export function askFirstLoss(data) {
  const { prefixes, titles, sizes } = data
  const missingWords = prefixes.map((_, index) => {
    const [plain, attending] = countContentWords(data, index).lostWords
    return plain.filter((word) => !attending.includes(word))
  })
  const first = missingWords.findIndex((words) => words.length)
  if (first < 0) return null
  const { word_count: wordCount } = prefixes[first]
  return {
    places: { plain: titles[0], attending: titles[1], count: wordCount, list: missingWords[first].join(", "), size: sizes[0] }, scale: prefixes.map((part) => part.word_count),
    judge: (answer) => (answer === wordCount ? null : { key: answer < wordCount ? "bottleneck_early" : "bottleneck_late", places: { answer, plain: titles[0], attending: titles[1] } }),
  }
}

/** @param {Mounted<BottleneckData>} mounted */
export default function mountBottleneck({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "bottleneck", { role: "group" }, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildBottleneck(root)
  offerExercise("bottleneck", root, () => askFirstLoss(data))
}
