// What a changed row of attention is made of, as numbers and as it is written. Nothing here needs a browser.

/** @import { ConsoleData } from "../payloads.js" */

/**
 * The translation whose rows can be changed.
 * @param {ConsoleData} data
 */
export const editedSide = (data) => data.after ?? data.before

/**
 * A row where one place has that weight, and the rest gives way: it keeps its proportions, and the sum stays 1.
 * @param {number[]} row
 * @param {number} place
 * @param {number} weight
 */
export function setWeight(row, place, weight) {
  const newWeight = Math.min(1, Math.max(0, weight))
  const remainder = row.reduce((sum, value, k) => (k === place ? sum : sum + value), 0)
  if (row.length === 1) return [1]
  return row.map((value, k) => (k === place ? newWeight : remainder > 0 ? (value / remainder) * (1 - newWeight) : (1 - newWeight) / (row.length - 1)))
}

/**
 * A row as changes are written: with six decimals, rounded so that the sum stays 1 and a weight of fewer decimals what it
 * is: down, and up again where most was taken.
 * @param {string} map
 * @param {number} step from 1
 * @param {number[]} row
 */
export function formatRow(map, step, row) {
  const parts = row.map((value) => Math.floor(value * 1e6))
  const missing = 1e6 - parts.reduce((sum, part) => sum + part, 0)
  const order = parts.map((_, k) => k).sort((a, b) => row[b] * 1e6 - parts[b] - (row[a] * 1e6 - parts[a]))
  for (const k of order.slice(0, missing)) parts[k] += 1
  return `${map}@${step}=${parts.map((part) => String(part / 1e6)).join(",")}`
}

/**
 * The steps that a change holds for, the first and the last, from 1; null for what is no change of a row.
 * @param {string} change as it is written
 * @returns {{ map: string, first: number, last: number, row: boolean } | null}
 */
export function parseSteps(change) {
  const match = /^([a-z0-9-]+)@(?:(\*)|(\d+)(?:-(\d+|\*))?)([:=])/.exec(change)
  if (!match) return null
  const [, map, all, start, target, sign] = match
  const first = all ? 1 : Number(start)
  const last = all || target === "*" ? Infinity : Number(target ?? start)
  return { map, first, last, row: sign === "=" }
}

/** @typedef {{ kind: "step" | "range" | "all", step: number, from: number, to: number }} Scope `step` from 1 */

/**
 * A rule as it is written, in its parts; null for what is none.
 * @param {string} change as it is written
 * @returns {{ map: string, where: string, way: string, value: string } | null}
 */
export function parseRule(change) {
  const match = /^([a-z0-9-]+)@([\d*-]+):([a-z]+)(?:=(.*))?$/.exec(change)
  return match && { map: match[1], where: match[2], way: match[3], value: match[4] ?? "" }
}

/**
 * The steps that the last of some changes of a map holds for, as a reader would have chosen them; null without one.
 * @param {string[]} changes as they are written
 * @param {string} map
 * @param {number} last how many steps there are
 * @returns {Scope | null}
 */
export function parseScope(changes, map, last) {
  const steps = changes.flatMap((change) => parseSteps(change) ?? []).filter((item) => item.map === map).at(-1)
  if (!steps) return null
  const [start, target] = [Math.min(steps.first, last), Math.min(steps.last, last)]
  return { kind: steps.first === 1 && steps.last === Infinity ? "all" : steps.first === steps.last ? "step" : "range", step: start, from: start, to: target }
}

/**
 * The steps that are meant, as changes name them.
 * @param {Scope} scope
 */
export const formatScope = ({ kind, step, from, to }) =>
  kind === "all" ? "*" : kind === "step" || from === to ? String(kind === "step" ? step : from) : `${Math.min(from, to)}-${Math.max(from, to)}`

/**
 * The rule by which all rows from a step to another are made, as it is written: of those that hold the last one counts.
 * Undefined where none holds for all of them, or one of them was changed by hand.
 * @param {string[]} changes as they are written, in the order in which they count
 * @param {string} map
 * @param {number} first from 1
 * @param {number} last
 */
export function findRule(changes, map, first, last) {
  const overlapping = changes.filter((change) => {
    const steps = parseSteps(change)
    return steps && steps.map === map && steps.first <= last && first <= steps.last
  })
  const held = parseSteps(overlapping.at(-1) ?? "")
  return held && !held.row && held.first <= first && last <= held.last ? overlapping.at(-1) : undefined
}
