// The stage of the player: context, states, GRU, readout and the lines between them, as one SVG over the picture. What
// each drawing stands for is its data-part, the name that the equations use for it too. How the lines run is said by the
// network (which state its readout takes, which piece its update takes in); a network whose decoder is not known here has
// a plain stage: what it looked at, and what came of it.

/** @import { SentStage, Vector } from "../payloads.js" */
/** @import { Place, Places } from "./ways.js" */
import { draw } from "../shared/dom.js"
import { lines, places, R, shift, way, WIDE } from "./ways.js"

/** @typedef {ReturnType<typeof makeStage>} Stage */

const RIBBON = 34 // the width of a ribbon that carries all of alpha
const FIXED = 24 // the width of the one ribbon of a network that does not look
const ROW = 23.5 // the height of a candidate, and where the first of them is
const FIRST = 35
const SEEN = 0.004 // ribbons of less are not drawn
const ARRIVED = 0.97 // of a line: its head is drawn

/**
 * A vector in small: the shades of its blocks, six in a column.
 * @param {string} part
 */
function glyphAt(part) {
  const cells = Array.from({ length: 12 }, (_, k) => draw("rect", { x: k < 6 ? 0 : 9, y: (k % 6) * 4.5, width: 8, height: 3.6, rx: 1 }))
  return draw("g", { class: "blocks", "data-part": part }, ...cells)
}

/**
 * @param {string} part
 * @param {string} letter
 */
function circle(part, letter) {
  const index = draw("text", { class: "index", x: 5, y: 11 })
  const node = draw("g", { class: `node ${part}`, "data-part": part },
    draw("circle", { r: R }), draw("text", { class: "letter", x: -3, y: 6 }, letter), index)
  return { node, index }
}

/**
 * @param {string} part
 * @param {string} text
 * @param {number} half half its width
 * @param {number} high
 */
const box = (part, text, half, high) => ({
  index: null,
  node: draw("g", { class: `node ${part}`, "data-part": part },
    draw("rect", { x: -half, y: -high / 2, width: 2 * half, height: high, rx: 9 }),
    draw("text", { class: "name", y: 5 }, text)),
})

/** The colours that heads of lines have: of the context, of the readout, of whatever is the decoder's. */
const HEADS = ["context", "readout", "decoder"]

/**
 * The head of an arrow, in one of those colours or that of a line that carries nothing yet.
 * @param {string} name
 */
const head = (name) =>
  draw("marker", { id: `head-${name}`, class: `head ${name}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0.8 L9.5 5 L0 9.2 Z" }))

/**
 * The stage itself, for a source of so many pieces.
 * @param {boolean} attends
 * @param {SentStage | null} known
 * @param {number} sources
 */
export function makeStage(attends, known, sources) {
  const ways = lines(known).map(([from, to, phase, part]) => ({
    from, to, phase, head: `url(#head-${HEADS.includes(part) ? part : "decoder"})`,
    base: draw("path", { class: "base", "marker-end": "url(#head-base)" }),
    flow: draw("path", { class: `flow ${part}`, "data-part": part, pathLength: 1 }),
  }))
  const ribbons = Array.from({ length: attends ? sources : 1 }, (_, j) =>
    draw("path", { class: "ribbon", "data-part": attends ? "alpha" : "context", "data-source": attends ? j : null, pathLength: 1 }))
  const query = draw("path", { class: "query", "data-part": "before" })
  /** @type {Partial<Record<Place, { node: SVGGElement, index: SVGTextElement | null }>>} */
  const nodes = known ? {
    context: circle("context", "c"), before: circle("before", "s"), after: circle("after", "s"),
    gru: box("gru", "GRU", 27, 48), readout: box("readout", "maxout", 30, 34),
  } : { context: circle("context", "") }
  /** @type {Partial<Record<Place, SVGTextElement>>} */
  const chips = known ? {
    previous: draw("text", { class: "chip previous", "data-part": "previous" }),
    fed: draw("text", { class: "chip fed", "data-part": known.takes === "current" ? "fed" : "previous" }),
  } : {}
  /** @type {Partial<Record<"context" | "before" | "after", SVGGElement>>} */
  const blocks = known ? { context: glyphAt("context"), before: glyphAt("before"), after: glyphAt("after") } : { context: glyphAt("context") }
  const said = draw("text", { class: "said", "data-part": "before" })
  const svg = draw("svg", { class: "stage", "aria-hidden": "true" }, draw("defs", {}, ...["base", ...HEADS].map(head)),
    ...ways.map((one) => one.base), query, ...ribbons, ...ways.map((one) => one.flow),
    ...Object.values(blocks), ...Object.values(nodes).map((one) => one.node), ...Object.values(chips), said)
  return {
    svg, known: known != null, asks: attends && known != null, ways, ribbons, query, nodes, chips, blocks, said,
    length: 0, p: places(WIDE), xs: /** @type {number[]} */ ([]), top: 0, mouth: 0, wide: true,
  }
}

