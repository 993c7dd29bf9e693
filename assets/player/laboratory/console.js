// The attention console: aligned translations, the editable map, and the effect of the changes. A row under edit is local
// (row_editing.js); when the edit ends one change is sent to the page, which decodes again.

/** @import { ConsoleData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Scope } from "./attention_changes.js" */
import { redraw } from "../shared/redraw.js"
import { make, findClosest, announceText, mountRoot, storeData } from "../shared/dom.js"
import { argmax } from "../shared/format.js"
import { showSections } from "../shared/presentation.js"
import { setMapSize } from "../shared/word_map.js"
import { buildColumns } from "./columns.js"
import { adoptChanges, buildControls, listenToControls } from "./controls.js"
import { listenToRows, selectRow } from "./row_editing.js"
import { buildSmallMaps, buildEditableMap } from "./console_maps.js"
import { getEditedSide } from "./attention_changes.js"

/**
 * @typedef {object} ConsoleState
 * @property {number} step the selected row, from 0
 * @property {number} sourceIndex the selected source piece, from 0
 * @property {Scope["kind"]} scope
 * @property {[number, number]} range steps from 1
 * @property {{ shuffled: number, temperature: number }} numbers arguments of rules: seed and temperature
 * @property {number[] | null} draft the row under edit
 * @property {number[] | null} reportedDraft the last draft sent to the page
 * @property {AbortController} [dragController] ends the current drag
 * @property {string} helpRule the rule that is pointed at or focused, "" for none
 * @property {boolean} isAwaitingAnswer whether a change was sent and not yet answered
 * @property {(change: Record<string, unknown>) => void} requestChange
 */
/** @typedef {ComponentRoot<ConsoleData> & ConsoleState} Console */

/** @param {Console} root */
function buildConsole(root) {
  const { data } = root
  root.classList.toggle("alone", data.is_export === true)
  setMapSize(root, data.source.map(({ text }) => text), getEditedSide(data).pieces.length)
  const texts = make("section", { class: "texts" }, ...buildColumns(data))
  const bench = make("section", { class: "bench" }, make("div", { class: "maps" }, buildEditableMap(root), buildControls(root), buildSmallMaps(data)),
    make("p", { class: "legend" }, make("span", {}, data.is_export ? data.messages.legend_alone : data.messages.legend), ...data.unknown_notes.map((note) => make("span", {}, note)), make("span", { class: "footnote" }, data.provenance)))
  showSections(root, data.language, [texts, bench])
  announceText(root, data.overridden ? `${data.unchanged_note}. ${data.overridden.words.flat().join("")}` : "")
  selectRow(root, root.step, root.sourceIndex)
}

/** @param {Mounted<ConsoleData>} mounted */
export default function mountAttentionConsole({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "console", {}, (/** @type {Console} */ newRoot) => {
    Object.assign(newRoot, { step: 0, sourceIndex: 0, scope: "step", range: [1, 1], numbers: { shuffled: 1, temperature: 0.5 }, helpRule: "", isAwaitingAnswer: false, draft: null, reportedDraft: null })
    listenToControls(newRoot)
    listenToRows(newRoot)
    newRoot.addEventListener("click", (event) => findClosest(event.target, ".back") && newRoot.trigger("back", true))
  })
  root.requestChange = (change) => {
    root.isAwaitingAnswer = true
    root.trigger("edit", { ...change, id: root.data.id })
  }
  if (storeData(root, data)) {
    const isOtherSentence = root.data?.source.map(({ text }) => text).join() !== data.source.map(({ text }) => text).join()
    root.data = data
    if (isOtherSentence || !root.isAwaitingAnswer || root.draft === root.reportedDraft) root.draft = null // otherwise it has changed since
    const { pieces, alpha } = getEditedSide(data)
    if (isOtherSentence || root.step >= pieces.length) root.dragController?.abort() // of a row that no longer exists
    if (isOtherSentence) Object.assign(root, { step: 0, sourceIndex: argmax(alpha[0]), range: [1, pieces.length] })
    if (!root.isAwaitingAnswer) adoptChanges(root)
    root.isAwaitingAnswer = false
    if (root.step >= pieces.length) Object.assign(root, { step: pieces.length - 1, draft: null })
    if (isOtherSentence) buildConsole(root)
    else redraw(root, () => buildConsole(root), "[data-remove]", ".rule")
  }
  return () => clearTimeout(root.reportTimer)
}
