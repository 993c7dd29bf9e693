// Draw the decoder's prefix as a row on the stage: each piece with its position, and ribbons to the attending box, as wide
// as their weights. Each step adds a piece; earlier ones stay.

/** @import { PlayerData, PrefixRowData } from "../payloads.js" */
/** @import { StepContext } from "./boxes.js" */
/** @import { PlacedBox } from "./geometry.js" */
import { draw } from "../shared/dom.js"
import { DRAWN_FROM, chooseFittingTexts, RIBBON_WIDTH, estimateTextWidth } from "./geometry.js"
import { setDrawnLength } from "./glyph.js"

const ROW_LEFT = 14 // pixels
const START = "∅" // input of the first step

/**
 * @param {PrefixRowData} prefixRow
 * @param {PlayerData} data
 */
export function makePrefixRow({ y, attending_box: attendingBox }, data) {
  const node = draw("g", { class: "written-row" })
  /** @type {{ width: number, top: number, p: Record<string, PlacedBox> } | null} */
  let layout = null
  /** @type {StepContext | null} */
  let context = null
  /** @type {SVGPathElement[]} */
  let ribbons = []
  let progress = 0

  const make = () => {
    if (!layout || !context) return
    const { p, top } = layout
    const { stepNumber: number, step, isAnswerHidden: isHidden } = context
    const weights = isHidden ? [] : (step.self_attention ?? [])
    const current = p.previous
    const end = current.x - current.rx - 34
    const row = top + y
    const texts = Array.from({ length: number }, (_, k) => (k ? data.target[k - 1].text : START))
    const pitch = number > 1 ? Math.min(62, (end - ROW_LEFT - 10) / (number - 1)) : 0
    const xs = texts.map((_, k) => (k === number - 1 ? current.x : end - (number - 2 - k) * pitch))
    const widths = texts.map((text, k) => (k === number - 1 ? 2 * current.rx : estimateTextWidth(text)))
    const room = chooseFittingTexts(xs, widths, texts.map((_, k) => (k === number - 1 ? 2 : (weights[k] ?? 0))))
    const attending = p[attendingBox]
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
    let x0 = attending.x - RIBBON_WIDTH / 2
    ribbons = weights.map((weight, k) => {
      const width = (RIBBON_WIDTH * weight) / total
      const x = x0 + width / 2
      x0 += width
      const path = draw("path", { class: "ribbon", "data-part": "self_attention", "data-column": k, pathLength: 1,
        d: `M${xs[k]} ${row - 14} C ${xs[k]} ${row - 44}, ${x} ${attending.y + attending.ry + 34}, ${x} ${attending.y + attending.ry}` })
      path.style.setProperty("--width", `${Math.max(1.1, width)}px`)
      path.style.setProperty("--weight", String(weight))
      path.style.display = weight < DRAWN_FROM ? "none" : ""
      return path
    })
    const pieces = texts.slice(0, -1).map((text, k) => draw("text", { class: "chip", x: xs[k], y: row + 5, "data-part": "self_attention" }, room[k] ? text : "·", !room[k] && draw("title", {}, text)))
    const places = texts.map((_, k) => draw("text", { class: "place", x: xs[k], y: row + 23, "data-part": "position" }, room[k] ? String(k + 1) : ""))
    node.replaceChildren(...ribbons, ...pieces, ...places)
    for (const path of ribbons) setDrawnLength(path, progress)
  }
  return {
    node,
    /** @param {NonNullable<typeof layout>} newLayout */
    place(newLayout) {
      layout = newLayout
      make()
    },
    /** @param {StepContext} newContext */
    write(newContext) {
      context = newContext
      make()
    },
    /** @param {number} share */
    move(share) {
      progress = share
      for (const path of ribbons) setDrawnLength(path, progress)
    },
  }
}
