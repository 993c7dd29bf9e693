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
 * Count the content words of a part, and those that each model keeps.
 * @type {(data: BottleneckData, index: number) => { total: number, kept: number[], lost: string[][] }}
 */
export function countKept({ source, content, parts }, index) {
  const { count, translations } = parts[index]
  const read = content.filter((word) => word < count)
  const lost = translations.map((one) => read.filter((word) => one.omissions.includes(word)).map((word) => source[word][1]))
  return { total: read.length, kept: lost.map((words) => read.length - words.length), lost }
}

/** @param {BottleneckData} data */
function drawCurves(data) {
  const counts = data.parts.map((_, index) => countKept(data, index))
  const last = data.parts.length - 1
  const most = Math.max(1, counts[last].total)
  const x = scaleLinear([0, Math.max(1, last)], [LEFT, WIDTH - 8])
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, 8])
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...[0, most].flatMap((value) => [drawRule(LEFT, WIDTH - 8, y(value)), drawTick(LEFT - 6, y(value) + 4, "end", String(value))]),
    drawTick(x(0), HEIGHT - 6, "middle", String(data.parts[0].count)), drawTick(x(last), HEIGHT - 6, "middle", String(data.parts[last].count)),
    drawCursor(0, 4, HEIGHT - BOTTOM),
    drawCurve(counts.map(({ total }) => total), "all", x, y), drawCurve(counts.map(({ kept }) => kept[0]), "plain", x, y), drawCurve(counts.map(({ kept }) => kept[1]), "attending", x, y))
}

/** @type {(data: BottleneckData, index: number, k: number) => string} */
function describeKept(data, index, k) {
  const { words } = data
  const { total, kept, lost } = countKept(data, index)
  return `${formatTemplate(words.kept, { kept: kept[k], total })} · ${lost[k].length ? formatTemplate(words.lost, { list: lost[k].join(", ") }) : words.none_lost}`
}

/** @type {(data: BottleneckData, index: number) => string} */
function describePart(data, index) {
  const { words, parts, sizes, titles } = data
  const { count, annotations } = parts[index]
  const { total, kept } = countKept(data, index)
  return formatTemplate(words.description, { count, plain: titles[0], vector: sizes[0], plain_kept: kept[0], total, attending: titles[1], annotations: (annotations.length * sizes[1]).toLocaleString("en"), size: sizes[1], attending_kept: kept[1] })
}

/** @type {(root: Root, index: number) => void} */
function showPart(root, index) {
  const { data } = root
  const { words, parts, sizes, titles, source } = data
  const { count, vector, annotations, tokens, translations } = parts[index]
  findAll(root, ".source .word").forEach((node, k) => node.classList.toggle("unread", k >= count))
  find(root, ".states.one").replaceChildren(make("figure", {}, makeCells(vector), make("span", { class: "name" }, "c")))
  find(root, ".states.many").replaceChildren(...annotations.map((row, j) => make("figure", {}, makeCells(row), make("span", { class: "name", lang: data.languages[0] }, tokens[j]))))
  setText(find(root, ".many-title"), formatTemplate(words.annotations, { title: titles[1], count: annotations.length, size: sizes[1] }))
  translations.forEach(({ text }, k) => {
    find(root, `.side-${k} .output`).textContent = text
    setText(find(root, `.side-${k} .kept`), describeKept(data, index, k))
  })
  placeCursor(root, scaleLinear([0, Math.max(1, parts.length - 1)], [LEFT, WIDTH - 8])(index))
  setText(find(root, ".description"), describePart(data, index))
  find(root, ".track").setAttribute("aria-valuetext", formatTemplate(words.read, { count, total: source.length }))
  find(root, ".reading").textContent = formatTemplate(words.read, { count, total: source.length })
}

/** @param {Root} root */
function buildBottleneck(root) {
  const { data } = root
  const { words, source, content, sizes, titles, languages, parts } = data
  root.lang = data.language
  root.setAttribute("aria-label", words.label)
  const line = make("p", { class: "source", lang: languages[0] })
  source.forEach(([gap, word], k) => line.append(k ? gap : gap.trimStart(), make("span", { class: content.includes(k) ? "word content" : "word" }, word)))
  /** @type {(k: number, title: string) => HTMLElement} */
  const side = (k, title) => make("div", { class: `side-${k}` }, make("h3", { class: k ? "many-title" : "one-title" }, title), make("p", { class: "output", lang: languages[1] }), make("p", { class: "kept" }),
    make("div", { class: `scroll states ${k ? "many" : "one"}`, tabindex: k ? 0 : null, role: "group", "aria-label": words.label }))
  const section = make("section", {})
  const playback = makePlayback(section, parts.length - 1, data.controls, (index) => showPart(root, index), 900, parts.length - 1)
  playback.node.append(make("span", { class: "soft reading" }))
  section.append(playback.node, line, make("div", { class: "pair" }, side(0, formatTemplate(words.vector, { title: titles[0], size: sizes[0] })), side(1, "")),
    make("p", { class: "description", "aria-live": "polite" }),
    make("figure", { class: "plot" }, make("figcaption", {}, words.curve), make("div", {}, drawCurves(data)),
      make("p", { class: "legend" }, ...[["plain", titles[0]], ["attending", titles[1]], ["all", words.all]].map(([kind, title]) =>
        makeCurveSample(kind, title)))),
    make("p", { class: "legend" }, makeScale(), formatTemplate(words.drawn, { drawn: parts[0].vector.length })), make("p", { class: "soft" }, ...typeset(words.note)))
  root.replaceChildren(section)
  for (const k of [0, 1]) {
    reserveHeight(find(root, `.side-${k} .output`), () => parts.map(({ translations }) => [translations[k].text]))
    reserveHeight(find(root, `.side-${k} .kept`), () => parts.map((_, index) => [describeKept(data, index, k)]))
  }
  reserveHeight(find(root, ".description"), () => parts.map((_, index) => [describePart(data, index)]))
  playback.go(playback.step())
}

/**
 * Ask after how many words RNNencdec first loses a content word that RNNsearch keeps.
 * @type {(data: BottleneckData) => Question | null}
 */
export function askFirstLoss(data) {
  const { parts, titles, sizes } = data
  const missing = parts.map((_, index) => {
    const [plain, attending] = countKept(data, index).lost
    return plain.filter((word) => !attending.includes(word))
  })
  const first = missing.findIndex((words) => words.length)
  if (first < 0) return null
  const { count } = parts[first]
  return {
    places: { plain: titles[0], attending: titles[1], count, list: missing[first].join(", "), size: sizes[0] }, scale: parts.map((part) => part.count),
    judge: (answer) => (answer === count ? null : { key: answer < count ? "bottleneck_early" : "bottleneck_late", places: { answer, plain: titles[0], attending: titles[1] } }),
  }
}

/** @param {Mounted<BottleneckData>} mounted */
export default function bottleneck({ data: [data], ...mounted }) {
  /** @type {Root} */
  const root = mountRoot(mounted, "bottleneck", { role: "group" }, () => {})
  if (!storeData(root, data)) return
  root.data = data
  buildBottleneck(root)
  offerExercise("bottleneck", root, () => askFirstLoss(data))
}
