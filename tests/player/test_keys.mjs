// Classification of keys.
import assert from "node:assert/strict"
import test from "node:test"
import { isInDialog, normaliseKey, hasModifier, getPageDirection } from "../../assets/player/shared/keys.js"

test("only PageDown and PageUp turn pages", () => {
  assert.deepEqual(["PageDown", "PageUp", "Home", "constructor"].map(getPageDirection), [1, -1, undefined, undefined])
})

test("modifier keys are recognised", () => {
  const event = /** @type {KeyboardEvent} */ ({ ctrlKey: false, altKey: false, metaKey: false })
  assert.equal(hasModifier(event), false)
  for (const key of ["ctrlKey", "altKey", "metaKey"]) assert.equal(hasModifier({ ...event, [key]: true }), true, key)
})

test("a letter is independent of Caps Lock and of a Korean layout", () => {
  const keys = [["b", "KeyB"], ["B", "KeyB"], ["ㅠ", "KeyB"], ["b", "KeyN"], [".", "Period"], ["Home", "Home"], ["ㅠ", ""]]
  assert.deepEqual(keys.map(([key, code]) => normaliseKey({ key, code })), ["b", "b", "b", "b", ".", "home", "ㅠ"])
})

test("keys inside a dialog are its own", () => {
  const page = /** @type {any} */ (globalThis)
  page.HTMLDialogElement = class {}
  const path = [{}, new page.HTMLDialogElement(), {}]
  assert.deepEqual([path, [{}]].map((nodes) => isInDialog(/** @type {any} */ ({ composedPath: () => nodes }))), [true, false])
})
