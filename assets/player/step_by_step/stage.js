// Draw the stage as one SVG over the picture. A drawing's data-part is the name that the equations use. Here is the decoder
// of one GRU: context, states, GRU, readout and lines, as the network defines them (which state the readout takes, which
// piece the update takes). boxes.js draws what a network describes box by box. Networks without a description get a plain
// stage: the attention and the output.

/** @import { PlayerData, Vector } from "../payloads.js" */
/** @import { StepContext } from "./boxes.js" */
/** @import { PlacedBox } from "./geometry.js" */
/** @import { Place, Point } from "./gru_layout.js" */
import { draw } from "../shared/dom.js"
import { makeBoxes, moveBoxes, placeBoxes, writeBoxes } from "./boxes.js"
import { DRAWN_FROM, interpolateX, RIBBON_WIDTH, findWindowRange } from "./geometry.js"
import { setDrawnLength, drawGlyph, drawArrowHead, getArrowHeadUrl, HEADS, shadeGlyph } from "./glyph.js"
import { listStageLines, placeNodes, NODE_RADIUS, shift, STAGE_HEIGHT, buildLinePath, WIDE_FROM } from "./gru_layout.js"

/** @typedef {ReturnType<typeof makeStage>} Stage */

const FIXED_RIBBON_WIDTH = 24 // width of the single ribbon without attention
const CANDIDATE_HEIGHT = 23.5 // pixels
const FIRST_CANDIDATE = 35

/**
 * @param {string} part
 * @param {string} letter
 */
function drawCircle(part, letter) {
  const index = draw("text", { class: "index", x: 5, y: 11 })
  const node = draw("g", { class: `node ${part}`, "data-part": part },
    draw("circle", { r: NODE_RADIUS }), draw("text", { class: "letter", x: -3, y: 6 }, letter), index)
  return { node, index }
}

/**
 * @param {string} part
 * @param {string} text
 * @param {number} halfWidth half its width
 * @param {number} height
 */
const drawNamedBox = (part, text, halfWidth, height) => ({
  index: null,
  node: draw("g", { class: `node ${part}`, "data-part": part },
    draw("rect", { x: -halfWidth, y: -height / 2, width: 2 * halfWidth, height, rx: 9 }),
    draw("text", { class: "name", y: 5 }, text)),
})

/** @param {PlayerData} data */
export function makeStage(data) {
  const { has_attention: hasAttention, stage: stageData } = data
  const boxes = stageData?.boxes.length ? makeBoxes(stageData, data) : null
  const isSingleGru = stageData?.readout != null
  const lines = listStageLines(stageData).map(([start, end, phase, part]) => ({
    start, end, phase, head: getArrowHeadUrl(part),
    base: draw("path", { class: "base", "marker-end": "url(#head-base)" }),
    flow: draw("path", { class: `flow ${part}`, "data-part": part, pathLength: 1 }),
  }))
  const ribbons = Array.from({ length: hasAttention ? data.source.length : stageData?.encoder ? 0 : 1 }, (_, j) =>
    draw("path", { class: "ribbon", "data-part": hasAttention ? "alpha" : "context", "data-source": hasAttention ? j : null, pathLength: 1 }))
  const queryPart = stageData?.boxes.find(({ name }) => name === stageData.attending_box)?.part ?? "before"
  const query = draw("path", { class: "query", "data-part": stageData?.part_texts.query ? "query" : queryPart })
  /** @type {Partial<Record<Place, { node: SVGGElement, index: SVGTextElement | null }>>} */
  const nodes = isSingleGru ? {
    context: drawCircle("context", "c"), before: drawCircle("before", "s"), after: drawCircle("after", "s"),
    gru: drawNamedBox("gru", "GRU", 27, 48), readout: drawNamedBox("readout", "maxout", 30, 34),
  } : stageData ? {} : { context: drawCircle("context", "") }
  /** @type {Partial<Record<Place, SVGTextElement>>} */
  const chips = isSingleGru ? {
    previous: draw("text", { class: "chip previous", "data-part": "previous" }),
    fed: draw("text", { class: "chip fed", "data-part": stageData?.update_token === "current" ? "fed" : "previous" }),
  } : {}
  /** @type {Partial<Record<"context" | "before" | "after", SVGGElement>>} */
  const blocks = isSingleGru ? { context: drawGlyph("context"), before: drawGlyph("before"), after: drawGlyph("after") } : stageData ? {} : { context: drawGlyph("context") }
  const window = draw("path", { class: "window", "data-part": "alpha" })
  const stateCaption = draw("text", { class: "caption", "data-part": "before" })
  const svg = draw("svg", { class: "stage", "aria-hidden": "true" }, draw("defs", {}, ...["base", ...HEADS].map((name) => drawArrowHead(name))),
    ...(boxes?.lowerNodes ?? []), ...lines.map(({ base }) => base), query, window, ...ribbons, ...lines.map(({ flow }) => flow),
    ...(boxes?.upperNodes ?? []), ...Object.values(blocks), ...Object.values(nodes).map(({ node }) => node), ...Object.values(chips), stateCaption)
  return {
    svg, isSingleGru, boxes, hasQuery: hasAttention && stageData != null, queryStart: stageData?.attending_box ?? "before", height: stageData?.height ?? STAGE_HEIGHT,
    lines, ribbons, query, window, nodes, chips, blocks, stateCaption,
    length: 0, p: /** @type {Record<string, Point>} */ (placeNodes(WIDE_FROM)), xs: /** @type {number[]} */ ([]), top: 0, mouth: 0, isWide: true,
  }
}

