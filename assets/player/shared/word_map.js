// Build a map over words as a table: rows are target words, columns source words. Arrow keys move through its cells.

import { make, findClosest } from "./dom.js"
import { formatDecimalOrDash, measureDisplayWidth, formatCell } from "./format.js"
import { moveCellFocus } from "./focus.js"
import { hasModifier } from "./keys.js"
import { getInkClass } from "./shades.js"
import { fadeOverflow } from "./scroll_fade.js"

/** Style of a cell: `shade` from 0 to 1, its text and its class.
 * @typedef {{ shade: number, text: string, kind: string }} CellStyle */
/** The words of both sides.
 * @typedef {{ source: string[], target: string[], languages: [string, string] }} Sides */
/** A last column of numbers beside the rows; left out if it has no values.
 * @typedef {{ head: string, label: string, values: (number | null)[] }} RankColumn */

const NUMBER_FROM = 0.25 // share of the largest value from which a cell shows its number

/**
 * Return the style function of a map whose largest value is `maximum`.
 * @type {(maximum: number) => (value: number) => CellStyle}
 */
export const makeCellStyle = (maximum) => (value) => {
  const shade = value / maximum
  return { shade, text: shade < NUMBER_FROM ? "" : maximum > 1 ? value.toFixed(1) : formatCell(value), kind: `weight ${getInkClass(shade)}` }
}

/** Style of an attention weight. */
export const styleAttentionCell = makeCellStyle(1)

/**
 * Build a map over words as a table with arrow keys.
 * @param {Sides} sides
 * @param {number[][]} values
 * @param {(value: number, t: number) => CellStyle} styleCell `t`: the row
 * @param {string} label
 * @param {RankColumn} [rankColumn]
 */
export function buildMap({ source, target, languages }, values, styleCell, label, rankColumn) {
  const last = rankColumn?.values.length ? rankColumn : null
  const heads = source.map((text, s) => make("th", { scope: "col", "data-s": s, lang: languages[0] }, make("span", { class: "word" }, text)))
  const rows = values.map((row, t) => make("tr", {},
    make("th", { scope: "row", "data-t": t, lang: languages[1] }, target[t]),
    ...row.map((value, s) => {
      const { shade, text, kind } = styleCell(value, t)
      return make("td", { "data-t": t, "data-s": s, tabindex: t || s ? -1 : 0, class: kind, "aria-label": text ? null : formatDecimalOrDash(value), style: `--shade: ${shade.toFixed(3)}` }, text)
    }),
    last && make("td", { class: "rank" }, formatDecimalOrDash(last.values[t]))))
  const corner = make("td")
  const table = make("table", { role: "grid", "aria-label": label },
    make("thead", {}, make("tr", {}, corner, ...heads, last && make("th", { class: "rank", scope: "col", title: last.label }, make("span", {}, last.head)))),
    make("tbody", {}, ...rows))
  table.addEventListener("keydown", (event) => {
    const cell = findClosest(event.target, "td[data-s]")
    if (cell && !hasModifier(event) && moveCellFocus(cell, event.key, "t", "s")) event.preventDefault()
  })
  return fadeOverflow(make("div", { class: "scroll" }, table))
}

/** @type {(node: HTMLElement, source: string[], rows: number) => void} */
export function setMapSize(node, source, rows) {
  node.style.setProperty("--columns", String(source.length))
  node.style.setProperty("--rows", String(rows))
  node.style.setProperty("--longest", String(Math.max(...source.map(measureDisplayWidth))))
}
