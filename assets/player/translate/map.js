// Build the map of one translation: word lanes, ribbons between them, heatmap and colour scale.

/** @import { HeatmapData } from "../payloads.js" */
import { draw, find, findAll, make } from "../shared/dom.js"
import { formatCell } from "../shared/format.js"
import { getInkClass } from "../shared/shades.js"

/** @typedef {{ labels: string[], word_of: number[], unknown_words: number[] }} Side */
/** @typedef {"source" | "target"} Kind */

const RIBBON_FROM = 0.04 // thinner ribbons are not drawn
const NUMBER_FROM = 0.3 // weight from which a cell always shows its number
const GAP = 8 // pixels between a word and its ribbons

/** @type {(side: Side, kind: Kind, language: string) => HTMLOListElement} */
export function buildLane(side, kind, language) {
  const items = side.labels.map((text, k) =>
    make("li", { class: getPieceClass(side, k), [`data-${kind}`]: k }, make("span", { class: getWordClass(side, kind, k) }, text)))
  return make("ol", { class: `lane ${kind}`, lang: language }, ...items)
}

/** @type {(side: Side, kind: Kind, k: number) => string} */
const getWordClass = (side, kind, k) => `word ${kind}${side.unknown_words.includes(side.word_of[k]) ? " unknown" : ""}`

/**
 * Return the class of a piece: "end" belongs to no word, "bound" is one of several pieces, "joined" not the first of them.
 * @type {(side: Side, k: number) => "" | "end" | "joined bound" | "bound"}
 */
export function getPieceClass(side, k) {
  const word = side.word_of[k]
  if (word < 0) return "end"
  const isJoined = side.word_of[k - 1] === word
  return isJoined ? "joined bound" : side.word_of[k + 1] === word ? "bound" : ""
}

/**
 * Return the shade of a weight, from 0 to 1: itself or its square root (in files: `scale_weight` of
 * charts/alignment_grid.py). Imported maps may have weights above 1.
 * @type {(scale: HeatmapData["scale"], value: number) => number}
 */
const computeShade = (scale, value) => Math.min(1, scale === "root" ? Math.sqrt(value) : value)

/** @type {(data: HeatmapData, translation: Side, alpha: number[][], name: string) => HTMLTableElement} */
export function buildTable(data, translation, alpha, name) {
  const { source, scale, languages } = data
  /** @type {(side: Side, kind: Kind, k: number, scope: string, language: string) => HTMLElement} */
  const label = (side, kind, k, scope, language) =>
    make("th", { scope, class: getPieceClass(side, k), [`data-${kind}`]: k, tabindex: -1, lang: side.word_of[k] < 0 ? null : language },
      make("span", { class: getWordClass(side, kind, k) }, side.labels[k]))
  const columns = source.labels.map((_, s) => getPieceClass(source, s))
  const rows = alpha.map((row, t) => {
    const cells = row.map((value, s) => {
      const shade = computeShade(scale, value)
      const ink = scale === "grey" ? value < 0.45 && "dark" : getInkClass(shade)
      const kinds = [columns[s], ink, value >= NUMBER_FROM ? "big" : value >= 0.005 && "some"]
      return make("td", { class: kinds.filter(Boolean).join(" "), "data-target": t, "data-source": s, tabindex: -1, style: `--shade: ${shade.toFixed(3)}` },
        value >= 0.005 ? formatCell(value) : "")
    })
    return make("tr", { class: getPieceClass(translation, t) }, label(translation, "target", t, "row", languages[1]), ...cells)
  })
  const corner = make("td", { class: "corner" })
  return make("table", { role: "grid", "aria-label": name, "aria-describedby": "description", class: scale },
    make("thead", {}, make("tr", {}, corner, ...source.labels.map((_, s) => label(source, "source", s, "col", languages[0])))),
    make("tbody", {}, ...rows))
}

/**
 * Copy the column heads, so that they stay visible while rows scroll.
 * @param {HTMLElement} heat
 */
export function buildStickyHeads(heat) {
  const copies = findAll(heat, "thead th").map((node) =>
    make("span", { class: node.className, "data-source": node.dataset.source }, ...[...node.children].map((child) => child.cloneNode(true))))
  return make("div", { class: "heads", "aria-hidden": "true", lang: heat.querySelector("thead [lang]")?.getAttribute("lang") },
    make("div", {}, make("span", { class: "corner" }), ...copies))
}

/**
 * Align the copied heads with a scrolled table, and fade its edge if it continues.
 * @param {HTMLElement} map
 */
export function alignHeads(map) {
  if (map.classList.contains("none")) return
  const [heat, strip] = [find(map, ".heat"), find(map, ".heads > div")]
  strip.style.transform = `translateX(${-heat.scrollLeft}px)`
  find(strip, ".corner").style.width = `${find(heat, ".corner").getBoundingClientRect().width}px`
  map.classList.toggle("more", heat.scrollLeft + heat.clientWidth < heat.scrollWidth - 2)
}

/**
 * Draw a ribbon for every visible weight; heatmap.css (path) sets width and opacity from --alpha.
 * @param {number[][]} alpha
 */
export const drawRibbons = (alpha) => draw("svg", { "aria-hidden": "true" }, ...alpha.flatMap((row, t) => row.map((value, s) =>
  value >= RIBBON_FROM && draw("path", { "data-target": t, "data-source": s, style: `--alpha: ${value}` }))))

/** @param {HeatmapData["scale"]} scale */
export function buildScaleBar(scale) {
  const stops = Array.from({ length: 21 }, (_, k) => {
    const shade = computeShade(scale, k / 20)
    const colour = scale === "grey"
      ? `rgb(${255 * shade} ${255 * shade} ${255 * shade})`
      : `color-mix(in srgb, var(--att) ${4 + 96 * shade}%, var(--page))`
    return `${colour} ${5 * k}%`
  })
  return make("span", { class: "bar", "aria-hidden": "true", style: `background: linear-gradient(to right, ${stops.join(", ")})` })
}

/** @param {HTMLElement} map */
export function placeRibbons(map) {
  if (map.classList.contains("none")) return
  const frame = map.getBoundingClientRect()
  const hasTargetLane = find(map, ".lane.target").getClientRects().length > 0
  /** @param {string} selector */
  const boxes = (selector) => findAll(map, selector).map((node) => node.getBoundingClientRect())
  /** @param {DOMRect} box */
  const getMiddle = (box) => (box.top + box.bottom) / 2 - frame.top
  const sourcePoints = boxes(".lane.source .word").map((box) => ({ x: box.right + GAP - frame.left, y: getMiddle(box) }))
  const targetPoints = boxes(hasTargetLane ? ".lane.target .word" : "tbody th .word").map((box) => ({ x: box.left - GAP - frame.left, y: getMiddle(box) }))
  const middle = (Math.max(...sourcePoints.map(({ x }) => x)) + Math.min(...targetPoints.map(({ x }) => x))) / 2
  for (const path of findAll(map, "path")) {
    const [a, b] = [sourcePoints[Number(path.dataset.source)], targetPoints[Number(path.dataset.target)]]
    path.setAttribute("d", `M${a.x} ${a.y} C ${middle} ${a.y}, ${middle} ${b.y}, ${b.x} ${b.y}`)
  }
}
