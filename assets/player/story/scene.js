// What a scene is to the story, and what several scenes draw.

/** @import { StoryData } from "../payloads.js" */
import { make } from "../shared/dom.js"

/**
 * @typedef {object} Scene
 * @property {HTMLElement} node its picture
 * @property {number[]} lineCounts for each step how many of its sentences are told
 * @property {(step: number, measured?: boolean) => void} showStep `measured`: only to see how much room the step takes
 * @property {(touched: HTMLElement | null) => string} pointAt lights up what belongs to a part of the picture; what is said of it
 * @property {(pressed: HTMLElement) => number | null} [pressButton] what a press on one of its buttons does: the step to go to
 * @property {() => void} [resize] called when the picture has got another size
 */

/** @typedef {StoryData["words"]} Words */

/**
 * A part of the picture that can be pointed at, tapped, and reached by keyboard.
 * @param {"span" | "div" | "li"} tag
 * @param {string} name its class
 * @param {Record<string, string | number | null>} told what it is, as data-
 * @param {...(Node | string | null | false)} children
 */
export function makePart(tag, name, told, ...children) {
  const data = Object.fromEntries(Object.entries(told).map(([key, value]) => [`data-${key}`, value]))
  return make(tag, { class: name, tabindex: 0, "data-touch": "", ...data }, ...children)
}

/**
 * A vector as cells, the darker the greater.
 * @param {number[]} shades
 * @param {string} kind its colour's class
 */
export function makeCells(shades, kind) {
  const node = make("span", { class: `cells ${kind}`, "aria-hidden": "true" })
  for (const shade of shades) {
    const cell = make("i")
    cell.style.opacity = String(0.12 + 0.88 * shade)
    node.append(cell)
  }
  return node
}

/**
 * A line of words with what stands before each.
 * @param {[string, string][]} words
 * @param {string} kind
 * @param {string} language
 */
export function makeWords(words, kind, language) {
  const line = make("p", { class: `words ${kind}`, lang: language })
  words.forEach(([gap, text], place) => line.append(gap, makePart("span", "word", { [kind]: place }, text)))
  return line
}

/**
 * The number that an attribute of a node holds; null where it has none.
 * @param {HTMLElement | null} node
 * @param {string} name
 */
export function readNumber(node, name) {
  const value = node?.dataset[name]
  return value === undefined ? null : Number(value)
}

/** @param {number} share a share of 1, in per cent, without the sign */
export const formatPercent = (share) => `${share < 0.1 && share > 0 ? (100 * share).toFixed(1) : Math.round(100 * share)}`

/**
 * The scene of which nothing is shipped.
 * @param {Words} words
 * @param {number} lines
 * @returns {Scene}
 */
export const missingScene = (words, lines) => ({
  node: make("p", { class: "missing" }, words.missing),
  lineCounts: Array.from({ length: lines }, (_, k) => k + 1),
  showStep: () => {},
  pointAt: () => "",
})
