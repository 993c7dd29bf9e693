// Position the nodes of a one-GRU decoder's stage and route its lines. Draws nothing.

/** @import { StageData } from "../payloads.js" */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Record<"before" | "context" | "gru" | "after" | "readout" | "previous" | "fed" | "out", Point>} Places */
/** @typedef {keyof Places} Place */
/** Start, end, phase in which it carries something, and part that gives its colour.
 * @typedef {[Place, Place, string, string]} Line */

export const WIDE_FROM = 620 // pixels; on a narrower stage the candidates are below
export const STAGE_HEIGHT = 264 // pixels
export const NODE_RADIUS = 24 // pixels

/** @type {(width: number) => Places} */
export function placeNodes(width) {
  const [left, middle, right, distance] = width >= WIDE_FROM ? [0.09, 0.33, 0.52, 0.6] : [0.11, 0.42, 0.82, 0.94]
  /** @type {(share: number, y: number) => Point} */
  const point = (share, y) => ({ x: share * width, y })
  return {
    before: point(left, 124), context: point(middle, 64), gru: point(middle, 178), after: point(right, 178),
    readout: point(right, 64), previous: point(right, 116), fed: point(middle, 244), out: point(distance, width >= WIDE_FROM ? 64 : STAGE_HEIGHT),
  }
}

/** @type {(stage: Pick<StageData, "readout" | "update_token"> | null) => Line[]} */
export function listStageLines(stage) {
  if (!stage) return [["context", "out", "candidates", "context"]]
  const { readout, update_token: updateToken } = stage
  if (readout == null) return []
  /** @type {Line[]} */
  const choiceLines = updateToken === "current" ? [["out", "fed", "choice", "fed"]] : []
  return [
    ["context", "readout", "candidates", "context"], [readout, "readout", "candidates", readout],
    ["previous", "readout", "candidates", "previous"], ["readout", "out", "candidates", "readout"],
    ["before", "gru", "update", "before"], ["context", "gru", "update", "context"], ["fed", "gru", "update", "fed"],
    ["gru", "after", "update", "after"], ...choiceLines,
  ]
}

/** @type {(a: Point, b: Point, bend: [number, number, number, number]) => string} */
const buildCurvePath = (a, b, bend) => `M${a.x} ${a.y} C ${a.x + bend[0]} ${a.y + bend[1]}, ${b.x + bend[2]} ${b.y + bend[3]}, ${b.x} ${b.y}`
/** @type {(p: Point, dx: number, dy: number) => Point} */
export const shift = (p, dx, dy) => ({ x: p.x + dx, y: p.y + dy })

/**
 * Return the path of a line; `isWide`: whether the candidates are beside the stage.
 * @type {(start: Place, end: Place, p: Places, isWide: boolean) => string}
 */
export function buildLinePath(start, end, p, isWide) {
  const span = p.readout.x - p.before.x
  /** @type {Record<string, () => string>} */
  const paths = {
    "context-readout": () => buildCurvePath(shift(p.context, NODE_RADIUS, 0), shift(p.readout, -30, 0), [10, 0, -10, 0]),
    "before-readout": () => buildCurvePath(shift(p.before, NODE_RADIUS, -4), shift(p.readout, -26, 17), [span * 0.4, 0, -span * 0.18, 26]),
    "after-readout": () => buildCurvePath(shift(p.after, 14, -NODE_RADIUS + 4), shift(p.readout, 24, 17), [22, -50, 14, 40]),
    "previous-readout": () => buildCurvePath(shift(p.previous, 0, -13), shift(p.readout, 0, 17), [0, -8, 0, 8]),
    "readout-out": () => (isWide
      ? buildCurvePath(shift(p.readout, 30, 0), p.out, [10, 0, -10, 0])
      : buildCurvePath(shift(p.readout, 14, 17), p.out, [20, 60, 0, -80])),
    "context-out": () => (isWide
      ? buildCurvePath(shift(p.context, NODE_RADIUS, 0), p.out, [10, 0, -10, 0])
      : buildCurvePath(shift(p.context, 14, NODE_RADIUS - 5), p.out, [20, 60, 0, -80])),
    "before-gru": () => buildCurvePath(shift(p.before, 8, NODE_RADIUS - 1), shift(p.gru, -27, 0), [14, 34, -50, 0]),
    "context-gru": () => buildCurvePath(shift(p.context, 0, NODE_RADIUS), shift(p.gru, 0, -24), [0, 20, 0, -20]),
    "fed-gru": () => buildCurvePath(shift(p.fed, 0, -13), shift(p.gru, 0, 24), [0, -8, 0, 8]),
    "gru-after": () => buildCurvePath(shift(p.gru, 27, 0), shift(p.after, -NODE_RADIUS, 0), [10, 0, -10, 0]),
    "out-fed": () => (isWide ? "" : buildCurvePath({ x: p.out.x - 20, y: STAGE_HEIGHT }, shift(p.fed, 62, 0), [0, -22, 30, 0])),
  }
  return paths[`${start}-${end}`]()
}
