// Show sampled translations: counts of equal ones, the alternatives of each word, and the average attention. A hovered word
// highlights its row of the map.

/** @import { SampleChoice, SampleGroup, SamplingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { redraw } from "../shared/redraw.js"
import { renderGap, findAll, make, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { showSections } from "../shared/presentation.js"
import { styleAttentionCell, buildMap, setMapSize } from "../shared/word_map.js"

/** @typedef {ComponentRoot<SamplingData>} Root */

const MAX_LISTED = 8 // translations listed at first
const MAX_CHOICES = 4 // alternatives per word

/** @type {(share: number, ...text: (Node | string)[]) => HTMLSpanElement} */
const makeBar = (share, ...text) => make("span", { class: "barred", style: `--share: ${share.toFixed(4)}` }, ...text)

/** @type {(data: SamplingData, group: SampleGroup) => HTMLLIElement} */
function buildGroup(data, group) {
  const words = group.text.flatMap(([gap, word, isDifferent]) => [...renderGap(gap), isDifferent ? make("b", {}, word) : word])
  return make("li", {}, makeBar(group.count / data.count, formatTemplate(data.messages.times, { count: group.count })),
    make("span", { lang: data.languages[1] }, ...words))
}

/** @param {SamplingData} data */
function buildGroups(data) {
  const { messages, count } = data
  const groups = data.groups.map((group) => buildGroup(data, group))
  const hidden = groups.splice(MAX_LISTED)
  return make("section", { class: "groups" },
    make("h3", {}, formatTemplate(messages.groups, { count, different: data.groups.length })), make("ol", {}, ...groups),
    hidden.length ? make("details", {}, make("summary", {}, formatTemplate(messages.more, { count: hidden.length })), make("ol", {}, ...hidden)) : null)
}

/** @type {(data: SamplingData, choices: SampleChoice[], place: number) => HTMLLIElement} */
function buildPlace(data, choices, place) {
  const { messages, target, languages, count } = data
  const rows = choices.slice(0, MAX_CHOICES).map((choice) =>
    make("li", {}, makeBar(choice.count / count, make("span", { class: choice.word ? "written" : "nothing", lang: choice.word ? languages[1] : null },
      choice.word || messages.nothing), make("span", { class: "count" }, String(choice.count)))))
  const otherCount = choices.slice(MAX_CHOICES).reduce((total, choice) => total + choice.count, 0)
  return make("li", { class: "place", "data-t": place, tabindex: 0 }, make("b", { lang: languages[1] }, target[place]),
    make("ol", {}, ...rows, otherCount ? make("li", { class: "nothing" }, formatTemplate(messages.others, { count: otherCount })) : null))
}

/** @type {(root: Root, data: SamplingData) => void} */
function buildSampling(root, data) {
  const { messages, alpha, name, target } = data
  const places = make("section", { class: "chosen" }, make("h3", {}, messages.places, make("span", { class: "soft" }, ` (${data.search_name})`)),
    make("ol", { class: "row" }, ...data.places.map((choices, place) => buildPlace(data, choices, place))))
  const mapSection = alpha
    ? make("section", { class: "maps" }, make("figure", {}, make("figcaption", {}, make("span", {}, messages.alpha)),
      buildMap(data, alpha, styleAttentionCell, formatTemplate(messages.alpha_label, { model: name }))))
    : make("section", {}, make("p", { class: "soft" }, formatTemplate(messages.plain, { model: name })))
  setMapSize(mapSection, data.source, target.length)
  const noteSection = make("section", { class: "note" }, make("p", {}, data.description), make("p", { class: "soft footnote" }, data.provenance))
  showSections(root, data.language, [buildGroups(data), places, mapSection, noteSection])
}

/** @type {(root: Root, target: EventTarget | null) => void} */
function pointAtPlace(root, target) {
  for (const node of findAll(root, ".here")) node.classList.remove("here")
  const node = findClosest(target, "[data-t]")
  if (node) for (const sameNode of findAll(root, `[data-t="${node.dataset.t}"]:not(td)`)) sameNode.classList.add("here")
}

/** @param {Mounted<SamplingData>} mounted */
export default function mountSampling({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "sampling", {}, (/** @type {Root} */ newRoot) => {
    newRoot.addEventListener("pointerover", (event) => pointAtPlace(newRoot, event.target))
    newRoot.addEventListener("pointerleave", () => pointAtPlace(newRoot, null))
    newRoot.addEventListener("focusin", (event) => pointAtPlace(newRoot, event.target))
  })
  if (!storeData(root, data)) return
  redraw(root, () => buildSampling(root, data))
}
