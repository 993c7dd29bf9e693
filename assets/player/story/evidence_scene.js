// Scene: the evidence. BLEU by length, first for models with a fixed vector, then for attention; and two long sentences
// compared with a reference.

/** @import { LengthPoint, StoryData, StoryLongTranslation } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { line } from "d3-shape"
import { draw, findAll, make } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { MAX_WORDS, roundTop } from "../shared/length_axis.js"
import { drawMarker } from "../shared/markers.js"
import { scaleLinear } from "../shared/scale.js"
import { makeMissingScene, makePart, readNumber } from "./scene.js"

/** @type {(side: StoryLongTranslation, messages: StoryData["messages"], language: string) => HTMLDivElement} */
function makeLongTranslation(side, messages, language) {
  const sentence = make("p", { class: "words target", lang: language })
  const thread = () => make("mark", { lang: null }, messages.lost_here)
  if (side.last_followed === -1) sentence.append(thread())
  side.words.forEach(([gap, text], place) => {
    const kind = ["word", side.matches.includes(place) && "found", side.last_followed !== null && place > side.last_followed && "after"].filter(Boolean).join(" ")
    sentence.append(gap, makePart("span", kind, { followed: place, found: side.matches.includes(place) ? 1 : 0 }, text))
    if (place === side.last_followed) sentence.append(" ", thread())
  })
  const count = formatTemplate(messages.finds, { kept: side.matches.length, all: side.content_count })
  return make("div", { class: "side" }, make("p", { class: "label" }, make("b", {}, side.name), ` ${side.last_followed === null ? messages.holds : messages.lost_here} · ${count}`), sentence)
}

/** @param {StoryData} data @returns {Scene} */
export function makeEvidence({ evidence, messages, languages }) {
  if (!evidence) return makeMissingScene(messages, 4)
  const { curves, long } = evidence
  const picture = draw("svg", { class: "curves", role: "group", "aria-label": formatTemplate(messages.measured, { set: evidence.test_set, sentences: evidence.sentence_count.toLocaleString("en") }) })
  const caption = make("p", { class: "label" }, formatTemplate(messages.names, { set: evidence.test_set, sentences: evidence.sentence_count.toLocaleString("en") }))
  const figure = make("div", { class: "figure" }, picture, caption)
  const texts = long.map(({ source, sides }) => make("div", { class: "long hidden" },
    make("p", { class: "words source", lang: languages[0] }, source), ...sides.map((side) => makeLongTranslation(side, messages, languages[1]))))
  const node = make("div", { class: "proof" }, figure, ...texts)
  const top = roundTop(curves.map((curve) => curve.points))
  let currentStep = 0

  function plot() {
    const { width, height } = picture.getBoundingClientRect()
    if (!width) return
    const size = parseFloat(getComputedStyle(picture).fontSize)
    const edge = { left: size * 2.4, right: size * 8.5, top: size * 2, bottom: size * 3 }
    const xOf = scaleLinear([0, MAX_WORDS], [edge.left, width - edge.right])
    const upward = scaleLinear([0, top], [height - edge.bottom, edge.top])
    /** @type {import("d3-shape").Line<LengthPoint>} */
    const path = line((point) => xOf(point.words), (point) => upward(point.bleu))
    picture.replaceChildren()
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`)
    const write = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor, /** @type {string} */ text, kind = "tick") =>
      picture.append(draw("text", { x, y, "text-anchor": anchor, class: kind }, text))
    for (let value = 0; value <= top; value += 10) {
      picture.append(draw("line", { x1: edge.left, x2: width - edge.right, y1: upward(value), y2: upward(value), class: "rule" }))
      write(edge.left - size * 0.5, upward(value) + size * 0.35, "end", String(value))
    }
    for (let value = 10; value <= 60; value += 10) write(xOf(value), height - edge.bottom + size * 1.3, "middle", String(value))
    write((edge.left + width - edge.right) / 2, height - size * 0.4, "middle", messages.across)
    write(edge.left, size * 0.8, "start", messages.upward)
    const curveEnds = curves.map((curve, m) => ({ m, y: upward(curve.points[curve.points.length - 1].bleu) })).sort((a, b) => a.y - b.y)
    curveEnds.forEach((end, k) => {
      if (k && end.y < curveEnds[k - 1].y + size * 1.15) end.y = curveEnds[k - 1].y + size * 1.15 // labels do not overlap
    })
    curves.forEach((curve, m) => {
      if (curve.has_attention && !currentStep) return
      picture.append(draw("path", { d: path(curve.points), class: curve.is_dashed ? "curve dashed" : "curve" }))
      curve.points.forEach((item, k) => {
        const [x, y] = [xOf(item.words), upward(item.bleu)]
        picture.append(draw("g", { tabindex: 0, "data-touch": "", "data-curve": m, "data-point": k, class: "dot" },
          draw("circle", { cx: x, cy: y, r: size * 0.9, class: "aim" }), drawMarker(curve, x, y, size * 0.31)))
      })
      const end = curveEnds.find((item) => item.m === m)
      write(width - edge.right + size * 0.6, (end?.y ?? 0) + size * 0.35, "start", curve.name, curve.is_dashed ? "name dashed" : "name")
    })
  }

  return {
    node,
    lineCounts: [1, 2, ...long.map((_, k) => 3 + Math.min(k, 1))],
    showStep(step) {
      currentStep = step
      figure.classList.toggle("hidden", step > 1)
      texts.forEach((text, k) => text.classList.toggle("hidden", step !== k + 2))
      if (step < 2) plot()
    },
    pointAt(touchedNode) {
      for (const element of findAll(node, "[data-touch]")) element.classList.toggle("lit", element === touchedNode)
      const m = readNumber(touchedNode, "curve")
      if (m !== null) {
        const { bleu, sentences, first, last } = curves[m].points[readNumber(touchedNode, "point") ?? 0]
        const span = last === null ? `${first}+` : `${first}–${last}`
        return formatTemplate(messages.point, { model: curves[m].name, bleu: formatDecimal(bleu, 1), sentences: sentences.toLocaleString("en"), span })
      }
      if (readNumber(touchedNode, "followed") === null) return ""
      return formatTemplate(readNumber(touchedNode, "found") ? messages.found : messages.unfound, { word: touchedNode?.textContent ?? "" })
    },
    resize: plot,
  }
}
