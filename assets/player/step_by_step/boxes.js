// Draw the part of a stage that the network describes (model/networks/equations/stage.py): boxes, arrows, encoder cells, the
// frame of layers, and a switch. Positions and phases are data.

/** @import { PlayerData, PlayerStep, BoxData, StageData } from "../payloads.js" */
/** @import { PlacedBox } from "./geometry.js" */
/** @import { Point } from "./gru_layout.js" */
import { draw } from "../shared/dom.js"
import { formatTemplate, formatShare } from "../shared/format.js"
import { CIRCLE, listReadingOrder, buildArrowPath, placeBox, SUM } from "./geometry.js"
import { setDrawnLength, drawGlyph, getArrowHeadUrl, shadeGlyph } from "./glyph.js"
import { makePrefixRow } from "./prefix_row.js"

/** @typedef {ReturnType<typeof makeBoxes>} Boxes */
/** What one step shows on the stage.
 * @typedef {{ data: PlayerData, step: PlayerStep, stepNumber: number, isAnswerHidden: boolean, previousTokenText: string }} StepContext */

const ENCODER_TOP = 14 // of the encoder's cells
const ROW = 20
const CELL = 6 // half a cell
const MAX_FRAMES = 3 // frames drawn behind the current layer's
const FRAME_OFFSET = 5
const TURN_REACH = 26 // pixels in which a line to candidates below turns down

/** @param {BoxData} box */
function drawBox(box) {
  const index = box.shape === "circle" ? draw("text", { class: "index", y: 11 }) : null
  const [hasSeveralLetters, hasTwoIndices] = [box.text.length > 1, box.index.includes(",")]
  const shape = {
    circle: () => [draw("circle", { r: CIRCLE }), draw("text", { class: hasSeveralLetters ? "letter several" : "letter", x: hasSeveralLetters ? -3 : hasTwoIndices ? -8 : -3, y: 6 }, box.text)],
    box: () => [draw("rect", { rx: 9 }), draw("text", { class: "name", y: 5 }, box.text)],
    chip: () => [draw("text", { class: "chip", y: 5 })],
    sum: () => [draw("circle", { r: SUM }), draw("text", { class: "plus", y: 5 }, "+")],
    switch: () => [draw("rect", { class: "copies", rx: 2 }), draw("rect", { class: "writes", rx: 2 }),
      draw("text", { class: "share copy-share", x: -12, y: -38 }), draw("text", { class: "share", y: 44 })],
    label: () => [draw("text", { class: "aside", y: 4 }, box.text)],
  }[box.shape]
  index?.setAttribute("x", String(hasSeveralLetters ? 7 : hasTwoIndices ? -3 : 5))
  const node = draw("g", { class: `node own-box ${box.shape} ${box.part}`, "data-part": box.part }, ...shape(), index)
  return { box, node, index }
}

/**
 * @param {StageData} stage
 * @param {PlayerData} data
 */
export function makeBoxes(stage, data) {
  const boxes = stage.boxes.map(drawBox)
  const glyphs = stage.boxes.filter((box) => ["before", "after", "context"].includes(box.content))
    .map((box) => ({ box, node: drawGlyph(box.part), vectorName: /** @type {"before" | "after" | "context"} */ (box.content) }))
  const arrows = stage.arrows.map((arrow) => ({
    arrow, head: getArrowHeadUrl(arrow.part), base: draw("path", { class: "base", "marker-end": "url(#head-base)" }),
    flow: draw("path", { class: `flow ${arrow.part}`, "data-part": arrow.part, pathLength: 1 }),
  }))
  const reading = draw("g", { class: "reading" })
  const pipe = {
    base: draw("path", { class: "pipe", "data-part": "pipe" }),
    flow: draw("path", { class: "pipe flow", "data-part": "pipe", pathLength: 1 }),
    caption: draw("text", { class: "aside" }),
  }
  const frames = stage.frame ? Array.from({ length: Math.min(MAX_FRAMES, stage.frame.layers_behind) + 1 }, () => draw("rect", { class: "frame", rx: 12 })) : []
  const frameLabel = draw("text", { class: "aside" }, stage.frame?.label ?? "")
  const prefixRow = stage.prefix_row ? makePrefixRow(stage.prefix_row, data) : null
  return {
    stage, boxes, glyphs, arrows, reading, pipe, frames, frameLabel, prefixRow,
    p: /** @type {Record<string, PlacedBox>} */ ({}),
    /** In drawing order. */
    lowerNodes: [...frames, frameLabel, ...(stage.encoder ? [reading, pipe.base, pipe.flow, pipe.caption] : []), ...arrows.map(({ base }) => base)],
    upperNodes: [...(prefixRow ? [prefixRow.node] : []), ...arrows.map(({ flow }) => flow), ...[...glyphs, ...boxes].map(({ node }) => node)],
  }
}

