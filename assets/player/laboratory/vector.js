// What is in the vector: which words of the translation are there when only the beginning of the sentence has been read,
// and where the sentence's words lie among those of other sentences.

/** @import { VectorData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Spot } from "./plane.js" */
import { find, findAll, make, nearest, rooted, worded } from "../shared/dom.js"
import { filled } from "../shared/format.js"
import { announce } from "../shared/walk.js"
import { aimed, closer, come, go, hover, planar, whole } from "./among.js"
import { map, sized } from "./map.js"
import { towards } from "./plane.js"

/** `at`: the point that is looked at, `spots`: where the points stand, `close`: only those around it are seen.
 * @typedef {HTMLElement & { drawn?: string, data: VectorData, at: number, spots: Spot[], close: boolean,
 *   telling?: ReturnType<typeof setTimeout>, send: Mounted<VectorData>["setTriggerValue"] }} Root */

/** @param {VectorData} data */
const sides = ({ cuts, target, languages }) => ({ source: cuts.map(({ last }) => last), target, languages })

/** @param {VectorData} data */
function beginnings(data) {
  const { words, cuts, languages } = data
  const over = sides(data)
  const values = data.target.map((_, t) => cuts.map(({ kept }) => Number(kept[t])))
  const table = map(over, values, (value) => ({ shade: value, text: "", kind: value ? "there" : "" }), words.cuts_label)
  for (const cell of findAll(table, "td[data-s]")) cell.setAttribute("aria-label", values[Number(cell.dataset.t)][Number(cell.dataset.s)] ? words.there : words.not_there)
  const rows = cuts.map(({ after, last, text }, s) => make("li", { "data-s": s },
    make("span", { class: "last", lang: languages[0], title: filled(words.after_label, { after }) }, filled(words.after, { word: last })),
    make("span", { lang: languages[1] }, whole(text))))
  const section = make("section", { class: "maps" },
    make("figure", {}, make("figcaption", {}, make("span", {}, words.cuts)), table),
    make("figure", {}, make("figcaption", {}, words.written), make("ol", { class: "written" }, ...rows)),
    make("p", { class: "said cut-said", "aria-live": "polite" }))
  sized(section, over)
  return section
}

/**
 * Mark the beginning that is pointed at, and say what of the translation it has.
 * @param {Root} root
 * @param {HTMLElement | null} node
 */
function point(root, node) {
  const { words, cuts, target, since } = root.data
  const section = find(root, ".maps")
  for (const one of findAll(section, ".here")) one.classList.remove("here")
  if (!node) return worded(find(root, ".cut-said"), words.cuts_idle)
  const s = Number(node.dataset.s)
  const t = Number(node.dataset.t ?? target.length - 1)
  for (const one of findAll(section, `thead th[data-s="${s}"], li[data-s="${s}"], tbody th[data-t="${node.dataset.t}"], td[data-t="${node.dataset.t}"][data-s="${s}"]`)) one.classList.add("here")
  const { after, last, kept } = cuts[s]
  const all = cuts[cuts.length - 1].after
  if (!target.length) return worded(find(root, ".cut-said"), words.cuts_idle)
  worded(find(root, ".cut-said"), filled(words.cut, { word: last, after, all, kept: kept.filter(Boolean).length, words: target.length, target: target[t], since: since[t] }))
}

/** @param {Root} root */
function build(root) {
  const { data } = root
  const told = make("section", { class: "note" }, make("p", {}, data.means), make("p", { class: "soft made" }, data.made))
  const sections = [beginnings(data), ...(data.plane ? [planar(root, data.plane)] : []), told]
  root.lang = data.language
  root.replaceChildren(...sections)
  for (const section of sections) announce(section)
  point(root, null)
  if (data.plane) come(root, data.plane.at)
}

/** @param {Root} root */
function listen(root) {
  root.close = false
  const cut = ".maps [data-s]"
  root.addEventListener("pointermove", (event) => {
    if (nearest(event.target, ".plane")) hover(root, aimed(root, event))
  })
  root.addEventListener("pointerover", (event) => {
    point(root, nearest(event.target, cut))
    const listed = nearest(event.target, ".near [data-go]")
    if (listed) hover(root, Number(listed.dataset.go))
    else if (!nearest(event.target, ".plane")) hover(root, -1)
  })
  root.addEventListener("pointerleave", () => {
    point(root, null)
    hover(root, -1)
  })
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, cut)))
  root.addEventListener("click", (event) => {
    nearest(event.target, "td[data-s]")?.focus()
    if (nearest(event.target, ".closer")) return closer(root)
    const to = nearest(event.target, "[data-go]")
    const number = to ? Number(to.dataset.go) : aimed(root, event)
    if (number >= 0) go(root, number)
  })
  root.addEventListener("keydown", (event) => {
    if (!nearest(event.target, ".plane") || event.ctrlKey || event.metaKey || event.altKey) return
    const number = towards(root.spots, root.at, event.key)
    if (event.key.startsWith("Arrow")) event.preventDefault()
    if (number >= 0) go(root, number)
  })
}

/** @param {Mounted<VectorData>} mounted */
export default function vector({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "vector", {}, listen)
  root.send = setTriggerValue
  const drawn = JSON.stringify({ ...data, plane: data.plane && { ...data.plane, at: 0 } }) // where the reader is, the reader knows
  if (root.drawn !== drawn) {
    root.drawn = drawn
    root.data = data
    clearTimeout(root.telling) // the word that was looked at is of another sentence
    build(root)
  }
  return () => clearTimeout(root.telling)
}
