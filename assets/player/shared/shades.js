// Choose black or white for numbers on coloured cells, so that the contrast is 4.5 : 1.

/** Shades from which numbers change colour on dark pages, and on light ones (tokens.css).
 * @typedef {readonly [number, number]} InkThresholds */

/** @type {InkThresholds} */
const ATTENTION = [0.685, 0.86]
/** @type {InkThresholds} */
export const SOURCE = [0.62, 0.945]

/**
 * Return the class of a cell with that shade, from 0 to 1.
 * @type {(shade: number, inks?: InkThresholds) => "deepest" | "deep" | ""}
 */
export const getInkClass = (shade, [deep, deepest] = ATTENTION) => (shade >= deepest ? "deepest" : shade >= deep ? "deep" : "")
