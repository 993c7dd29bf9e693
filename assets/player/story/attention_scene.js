// Scene: attention, row by row as the translation is written.

/** @import { StoryData } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { findAll, make, makeTerm } from "../shared/dom.js"
import { fillTemplate, formatTemplate, formatCell, formatShare } from "../shared/format.js"
import { listStrongestPartners } from "../shared/partners.js"
import { getInkClass } from "../shared/shades.js"
import { makeMissingScene, makePart, readNumber } from "./scene.js"

/** @param {number[]} weights */
const listPartners = (weights) => listStrongestPartners(weights.map((value, position) => ({ value, position })))

const ROW_TIME = 260 // milliseconds per row of the rest

/** @param {StoryData} data @returns {Scene} */
export function makeAttention({ map, lookup, messages, map_languages: languages }) {
  if (!map) return makeMissingScene(messages, 3)
  const { source, target, rows } = map
  const names = [...source.map(([, word]) => word), messages.end]
  const columns = names.slice(0, rows[0].length)
  const single = Math.max(2, (lookup?.target_index ?? 0) + 1) // rows shown one by one
  const head = make("div", { class: "head" }, make("span"), ...columns.map((name, j) =>
    j < source.length ? makePart("span", "word source", { source: j }, make("span", { lang: languages[0] }, name)) : make("span", { class: "word end" }, name)))
  const lines = rows.map((row, i) => make("div", { class: "line" },
    makePart("span", "word target", { target: i }, make("span", { lang: languages[1] }, target[i][1])),
    ...row.slice(0, columns.length).map((weight, j) =>
      make("span", { class: `cell ${getInkClass(weight)}`, "data-row": i, "data-column": j, style: `--weight: ${weight.toFixed(4)}` },
        make("span", { class: "number" }, weight >= 0.05 ? formatCell(weight) : "")))))
  const node = make("div", { class: "looking", style: `--columns: ${columns.length}` },
    make("p", { class: "label" }, ...fillTemplate(messages.alpha, { model: makeTerm(`model:${map.model}`, map.model) })), make("div", { class: "map" }, head, ...lines))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let shownRows = 0
  let currentStep = -1

  /** @param {number} count */
  const showRows = (count) => {
    shownRows = count
    lines.forEach((line, i) => {
      line.classList.toggle("coming", i >= count)
      line.classList.toggle("now", i === count - 1 && count <= single)
    })
  }

  /** @type {(i: number | null, j: number | null) => void} */
  const highlightCells = (i, j) => {
    lines.forEach((line, k) => line.classList.toggle("lit", i === k))
    for (const cell of findAll(node, ".cell")) cell.classList.toggle("lit", j !== null && Number(cell.dataset.column) === j)
    for (const word of findAll(node, ".word")) {
      const [targetIndex, sourceIndex] = [readNumber(word, "target"), readNumber(word, "source")]
      word.classList.toggle("lit", (targetIndex !== null && targetIndex === i) || (sourceIndex !== null && (sourceIndex === j || (i !== null && j === null && rows[i][sourceIndex] >= 0.3))))
    }
  }
  const formatPart = (/** @type {string} */ word, /** @type {number} */ weight) => formatTemplate(messages.part, { word, weight: formatShare(weight) })

  const last = single // one step per single row, then all
  return {
    node,
    lineCounts: Array.from({ length: last + 1 }, (_, step) => (step === 0 ? 1 : step < last ? 2 : 3)),
    showStep(step, isMeasuring = false) {
      clearTimeout(timer)
      const isNewStep = !isMeasuring && step !== currentStep
      if (!isMeasuring) currentStep = step
      if (step < last) return showRows(step + 1)
      if (!isNewStep) return showRows(rows.length)
      const isReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches
      const tick = () => {
        if (isReducedMotion || shownRows >= rows.length || !node.isConnected) return showRows(rows.length)
        showRows(shownRows + 1)
        timer = setTimeout(tick, ROW_TIME)
      }
      showRows(single)
      tick()
    },
    pointAt(touchedNode) {
      const cell = touchedNode?.closest(".cell")
      const i = readNumber(touchedNode, cell ? "row" : "target")
      const j = readNumber(touchedNode, cell ? "column" : "source")
      if (i !== null && i >= shownRows) return ""
      highlightCells(i, j)
      if (i !== null) {
        const list = listPartners(rows[i]).map(({ value, position }) => formatPart(names[position], value)).join(", ")
        return formatTemplate(messages.looks, { word: target[i][1], list })
      }
      if (j === null) return ""
      const column = rows.slice(0, shownRows).map((row) => row[j])
      const list = listPartners(column).map(({ value, position }) => formatPart(target[position][1], value)).join(", ")
      return formatTemplate(messages.seen, { word: names[j], list: list || "–" })
    },
  }
}
