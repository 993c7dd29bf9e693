// Draw gradients by distance on a logarithmic axis, one line per model.

/** @import { GradientCurve, GradientsModel } from "../payloads.js" */
import { line } from "d3-shape"
import { draw } from "../shared/dom.js"
import { drawMarker } from "../shared/markers.js"
import { formatExponent } from "../shared/format.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCursor, drawRule, drawTick, findPosition, placeCursor } from "./axes.js"

/** @typedef {{ model: GradientsModel, curve: GradientCurve }} ModelCurve */

const [WIDTH, HEIGHT] = [600, 300] // in the picture's own units
const EDGE = { left: 58, right: 14, top: 10, bottom: 26 }
const MAX_MARKERS = 16 // per line
const MAX_TICKS = 8 // per axis

/**
 * Choose ticks that cover all values: powers of ten, or 1, 2 and 5 times powers of ten over at most two decades (in print:
 * pages/ui/concepts/gradients_exports.py).
 * @param {number[]} values positive
 */
export function chooseTicks(values) {
  const [minimum, maximum] = values.length ? [Math.min(...values), Math.max(...values)] : [1, 1]
  const low = Math.floor(Math.log10(minimum))
  const highPower = Math.max(Math.ceil(Math.log10(maximum)), low + 1)
  /** @param {number} power */
  const computePowerOfTen = (power) => Number(`1e${power}`)
  if (highPower - low > 2) {
    const step = Math.ceil((highPower - low) / MAX_TICKS)
    return Array.from({ length: Math.ceil((highPower - low) / step) + 1 }, (_, k) => computePowerOfTen(low + step * k))
  }
  const marks = [...Array.from({ length: highPower - low }, (_, k) => [1, 2, 5].map((digit) => digit * computePowerOfTen(low + k))).flat(), computePowerOfTen(highPower)]
  const start = marks.findLastIndex((mark) => mark <= minimum)
  return marks.slice(start, marks.findIndex((mark, k) => mark >= maximum && k > start) + 1)
}

/**
 * Return the labelled positions of an axis.
 * @param {number} last
 */
export function chooseAxisPlaces(last) {
  const step = Math.max(1, Math.ceil(last / MAX_TICKS))
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, k) => k * step)
}

/**
 * Format a number with three digits; small ones with a power of ten.
 * @param {number} value not negative
 */
export function formatGradient(value) {
  if (value === 0 || value >= 0.001) return String(Number(value.toPrecision(3)))
  const [digits, power] = value.toExponential(1).split("e-")
  return `${digits === "1.0" ? "" : `${digits}·`}10⁻${formatExponent(power)}`
}

/** @param {number} last largest distance */
const makeDistanceScale = (last) => scaleLinear([0, last], [EDGE.left, WIDTH - EDGE.right])

/** @param {GradientsModel} model */
const getLineClass = ({ is_dashed: isDashed, is_hollow: isHollow }) => `${isDashed ? "dashed" : "solid"}${isHollow ? " hollow" : ""}`

/** @type {(model: GradientsModel, x: number, y: number, isAttention?: boolean) => SVGPathElement} */
function drawCurveMarker(model, x, y, isAttention = false) {
  const point = drawMarker(model, x, y, isAttention ? 2.8 : 4)
  point.classList.toggle("look", isAttention)
  return point
}

/** @param {GradientsModel} model */
export const drawLineSample = (model) => draw("svg", { class: "sample", viewBox: "0 0 34 12", "aria-hidden": "true" },
  draw("path", { d: "M0 6H34", class: `line ${getLineClass(model)}` }), drawCurveMarker(model, 17, 6))

/** @type {(curves: ModelCurve[], last: number) => SVGSVGElement} */
export function drawPlot(curves, last) {
  if (!curves.length) return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", "data-last": last })
  const marks = chooseTicks(curves.flatMap(({ curve: { values, direct } }) => [...values, ...(direct ?? [])]).filter((value) => value > 0))
  const x = makeDistanceScale(last)
  const logY = scaleLinear([Math.log(marks[0]), Math.log(marks[marks.length - 1])], [HEIGHT - EDGE.bottom, EDGE.top])
  const y = (/** @type {number} */ value) => logY(Math.log(value))
  /** @type {import("d3-shape").Line<number>} */
  const path = line((_, distance) => x(distance), y)
  path.defined((value) => value > 0)
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", "data-last": last },
    ...marks.flatMap((mark) => [drawRule(EDGE.left, WIDTH - EDGE.right, y(mark)),
      drawTick(EDGE.left - 8, y(mark) + 4, "end", formatGradient(mark))]),
    ...chooseAxisPlaces(last).map((distance) => drawTick(x(distance), HEIGHT - EDGE.bottom + 17, "middle", String(distance))),
    drawCursor(0, EDGE.top, HEIGHT - EDGE.bottom),
    ...curves.flatMap(({ model, curve: { values, direct } }) => {
      const stride = Math.ceil(values.length / MAX_MARKERS)
      return [...(direct ? [direct] : []), values].map((row) => draw("g", { "data-of": model.name },
        draw("path", { d: path(row), class: `line ${getLineClass(model)}${row === direct ? " look" : ""}` }),
        ...row.flatMap((value, distance) => (value > 0 && distance % stride === 0 ? [drawCurveMarker(model, x(distance), y(value), row === direct)] : []))))
    }))
}

/** @type {(picture: Element, distance: number) => void} */
export function moveCursor(picture, distance) {
  placeCursor(picture, makeDistanceScale(Number(picture.querySelector("svg")?.dataset.last))(distance))
  picture.querySelector(".here")?.setAttribute("visibility", distance < 0 ? "hidden" : "visible")
}

/** @type {(picture: Element, clientX: number) => number} */
export const findDistance = (picture, clientX) => findPosition(picture, clientX, { width: WIDTH, left: EDGE.left, right: WIDTH - EDGE.right, last: Number(picture.querySelector("svg")?.dataset.last) })
