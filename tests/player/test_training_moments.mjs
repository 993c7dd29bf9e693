// Decoding of training moments and the marks of the slider.
import assert from "node:assert/strict"
import { test } from "node:test"
import { formatAmount, findPosition, computeMarkStops } from "../../assets/player/length_and_bleu/alignment_onset.js"
import { decodeWeights } from "../../assets/player/shared/weight_table.js"

test("weights are decoded row by row", () => {
  const packed = btoa(String.fromCharCode(255, 0, 0, 51, 204, 0))
  assert.deepEqual(decodeWeights(packed, 2), [[1, 0, 0], [0.2, 0.8, 0]])
})

test("a mark is at the first position that reaches its moment", () => {
  assert.equal(findPosition([0, 0, 1, 2], 1), 2)
  assert.equal(findPosition([0, 1], 5), null)
  assert.equal(findPosition([0, 1], null), null)
})

test("a clicker stops at the start, at every mark, and at the end", () => {
  const born = (/** @type {number | null} */ diagonal, /** @type {number | null} */ reordering) => ({ translations: [], alpha: null, diagonal, reordering })
  const model = (/** @type {ReturnType<typeof born>} */ probe) =>
    ({ name: "", is_dashed: false, is_hollow: false, marker: /** @type {"circle"} */ ("circle"), target_tokens: [], bleu: [], moments: [0, 1, 2, 3, 4], probes: [probe] })
  assert.deepEqual(computeMarkStops([model(born(2, 3)), model(born(3, null))], 0, 4), [0, 2, 3, 4])
  assert.deepEqual(computeMarkStops([model(born(null, null))], 0, 4), [0, 4])
})

test("amounts use the units of the language", () => {
  assert.equal(formatAmount(5_624_739, "en"), "5.6 million")
  assert.equal(formatAmount(26_104_197, "en"), "26.1 million")
  const korean = [5_624_739, 68_104_197, 178_404_197, 200_000_000].map((pieces) => formatAmount(pieces, "ko"))
  assert.deepEqual(korean, ["560만", "6,810만", "1억 7,800만", "2억"])
})
