// How numbers are read on cells that are filled with more or less of a colour: black and white, where each has 4.5 : 1.

/** From where on a number is written in the other ink on dark pages, and on light ones (tokens.css).
 * @typedef {readonly [number, number]} InkThresholds */

/** @type {InkThresholds} */
export const ATTENTION = [0.685, 0.86]
/** @type {InkThresholds} */
export const SOURCE = [0.62, 0.945]

/**
 * The class of a cell by how full it is, from 0 to 1.
 * @param {number} shade
 * @param {InkThresholds} inks of its colour
 */
export const inkClass = (shade, [deep, deepest] = ATTENTION) => (shade >= deepest ? "deepest" : shade >= deep ? "deep" : "")