/**
 * Where the picture is: its width and height in pixels at scale 1, the stage from `top` down, the middles `xs` of the
 * source pieces, `mouth` where ribbons leave them, `base` the height of the energies' line.
 * @typedef {{ width: number, height: number, top: number, mouth: number, xs: number[], base: number, scale: number }} Layout
 */

/**
 * Put everything in its place.
 * @param {Stage} stage
 * @param {Layout} layout
 */
export function placeStage(stage, { width, height, top, mouth, xs, base, scale }) {
  const { svg } = stage
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.style.height = `${height * scale}px`
  const flat = places(width)
  const p = /** @type {Places} */ (Object.fromEntries(Object.entries(flat).map(([name, at]) => [name, shift(at, 0, top)])))
  const wide = width >= WIDE
  Object.assign(stage, { p, top, mouth, wide, xs: xs.map((x) => Math.max(-20, Math.min(width + 20, x))) })
  for (const { from, to, base: under, flow } of stage.ways) {
    const d = way(from, to, flat, wide)
    for (const path of [under, flow]) {
      path.setAttribute("d", d)
      path.setAttribute("transform", `translate(0 ${top})`)
    }
  }
  for (const [name, { node }] of entries(stage.nodes)) node.setAttribute("transform", `translate(${p[name].x} ${p[name].y})`)
  for (const [name, chip] of entries(stage.chips)) {
    chip.setAttribute("x", String(p[name].x))
    chip.setAttribute("y", String(p[name].y + 5))
  }
  const beside = { context: [-48, -13], before: [-8, 30], after: wide ? [R + 6, -13] : [-8, 30] }
  for (const [name, group] of entries(stage.blocks)) {
    const [dx, dy] = beside[name]
    group.setAttribute("transform", `translate(${p[name].x + dx} ${p[name].y + dy})`)
  }
  stage.said.setAttribute("x", String(Math.max(4, p.before.x - R)))
  stage.said.setAttribute("y", String(p.before.y + 74))
  stage.query.style.display = stage.asks ? "" : "none"
  const end = Math.min(width, Math.max(...xs))
  stage.query.setAttribute("d",
    `M${p.before.x - 4} ${p.before.y - R} C ${p.before.x - 4} ${p.before.y - 80}, 3 ${top + 20}, 3 ${base} H ${end}`)
  stage.length = stage.query.getTotalLength()
}

/**
 * The entries of an object whose keys are known.
 * @template {string} Key
 * @template Value
 * @param {Partial<Record<Key, Value>>} of
 */
const entries = (of) => /** @type {[Key, Value][]} */ (Object.entries(of))

/**
 * Ribbons: as wide as α, side by side where they meet, so that all of them together are as wide as 1.
 * @param {Stage} stage
 * @param {number[] | null} alpha
 */