/**
 * Geometry of the picture in unscaled pixels: `top` of the stage, `xs` the centres of source pieces, `mouth` where ribbons
 * start, `base` the zero line of the energies.
 * @typedef {{ width: number, height: number, top: number, mouth: number, xs: number[], base: number, zoom: number }} Layout
 */

/** @type {(stage: Stage, layout: Layout) => void} */
export function placeStage(stage, { width, height, top, mouth, xs, base, zoom }) {
  const { svg } = stage
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.style.height = `${height * zoom}px`
  const flat = placeNodes(width)
  const isWide = width >= WIDE_FROM
  flat.out = { x: flat.out.x, y: flat.out.y + stage.height - STAGE_HEIGHT } // beside the candidates, at the bottom
  /** @type {Record<string, Point>} */
  const p = Object.fromEntries(Object.entries(flat).map(([name, point]) => [name, shift(point, 0, top)]))
  Object.assign(stage, { p, top, mouth, isWide, xs: xs.map((x) => Math.max(-20, Math.min(width + 20, x))) })
  if (stage.boxes) {
    placeBoxes(stage.boxes, { width, top, isWide, xs: stage.xs, otherEnds: stage.isSingleGru ? p : { out: p.out } })
    Object.assign(p, stage.boxes.p)
  }
  for (const { start, end, base: basePath, flow } of stage.lines) {
    const d = buildLinePath(start, end, flat, isWide)
    for (const path of [basePath, flow]) {
      path.setAttribute("d", d)
      path.setAttribute("transform", `translate(0 ${top})`)
    }
  }
  for (const [name, { node }] of listTypedEntries(stage.nodes)) node.setAttribute("transform", `translate(${p[name].x} ${p[name].y})`)
  for (const [name, chip] of listTypedEntries(stage.chips)) {
    chip.setAttribute("x", String(p[name].x))
    chip.setAttribute("y", String(p[name].y + 5))
  }
  const offsets = { context: [-48, -13], before: [-8, 30], after: isWide ? [NODE_RADIUS + 6, -13] : [-8, 30] }
  for (const [name, group] of listTypedEntries(stage.blocks)) {
    const [dx, dy] = offsets[name]
    group.setAttribute("transform", `translate(${p[name].x + dx} ${p[name].y + dy})`)
  }
  stage.stateCaption.setAttribute("x", String(Math.max(4, p.before.x - NODE_RADIUS)))
  stage.stateCaption.setAttribute("y", String(p.before.y + 74))
  stage.query.style.display = stage.hasQuery ? "" : "none"
  const endX = Math.min(width, Math.max(...xs))
  stage.query.setAttribute("d", stage.isSingleGru
    ? `M${p.before.x - 4} ${p.before.y - NODE_RADIUS} C ${p.before.x - 4} ${p.before.y - 80}, 3 ${top + 50}, 3 ${top - 6} V ${base} H ${endX}`
    : buildQueryPath(stage.boxes?.p[stage.queryStart], base, endX))
  stage.length = stage.query.getTotalLength()
}

/**
 * Return the path of the query: from the asking box to the left edge and up to the energies.
 * @type {(queryBox: PlacedBox | undefined, base: number, end: number) => string}
 */
function buildQueryPath(queryBox, base, end) {
  if (!queryBox) return ""
  const lane = queryBox.y - queryBox.ry - 15
  return `M${queryBox.x - 4} ${queryBox.y - queryBox.ry} Q ${queryBox.x - 6} ${lane}, ${queryBox.x - 30} ${lane} H 60 C 20 ${lane}, 3 ${lane - 40}, 3 ${base} H ${end}`
}

/**
 * @template {string} Key
 * @template Value
 * @param {Partial<Record<Key, Value>>} record
 */
const listTypedEntries = (record) => /** @type {[Key, Value][]} */ (Object.entries(record))

/**
 * Place the ribbons: as wide as α, side by side at the context.
 * @type {(stage: Stage, alpha: number[] | null) => void}
 */
