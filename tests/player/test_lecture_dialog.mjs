// What the lecture's dialog stores, fetches and says, without a page.
import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { MAX_STOPS } from "../../assets/player/shared/lecture.js"
import { appendStop, fetchShippedLecture, LectureDialog, loadLecture } from "../../assets/player/shared/lecture_dialog.js"

/** @import { LectureStop } from "../../assets/player/shared/lecture.js" */

const PAGES = { story: "Story" }
const MESSAGES = { count_minutes: "{count} stops, {minutes} minutes", count: "{count} stops", empty: "empty", problem_size: "too large" }
/** @type {LectureStop} */
const STOP = { title: "One", page: "story", values: {}, note: "", presses: null, minutes: 0 }
/** @type {any} */
const world = globalThis
/** @type {Record<string, string>} */
let stored = {}
let isFull = false
beforeEach(() => {
  stored = {}
  isFull = false
  world.localStorage = {
    getItem: (/** @type {string} */ key) => stored[key] ?? null,
    setItem(/** @type {string} */ key, /** @type {string} */ text) {
      if (isFull) throw new Error("full")
      stored[key] = text
    },
    removeItem: (/** @type {string} */ key) => delete stored[key],
  }
})

/** @type {(data: object, nodes?: Record<string, { textContent: string }>) => LectureDialog} */
const makeDialog = (data, nodes = {}) =>
  Object.assign(Object.create(LectureDialog.prototype), { host: { getData: () => data }, node: { querySelector: (/** @type {string} */ selector) => nodes[selector] } })

const titlesOf = () => loadLecture(PAGES)?.stops.map(({ title }) => title)

test("while storage is full, the newest lecture stays in this tab", () => {
  appendStop({ title: "", stops: [] }, STOP)
  isFull = true
  appendStop({ title: "", stops: [STOP] }, { ...STOP, title: "Two" })
  assert.deepEqual(titlesOf(), ["One", "Two"])
  isFull = false
  appendStop({ title: "", stops: [] }, { ...STOP, title: "Three" })
  stored.lecture = stored.lecture.replace("Three", "Four") // another tab
  assert.deepEqual(titlesOf(), ["Four"])
})

test("a stop that is not added has its reason", () => {
  const long = { ...STOP, note: "a".repeat(4000) }
  const [maximal, large] = [Array(MAX_STOPS).fill(STOP), Array(75).fill(long)]
  assert.deepEqual([[STOP], maximal, large].map((stops) => appendStop({ title: "", stops }, STOP)), ["", "stops", "size"])
})

test("a page of the server in place of the shipped lecture is a failed fetch, not a broken file", async () => {
  world.fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" })
  const data = /** @type {any} */ ({ language: "en", pages: PAGES })
  await assert.rejects(fetchShippedLecture(data), { name: "Error", message: "Bad Gateway" })
})

test("the same file can be chosen again after it was corrected", async () => {
  const input = /** @type {any} */ ({ files: [{ size: 0 }], value: "lecture.json" })
  await Object.assign(makeDialog({}), { take: async () => {} }).readFile(input)
  assert.equal(input.value, "")
})

test("the length follows edited minutes", () => {
  appendStop({ title: "", stops: [STOP] }, STOP)
  const nodes = { ".lead": { textContent: "" }, ".status": { textContent: "" } }
  makeDialog({ pages: PAGES, lecture_messages: MESSAGES }, nodes).editStop(1, { minutes: 4 })
  assert.equal(nodes[".lead"].textContent, "2 stops, 4 minutes")
})

test("undo brings the lecture before back, and a second undo what was written since", () => {
  const dialog = Object.assign(makeDialog({ pages: PAGES }), { refresh() {} })
  appendStop({ title: "", stops: [STOP] }, { ...STOP, title: "Two" })
  dialog.changeLecture(({ title, stops }) => ({ title, stops: stops.slice(1) }), true)
  appendStop({ title: "", stops: [{ ...STOP, title: "Two" }] }, { ...STOP, title: "Three" })
  for (const titles of [["One", "Two"], ["Two", "Three"]]) {
    dialog.undo()
    assert.deepEqual(titlesOf(), titles)
  }
})

test("a stop that is dragged while another tab changes the lecture is not moved", () => {
  appendStop({ title: "", stops: [STOP] }, { ...STOP, title: "Two" })
  const dialog = makeDialog({ pages: PAGES })
  const node = /** @type {any} */ (Object.assign(dialog.node, { setPointerCapture() {}, querySelectorAll: () => [] }))
  dialog.drag(/** @type {any} */ ({ button: 0, preventDefault() {} }), /** @type {any} */ ({ dataset: { stop: "0" }, classList: { add() {}, remove() {} } }))
  node.onlostpointercapture()
  assert.deepEqual(titlesOf(), ["One", "Two"])
})
