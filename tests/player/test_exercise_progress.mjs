// Which exercises are solved, as local storage keeps it.
import assert from "node:assert/strict"
import test from "node:test"

/** @type {any} */
const world = globalThis
/** @type {Record<string, string>} */
const stored = {}
world.localStorage = { getItem: (/** @type {string} */ key) => stored[key] ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ text) => (stored[key] = text) }
world.CSSStyleSheet = class {}
const { markSolved } = await import("../../assets/player/concepts/exercise_progress.js")

test("an exercise that another tab has solved meanwhile stays solved", () => {
  stored["concept-exercises"] = '["gates"]'
  markSolved("windows")
  assert.deepEqual(JSON.parse(stored["concept-exercises"]), ["gates", "windows"])
})