export function placeRibbons(stage, alpha) {
  const { p, xs, top, mouth } = stage
  const whole = alpha ? RIBBON : FIXED
  let from = p.context.x - whole / 2
  const weights = alpha ?? [1]
  stage.ribbons.forEach((path, j) => {
    const width = weights[j] * whole
    const x = from + width / 2
    from += width
    path.style.display = weights[j] < SEEN ? "none" : ""
    path.style.setProperty("--width", `${Math.max(1.1, width)}px`)
    path.style.setProperty("--weight", String(weights[j]))
    path.setAttribute("d", alpha
      ? `M${xs[j]} ${top - 4} C ${xs[j]} ${top + 34}, ${x} ${top + 6}, ${x} ${p.context.y - 16}`
      : `M${xs[j]} ${mouth} C ${xs[j]} ${mouth + 60}, ${x} ${mouth - 6}, ${x} ${p.context.y - 16}`)
  })
}

/**
 * The line from the chosen candidate, the k-th, to where the new state takes it in.
 * @param {Stage} stage
 * @param {number} k
 */
export function placeChoice(stage, k) {
  const line = stage.ways.find(({ from, to }) => from === "out" && to === "fed")
  if (!line || !stage.wide) return
  const { fed, out } = stage.p
  const from = { x: out.x + 14, y: stage.top + FIRST + ROW * k }
  const d = `M${from.x} ${from.y} C ${out.x - 4} ${from.y}, ${out.x} ${fed.y}, ${out.x - 60} ${fed.y} L ${fed.x + 62} ${fed.y}`
  for (const path of [line.base, line.flow]) {
    path.setAttribute("d", d)
    path.removeAttribute("transform")
  }
}

/**
 * What is said at the nodes of a step.
 * @param {Stage} stage
 * @param {Record<"context" | "before" | "after", string>} indices
 * @param {Record<"previous" | "fed" | "said", string>} texts
 * @param {Record<"context" | "before" | "after", Vector | null>} vectors
 */
export function writeStage(stage, indices, texts, vectors) {
  for (const name of /** @type {const} */ (["context", "before", "after"])) {
    const index = stage.nodes[name]?.index
    if (index && stage.known) index.textContent = indices[name]
  }
  for (const name of /** @type {const} */ (["previous", "fed"])) {
    const chip = stage.chips[name]
    if (chip) chip.textContent = texts[name]
  }
  if (stage.known) stage.said.textContent = texts.said
  for (const [name, group] of entries(stage.blocks)) {
    const shades = vectors[name]?.blocks
    group.style.display = shades ? "" : "none"
    if (!shades) continue
    ;[.../** @type {HTMLCollectionOf<SVGElement>} */ (group.children)].forEach((cell, k) => {
      cell.style.opacity = String(k < shades.length ? 0.1 + 0.85 * shades[k] : 0)
    })
  }
}

/**
 * How far the step has come: `share(phase)` from 0 to 1.
 * @param {Stage} stage
 * @param {(phase: string) => number} share
 */
export function moveStage(stage, share) {
  /** @type {(path: SVGElement, part: number) => void} */
  const dash = (path, part) => path.style.setProperty("stroke-dashoffset", String(1 - part))
  for (const { phase, flow, head: tip } of stage.ways) {
    dash(flow, share(phase))
    flow.setAttribute("marker-end", share(phase) > ARRIVED ? tip : "none")
  }
  const drawn = share("context")
  for (const path of stage.ribbons) if (path.style.display !== "none") dash(path, drawn)
  const dashes = Math.floor((share("query") * stage.length) / 9)
  stage.query.style.strokeDasharray = dashes ? `${"5 4 ".repeat(dashes)}0 9999` : "0 9999"
  const updated = share("update")
  const { context, readout, gru, after } = stage.nodes
  context?.node.classList.toggle("on", drawn > 0.9)
  readout?.node.classList.toggle("on", share("candidates") > 0.05)
  gru?.node.classList.toggle("on", updated > 0.3)
  after?.node.classList.toggle("on", updated > 0.9)
  stage.blocks.context?.style.setProperty("--show", String(drawn))
  stage.blocks.after?.style.setProperty("--show", String(updated))
}
