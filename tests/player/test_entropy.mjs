// How sharp a softmax over products of random lists is, against values that are known.
import assert from "node:assert/strict"
import { test } from "node:test"
import { computeEntropy, uniformRandom, normalRandom, randomProducts, measureSharpness, softmax } from "../../assets/player/family/entropy.js"

/** @type {(found: number, known: number, off: number) => void} */
const near = (found, known, off) => assert.ok(Math.abs(found - known) <= off, `${found} is not ${known}`)

test("a softmax and its entropy by hand", () => {
  assert.deepEqual(softmax([3, 3, 3, 3]), [0.25, 0.25, 0.25, 0.25])
  near(computeEntropy([0.25, 0.25, 0.25, 0.25]), Math.log(4), 1e-12)
  assert.equal(computeEntropy([1, 0, 0]), 0 * -1)
  near(softmax([Math.log(3), 0])[0], 0.75, 1e-12)
  near(softmax([2 * Math.log(3), 0], 2)[0], 0.75, 1e-12)
  assert.deepEqual(softmax([1000, 0]), [1, 0])
})

test("a seed says every draw, another one says others", () => {
  assert.deepEqual(randomProducts(4, 3, 2, 7), randomProducts(4, 3, 2, 7))
  assert.notDeepEqual(randomProducts(4, 3, 2, 7), randomProducts(4, 3, 2, 8))
  const next = uniformRandom(3)
  for (let k = 0; k < 1000; k++) {
    const one = next()
    assert.ok(one >= 0 && one < 1)
  }
})

test("what is drawn is normal, and a product of d numbers has variance d", () => {
  const draw = normalRandom(5)
  const drawn = Array.from({ length: 40_000 }, draw)
  const mean = drawn.reduce((a, b) => a + b, 0) / drawn.length
  near(mean, 0, 0.02)
  near(drawn.reduce((a, b) => a + (b - mean) ** 2, 0) / drawn.length, 1, 0.03)
  near(drawn.filter((one) => Math.abs(one) < 1).length / drawn.length, 0.6827, 0.01)
  for (const d of [4, 64]) {
    const found = randomProducts(d, 5, 4000, 2).flat()
    near(found.reduce((a, b) => a + b * b, 0) / found.length / d, 1, 0.1)
  }
})

test("with the scale the entropy is that of normal energies, ln n - 1/2, whatever d is", () => {
  for (const d of [64, 512]) near(measureSharpness(d, 2000, 12, 4).scaled.entropy, Math.log(2000) - 0.5, 0.06)
})

test("of two keys the entropy without it is near (π² / 3) / √(4π d): the binary entropy's area, at the density of 0", () => {
  for (const d of [64, 256]) near(measureSharpness(d, 2, 6000, 3).without.entropy, Math.PI ** 2 / 3 / Math.sqrt(4 * Math.PI * d), 0.008)
})

test("without it the entropy falls with d, and one key gets all", () => {
  const found = [1, 4, 16, 64, 256].map((d) => measureSharpness(d, 12, 40, 1))
  const falling = found.map(({ without }) => without.entropy)
  assert.deepEqual([...falling].sort((a, b) => b - a), falling)
  assert.ok(found[4].without.weights[0] > 0.9)
  near(found[0].without.entropy, found[0].scaled.entropy, 1e-12)
})
