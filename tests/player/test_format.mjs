// Number formats and templates.
import assert from "node:assert/strict"
import test from "node:test"
import { argmax, formatPercent, normaliseSpaces, formatDecimal, formatDecimalOrDash, formatEquality, fillTemplate, formatTemplate, findLargest, measureDisplayWidth, formatCell, formatSigned, formatShare, shortenText } from "../../assets/player/shared/format.js"

test("a number has a real minus sign, and none if it rounds to 0", () => {
  assert.deepEqual([-3.14159, -0.006, 2.5].map((value) => formatDecimal(value)), ["−3.14", "−0.01", "2.50"])
  assert.deepEqual([-0.004, -0.0, 0, 0.004].map((value) => formatDecimal(value)), ["0.00", "0.00", "0.00", "0.00"])
  assert.equal(formatDecimal(-0.4, 0), "0")
  assert.equal(formatDecimal(-1e-9, 6), "0.000000")
})

test("a signed number has its sign, and none if it rounds to 0", () => {
  assert.deepEqual([-0.4, -0.004, 0, 0.004, 0.4].map((value) => formatSigned(value)), ["−0.40", "0.00", "0.00", "0.00", "+0.40"])
})

test("null is formatted as a dash", () => {
  assert.equal(formatDecimalOrDash(null), "–")
  assert.equal(formatDecimalOrDash(undefined, 3), "–")
  assert.equal(formatDecimalOrDash(0), "0.00")
})

test("a small share is not formatted as 0", () => {
  assert.deepEqual([0, 0.004, 0.005, 0.126, 1].map(formatShare), ["0.00", "<0.01", "0.01", "0.13", "1.00"])
})

test("a cell omits the leading 0", () => {
  assert.deepEqual([0.005, 0.5, 0.994, 0.995, 1.04, 1.6].map(formatCell), [".01", ".50", ".99", "1", "1", "1.6"])
})

test("a text is shortened by whole characters", () => {
  assert.deepEqual(["abc", "abcd", "ab😀d"].map((text) => shortenText(text, 3)), ["abc", "ab…", "ab…"])
  assert.equal(shortenText("a😀bc", 3), "a😀…")
})

test("inserted values are not parsed as templates", () => {
  assert.equal(formatTemplate("{a} of {b}: {a}", { a: "{b}", b: 7 }), "{b} of 7: {b}")
  assert.deepEqual(fillTemplate("{a} saw {b}.", { a: "$&", b: "<b>" }), ["$&", " saw ", "<b>", "."])
  assert.equal(formatTemplate("{a}", { a: "$&$1" }), "$&$1")
})

test("a count of 1 takes the singular", () => {
  const template = "{count} {count:word|words} of {list}"
  assert.equal(formatTemplate(template, { count: 1, list: "{a:b|c}" }), "1 word of {a:b|c}")
  assert.equal(formatTemplate(template, { count: "1,001", list: "a" }), "1,001 words of a")
  assert.deepEqual(fillTemplate(template, { count: "0", list: "a" }), ["0", " words of ", "a"])
})

test("French spaces become plain ones", () => {
  assert.equal(normaliseSpaces("\u202f: oui\u00a0 !"), ": oui !")
})

test("the maximum of a very long array, or the given minimum", () => {
  assert.equal(findLargest(Array.from({ length: 400_000 }, (_, k) => k % 1000), 0), 999)
  assert.equal(findLargest([-3, -5], 0), 0)
  assert.equal(findLargest([], 1), 1)
})

test("a value after its name has = or <", () => {
  assert.deepEqual([0, 0.004, 0.126, 1].map(formatEquality), ["= 0.00", "< 0.01", "= 0.13", "= 1.00"])
})

test("a full-width character counts twice, an apostrophe once", () => {
  assert.deepEqual(["l’eau", "고양이", "猫。", "…é"].map(measureDisplayWidth), [5, 6, 4, 2])
})

test("percent are spaced as in the texts of the language", () => {
  assert.deepEqual([formatPercent(0.125, "en"), formatPercent(0.125, "ko", 1)], ["13 %", "12.5%"])
  assert.equal(argmax([0.2, 0.5, 0.5]), 1)
})
