// The clock's phases, the equations' symbols, the stage's lines and the guessing game, without a browser.
import assert from "node:assert/strict"
import test from "node:test"
import { computePhaseProgress, makeClock, listPhases, makeTimetable } from "../../assets/player/step_by_step/clock.js"
import { orderColumns } from "../../assets/player/step_by_step/encoder.js"
import { formatEmbedding, formatSymbolIndex } from "../../assets/player/step_by_step/equations.js"
import { interpolateX, listReadingOrder, chooseFittingTexts, buildArrowPath, placeBox, findWindowRange } from "../../assets/player/step_by_step/geometry.js"
import { groupPieces, countRight, sumPerWord } from "../../assets/player/step_by_step/guess.js"
import { centerEnergies } from "../../assets/player/step_by_step/sentences.js"
import { listStageLines } from "../../assets/player/step_by_step/gru_layout.js"

/** @param {string} names */
const equations = (names) => names.split(" ").filter(Boolean).map((phase) => ({ phase }))

test("the phases follow the order of the equations", () => {
  const groundhog = equations("energies alpha context candidates update")
  assert.deepEqual(listPhases(true, groundhog), ["query", "energies", "alpha", "context", "candidates", "choice", "update"])
  const equation4 = equations("energies alpha context update candidates")
  assert.deepEqual(listPhases(true, equation4), ["query", "energies", "alpha", "context", "update", "candidates", "choice"])
  assert.deepEqual(listPhases(false, equations("context candidates update")), ["context", "candidates", "choice", "update"])
})

test("a network with other equations, or none, still attends and chooses", () => {
  assert.deepEqual(listPhases(true, []), ["query", "alpha", "context", "candidates", "choice"])
  assert.deepEqual(listPhases(false, []), ["context", "candidates", "choice"])
  assert.deepEqual(listPhases(true, equations("gate alpha alpha context")), ["gate", "query", "alpha", "context", "candidates", "choice"])
})

test("phases follow each other and leave a rest, also for other networks", () => {
  const table = makeTimetable(["query", "gate", "choice"])
  assert.equal(table.span.query[0], 0)
  assert.equal(table.span.query[1], table.span.gate[0])
  assert.equal(table.span.gate[1], table.span.choice[0])
  assert.ok(table.span.choice[1] < 1)
  assert.ok(Math.abs(table.seconds - (0.5 + 0.6 + 0.5 + 0.35)) < 1e-9)
})

test("progress of a phase has smooth ends; missing phases are complete", () => {
  const table = { names: ["alpha"], span: { alpha: /** @type {[number, number]} */ ([0.2, 0.6]) }, seconds: 1 }
  assert.deepEqual([0, 0.2, 0.4, 0.6, 1].map((index) => Math.round(100 * computePhaseProgress(table, "alpha", index)) / 100), [0, 0, 0.5, 1, 1])
  assert.ok(computePhaseProgress(table, "alpha", 0.3) < 0.25)
  assert.deepEqual([0, 0.01].map((index) => computePhaseProgress(table, "update", index)), [0, 1])
})

test("the clock stops for a guess and at the last step", () => {
  /** @type {((time: number) => void)[]} */
  const frames = []
  Object.assign(globalThis, {
    requestAnimationFrame: (/** @type {(time: number) => void} */ tick) => frames.push(tick), cancelAnimationFrame: () => frames.splice(0),
  })
  const table = makeTimetable(["alpha", "candidates", "choice"])
  let visible = 0
  let stopCount = 0
  const limits = [1, 0.5]
  const clock = makeClock(2, table, () => visible++, () => stopCount++, (step) => limits[step])
  clock.goToStep(7)
  assert.deepEqual([clock.step, clock.progress], [1, 0.5])
  clock.goToStep(-1)
  assert.deepEqual([clock.step, clock.progress, stopCount], [0, 1, 2])
  clock.play()
  let current = performance.now()
  for (let k = 0; k < 200 && frames.length; k++) frames.splice(0)[0]((current += 50))
  assert.deepEqual([clock.step, clock.progress, clock.isPlaying], [1, 0.5, false])
  assert.ok(visible > 10)
})

test("the clock plays the encoder before step 1, once", () => {
  Object.assign(globalThis, { requestAnimationFrame: () => 1, cancelAnimationFrame: () => undefined })
  const clock = makeClock(3, makeTimetable(["alpha"]), () => undefined, () => undefined, () => 1, makeTimetable(["join"]))
  const playFrom = () => {
    clock.play()
    const { step } = clock
    clock.pause()
    return step
  }
  assert.equal(playFrom(), -1)
  clock.goToStep(0)
  assert.equal(playFrom(), 1)
  clock.goToStep(-9)
  assert.equal(clock.step, -1)
  clock.goToStep(9)
  assert.equal(playFrom(), -1)
})

test("encoder states are computed in their reading order", () => {
  assert.deepEqual(orderColumns("forward", 3), [0, 1, 2])
  assert.deepEqual(orderColumns("backward", 3), [2, 1, 0])
  assert.deepEqual(orderColumns("reversed", 3), [1, 0, 2])
  assert.deepEqual(orderColumns("end_first", 3), [2, 0, 1])
})

