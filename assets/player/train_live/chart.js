// A small line chart. One line per network, told apart by dashes; a vertical line marks the moment.

import { line } from "d3-shape"
import { draw, make, setText } from "../shared/dom.js"
import { scaleLinear } from "../shared/scale.js"

/**
 * @typedef {object} ChartSpec
 * @property {string} title
 * @property {string} xLabel
 * @property {(value: number) => string} formatY
 */
/**
 * @typedef {object} ChartState
 * @property {string} unit behind the title
 * @property {[number, number][][]} lines
 * @property {[number, number]} xRange
 * @property {number} [bottom] 0 if absent
 * @property {number} top
 * @property {number | null} moment
 * @property {{ x?: number, y?: number } | null} rule a dotted line
 * @property {boolean} hasPoints
 */

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [320, 190, 44, 8, 10, 36]

/** @type {(spec: ChartSpec) => { node: HTMLElement, render: (state: ChartState, description: string) => void, xAt: (event: MouseEvent) => number }} */
export function buildChart(spec) {
  const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" })
  const unit = make("span", { class: "soft" })
  const node = make("figure", { class: "chart" }, make("figcaption", {}, make("b", {}, spec.title), " ", unit), picture)
  let xRange = /** @type {[number, number]} */ ([0, 1])
  return {
    node,
    render(state, description) {
      xRange = state.xRange
      setText(unit, state.unit)
      picture.setAttribute("aria-label", description)
      picture.replaceChildren(...drawChart(spec, state))
    },
    xAt(event) {
      const box = picture.getBoundingClientRect()
      const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)
      return xRange[0] + Math.max(0, Math.min(1, share)) * (xRange[1] - xRange[0])
    },
  }
}

/** @type {(spec: ChartSpec, state: ChartState) => SVGElement[]} */
function drawChart({ xLabel, formatY }, { lines, xRange, bottom = 0, top, moment, rule, hasPoints }) {
  const x = scaleLinear(xRange, [LEFT, WIDTH - RIGHT])
  const y = scaleLinear([bottom, top], [HEIGHT - BOTTOM, TOP])
  const parts = [bottom, (bottom + top) / 2, top].map((value) => draw("g", { class: "tick" },
    draw("path", { d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }), draw("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, formatY(value))))
  parts.push(
    draw("g", { class: "tick" }, draw("text", { x: LEFT, y: HEIGHT - BOTTOM + 15 }, String(xRange[0])),
      draw("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, xLabel),
      draw("text", { x: WIDTH - RIGHT, y: HEIGHT - BOTTOM + 15, "text-anchor": "end" }, String(Math.round(xRange[1])))))
  if (rule) {
    const path = rule.x === undefined ? `M${LEFT} ${y(rule.y ?? 0)}H${WIDTH - RIGHT}` : `M${x(rule.x)} ${TOP}V${HEIGHT - BOTTOM}`
    parts.push(draw("path", { class: "rule", d: path }))
  }
  if (moment !== null) parts.push(draw("path", { class: "moment", d: `M${x(moment)} ${TOP}V${HEIGHT - BOTTOM}` }))
  /** @type {import("d3-shape").Line<[number, number]>} */
  const path = line(([position]) => x(position), ([, value]) => y(value))
  lines.forEach((points, k) => {
    if (points.length) parts.push(draw("path", { class: k ? "line dashed" : "line", d: path(points) }))
    if (hasPoints) for (const [position, value] of points) parts.push(draw("circle", { class: k ? "point hollow" : "point", cx: x(position), cy: y(value), r: 2.6 }))
  })
  return parts
}
