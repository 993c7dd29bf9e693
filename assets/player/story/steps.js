// Positions in the story, and small computations of the scenes. Needs no browser.

/** @typedef {{ scene: number, step: number }} Place both from 0 */

/**
 * Return the place one step forward or back, across scenes, or null at either end.
 * @type {(place: Place, steps: number[], direction: number) => Place | null}
 */
export function nextPlace({ scene, step }, steps, direction) {
  const target = step + direction
  if (target >= 0 && target < steps[scene]) return { scene, step: target }
  const next = scene + direction
  if (next < 0 || next >= steps.length) return null
  return { scene: next, step: direction > 0 ? 0 : steps[next] - 1 }
}

/**
 * Return the place that Home or End leads to; null for other keys.
 * @type {(key: string, steps: number[]) => Place | null}
 */
export function placeOfKey(key, steps) {
  const scene = steps.length - 1
  return key === "Home" ? { scene: 0, step: 0 } : key === "End" ? { scene, step: steps[scene] - 1 } : null
}

/** @type {(content: number[], lost: number[]) => number} */
export const countKept = (content, lost) => content.filter((place) => !lost.includes(place)).length

/**
 * Return the positions of the largest weights, in descending order.
 * @param {number[]} row
 * @param {number} [minimum]
 */
export const strongestWeights = (row, minimum = 0.05) =>
  row.map((weight, place) => ({ weight, place })).filter(({ weight }) => weight >= minimum).sort((a, b) => b.weight - a.weight)

/** @param {number[]} row */
export const argmax = (row) => row.indexOf(Math.max(...row))

/**
 * Scale energies to 0 to 1.
 * @param {number[]} energies
 */
export function scaleEnergies(energies) {
  const low = Math.min(...energies)
  const span = Math.max(...energies) - low || 1
  return energies.map((energy) => (energy - low) / span)
}
