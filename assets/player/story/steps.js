// Where the reader is: a scene, and a step of it. Nothing here needs a browser.

/** @typedef {{ scene: number, step: number }} Place both from 0 */

/**
 * One step on (1) or back (-1): over the end of a scene into the next one, over its beginning into the last step of the
 * one before. Null where the story has no further step.
 * @param {Place} place
 * @param {number[]} steps how many each scene has
 * @param {number} direction
 * @returns {Place | null}
 */
export function nextPlace({ scene, step }, steps, direction) {
  const target = step + direction
  if (target >= 0 && target < steps[scene]) return { scene, step: target }
  const next = scene + direction
  if (next < 0 || next >= steps.length) return null
  return { scene: next, step: direction > 0 ? 0 : steps[next] - 1 }
}

/**
 * Where Home and End lead: to the first scene's beginning, to the last scene as it ends. Null for other keys.
 * @param {string} key
 * @param {number[]} steps how many each scene has
 * @returns {Place | null}
 */
export function placeOfKey(key, steps) {
  const scene = steps.length - 1
  return key === "Home" ? { scene: 0, step: 0 } : key === "End" ? { scene, step: steps[scene] - 1 } : null
}

/**
 * What share of a column of words arrived: those that were not lost.
 * @param {number[]} content
 * @param {number[]} lost
 */
export const countKept = (content, lost) => content.filter((place) => !lost.includes(place)).length

/**
 * The places of a row of weights that count, the greatest first.
 * @param {number[]} row
 * @param {number} [minimum]
 */
export const strongestWeights = (row, minimum = 0.05) =>
  row.map((weight, place) => ({ weight, place })).filter(({ weight }) => weight >= minimum).sort((a, b) => b.weight - a.weight)

/**
 * Where most of a row of weights lies.
 * @param {number[]} row
 */
export const argmax = (row) => row.indexOf(Math.max(...row))

/**
 * How far an energy lies between the least and the greatest of its row, 0 to 1.
 * @param {number[]} energies
 */
export function scaleEnergies(energies) {
  const low = Math.min(...energies)
  const span = Math.max(...energies) - low || 1
  return energies.map((energy) => (energy - low) / span)
}
