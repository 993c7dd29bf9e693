// The interface of a scene, positions in the story, and what several scenes draw and compute.

/** @import { StoryData } from "../payloads.js" */
import { make } from "../shared/dom.js"

/**
 * @typedef {object} Scene
 * @property {HTMLElement} node the picture
 * @property {number[]} lineCounts number of sentences shown at each step
 * @property {(step: number, isMeasuring?: boolean) => void} showStep `isMeasuring`: only to measure the step's size
 * @property {(touchedNode: HTMLElement | null) => string} pointAt highlights a part of the picture and returns its description
 * @property {(button: HTMLElement) => number | null} [pressButton] handles a button and returns the next step
 * @property {() => void} [resize] called when the picture's size changes
 */

/** @typedef {StoryData["messages"]} Messages */

/**
 * Make a part of the picture that can be hovered, tapped and focused.
 * @param {"span" | "div" | "li"} tag
 * @param {string} name its class
 * @param {Record<string, string | number | null>} attributes its data- attributes
 * @param {...(Node | string | null | false)} children
 */
export function makePart(tag, name, attributes, ...children) {
  const data = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`data-${key}`, value]))
  return make(tag, { class: name, tabindex: 0, "data-touch": "", ...data }, ...children)
}

/** @type {(shades: number[], kind: string) => HTMLSpanElement} */
export const makeCells = (shades, kind) =>
  make("span", { class: `cells ${kind}`, "aria-hidden": "true" }, ...shades.map((shade) => make("i", { style: `opacity: ${0.12 + 0.88 * shade}` })))

/** @type {(words: [string, string][], kind: string, language: string) => HTMLParagraphElement} */
export function makeWords(words, kind, language) {
  return make("p", { class: `words ${kind}`, lang: language }, ...words.flatMap(([gap, text], position) => [gap, makePart("span", "word", { [kind]: position }, text)]))
}

/** @type {(node: HTMLElement | null, name: string) => number | null} */
export function readNumber(node, name) {
  const value = node?.dataset[name]
  return value === undefined ? null : Number(value)
}

/** Format a share of 1 as percent, without the sign. @param {number} share */
export const formatPercentNumber = (share) => `${share < 0.1 && share > 0 ? (100 * share).toFixed(1) : Math.round(100 * share)}`

/** @type {(messages: Messages, lines: number) => Scene} */
export const makeMissingScene = (messages, lines) => ({
  node: make("p", { class: "missing" }, messages.missing),
  lineCounts: Array.from({ length: lines }, (_, k) => k + 1),
  showStep: () => {},
  pointAt: () => "",
})

/** @typedef {{ scene: number, step: number }} StoryPosition both from 0 */

/**
 * Return the position one step forward or back, across scenes, or null at either end.
 * @type {(position: StoryPosition, steps: number[], direction: number) => StoryPosition | null}
 */
export function findNextPosition({ scene, step }, steps, direction) {
  const target = step + direction
  if (target >= 0 && target < steps[scene]) return { scene, step: target }
  const nextScene = scene + direction
  if (nextScene < 0 || nextScene >= steps.length) return null
  return { scene: nextScene, step: direction > 0 ? 0 : steps[nextScene] - 1 }
}

/**
 * Return the position that Home or End leads to; null for other keys.
 * @type {(key: string, steps: number[]) => StoryPosition | null}
 */
export function findPositionOfKey(key, steps) {
  const scene = steps.length - 1
  return key === "Home" ? { scene: 0, step: 0 } : key === "End" ? { scene, step: steps[scene] - 1 } : null
}

/** @type {(content: number[], omissions: number[]) => number} */
export const countKept = (content, omissions) => content.filter((position) => !omissions.includes(position)).length

/** @param {number[]} energies */
export function scaleEnergies(energies) {
  const low = Math.min(...energies)
  const span = Math.max(...energies) - low || 1
  return energies.map((energy) => (energy - low) / span)
}
