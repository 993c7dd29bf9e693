// Numbers as they are written, and texts with places.
import assert from "node:assert/strict"
import test from "node:test"
import { clean, decimal, decimalOrDash, equalled, fill, filled, greatest, letters, short, signed, two } from "../../assets/player/shared/format.js"

test("a number has a real minus sign, and none where it is rounded to nothing", () => {
  assert.deepEqual([-3.14159, -0.006, 2.5].map((value) => decimal(value)), ["−3.14", "−0.01", "2.50"])
  assert.deepEqual([-0.004, -0.0, 0, 0.004].map((value) => decimal(value)), ["0.00", "0.00", "0.00", "0.00"])
  assert.equal(decimal(-0.4, 0), "0")
  assert.equal(decimal(-1e-9, 6), "0.000000")
})

test("where there is no number there is a dash", () => {
  assert.deepEqual([-0.4, -0.004, 0, 0.004, 0.4].map((value) => signed(value)), ["−0.40", "0.00", "0.00", "0.00", "+0.40"])
  assert.equal(decimalOrDash(null), "–")
  assert.equal(decimalOrDash(undefined, 3), "–")
  assert.equal(decimalOrDash(0), "0.00")
})

test("a small share is not called 0", () => {
  assert.deepEqual([0, 0.004, 0.005, 0.126, 1].map(two), ["0.00", "<0.01", "0.01", "0.13", "1.00"])
})

test("a cell has no room for a leading 0", () => {
  assert.deepEqual([0.005, 0.5, 0.994, 0.995, 1].map(short), [".01", ".50", ".99", "1", "1"])
})

test("places are filled by values that are not read again", () => {
  assert.equal(filled("{a} of {b}: {a}", { a: "{b}", b: 7 }), "{b} of 7: {b}")
  assert.deepEqual(fill("{a} saw {b}.", { a: "$&", b: "<b>" }), ["$&", " saw ", "<b>", "."])
  assert.equal(filled("{a}", { a: "$&$1" }), "$&$1")
})

test("a word has one form beside 1 and another beside other counts", () => {
  const template = "{count} {count:word|words} of {list}"
  assert.equal(filled(template, { count: 1, list: "{a:b|c}" }), "1 word of {a:b|c}")
  assert.equal(filled(template, { count: "1,001", list: "a" }), "1,001 words of a")
  assert.deepEqual(fill(template, { count: "0", list: "a" }), ["0", " words of ", "a"])
})

test("French spaces become plain ones", () => {
  assert.equal(clean("\u202f: oui\u00a0 !"), ": oui !")
})

test("the greatest of more numbers than a call may take", () => {
  assert.equal(greatest(Array.from({ length: 400_000 }, (_, k) => k % 1000), 0), 999)
  assert.equal(greatest([-3, -5], 0), 0)
  assert.equal(greatest([], 1), 1)
})

test("a value behind its name is equal to something, or less", () => {
  assert.deepEqual([0, 0.004, 0.126, 1].map(equalled), ["= 0.00", "< 0.01", "= 0.13", "= 1.00"])
})

test("a wide sign has the room of two letters, an apostrophe of one", () => {
  assert.deepEqual(["l’eau", "고양이", "猫。", "…é"].map(letters), [5, 6, 4, 2])
})
