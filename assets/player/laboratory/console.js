// The attention console: both translations in columns, the map whose rows can be changed, and what the changes did. A row
// that is being dragged lives here alone (draft.js); on letting go one change is told to the page, which decodes.

/** @import { ConsoleData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Scope } from "./share.js" */
import { anew } from "../shared/anew.js"
import { make, nearest, readAloud, rooted } from "../shared/dom.js"
import { letters } from "../shared/format.js"
import { announce } from "../shared/walk.js"
import { columns } from "./columns.js"
import { adopt, controls, listenToControls } from "./controls.js"
import { listenToRows, select } from "./draft.js"
import { maps, rows } from "./rows.js"
import { current } from "./share.js"

/**
 * @typedef {object} Kept
 * @property {ConsoleData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {number} step which row is looked at, from 0
 * @property {number} place which piece of the source, from 0
 * @property {Scope["kind"]} scope
 * @property {[number, number]} range steps from 1
 * @property {{ shuffled: number, temperature: number }} numbers a seed, a temperature
 * @property {number[] | null} draft the row that is being changed
 * @property {number[] | null} told the draft that the page was told of last
 * @property {AbortController} [dragged] ends the drag under way
 * @property {ReturnType<typeof setTimeout>} [rests] until a row changed by keys is told
 * @property {string} helped what is told of the rule that was pointed at last
 * @property {boolean} asked whether a change was told that has not been answered yet
 * @property {(asked: Record<string, unknown>) => void} tell
 * @property {() => void} back
 */
/** @typedef {HTMLElement & Kept} Console */

/** @param {Console} root */
function build(root) {
  const { data } = root
  root.lang = data.language
  root.classList.toggle("alone", data.alone === true)
  root.style.setProperty("--columns", String(data.source.length))
  root.style.setProperty("--rows", String(current(data).pieces.length))
  root.style.setProperty("--longest", String(Math.max(...data.source.map(({ text }) => letters(text)))))
  const texts = make("section", { class: "texts" }, ...columns(data))
  const bench = make("section", { class: "bench" }, make("div", { class: "maps" }, rows(root), controls(root), maps(data)),
    make("p", { class: "legend" }, make("span", {}, data.alone ? data.words.legend_alone : data.words.legend), make("span", { class: "made" }, data.made)))
  root.replaceChildren(texts, bench)
  readAloud(root, data.after ? `${data.kept}. ${data.after.words.flat().join("")}` : "")
  for (const section of [texts, bench]) announce(section)
  select(root, root.step, root.place)
}

/** @param {Mounted<ConsoleData>} mounted */
export default function attention({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "console", {}, (/** @type {Console} */ made) => {
    Object.assign(made, { step: 0, place: 0, scope: "step", range: [1, 1], numbers: { shuffled: 1, temperature: 0.5 }, helped: "", asked: false, draft: null, told: null })
    listenToControls(made)
    listenToRows(made)
    made.addEventListener("click", (event) => nearest(event.target, ".back") && made.back())
  })
  root.tell = (asked) => {
    root.asked = true
    setTriggerValue("edit", { ...asked, of: root.data.of })
  }
  root.back = () => setTriggerValue("back", true)
  const drawn = JSON.stringify(data)
  if (root.drawn !== drawn) {
    const other = root.data?.source.map(({ text }) => text).join() !== data.source.map(({ text }) => text).join()
    root.drawn = drawn
    root.data = data
    if (other || !root.asked || root.draft === root.told) root.draft = null // else it was changed on since
    const { pieces, alpha } = current(data)
    if (other || root.step >= pieces.length) root.dragged?.abort() // of a row that is no more
    if (other) Object.assign(root, { step: 0, place: alpha[0].indexOf(Math.max(...alpha[0])), range: [1, pieces.length] })
    if (!root.asked) adopt(root)
    root.asked = false
    if (root.step >= pieces.length) Object.assign(root, { step: pieces.length - 1, draft: null })
    if (other) build(root)
    else anew(root, () => build(root), "[data-less]", ".way")
  }
  return () => clearTimeout(root.rests)
}
