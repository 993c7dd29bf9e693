// The arithmetic of the concepts about recurrent networks. Expected numbers were computed with numpy in float64.
import assert from "node:assert/strict"
import { test } from "node:test"
import { countStates } from "../../assets/player/concepts/bidirectional.js"
import { countContentWords } from "../../assets/player/concepts/bottleneck.js"
import { matchTokens } from "../../assets/player/concepts/forcing.js"
import { measureGradients } from "../../assets/player/concepts/recurrence.js"
import { computeEntropyWithRest, reshape } from "../../assets/player/concepts/sampling.js"
import { followMemory } from "../../assets/player/concepts/units.js"
import { assertClose } from "./helpers/close.mjs"

test("gradients of the tanh RNN are products of W and tanh'", () => {
  const q = [[-0.096, -0.335, -0.937], [-0.08, -0.936, 0.342], [-0.992, 0.108, 0.063]]
  const inputs = [[-1.265, -0.623, 0.041], [-2.325, -0.219, -1.246], [-0.732, -0.544, -0.316], [0.412, 1.043, -0.129]]
  const { norms, slopes } = measureGradients(q, inputs, 1.2, 0.7)
  assertClose(norms, [0.6977053253208411, 0.7073123381668998, 0.893539343229855, 1])
  assertClose(slopes, [0.7759432331262817, 0.6895497506449714, 0.6375724224410793, 0.6413988538410256])
})

test("without inputs the gradient of an orthogonal W is a power of lambda", () => {
  const { norms } = measureGradients([[0, 1], [-1, 0]], [[0, 0], [0, 0], [0, 0], [0, 0]], 1.5, 1)
  assertClose(norms, [1.5 ** 3, 1.5 ** 2, 1.5, 1])
})

const STEP = { prefix: "", tokens: ["a", "b", "c", "d"], log_probs: [0.4, 0.2, 0.15, 0.1].map(Math.log), rest_count: 4, rest_sums: [-5.132802928070463, -1.8971199848858813, -0.26134273935909175] }
/** @param {Partial<import("../../assets/player/concepts/sampling.js").Choice>} choice */
const choose = (choice) => reshape(STEP, [0.5, 1, 2], { temperatureIndex: 1, topK: 0, topP: 1, ...choice })

test("temperature sharpens or flattens the distribution with all other tokens", () => {
  assertClose(choose({ temperatureIndex: 0 }).probabilities, [0.6711409395973155, 0.16778523489932887, 0.09437919463087246, 0.041946308724832224])
  assertClose([choose({ temperatureIndex: 0 }).restProbability, choose({ temperatureIndex: 2 }).restProbability, choose({}).restProbability], [0.024748322147651002, 0.30158753081832024, 0.15])
  assertClose(choose({ temperatureIndex: 2 }).probabilities, [0.24770974192672143, 0.17515723828235435, 0.15169061800924308, 0.12385487096336072])
})

test("top-k and top-p cut the distribution as the decoder does", () => {
  const limited = choose({ temperatureIndex: 2, topK: 3 })
  assertClose(limited.probabilities, [0.4311312611561658, 0.3048558383450332, 0.26401290049880094, 0])
  assert.deepEqual([limited.restProbability, limited.keptCount], [0, 3])
  const nucleus = choose({ topP: 0.7 })
  assertClose(nucleus.probabilities, [0.5333333333333333, 0.26666666666666666, 0.2, 0])
  assert.deepEqual([nucleus.restProbability, nucleus.keptCount, choose({ topP: 0.05 }).keptCount], [0, 3, 1])
  assert.equal(choose({ topP: 0.95 }).keptCount, 4) // and the others, of which only the sum is known
  assert.ok(choose({ topP: 0.95 }).restProbability > 0)
  assertClose([computeEntropyWithRest(choose({}).probabilities, 0.15, 4), computeEntropyWithRest([1, 0], 0, 0)], [1.6957425341696344, 0])
})

test("a forced gate changes the memory from its step on", () => {
  const candidate = [0.5, -0.4, 0.2]
  const gru = { number: 1, gates: [[0.3, 0.6, 0.9], [0.1, 0.1, 0.1]], candidate, memory: [0, 0.15, -0.18, 0.162] }
  assertClose(followMemory(gru, { gate: -1, startStep: 0, value: 1 }), gru.memory)
  assertClose(followMemory(gru, { gate: 0, startStep: 1, value: 0.1 }), [0, 0.15, 0.095, 0.1055])
  const lstm = { number: 1, gates: [[0.3, 0.6, 0.9], [0.8, 0.5, 0.95], [1, 1, 1]], candidate, memory: [0, 0.15, -0.165, 0.02325] }
  assertClose(followMemory(lstm, { gate: 2, startStep: 0, value: 0 }), lstm.memory) // the output gate does not change the cell
  assertClose(followMemory(lstm, { gate: 1, startStep: 0, value: 1 }), [0, 0.15, -0.09, 0.09])
})

test("the encoder reads forward, then backward, then joins", () => {
  assert.deepEqual([0, 2, 4, 6, 7].map((step) => countStates(step, 3)), [
    { forward: 0, backward: 0, isJoined: false }, { forward: 2, backward: 0, isJoined: false }, { forward: 3, backward: 1, isJoined: false },
    { forward: 3, backward: 3, isJoined: false }, { forward: 3, backward: 3, isJoined: true }])
})

test("content words that are read and not lost are counted", () => {
  /** @type {any} */
  const data = {
    source: ["the", "small", "dog", "runs"].map((word) => [" ", word]), content: [1, 2, 3],
    prefixes: [{ end: 3, word_count: 3, translations: [{ text: "", omissions: [1, 3] }, { text: "", omissions: [] }] }],
  }
  assert.deepEqual(countContentWords(data, 0), { total: 2, keptCounts: [1, 2], lostWords: [["small"], []] })
})

test("tokens of the given translation are found again after a shift", () => {
  assert.deepEqual(matchTokens([..."abxcd"], [..."abcd"]), [true, true, false, true, true])
  assert.deepEqual(matchTokens([..."ba"], [..."ab"]).filter(Boolean).length, 1)
  assert.deepEqual(matchTokens([..."xy"], [..."ab"]), [false, false])
  assert.deepEqual(matchTokens([], [..."ab"]), [])
})
