// Alignment being born: weights out of base64, and the marks of the slider.
import assert from "node:assert/strict"
import { test } from "node:test"
import { amount, placeOf, stopsOf, unpacked } from "../../assets/player/length_and_bleu/born.js"

test("weights come row by row", () => {
  const packed = btoa(String.fromCharCode(255, 0, 0, 51, 204, 0))
  assert.deepEqual(unpacked(packed, 2), [[1, 0, 0], [0.2, 0.8, 0]])
})

test("a mark stands where its moment is first reached", () => {
  assert.equal(placeOf([0, 0, 1, 2], 1), 2)
  assert.equal(placeOf([0, 1], 5), null)
  assert.equal(placeOf([0, 1], null), null)
})

test("a clicker stops at the beginning, at every mark, and at the end", () => {
  const born = (/** @type {number | null} */ diagonal, /** @type {number | null} */ turning) => ({ translations: [], alpha: null, diagonal, turning })
  const model = (/** @type {ReturnType<typeof born>} */ probe) =>
    ({ name: "", dashed: false, hollow: false, marker: /** @type {"circle"} */ ("circle"), pieces: [], bleu: [], at: [0, 1, 2, 3, 4], probes: [probe] })
  assert.deepEqual(stopsOf([model(born(2, 3)), model(born(3, null))], 0, 4), [0, 2, 3, 4])
  assert.deepEqual(stopsOf([model(born(null, null))], 0, 4), [0, 4])
})

test("amounts are counted as a language counts", () => {
  assert.equal(amount(5_624_739, "en"), "5.6 million")
  assert.equal(amount(26_104_197, "en"), "26.1 million")
  assert.equal(amount(5_624_739, "ko"), "560만")
})