/**
 * @param {Boxes} boxes
 * @param {{ width: number, top: number, isWide: boolean, xs: number[], otherEnds: Record<string, Point> }} layout `otherEnds`:
 *   other ends of arrows, the candidates ("out") among them
 */
export function placeBoxes(boxes, { width, top, isWide, xs, otherEnds }) {
  const { stage, p } = boxes
  for (const [name, { x, y }] of Object.entries(otherEnds)) p[name] = name === "out" ? { x, y, rx: 0, ry: 0 } : { x, y, rx: CIRCLE + 4, ry: CIRCLE + 4 }
  for (const { box, node } of boxes.boxes) {
    const spot = placeBox(box, width, isWide)
    p[box.name] = { ...spot, y: spot.y + top }
    node.setAttribute("transform", `translate(${spot.x} ${spot.y + top})`)
    if (box.shape === "box") setRect(/** @type {SVGRectElement} */ (node.firstElementChild), -spot.rx, -spot.ry, 2 * spot.rx, 2 * spot.ry)
  }
  for (const { box, node } of boxes.glyphs) {
    const { x, y, rx } = p[box.name]
    const [dx, dy] = box.content === "after" ? [rx + 5, -13] : [-rx - 22, -13]
    node.setAttribute("transform", `translate(${x + dx} ${y + dy})`)
  }
  for (const { arrow, base, flow } of boxes.arrows) {
    const isBelow = arrow.end === "out" && !isWide // candidates are below on a narrow stage
    const d = buildArrowPath(p[arrow.start], arrow.start_side, p[arrow.end], isBelow ? "top" : arrow.end_side, isBelow ? TURN_REACH : undefined)
    for (const path of [base, flow]) path.setAttribute("d", d)
  }
  if (stage.frame) {
    const { left, right, top: frameTop, bottom } = stage.frame
    boxes.frames.forEach((node, k) => {
      const offset = FRAME_OFFSET * (boxes.frames.length - 1 - k)
      setRect(node, left * width + offset, top + frameTop - offset, Math.min(width - 2, (isWide ? right : 0.985) * width) - left * width - FRAME_OFFSET * MAX_FRAMES, bottom - frameTop)
    })
    boxes.frameLabel.setAttribute("x", String(left * width + 12))
    boxes.frameLabel.setAttribute("y", String(top + bottom - 8))
    boxes.frameLabel.style.textAnchor = "start"
  }
  if (stage.encoder) placeEncoderCells(boxes, top, xs, p[stage.encoder.final_box])
  boxes.prefixRow?.place({ width, top, p })
}

/** @type {(node: SVGRectElement, x: number, y: number, width: number, height: number) => void} */
function setRect(node, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height })) node.setAttribute(name, String(Math.max(name === "x" || name === "y" ? value : 0, value)))
}

