// Draw the small length curves of the models, with dots at the current sentence length.

/** @import { ComparedModel, CurveData, CurveSet, LengthPoint } from "../payloads.js" */
import { line as buildLinePath } from "d3-shape"
import { draw, find, findAll, make } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { MAX_WORDS, roundTop } from "../shared/length_axis.js"
import { drawMarker } from "../shared/markers.js"
import { scaleLinear } from "../shared/scale.js"

/** `selectedSet`: key of the selected test set.
 * @typedef {{ figure: HTMLElement, moveTo: (count: number) => void, selectedSet: () => string | undefined }} LengthCurve */

const WIDTH = 330
const HEIGHT = 190
const EDGE = { left: 30, right: 10, top: 10, bottom: 34 }

const x = scaleLinear([0, MAX_WORDS], [EDGE.left, WIDTH - EDGE.right])

/** @param {number} top BLEU at the upper edge */
const makeBleuScale = (top) => scaleLinear([0, top], [HEIGHT - EDGE.bottom, EDGE.top])

/** @type {(line: LengthPoint[], words: number) => LengthPoint | undefined} */
export const findBin = (line, words) => line.find((point) => words >= point.first && (point.last == null || words <= point.last))

/** @type {(set: CurveSet, models: ComparedModel[], messages: CurveData["messages"]) => SVGSVGElement} */
function drawCurves({ lines }, models, messages) {
  const top = roundTop(lines)
  const y = makeBleuScale(top)
  const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "curve" })
  /** @type {(left: number, baseline: number, anchor: string | null, text: string) => void} */
  const write = (left, baseline, anchor, text) => picture.append(draw("text", { x: left, y: baseline, class: "tick", "text-anchor": anchor }, text))
  for (let value = 0; value <= top; value += top > 60 ? 20 : top > 15 ? 10 : 5) {
    picture.append(draw("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value), class: "rule" }))
    write(EDGE.left - 6, y(value) + 4, "end", String(value))
  }
  for (let value = 10; value <= 60; value += 10) write(x(value), HEIGHT - EDGE.bottom + 15, "middle", String(value))
  write(WIDTH - EDGE.right, HEIGHT - 4, "end", messages.across)
  write(0, HEIGHT - 4, null, messages.upward)
  picture.append(draw("line", { x1: 0, x2: 0, y1: EDGE.top, y2: HEIGHT - EDGE.bottom, class: "here" }))
  /** @type {import("d3-shape").Line<LengthPoint>} */
  const path = buildLinePath((point) => x(point.words), (point) => y(point.bleu))
  lines.forEach((line, m) => {
    if (!line) return
    picture.append(draw("path", { d: path(line), class: models[m].is_dashed ? "line dashed" : "line" }))
    for (const item of line) picture.append(drawMarker(models[m], x(item.words), y(item.bleu), 3))
  })
  lines.forEach((line, m) => {
    if (line) picture.append(draw("g", { class: "dot", "data-model": m }, drawMarker(models[m], 0, 0, 6)))
  })
  return picture
}

/**
 * Describe the scores at a sentence length. All models share their bins, as they were measured on the same sentences.
 * @type {(set: CurveSet, models: ComparedModel[], messages: CurveData["messages"], count: number) => string}
 */
export function describeScores(set, models, messages, count) {
  const scores = set.lines.flatMap((line, m) => {
    const bin = line && findBin(line, count)
    return bin ? [{ bin, text: formatTemplate(messages.score, { model: models[m].name, bleu: formatDecimal(bin.bleu, 1) }) }] : []
  })
  if (!scores.length) return formatTemplate(messages.none, { count })
  const { first, last, sentences } = scores[0].bin
  const span = last == null ? `${first}+` : `${first}–${last}`
  const list = scores.map(({ text }) => text).join(", ")
  return formatTemplate(messages.at, { count, span, sentences: sentences.toLocaleString("en"), list })
}

/**
 * Build the figure; `moveTo` moves the dots to a sentence length.
 * @type {(data: CurveData, models: ComparedModel[], initialSet?: string) => LengthCurve}
 */
export function makeLengthCurve({ sets, messages }, models, initialSet) {
  const figure = make("figure", { class: "lengths" })
  const unmeasuredModels = models.filter((_, m) => sets.every((set) => !set.lines[m])).map((model) => model.name)
  const notice = unmeasuredModels.length ? make("p", { class: "missing" }, formatTemplate(messages.missing, { models: unmeasuredModels.join(", ") })) : null
  if (!sets.length) {
    figure.append(make("figcaption", {}, notice))
    return { figure, moveTo() {}, selectedSet: () => initialSet }
  }
  const choose = make("select", { "aria-label": messages.set }, ...sets.map((set, k) => make("option", { value: k }, set.name)))
  choose.value = String(Math.max(0, sets.findIndex(({ key }) => key === initialSet)))
  const place = make("div")
  figure.append(make("p", { class: "heading" }, make("span", {}, messages.title), choose), place,
    make("figcaption", {}, make("p", { class: "reading" }), make("p", { class: "hint" }, messages.hint), notice))
  let wordCount = 0
  const redraw = () => place.replaceChildren(drawCurves(sets[Number(choose.value)], models, messages))

  /** @param {number} count */
  const moveDots = (count) => {
    wordCount = count
    const set = sets[Number(choose.value)]
    const y = makeBleuScale(roundTop(set.lines))
    find(place, ".here").style.transform = `translateX(${x(count)}px)`
    for (const dot of findAll(place, ".dot")) {
      const bin = findBin(set.lines[Number(dot.dataset.model)] ?? [], count)
      dot.style.visibility = bin ? "visible" : "hidden"
      if (bin) dot.style.transform = `translate(${x(bin.words)}px, ${y(bin.bleu)}px)`
    }
    find(figure, ".reading").textContent = describeScores(set, models, messages, count)
  }

  choose.onchange = () => {
    redraw()
    if (wordCount) moveDots(wordCount)
  }
  redraw()
  return { figure, moveTo: moveDots, selectedSet: () => sets[Number(choose.value)].key }
}
