// Show what the encoder's vector holds: which target words are produced from each prefix of the sentence, and where its
// words lie among those of other sentences.

/** @import { VectorData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Spot } from "./plane_layout.js" */
import { find, findAll, make, findClosest, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { showSections } from "../shared/presentation.js"
import { pointUnderPointer, toggleZoom, selectPoint, choosePoint, hoverPoint, buildPlane, joinText } from "./word_plane.js"
import { buildMap, setMapSize } from "../shared/word_map.js"
import { pointInDirection } from "./plane_layout.js"

/** `selectedPoint`: index of the point; `isZoomed`: whether only its neighbourhood is shown.
 * @typedef {ComponentRoot<VectorData> & { selectedPoint: number, spots: Spot[], isZoomed: boolean }} Root */

/** @param {VectorData} data */
const getPrefixSides = ({ prefixes, target, languages }) => ({ source: prefixes.map(({ last }) => last), target, languages })

/** @param {VectorData} data */
function buildPrefixes(data) {
  const { messages, prefixes, languages } = data
  const sides = getPrefixSides(data)
  const values = data.target.map((_, t) => prefixes.map(({ is_present: isPresent }) => Number(isPresent[t])))
  const table = buildMap(sides, values, (value) => ({ shade: value, text: "", kind: value ? "there" : "" }), messages.prefixes_label)
  for (const cell of findAll(table, "td[data-s]")) cell.setAttribute("aria-label", values[Number(cell.dataset.t)][Number(cell.dataset.s)] ? messages.there : messages.not_there)
  const rows = prefixes.map(({ word_count: wordsRead, last, text }, s) => make("li", { "data-s": s },
    make("span", { class: "last", lang: languages[0], title: formatTemplate(messages.after_label, { after: wordsRead }) }, formatTemplate(messages.after, { word: last })),
    make("span", { lang: languages[1] }, joinText(text))))
  const section = make("section", { class: "maps" },
    make("figure", {}, make("figcaption", {}, make("span", {}, messages.prefixes)), table),
    make("figure", {}, make("figcaption", {}, messages.written), make("ol", { class: "written" }, ...rows)),
    make("p", { class: "description prefix-description", "aria-live": "polite" }))
  setMapSize(section, sides.source, sides.target.length)
  return section
}

/** @type {(root: Root, node: HTMLElement | null) => void} */
function pointAtPrefix(root, node) {
  const { messages, prefixes, target, stable_from: stableFrom } = root.data
  const section = find(root, ".maps")
  for (const element of findAll(section, ".here")) element.classList.remove("here")
  if (!node) return setText(find(root, ".prefix-description"), messages.prefixes_idle)
  const s = Number(node.dataset.s)
  const t = Number(node.dataset.t ?? target.length - 1)
  for (const related of findAll(section, `thead th[data-s="${s}"], li[data-s="${s}"], tbody th[data-t="${node.dataset.t}"], td[data-t="${node.dataset.t}"][data-s="${s}"]`)) related.classList.add("here")
  const { word_count: wordsRead, last, is_present: isPresent } = prefixes[s]
  const all = prefixes[prefixes.length - 1].word_count
  if (!target.length) return setText(find(root, ".prefix-description"), messages.prefixes_idle)
  setText(find(root, ".prefix-description"), formatTemplate(messages.cut, { word: last, after: wordsRead, all, kept: isPresent.filter(Boolean).length, words: target.length, target: target[t], since: stableFrom[t] }))
}

/** @param {Root} root */
function buildVector(root) {
  const { data } = root
  const noteSection = make("section", { class: "note" }, make("p", {}, data.description), make("p", { class: "soft footnote" }, data.provenance))
  showSections(root, data.language, [buildPrefixes(data), ...(data.plane ? [buildPlane(root, data.plane)] : []), noteSection])
  pointAtPrefix(root, null)
  if (data.plane) selectPoint(root, data.plane.selected)
}

/** @param {Root} root */
function addListeners(root) {
  root.isZoomed = false
  const cellSelector = ".maps [data-s]"
  root.addEventListener("pointermove", (event) => {
    if (findClosest(event.target, ".plane")) hoverPoint(root, pointUnderPointer(root, event))
  })
  root.addEventListener("pointerover", (event) => {
    pointAtPrefix(root, findClosest(event.target, cellSelector))
    const listItem = findClosest(event.target, ".near [data-go]")
    if (listItem) hoverPoint(root, Number(listItem.dataset.go))
    else if (!findClosest(event.target, ".plane")) hoverPoint(root, -1)
  })
  root.addEventListener("pointerleave", () => {
    pointAtPrefix(root, null)
    hoverPoint(root, -1)
  })
  root.addEventListener("focusin", (event) => pointAtPrefix(root, findClosest(event.target, cellSelector)))
  root.addEventListener("click", (event) => {
    findClosest(event.target, "td[data-s]")?.focus()
    if (findClosest(event.target, ".closer")) return toggleZoom(root)
    const button = findClosest(event.target, "[data-go]")
    const number = button ? Number(button.dataset.go) : pointUnderPointer(root, event)
    if (number >= 0) choosePoint(root, number)
  })
  root.addEventListener("keydown", (event) => {
    if (!findClosest(event.target, ".plane") || hasModifier(event)) return
    const number = pointInDirection(root.spots, root.selectedPoint, event.key)
    if (event.key.startsWith("Arrow")) event.preventDefault()
    if (number >= 0) choosePoint(root, number)
  })
}

/** @param {Mounted<VectorData>} mounted */
export default function mountVector({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "vector", {}, addListeners)
  if (storeData(root, data, { plane: data.plane && { ...data.plane, selected: 0 } })) {
    root.data = data
    clearTimeout(root.reportTimer) // the point belongs to another sentence
    buildVector(root)
  }
  return () => clearTimeout(root.reportTimer)
}
