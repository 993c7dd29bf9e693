// Which keys turn a page.
import assert from "node:assert/strict"
import test from "node:test"
import { normalizeKey, hasModifier, pageDirection } from "../../assets/player/shared/keys.js"

test("a clicker turns pages, other keys do not", () => {
  assert.deepEqual(["PageDown", "PageUp", "Home", "constructor"].map(pageDirection), [1, -1, undefined, undefined])
})

test("with a key that makes a command of it, it is none of ours", () => {
  const event = /** @type {KeyboardEvent} */ ({ ctrlKey: false, altKey: false, metaKey: false })
  assert.equal(hasModifier(event), false)
  assert.equal(hasModifier({ ...event, metaKey: true }), true)
})

test("a letter is the same with Caps Lock, and on a keyboard that writes Korean", () => {
  const keys = [["b", "KeyB"], ["B", "KeyB"], ["ㅠ", "KeyB"], ["b", "KeyN"], [".", "Period"], ["Home", "Home"], ["ㅠ", ""]]
  assert.deepEqual(keys.map(([key, code]) => normalizeKey({ key, code })), ["b", "b", "b", "b", ".", "home", "ㅠ"])
})