export function placeRibbons(stage, alpha) {
  const { p, xs, top, mouth } = stage
  if (!stage.ribbons.length) return
  const fullWidth = alpha ? RIBBON_WIDTH : FIXED_RIBBON_WIDTH
  let left = p.context.x - fullWidth / 2
  const weights = alpha ?? [1]
  stage.ribbons.forEach((path, j) => {
    const width = weights[j] * fullWidth
    const x = left + width / 2
    left += width
    path.style.display = weights[j] < DRAWN_FROM ? "none" : ""
    path.style.setProperty("--width", `${Math.max(1.1, width)}px`)
    path.style.setProperty("--weight", String(weights[j]))
    path.setAttribute("d", alpha
      ? `M${xs[j]} ${top - 4} C ${xs[j]} ${top + 34}, ${x} ${top + 6}, ${x} ${p.context.y - 16}`
      : `M${xs[j]} ${mouth} C ${xs[j]} ${mouth + 60}, ${x} ${mouth - 6}, ${x} ${p.context.y - 16}`)
  })
}

/**
 * Place the line from the chosen candidate k to where the update takes it in.
 * @type {(stage: Stage, k: number) => void}
 */
export function placeChoice(stage, k) {
  const line = stage.lines.find(({ start, end }) => start === "out" && end === "fed")
  if (!line || !stage.isWide) return
  const { fed, out } = stage.p
  const choiceStart = { x: out.x + 14, y: stage.top + FIRST_CANDIDATE + CANDIDATE_HEIGHT * k }
  const d = `M${choiceStart.x} ${choiceStart.y} C ${out.x - 4} ${choiceStart.y}, ${out.x} ${fed.y}, ${out.x - 60} ${fed.y} L ${fed.x + 62} ${fed.y}`
  for (const path of [line.base, line.flow]) {
    path.setAttribute("d", d)
    path.removeAttribute("transform")
  }
}

/**
 * @param {Stage} stage
 * @param {Record<"context" | "before" | "after", string>} indices
 * @param {Record<"previous" | "fed" | "taken", string>} texts
 * @param {Record<"context" | "before" | "after", Vector | null>} vectors
 * @param {StepContext} context
 */
export function writeStage(stage, indices, texts, vectors, context) {
  if (stage.boxes) writeBoxes(stage.boxes, context)
  for (const name of /** @type {const} */ (["context", "before", "after"])) {
    const index = stage.nodes[name]?.index
    if (index && stage.isSingleGru) index.textContent = indices[name]
  }
  for (const name of /** @type {const} */ (["previous", "fed"])) {
    const chip = stage.chips[name]
    if (chip) chip.textContent = texts[name]
  }
  if (stage.isSingleGru) stage.stateCaption.textContent = texts.taken
  for (const [name, group] of listTypedEntries(stage.blocks)) {
    shadeGlyph(group, vectors[name]?.blocks)
  }
}

/**
 * Draw a local window: a bracket below its pieces, and a mark at its centre.
 * @type {(stage: Stage, window: StepContext["step"]["window"]) => void}
 */
export function placeWindow({ window: path, xs, mouth }, window) {
  path.style.display = window ? "" : "none"
  if (!window) return
  const [first, last] = findWindowRange(window.center, window.half_width, xs.length)
  const middle = interpolateX(xs, window.center)
  path.setAttribute("d", `M${xs[first] - 12} ${mouth - 4} v 6 H ${xs[last] + 12} v -6 M${middle - 5} ${mouth + 8} L ${middle} ${mouth + 2} L ${middle + 5} ${mouth + 8}`)
}

/**
 * Draw the progress of the step; `share(phase)` is from 0 to 1.
 * @param {Stage} stage
 * @param {(phase: string) => number} share
 * @param {number} step from 0
 */
export function moveStage(stage, share, step) {
  if (stage.boxes) moveBoxes(stage.boxes, share, step)
  for (const { phase, flow, head } of stage.lines) setDrawnLength(flow, share(phase), head)
  const contextShare = share("context")
  for (const path of stage.ribbons) if (path.style.display !== "none") setDrawnLength(path, contextShare)
  const dashes = Math.floor((share("query") * stage.length) / 9)
  stage.query.style.strokeDasharray = dashes ? `${"5 4 ".repeat(dashes)}0 9999` : "0 9999"
  const updateShare = share("update")
  const { context, readout, gru, after } = stage.nodes
  context?.node.classList.toggle("on", contextShare > 0.9)
  readout?.node.classList.toggle("on", share("candidates") > 0.05)
  gru?.node.classList.toggle("on", updateShare > 0.3)
  after?.node.classList.toggle("on", updateShare > 0.9)
  stage.blocks.context?.style.setProperty("--show", String(contextShare))
  stage.blocks.after?.style.setProperty("--show", String(updateShare))
}
