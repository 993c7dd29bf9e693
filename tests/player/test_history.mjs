// Which addresses count as the same, and how many entries a press may add.
import assert from "node:assert/strict"
import test from "node:test"
import { isSameAddress, limitEntries } from "../../assets/player/shared/history.js"

const POSITION_PARAMS = ["step", "weights"]
const ADDRESS = "http://localhost:8501/compare?sentence=a+b"

test("addresses that differ only in positions are the same", () => {
  assert.ok(isSameAddress(ADDRESS, `${ADDRESS}&weights=0123%2C4567`, POSITION_PARAMS))
  assert.ok(isSameAddress(`${ADDRESS}&step=4`, `${ADDRESS}&step=5&weights=0123`, POSITION_PARAMS))
  assert.ok(isSameAddress(`${ADDRESS}&weights=0123`, "http://localhost:8501/compare?weights=89&sentence=a+b", POSITION_PARAMS))
})

test("addresses that differ in a reader's choice are not", () => {
  assert.ok(!isSameAddress(ADDRESS, `${ADDRESS}&model=luong-50&weights=0123`, POSITION_PARAMS))
  assert.ok(!isSameAddress(ADDRESS, "http://localhost:8501/?sentence=a+b", POSITION_PARAMS))
  assert.ok(!isSameAddress(ADDRESS, "http://localhost:8501/compare?sentence=a&step=2", POSITION_PARAMS))
})

test("a press adds one entry, and what follows without a press replaces it", () => {
  /** @type {string[]} */
  const entries = ["http://localhost/family"]
  /** @type {Record<string, () => void>} */
  const listeners = {}
  const add = (/** @type {string} */ kind, /** @type {() => void} */ listener) => { listeners[kind] = listener }
  const fakes = {
    addEventListener: add,
    get location() { return { href: entries.at(-1) } },
    history: {
      pushState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ url) => entries.push(new URL(url, "http://localhost").href),
      replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ url) => entries.splice(-1, 1, url),
    },
  }
  Object.defineProperties(globalThis, Object.getOwnPropertyDescriptors(fakes))
  limitEntries(POSITION_PARAMS)
  fakes.history.pushState(null, "", "/family?unk=show")
  assert.deepEqual(entries, ["http://localhost/family?unk=show"])
  listeners.pointerdown()
  for (const url of ["/?model=luong-50", "/?sentence=a&model=luong-50", "/?sentence=a"]) fakes.history.pushState(null, "", url)
  assert.deepEqual(entries, ["http://localhost/family?unk=show", "http://localhost/?sentence=a"])
  listeners.keydown()
  fakes.history.pushState(null, "", "/?sentence=a&step=2")
  fakes.history.pushState(null, "", "/compare")
  assert.deepEqual(entries.slice(1), ["http://localhost/?sentence=a&step=2", "http://localhost/compare"])
  listeners.click() // after the key
  fakes.history.pushState(null, "", "/compare?search=beam")
  assert.equal(entries.length, 3)
  listeners.click() // alone
  fakes.history.pushState(null, "", "/compare?search=greedy")
  assert.equal(entries.length, 4)
  listeners.keydown()
  listeners.popstate()
  fakes.history.pushState(null, "", "/compare?unit=pieces")
  assert.equal(entries.length, 4)
  listeners.input() // by voice or a menu, without a key
  fakes.history.pushState(null, "", "/compare?sentence=b")
  assert.equal(entries.length, 5)
})
