// Order, scale, outline and CSV of the sentence bars.
import assert from "node:assert/strict"
import test from "node:test"
import { computePngScale } from "../../assets/player/shared/downloads.js"
import { computeScaleEnds, isMeasurePerModel, buildOutlinePath, sortRows, formatCsv } from "../../assets/player/your_text/order.js"

const VALUES = [3, null, -1, 3, 0]

test("sentences without a value are left out, ties keep file order", () => {
  assert.deepEqual(sortRows(VALUES, "file"), [0, 2, 3, 4])
  assert.deepEqual(sortRows(VALUES, "low"), [2, 4, 0, 3])
  assert.deepEqual(sortRows(VALUES, "high"), [0, 3, 4, 2])
  assert.deepEqual(sortRows([null], "low"), [])
})

test("a table lists sentences without a value too, last unless in file order", () => {
  assert.deepEqual(sortRows(VALUES, "file", true), [0, 1, 2, 3, 4])
  assert.deepEqual(sortRows(VALUES, "high", true), [0, 3, 4, 2, 1])
})

test("the scale includes 0 and the requested end, and is never empty", () => {
  assert.deepEqual(computeScaleEnds(VALUES, null), { low: -1, high: 3 })
  assert.deepEqual(computeScaleEnds([5, 9], null), { low: 0, high: 9 })
  assert.deepEqual(computeScaleEnds([5], 100), { low: 0, high: 100 })
  assert.deepEqual(computeScaleEnds([0, null], null), { low: 0, high: 1 })
})

test("bars go up or down from 0, and a bar of 0 is visible", () => {
  const scale = { low: -1, high: 3 }
  assert.equal(buildOutlinePath([3, -1, 0], scale), "M0 75.00h0.82V0.00h-0.82zM1 75.00h0.82V100.00h-0.82zM2 75.00h0.82V74.40h-0.82z")
  const outline = buildOutlinePath([...Array(300).fill(3), -1], scale)
  assert.equal(outline, `M0 75.00${"V0.00h1".repeat(300)}V100.00h1V75.00z`)
  assert.equal(outline.split("z").length - 1, 1, "one figure, or the edges add up to shades")
})

test("the CSV has one line per sentence and no text", () => {
  const rows = [{ line: 1, words: 4, source: "=1+1" }, { line: 2, words: 9, source: "b" }]
  const item = { description: "", worst: /** @type {const} */ ("low"), digits: 1, included_value: null, is_attention: false }
  const measures = [
    { ...item, key: "bleu", label: "BLEU", series: [{ label: "A", values: [12.5, null] }] },
    { ...item, key: "length", label: "words", series: [{ label: "all", values: [4, 9] }] },
  ]
  assert.equal(formatCsv({ rows, measures }, [1, 0]), 'line,source words,"bleu: A"\n2,9,\n1,4,12.5\n')
  assert.deepEqual(measures.map((measure) => isMeasurePerModel(measure, ["A", "B"])), [true, false])
})

test("a PNG is wide enough for print and within browser limits", () => {
  assert.equal(computePngScale(500, 100), 4)
  assert.equal(computePngScale(1800, 100), 2)
  assert.equal(computePngScale(1000, 9000), 12000 / 9000)
})
