// The markers that tell models apart, as the pictures draw them and as texts write them.

import { draw } from "./dom.js"

/** @import { GradientsModel } from "../payloads.js" */
/** @typedef {GradientsModel["marker"]} Marker */

/** @type {Record<Marker, [string, string]>} filled and hollow */
const SIGNS = {
  circle: ["●", "○"], square: ["■", "□"], diamond: ["◆", "◇"], "triangle-up": ["▲", "△"], "triangle-down": ["▼", "▽"],
  pentagon: ["⬟", "⬠"], star: ["★", "☆"], hexagon: ["⬢", "⬡"],
}

/** @type {Partial<Record<Marker, [corners: number, turned: number, size: number, inner: number]>>} the first corner is at the top, turned by so many degrees; between corners of a star lies an inner one */
const CORNERS = {
  diamond: [4, 0, 1.25, 0], "triangle-up": [3, 0, 1.4, 0], "triangle-down": [3, 180, 1.4, 0], pentagon: [5, 0, 1.2, 0],
  star: [5, 0, 1.5, 0.45], hexagon: [6, 0, 1.2, 0],
}

/**
 * A model's marker in a line of text.
 * @param {{ marker: Marker, hollow: boolean }} model
 */
export const markerSign = ({ marker, hollow }) => SIGNS[marker][hollow ? 1 : 0]

/**
 * The corners of a marker around (0, 0), those of a circle of radius 1 being as far out as its edge.
 * @param {Marker} marker
 * @returns {[number, number][]}
 */
export function corners(marker) {
  const [count, turned, size, inner] = CORNERS[marker] ?? [0, 0, 0, 0]
  const points = inner ? 2 * count : count
  return Array.from({ length: points }, (_, k) => {
    const angle = ((turned + (k * 360) / points) * Math.PI) / 180
    const radius = inner && k % 2 ? size * inner : size
    return [radius * Math.sin(angle), -radius * Math.cos(angle)]
  })
}

/**
 * A marker drawn at a place, `r` the radius of a circle that is as large.
 * @param {Marker} marker
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function drawShape(marker, x, y, r) {
  if (marker === "circle") return draw("circle", { cx: x, cy: y, r })
  if (marker === "square") return draw("rect", { x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r })
  const path = corners(marker).map(([left, down]) => `${(x + r * left).toFixed(2)} ${(y + r * down).toFixed(2)}`)
  return draw("path", { d: `M${path.join("L")}Z` })
}

/**
 * A point of a model's line, its look in its classes.
 * @param {{ marker: Marker, dashed: boolean, hollow: boolean }} model
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function drawMarker({ marker, dashed, hollow }, x, y, r) {
  const dataKey = drawShape(marker, x, y, r)
  dataKey.setAttribute("class", ["point", dashed && "dashed", hollow && "hollow"].filter(Boolean).join(" "))
  return dataKey
}
