// Draw vector glyphs and arrow heads.

import { draw } from "../shared/dom.js"

/** @param {string} part */
export function drawGlyph(part) {
  const cells = Array.from({ length: 12 }, (_, k) => draw("rect", { x: k < 6 ? 0 : 9, y: (k % 6) * 4.5, width: 8, height: 3.6, rx: 1 }))
  return draw("g", { class: "blocks", "data-part": part }, ...cells)
}

/** @type {(group: SVGGElement, shades: number[] | undefined) => void} */
export function shadeGlyph(group, shades) {
  group.style.display = shades ? "" : "none"
  if (!shades) return
  ;[.../** @type {HTMLCollectionOf<SVGElement>} */ (group.children)].forEach((cell, k) => {
    cell.style.opacity = String(k < shades.length ? 0.1 + 0.85 * shades[k] : 0)
  })
}

/** Colours of arrow heads: context, readout, decoder and source. */
export const HEADS = ["context", "readout", "decoder", "h"]
/** @type {Record<string, string>} */
const SHARED_HEADS = { alpha: "context", self_attention: "context", pipe: "h" }

/** @param {string} part */
export const getArrowHeadUrl = (part) => `url(#head-${HEADS.includes(part) ? part : (SHARED_HEADS[part] ?? "decoder")})`

/**
 * Draw an arrow head in one of the colours, or the one of a line that carries nothing yet.
 * @type {(name: string, size?: number, id?: string) => SVGMarkerElement}
 */
export const drawArrowHead = (name, size = 9, id = `head-${name}`) =>
  draw("marker", { id, class: `head ${name}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: size, markerHeight: size,
    markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0.8 L9.5 5 L0 9.2 Z" }))

const HEAD_FROM = 0.97 // share of a line from which its head is drawn

/** @type {(flow: SVGPathElement, part: number, tip?: string) => void} */
export function setDrawnLength(flow, part, tip) {
  flow.style.setProperty("stroke-dashoffset", String(1 - part))
  if (tip) flow.setAttribute("marker-end", part > HEAD_FROM ? tip : "none")
}
