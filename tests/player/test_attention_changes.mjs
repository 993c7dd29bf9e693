// Changes of attention rows, and saliency cells.

import assert from "node:assert/strict"
import { test } from "node:test"
import { makeSaliencyStyle } from "../../assets/player/laboratory/saliency.js"
import { setWeight, parseSteps, parseRule, findRule, parseScope, formatScope, formatRow } from "../../assets/player/laboratory/attention_changes.js"

/** @param {number[]} row */
const sum = (row) => row.reduce((total, value) => total + value, 0)

test("setting a weight keeps the proportions of the others and a sum of 1", () => {
  const row = [0.5, 0.3, 0.2]
  for (const weight of [0, 0.1, 0.5, 0.99, 1, -3, 7]) {
    const newRow = setWeight(row, 0, weight)
    assert.equal(newRow[0], Math.min(1, Math.max(0, weight)))
    assert.ok(Math.abs(sum(newRow) - 1) < 1e-12)
    assert.ok(Math.abs(newRow[1] * 0.2 - newRow[2] * 0.3) < 1e-12)
  }
  assert.deepEqual(setWeight([0, 1, 0], 1, 0.5), [0.25, 0.5, 0.25]) // the other weights are 0
  assert.deepEqual(setWeight([1], 0, 0.2), [1])
})

test("a formatted row sums to exactly 1", () => {
  assert.equal(formatRow("attention", 3, [0.25, 0.75]), "attention@3=0.25,0.75")
  const parts = formatRow("attention", 1, Array.from({ length: 7 }, () => 1 / 7)).split("=")[1].split(",").map(Number)
  assert.equal(Math.round(sum(parts) * 1e6), 1e6)
  assert.ok(formatRow("attention", 1, [1e-7, 1 - 1e-7]).endsWith("=0,1"))
})

test("a typed weight is formatted exactly, also where the others are rounded", () => {
  for (const typedWeight of [0.75, 0.07, 0.29, 0.5]) {
    const row = setWeight(Array.from({ length: 19 }, (_, k) => 1 / (k + 3.7)), 4, typedWeight)
    const parts = formatRow("attention", 1, row).split("=")[1].split(",").map(Number)
    assert.equal(parts[4], typedWeight)
    assert.equal(Math.round(sum(parts) * 1e6), 1e6)
  }
})

test("the steps of a change are parsed", () => {
  assert.deepEqual(parseSteps("attention@*:uniform"), { map: "attention", first: 1, last: Infinity, isSetByHand: false })
  assert.deepEqual(parseSteps("attention@3:max"), { map: "attention", first: 3, last: 3, isSetByHand: false })
  assert.deepEqual(parseSteps("a-h1@3-7:never=2"), { map: "a-h1", first: 3, last: 7, isSetByHand: false })
  assert.deepEqual(parseSteps("attention@5-*:max"), { map: "attention", first: 5, last: Infinity, isSetByHand: false })
  assert.deepEqual(parseSteps("attention@4=1,0"), { map: "attention", first: 4, last: 4, isSetByHand: true })
  assert.equal(parseSteps("p12.34"), null)
})

test("a scope is formatted for a change", () => {
  assert.equal(formatScope({ kind: "all", step: 2, firstStep: 1, lastStep: 9 }), "*")
  assert.equal(formatScope({ kind: "step", step: 2, firstStep: 1, lastStep: 9 }), "2")
  assert.equal(formatScope({ kind: "range", step: 2, firstStep: 7, lastStep: 3 }), "3-7")
  assert.equal(formatScope({ kind: "range", step: 2, firstStep: 4, lastStep: 4 }), "4")
})

test("a rule is parsed", () => {
  assert.deepEqual(parseRule("attention@*:uniform"), { map: "attention", steps: "*", rule: "uniform", value: "" })
  assert.deepEqual(parseRule("a-h1@3-7:never=2.3"), { map: "a-h1", steps: "3-7", rule: "never", value: "2.3" })
  assert.equal(parseRule("attention@4=1,0"), null)
  assert.equal(parseRule("p12.34"), null)
})

test("the scope of changes is what the reader would have chosen", () => {
  assert.equal(parseScope([], "a", 9), null)
  assert.equal(parseScope(["p5", "b@*:max"], "a", 9), null)
  assert.deepEqual(parseScope(["p5", "a@*:uniform"], "a", 9), { kind: "all", step: 1, firstStep: 1, lastStep: 9 })
  assert.deepEqual(parseScope(["a@*:uniform", "a@3:max"], "a", 9), { kind: "step", step: 3, firstStep: 3, lastStep: 3 })
  assert.deepEqual(parseScope(["a@4-*:uniform"], "a", 9), { kind: "range", step: 4, firstStep: 4, lastStep: 9 })
  assert.deepEqual(parseScope(["a@12:max"], "a", 9), { kind: "step", step: 9, firstStep: 9, lastStep: 9 }) // beyond the last step
})

test("the last rule for some steps counts", () => {
  const changes = ["a@*:uniform", "a@2-5:max", "a@7=1,0"]
  assert.equal(findRule(changes, "a", 1, 1), "a@*:uniform")
  assert.equal(findRule(changes, "a", 3, 4), "a@2-5:max")
  assert.equal(findRule(changes, "a", 4, 6), undefined)
  assert.equal(findRule(changes, "a", 7, 7), undefined)
  assert.equal(findRule(changes, "b", 1, 1), undefined)
  assert.equal(findRule(["a@*:uniform"], "a", 1, Infinity), "a@*:uniform")
})

test("a saliency row is shaded by its own maximum, and its numbers are unchanged", () => {
  const strong = [6, -3, 1, 0]
  const weak = [0.06, -0.03, 0.01, 0]
  for (const row of [strong, weak]) {
    const style = makeSaliencyStyle(row)
    assert.deepEqual(row.map((value) => Number(style(value).shade.toFixed(3))), [1, 0.5, 0.167, 0])
    assert.deepEqual(row.map((value) => style(value).kind.split(" ")[0]), ["for", "against", "for", "for"])
  }
  assert.deepEqual(strong.map((value) => makeSaliencyStyle(strong)(value).text), ["6.0", "−3.0", "", ""])
  assert.deepEqual(weak.map((value) => makeSaliencyStyle(weak)(value).text), [".06", "−.03", "", ""])
  assert.equal(makeSaliencyStyle([0.001, 0])(0.001).text, "<.01")
  assert.equal(makeSaliencyStyle([-0.004, 0])(-0.004).text, "<.01")
  assert.equal(makeSaliencyStyle([0, 0])(0).shade, 0)
})
