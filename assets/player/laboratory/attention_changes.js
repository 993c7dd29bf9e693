// Compute, format and parse changes of attention rows. Needs no browser.

/** @import { ConsoleData } from "../payloads.js" */

/** @param {ConsoleData} data */
export const getEditedSide = (data) => data.overridden ?? data.original

/**
 * Set one weight of a row; the others keep their proportions, and the sum stays 1.
 * @type {(row: number[], sourceIndex: number, weight: number) => number[]}
 */
export function setWeight(row, sourceIndex, weight) {
  const newWeight = Math.min(1, Math.max(0, weight))
  const remainder = row.reduce((sum, value, k) => (k === sourceIndex ? sum : sum + value), 0)
  if (row.length === 1) return [1]
  return row.map((value, k) => (k === sourceIndex ? newWeight : remainder > 0 ? (value / remainder) * (1 - newWeight) : (1 - newWeight) / (row.length - 1)))
}

/**
 * Format a row as a change: six decimals, rounded down, then up where the remainder is largest, so that the sum stays 1.
 * @type {(map: string, step: number, row: number[]) => string}
 */
export function formatRow(map, step, row) {
  const parts = row.map((value) => Math.floor(value * 1e6))
  const deficit = 1e6 - parts.reduce((sum, part) => sum + part, 0)
  const order = parts.map((_, k) => k).sort((a, b) => row[b] * 1e6 - parts[b] - (row[a] * 1e6 - parts[a]))
  for (const k of order.slice(0, deficit)) parts[k] += 1
  return `${map}@${step}=${parts.map((part) => String(part / 1e6)).join(",")}`
}

/**
 * Parse which steps an override changes, from 1 (`last`: Infinity for all); null if the text is no override.
 * @param {string} change in text form
 * @returns {{ map: string, first: number, last: number, isSetByHand: boolean } | null}
 */
export function parseSteps(change) {
  const match = /^([a-z0-9-]+)@(?:(\*)|(\d+)(?:-(\d+|\*))?)([:=])/.exec(change)
  if (!match) return null
  const [, map, all, firstText, lastText, sign] = match
  const first = all ? 1 : Number(firstText)
  const last = all || lastText === "*" ? Infinity : Number(lastText ?? firstText)
  return { map, first, last, isSetByHand: sign === "=" }
}

/** A range of steps, counted from 1.
 * @typedef {{ kind: "step" | "range" | "all", step: number, firstStep: number, lastStep: number }} Scope */
/**
 * Parse a rule; null if the change is none.
 * @param {string} change in text form
 * @returns {{ map: string, steps: string, rule: string, value: string } | null}
 */
export function parseRule(change) {
  const match = /^([a-z0-9-]+)@([\d*-]+):([a-z]+)(?:=(.*))?$/.exec(change)
  return match && { map: match[1], steps: match[2], rule: match[3], value: match[4] ?? "" }
}

/**
 * Return the scope of the last change of a map as the reader would have chosen it, or null.
 * @type {(changes: string[], map: string, last: number) => Scope | null}
 */
export function parseScope(changes, map, last) {
  const steps = changes.flatMap((change) => parseSteps(change) ?? []).filter((item) => item.map === map).at(-1)
  if (!steps) return null
  const [firstStep, lastStep] = [Math.min(steps.first, last), Math.min(steps.last, last)]
  return { kind: steps.first === 1 && steps.last === Infinity ? "all" : steps.first === steps.last ? "step" : "range", step: firstStep, firstStep, lastStep }
}

/** @param {Scope} scope */
export const formatScope = ({ kind, step, firstStep, lastStep }) =>
  kind === "all" ? "*" : kind === "step" || firstStep === lastStep ? String(kind === "step" ? step : firstStep) : `${Math.min(firstStep, lastStep)}-${Math.max(firstStep, lastStep)}`

/**
 * Find the rule that makes all rows of a range of steps; the last one counts. Undefined if none covers the whole range, or
 * a row of it was changed by hand.
 * @type {(changes: string[], map: string, first: number, last: number) => string | undefined}
 */
export function findRule(changes, map, first, last) {
  const overlappingChanges = changes.filter((change) => {
    const steps = parseSteps(change)
    return steps && steps.map === map && steps.first <= last && first <= steps.last
  })
  const lastSteps = parseSteps(overlappingChanges.at(-1) ?? "")
  return lastSteps && !lastSteps.isSetByHand && lastSteps.first <= first && last <= lastSteps.last ? overlappingChanges.at(-1) : undefined
}
