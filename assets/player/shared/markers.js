// Draw the markers of the models, and write them in text.

import { draw } from "./dom.js"

/** @import { GradientsModel } from "../payloads.js" */
/** @typedef {GradientsModel["marker"]} Marker */

/** @type {Record<Marker, [string, string]>} filled and hollow */
const SIGNS = {
  circle: ["●", "○"], square: ["■", "□"], diamond: ["◆", "◇"], "triangle-up": ["▲", "△"], "triangle-down": ["▼", "▽"],
  pentagon: ["⬟", "⬠"], star: ["★", "☆"], hexagon: ["⬢", "⬡"],
}

/** @type {Partial<Record<Marker, [corners: number, rotation: number, size: number, innerShare: number]>>} the first corner is at the top, turned by `rotation` degrees; between corners of a star lies an inner one, at `innerShare` of the radius */
const CORNERS = {
  diamond: [4, 0, 1.25, 0], "triangle-up": [3, 0, 1.4, 0], "triangle-down": [3, 180, 1.4, 0], pentagon: [5, 0, 1.2, 0],
  star: [5, 0, 1.5, 0.45], hexagon: [6, 0, 1.2, 0],
}

/** @param {{ marker: Marker, is_hollow: boolean }} model */
export const getMarkerSign = ({ marker, is_hollow: isHollow }) => SIGNS[marker][isHollow ? 1 : 0]

/**
 * Return the corners of a marker around (0, 0), as large as a circle of radius 1.
 * @type {(marker: Marker) => [number, number][]}
 */
export function listMarkerCorners(marker) {
  const [count, rotation, size, innerShare] = CORNERS[marker] ?? [0, 0, 0, 0]
  const points = innerShare ? 2 * count : count
  return Array.from({ length: points }, (_, k) => {
    const angle = ((rotation + (k * 360) / points) * Math.PI) / 180
    const radius = innerShare && k % 2 ? size * innerShare : size
    return [radius * Math.sin(angle), -radius * Math.cos(angle)]
  })
}

/** @type {(marker: Marker, x: number, y: number, r: number) => SVGPathElement} */
function drawShape(marker, x, y, r) {
  if (marker === "circle") return draw("circle", { cx: x, cy: y, r })
  if (marker === "square") return draw("rect", { x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r })
  const path = listMarkerCorners(marker).map(([dx, dy]) => `${(x + r * dx).toFixed(2)} ${(y + r * dy).toFixed(2)}`)
  return draw("path", { d: `M${path.join("L")}Z` })
}

/** @type {(model: { marker: Marker, is_dashed: boolean, is_hollow: boolean }, x: number, y: number, r: number) => SVGPathElement} */
export function drawMarker({ marker, is_dashed: isDashed, is_hollow: isHollow }, x, y, r) {
  const node = drawShape(marker, x, y, r)
  node.setAttribute("class", ["point", isDashed && "dashed", isHollow && "hollow"].filter(Boolean).join(" "))
  return node
}
