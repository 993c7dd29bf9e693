// The interface of a scene, and drawings that several scenes share.

/** @import { StoryData } from "../payloads.js" */
import { make } from "../shared/dom.js"

/**
 * @typedef {object} Scene
 * @property {HTMLElement} node the picture
 * @property {number[]} lineCounts number of sentences shown at each step
 * @property {(step: number, measured?: boolean) => void} showStep `measured`: only to measure the step's size
 * @property {(touched: HTMLElement | null) => string} pointAt highlights a part of the picture and returns its description
 * @property {(pressed: HTMLElement) => number | null} [pressButton] handles a button and returns the next step
 * @property {() => void} [resize] called when the picture's size changes
 */

/** @typedef {StoryData["words"]} Words */

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

/**
 * Make a vector as shaded cells.
 * @type {(shades: number[], kind: string) => HTMLSpanElement}
 */
export const makeCells = (shades, kind) =>
  make("span", { class: `cells ${kind}`, "aria-hidden": "true" }, ...shades.map((shade) => make("i", { style: `opacity: ${0.12 + 0.88 * shade}` })))

/** @type {(words: [string, string][], kind: string, language: string) => HTMLParagraphElement} */
export function makeWords(words, kind, language) {
  return make("p", { class: `words ${kind}`, lang: language }, ...words.flatMap(([gap, text], place) => [gap, makePart("span", "word", { [kind]: place }, text)]))
}

/**
 * Return a number from a data- attribute, or null.
 * @type {(node: HTMLElement | null, name: string) => number | null}
 */
export function readNumber(node, name) {
  const value = node?.dataset[name]
  return value === undefined ? null : Number(value)
}

/** @param {number} share of 1, formatted as percent without the sign */
export const formatPercent = (share) => `${share < 0.1 && share > 0 ? (100 * share).toFixed(1) : Math.round(100 * share)}`

/** @type {(words: Words, lines: number) => Scene} */
export const missingScene = (words, lines) => ({
  node: make("p", { class: "missing" }, words.missing),
  lineCounts: Array.from({ length: lines }, (_, k) => k + 1),
  showStep: () => {},
  pointAt: () => "",
})
