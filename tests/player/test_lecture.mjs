// A lecture as a file and as a link: both give back what was written, and anything else is refused with a reason.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import test from "node:test"
import { formatLecture, LectureError, MAX_FILE, MAX_STOPS, moveItem, packLecture, parseLecture, readView, unpackLecture } from "../../assets/player/shared/lecture.js"

const PAGES = { translate: "Translate", story: "Story", step_by_step: "Step by step" }
const PYTHON = ".venv/bin/python"
const ROOT = new URL("../../", import.meta.url).pathname
/** @type {Record<string, string>} */
const CASES = JSON.parse(execFileSync(PYTHON, ["-c", "import json; from tests.hostile import CASES; print(json.dumps(CASES))"], { cwd: ROOT, maxBuffer: 1e8, encoding: "utf8" }))

/** @import { Lecture } from "../../assets/player/shared/lecture.js" */
/** @type {Lecture} */
const LECTURE = {
  title: "주의 and α",
  stops: [
    { title: "One", page: "step_by_step", values: { sentence: "I am a “student”.", step: "3" }, note: "First line.\nSecond line.", presses: 0, minutes: 4 },
    { title: "Two", page: "story", values: {}, note: "", presses: null, minutes: 0 },
  ],
}

/** @type {(code: string, number?: number) => (error: unknown) => boolean} */
const isProblem = (code, number = 0) => (error) => error instanceof LectureError && error.code === code && error.number === number

/** @param {object} stop */
const wrapStop = (stop) => JSON.stringify({ stops: [{ page: "story" }, { page: "story", ...stop }] })

test("a file and a link give back the lecture", async () => {
  assert.deepEqual(parseLecture(formatLecture(LECTURE), PAGES), LECTURE)
  const packedLecture = await packLecture(LECTURE)
  assert.match(packedLecture, /^[\w-]+$/)
  assert.ok(packedLecture.length < 300)
  assert.deepEqual(await unpackLecture(packedLecture, PAGES), LECTURE)
})

test("every hostile text is refused as a file, and harmless as a title, a note or a value", async () => {
  assert.ok(Object.keys(CASES).length > 50)
  for (const text of Object.values(CASES)) {
    assert.throws(() => parseLecture(text, PAGES), LectureError)
    await assert.rejects(unpackLecture(text, PAGES), LectureError)
    const values = { sentence: text, [text]: "x" }
    const source = JSON.stringify({ title: text, stops: [{ title: text, page: "story", values, note: text }] })
    if (text.length > 20_000) {
      assert.throws(() => parseLecture(source, PAGES), LectureError)
      continue
    }
    const { title, stops: [stop] } = parseLecture(source, PAGES)
    for (const part of [title, stop.title, stop.note]) {
      assert.ok(part.length <= 4000)
      assert.doesNotMatch(part.replaceAll("\n", ""), /[\p{Cc}\p{Cs}\u202e\u2061-\u2064]/u)
    }
    assert.ok(stop.title)
    assert.deepEqual(Object.entries(stop.values).filter(([name]) => name !== "sentence"), [])
  }
})

test("what is wrong with a file is named, with the number of the stop", async () => {
  const long = { title: "", stops: Array.from({ length: MAX_STOPS + 1 }, () => ({ page: "story" })) }
  assert.throws(() => parseLecture("{", PAGES), isProblem("json"))
  for (const text of ["null", "[]", "7", "{}", '{"stops": {}}', '{"title": 3, "stops": []}']) assert.throws(() => parseLecture(text, PAGES), isProblem("shape"))
  assert.throws(() => parseLecture(JSON.stringify(long), PAGES), isProblem("stops"))
  assert.throws(() => parseLecture(" ".repeat(MAX_FILE + 1), PAGES), isProblem("size"))
  for (const page of ["nowhere", "toString", 3, null]) assert.throws(() => parseLecture(wrapStop({ page }), PAGES), isProblem("page", 2))
  for (const stop of [{ values: { step: 3 } }, { values: ["x"] }, { presses: -1 }, { presses: 1.5 }, { minutes: "4" }, { note: [] }]) {
    assert.throws(() => parseLecture(wrapStop(stop), PAGES), isProblem("stop", 2))
  }
  const packedLecture = await packLecture(LECTURE)
  await assert.rejects(unpackLecture(packedLecture.slice(0, -9), PAGES), isProblem("link"))
  const bomb = await packLecture({ title: "", stops: [{ ...LECTURE.stops[1], note: "a".repeat(3 * MAX_FILE) }] })
  assert.ok(bomb.length < 6000)
  await assert.rejects(unpackLecture(bomb, PAGES), isProblem("size"))
})

test("a view is its page and the parameters that are not the reader's own", () => {
  const address = "http://a.org/deep/step_by_step?present=1&lang=ko&weights=0&sentence=%3Cb%3E&step=2&text=key"
  assert.deepEqual(readView(address, PAGES), { page: "step_by_step", values: { sentence: "<b>", step: "2" } })
  assert.deepEqual(readView("http://a.org/deep/", PAGES), { page: "translate", values: {} })
})

test("an item moves within its list", () => {
  assert.deepEqual(moveItem(["a", "b", "c"], 0, 2), ["b", "c", "a"])
  assert.deepEqual(moveItem(["a", "b", "c"], 2, -1), ["c", "a", "b"])
})
