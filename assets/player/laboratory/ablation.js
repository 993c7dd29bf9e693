// Show how much a sentence needs attention: one row per ablation rule with kept and lost words, and the same over a set of
// sentences. A click on a rule opens it in the console.

/** @import { AblationData, AblationRow, AblationSet } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { redraw } from "../shared/redraw.js"
import { renderGap, make, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { formatTemplate, formatSigned } from "../shared/format.js"
import { fadeOverflow } from "../shared/scroll_fade.js"
import { showSections } from "../shared/presentation.js"

/** @typedef {ComponentRoot<AblationData>} Root */

/** @type {(text: string, share: number, kind: string) => HTMLTableCellElement} */
const makeBarCell = (text, share, kind) =>
  make("td", { class: `number ${kind}`, style: `--share: ${Math.min(1, Math.max(0, share)).toFixed(4)}` }, make("span", {}, text))

/** @type {(data: AblationData, row: AblationRow, maxLoss: number) => HTMLTableRowElement} */
function buildRuleRow(data, row, maxLoss) {
  const { messages, languages, translation } = data
  const count = translation.filter(([, word]) => word).length
  /** @param {number} keptCount */
  const formatKept = (keptCount) => formatTemplate(messages.kept_of, { kept: keptCount, words: count })
  const text = row.text.flatMap(([gap, word, isChanged]) => [...renderGap(gap), isChanged ? make("b", {}, word) : word])
  return make("tr", {},
    make("th", { scope: "row" }, data.is_export ? row.description : make("button", { type: "button", "data-override": row.override, title: formatTemplate(messages.open, { rule: row.description }) }, row.description)),
    makeBarCell(formatKept(row.unchanged_count), row.unchanged_count / Math.max(1, count), "kept"),
    makeBarCell(formatKept(row.predicted_count), row.predicted_count / Math.max(1, count), "kept"),
    makeBarCell(formatSigned(-row.nats_lost, 1), maxLoss > 0 ? row.nats_lost / maxLoss : 0, "lost"),
    make("td", { class: "broke", "data-head": messages.broke, lang: row.first_difference && !row.is_end ? languages[1] : null }, row.first_difference || messages.whole),
    make("td", { class: "text", lang: languages[1] }, ...text))
}

/** @type {(data: AblationData, set: AblationSet) => HTMLElement} */
function buildSetTable(data, set) {
  const rows = set.rows.map(({ description, shares }) =>
    make("tr", {}, make("th", { scope: "row" }, description), ...shares.map((share) => share === null ? make("td", { class: "number" }, "–") : makeBarCell(formatTemplate(data.messages.percent, { share: (100 * share).toFixed(1) }), share, "kept"))))
  return make("section", { class: "set" }, make("p", {}, set.title),
    fadeOverflow(make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, data.messages.rule), ...set.kinds.map((kind) => make("th", { scope: "col" }, kind)))),
      make("tbody", {}, ...rows)))))
}

/** @type {(root: Root, data: AblationData) => void} */
function buildAblation(root, data) {
  const { messages, languages, translation } = data
  const maxLoss = Math.max(0, ...data.rows.map(({ nats_lost: natsLost }) => natsLost))
  const heads = [messages.rule, messages.kept, messages.still, messages.lost, messages.broke, messages.text]
  const table = make("table", { "aria-label": messages.label },
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...data.rows.map((row) => buildRuleRow(data, row, maxLoss))))
  const section = make("section", { class: "sentence" },
    make("p", { class: "own" }, make("b", {}, data.name), make("span", { class: "soft" }, ` ${messages.own}: `), make("span", { lang: languages[1] }, ...translation.flatMap(([gap, word]) => [...renderGap(gap), word]))),
    fadeOverflow(make("div", { class: "scroll" }, table)))
  section.append(make("p", { class: "soft legend" }, messages.legend, data.is_export ? null : ` ${messages.click}`))
  const noteSection = make("section", { class: "note" }, make("p", {}, messages.note), make("p", { class: "footnote" }, data.provenance))
  const sections = [...(data.rows.length ? [section] : []), ...(data.set ? [buildSetTable(data, data.set)] : []), ...(data.rows.length ? [noteSection] : [])]
  showSections(root, data.language, sections)
}

/** @param {Mounted<AblationData>} mounted */
export default function mountAblation({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "ablation", {}, (/** @type {Root} */ newRoot) => {
    newRoot.addEventListener("click", (event) => {
      const button = findClosest(event.target, "[data-override]")
      if (button) newRoot.trigger("open", button.dataset.override ?? "")
    })
  })
  if (!storeData(root, data)) return
  redraw(root, () => buildAblation(root, data))
}
