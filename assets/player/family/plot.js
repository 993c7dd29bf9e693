// The picture of gradients by distance: a line a model, upward by powers of ten.

/** @import { GradientCurve, GradientsModel } from "../payloads.js" */
import { draw } from "../shared/dom.js"
import { dot } from "../shared/markers.js"
import { height, line, places, scale, told } from "./decay.js"

/** @typedef {{ model: GradientsModel, curve: GradientCurve }} Of */

const [WIDE, HIGH] = [600, 300] // of the picture, in its own units
const EDGE = { left: 58, right: 14, top: 10, bottom: 26 }
const MARKS = 16 // markers of a line at most

/**
 * How far across a distance stands.
 * @param {number} at
 * @param {number} last
 */
const across = (at, last) => EDGE.left + (at / last) * (WIDE - EDGE.left - EDGE.right)

/** @param {GradientsModel} model */
const kind = ({ dashed, hollow }) => `${dashed ? "dashed" : "solid"}${hollow ? " hollow" : ""}`

/**
 * @param {GradientsModel} model
 * @param {number} x
 * @param {number} y
 * @param {boolean} [look] of the look alone
 */
function marker(model, x, y, look = false) {
  const drawn = dot(model, x, y, look ? 2.8 : 4)
  drawn.classList.toggle("look", look)
  return drawn
}

/**
 * A piece of a model's line, to know it by.
 * @param {GradientsModel} model
 */
export const sample = (model) => draw("svg", { class: "sample", viewBox: "0 0 34 12", "aria-hidden": "true" },
  draw("path", { d: "M0 6H34", class: `line ${kind(model)}` }), marker(model, 17, 6))

/**
 * @param {Of[]} of
 * @param {number} last the greatest distance
 */
export function plot(of, last) {
  if (!of.length) return draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", "data-last": last })
  const marks = scale(of.flatMap(({ curve: { values, look } }) => [...values, ...(look ?? [])]).filter((value) => value > 0))
  /** @param {number} value */
  const up = (value) => HIGH - EDGE.bottom - height(value, marks) * (HIGH - EDGE.bottom - EDGE.top)
  /** @param {number} at */
  const x = (at) => across(at, last)
  /** @type {(x: number, y: number, anchor: string, text: string) => SVGTextElement} */
  const write = (left, y, anchor, text) => draw("text", { x: left, y, "text-anchor": anchor, class: "tick" }, text)
  return draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", "data-last": last },
    ...marks.flatMap((mark) => [draw("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: up(mark), y2: up(mark), class: "rule" }),
      write(EDGE.left - 8, up(mark) + 4, "end", told(mark))]),
    ...places(last).map((at) => write(x(at), HIGH - EDGE.bottom + 17, "middle", String(at))),
    draw("line", { x1: 0, x2: 0, y1: EDGE.top, y2: HIGH - EDGE.bottom, class: "here", visibility: "hidden" }),
    ...of.flatMap(({ model, curve: { values, look } }) => {
      const every = Math.ceil(values.length / MARKS)
      return [...(look ? [look] : []), values].map((row) => draw("g", { "data-of": model.name },
        draw("path", { d: line(row, x, up), class: `line ${kind(model)}${row === look ? " look" : ""}` }),
        ...row.flatMap((value, at) => (value > 0 && at % every === 0 ? [marker(model, x(at), up(value), row === look)] : []))))
    }))
}

/**
 * Stand at a distance, -1 for none.
 * @param {Element} picture that holds a plot
 * @param {number} at
 */
export function point(picture, at) {
  const here = picture.querySelector(".here")
  const x = String(across(Math.max(0, at), Number(picture.querySelector("svg")?.dataset.last)))
  here?.setAttribute("x1", x)
  here?.setAttribute("x2", x)
  here?.setAttribute("visibility", at < 0 ? "hidden" : "visible")
}

/**
 * The distance nearest to a place of the screen.
 * @param {Element} picture that holds a plot
 * @param {number} left
 */
export function placeAt(picture, left) {
  const box = picture.getBoundingClientRect()
  const last = Number(picture.querySelector("svg")?.dataset.last)
  const share = (((left - box.left) / box.width) * WIDE - EDGE.left) / (WIDE - EDGE.left - EDGE.right)
  return Math.round(Math.max(0, Math.min(1, share)) * last)
}