/** @type {(boxes: Boxes, top: number, xs: number[], end: PlacedBox) => void} */
function placeEncoderCells({ stage, reading, pipe }, top, xs, end) {
  if (!stage.encoder) return
  const { layers, is_reversed: isReversed } = stage.encoder
  const order = listReadingOrder(xs.length, isReversed)
  const rows = Array.from({ length: layers }, (_, k) => top + ENCODER_TOP + k * ROW)
  const lines = rows.flatMap((y) => order.slice(1).map((target, k) => {
    const [a, b] = [xs[order[k]], xs[target]]
    const isAdjacent = Math.abs(target - order[k]) === 1
    const side = Math.sign(b - a)
    return draw("path", { class: "read", "marker-end": "url(#head-h)",
      d: isAdjacent ? `M${a + side * CELL} ${y} H ${b - side * (CELL + 1)}` : `M${a} ${y + CELL} v 3.5 H ${b} v -2` })
  }))
  const upwardLines = xs.map((x) => draw("path", { class: "read", d: `M${x} ${rows[0] - CELL} v ${CELL - ENCODER_TOP + 1} M${x} ${rows[0]} V ${rows[layers - 1]}` }))
  const cells = rows.flatMap((y) => xs.map((x) => draw("rect", { class: "read-cell", x: x - CELL, y: y - CELL, width: 2 * CELL, height: 2 * CELL, rx: 3 })))
  reading.replaceChildren(...upwardLines, ...lines, ...cells)
  const last = xs[xs.length - 1]
  const low = rows[layers - 1] + 24
  const pipePath = `M${last} ${rows[layers - 1] + CELL} V ${low - 8} Q ${last} ${low} ${last - 8} ${low} H ${end.x + 8} Q ${end.x} ${low} ${end.x} ${low + 8} V ${end.y - end.ry}`
  for (const path of [pipe.base, pipe.flow]) path.setAttribute("d", pipePath)
  pipe.caption.setAttribute("x", String(end.x + 20))
  pipe.caption.setAttribute("y", String(low + 20))
  pipe.caption.style.textAnchor = "start"
}

/** @type {(boxes: Boxes, context: StepContext) => void} */
export function writeBoxes(boxes, context) {
  const { step, stepNumber: number, isAnswerHidden: isHidden, previousTokenText: previous, data } = context
  const values = { step: number, before: number - 1, last: data.source.length }
  for (const { box, node, index } of boxes.boxes) {
    if (index) index.textContent = formatTemplate(box.index, values)
    if (box.shape === "chip") /** @type {Element} */ (node.firstElementChild).textContent = previous
    if (box.shape === "switch") writeSwitch(node, isHidden ? null : step.p_gen, data.messages)
  }
  for (const { vectorName: holds, node } of boxes.glyphs) shadeGlyph(node, isHidden && holds !== "before" ? undefined : step[holds]?.blocks)
  boxes.prefixRow?.write(context)
  if (boxes.stage.encoder) boxes.pipe.caption.textContent = number > 1 ? data.messages.stage_pipe_past : data.messages.stage_pipe
  boxes.pipe.base.classList.toggle("past", number > 1)
}

/** @type {(node: SVGGElement, share: number | null, messages: PlayerData["messages"]) => void} */
function writeSwitch(node, share, messages) {
  const [copies, writes] = /** @type {SVGRectElement[]} */ ([...node.querySelectorAll("rect")])
  const boundary = -30 + 60 * (1 - (share ?? 1))
  setRect(copies, -7, -30, 14, boundary + 30)
  setRect(writes, -7, boundary, 14, 30 - boundary)
  const [copyLabel, writeLabel] = node.querySelectorAll(".share")
  copyLabel.textContent = share == null ? "" : formatTemplate(messages.stage_copies, { share: formatShare(1 - share) })
  writeLabel.textContent = share == null ? "" : formatTemplate(messages.stage_writes, { share: formatShare(share) })
}

/**
 * @param {Boxes} boxes
 * @param {(phase: string) => number} share
 * @param {number} step from 0
 */
export function moveBoxes(boxes, share, step) {
  for (const { arrow, flow, head } of boxes.arrows) {
    const carries = arrow.steps === "all" || (arrow.steps === "first") === (step === 0)
    setDrawnLength(flow, carries ? share(arrow.phase) : 0, head)
  }
  for (const { box, node } of boxes.boxes) node.classList.toggle("on", !box.phase || share(box.phase) > 0.9)
  for (const { box, node } of boxes.glyphs) node.style.setProperty("--show", String(box.phase ? share(box.phase) : 1))
  if (boxes.stage.encoder) setDrawnLength(boxes.pipe.flow, step === 0 ? share("pipe") : 0)
  boxes.prefixRow?.move(share("self_attention"))
}
