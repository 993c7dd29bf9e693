// Sharpness of a softmax over random products, against known values.
import assert from "node:assert/strict"
import { test } from "node:test"
import { computeEntropy, makeUniformGenerator, makeNormalGenerator, sampleProducts, measureSharpness, softmax } from "../../assets/player/concepts/entropy.js"

/** @type {(result: number, expected: number, tolerance: number) => void} */
const assertNear = (result, expected, tolerance) => assert.ok(Math.abs(result - expected) <= tolerance, `${result} is not ${expected}`)

test("softmax and entropy match values by hand", () => {
  assert.deepEqual(softmax([3, 3, 3, 3]), [0.25, 0.25, 0.25, 0.25])
  assertNear(computeEntropy([0.25, 0.25, 0.25, 0.25]), Math.log(4), 1e-12)
  assert.ok(computeEntropy([1, 0, 0]) === 0) // or −0
  assertNear(softmax([Math.log(3), 0])[0], 0.75, 1e-12)
  assertNear(softmax([2 * Math.log(3), 0], 2)[0], 0.75, 1e-12)
  assert.deepEqual(softmax([1000, 0]), [1, 0])
})

test("draws depend on the seed alone", () => {
  assert.deepEqual(sampleProducts(4, 3, 2, 7), sampleProducts(4, 3, 2, 7))
  assert.notDeepEqual(sampleProducts(4, 3, 2, 7), sampleProducts(4, 3, 2, 8))
  const drawUniform = makeUniformGenerator(3)
  for (let k = 0; k < 1000; k++) {
    const item = drawUniform()
    assert.ok(item >= 0 && item < 1)
  }
})

test("samples are normal, and a product of d numbers has variance d", () => {
  const draw = makeNormalGenerator(5)
  const samples = Array.from({ length: 40_000 }, draw)
  const mean = samples.reduce((a, b) => a + b, 0) / samples.length
  assertNear(mean, 0, 0.02)
  assertNear(samples.reduce((a, b) => a + (b - mean) ** 2, 0) / samples.length, 1, 0.03)
  assertNear(samples.filter((item) => Math.abs(item) < 1).length / samples.length, 0.6827, 0.01)
  for (const d of [4, 64]) {
    const result = sampleProducts(d, 5, 4000, 2).flat()
    assertNear(result.reduce((a, b) => a + b * b, 0) / result.length / d, 1, 0.1)
  }
})

test("with scaling the entropy is that of normal energies, ln n - 1/2, for any d", () => {
  for (const d of [64, 512]) assertNear(measureSharpness(d, 2000, 12, 4).scaled.entropy, Math.log(2000) - 0.5, 0.06)
})

test("without scaling the entropy of two keys is near (π² / 3) / √(4π d): the area of the binary entropy at the density of 0", () => {
  for (const d of [64, 256]) assertNear(measureSharpness(d, 2, 6000, 3).without.entropy, Math.PI ** 2 / 3 / Math.sqrt(4 * Math.PI * d), 0.008)
})

test("without scaling the entropy falls with d, and one key gets all the weight", () => {
  const result = [1, 4, 16, 64, 256].map((d) => measureSharpness(d, 12, 40, 1))
  const falling = result.map(({ without }) => without.entropy)
  assert.deepEqual([...falling].sort((a, b) => b - a), falling)
  assert.ok(result[4].without.weights[0] > 0.9)
  assertNear(result[0].without.entropy, result[0].scaled.entropy, 1e-12)
})