test("symbol indices follow the step", () => {
  const symbol = { letter: "e", part: "energies", token: null }
  assert.equal(formatSymbolIndex({ ...symbol, index: "{step},j" }, 7, 12), "7,j")
  assert.equal(formatSymbolIndex({ ...symbol, index: "{before}" }, 1, 12), "0")
  assert.equal(formatSymbolIndex({ ...symbol, index: "{last}" }, 7, 12), "12")
  assert.equal(formatSymbolIndex({ ...symbol, index: "" }, 7, 12), "")
})

test("an embedding names its piece, and is 0 before the first", () => {
  const E = { letter: "E", index: "", part: "previous", token: /** @type {const} */ ("previous") }
  assert.equal(formatEmbedding(E, { previous: "chat", current: "noir" }), "E “chat”")
  assert.equal(formatEmbedding({ ...E, token: "current" }, { previous: "chat", current: "noir" }), "E “noir”")
  assert.equal(formatEmbedding(E, { previous: null, current: "le" }), "0")
})

test("the stage's lines follow the network, and a plain stage has one", () => {
  /** @type {(readout: "before" | "after", updateToken: "previous" | "current") => string[]} */
  const names = (readout, updateToken) => listStageLines({ readout, update_token: updateToken }).map(([start, target]) => `${start}-${target}`)
  assert.ok(names("after", "previous").includes("after-readout"))
  assert.ok(!names("after", "previous").includes("before-readout"))
  assert.ok(!names("before", "previous").includes("out-fed"))
  assert.ok(names("before", "current").includes("out-fed"))
  assert.deepEqual(listStageLines(null), [["context", "out", "candidates", "context"]])
  assert.deepEqual(listStageLines({ readout: null, update_token: null }), [])
})

test("boxes stay on their stage, wide or narrow", () => {
  const box = { name: "a", part: "a", shape: /** @type {const} */ ("circle"), x: 0.5, y: 30, x_narrow: 0.99, text: "s", index: "", content: "", phase: "" }
  assert.deepEqual(placeBox(box, 800, true), { rx: 20, ry: 20, x: 400, y: 30 })
  assert.equal(placeBox(box, 300, false).x, 279)
  const label = placeBox({ ...box, shape: "label", x: 0.02, text: "kept" }, 800, true)
  assert.equal(Math.round(label.x - label.rx), 16) // a label at the edge begins there
  assert.ok(placeBox({ ...box, shape: "box", text: "어텐션 신경망" }, 800, true).rx > placeBox({ ...box, shape: "box", text: "network" }, 800, true).rx)
})

test("an arrow leaves and enters by the given sides", () => {
  const start = { x: 100, y: 50, rx: 20, ry: 10 }
  const target = { x: 300, y: 150, rx: 30, ry: 15 }
  assert.match(buildArrowPath(start, "right", target, "left"), /^M120 50 C .* 270 150$/)
  assert.match(buildArrowPath(start, "bottom", target, "top"), /^M100 60 C .* 300 135$/)
  assert.match(buildArrowPath(start, "right", target, "top", 10), /^M120 50 C 130 50, 300 125, 300 135$/)
})

test("a backward encoder starts at the last word, and reads the end last", () => {
  assert.deepEqual(listReadingOrder(4, true), [2, 1, 0, 3])
  assert.deepEqual(listReadingOrder(4, false), [0, 1, 2, 3])
  assert.deepEqual(listReadingOrder(1, true), [0])
})

test("a window stays within the sentence, and its middle may lie between pieces", () => {
  assert.deepEqual(findWindowRange(3.5, 2, 10), [1, 4]) // pieces 2 to 5 of those counted from 1
  assert.deepEqual(findWindowRange(1, 2, 10), [0, 2])
  assert.deepEqual(findWindowRange(9.5, 2, 10), [7, 9])
  assert.deepEqual([1, 2.5, 3, 9].map((place) => interpolateX([0, 10, 30], place)), [0, 20, 30, 30])
})

test("of overlapping texts those with the largest weights are shown", () => {
  assert.deepEqual(chooseFittingTexts([0, 20, 40], [30, 30, 30], [0.2, 0.5, 0.3]), [false, true, false])
  assert.deepEqual(chooseFittingTexts([0, 20, 40], [30, 30, 30], [0.5, 0.2, 0.3]), [true, false, true])
  assert.deepEqual(chooseFittingTexts([0, 100], [30, 30], [0, 0]), [true, true])
})

test("pieces are grouped into words, and a word has the sum of their weights", () => {
  const wordPieces = groupPieces([{ continues_word: false }, { continues_word: false }, { continues_word: true }, { continues_word: false }])
  assert.deepEqual(wordPieces, [[0], [1, 2], [3]])
  const { sums, strongestIndex } = sumPerWord(wordPieces, [0.4, 0.25, 0.25, 0.1])
  assert.deepEqual([sums, strongestIndex], [[0.4, 0.5, 0.1], 1])
  assert.equal(countRight([true, false, true]), 2)
})

test("energies are relative to their mean", () => {
  assert.deepEqual(centerEnergies([1, 2, 6]), [-2, -1, 3])
  assert.deepEqual(centerEnergies([]), [])
})
