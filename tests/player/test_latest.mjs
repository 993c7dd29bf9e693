// A component draws its latest data, whatever the order in which its script was loaded for them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { latest } from "../../assets/player/shared/latest.js"

/** @returns {any} a place on the page */
const place = () => ({ isConnected: true })

function component() {
  const parentElement = place()
  const seen = { drawn: "", left: 0 }
  const draw = latest((/** @type {{ data: string, parentElement: any }} */ { data }) => {
    seen.drawn = data
    return () => {
      seen.left += 1
    }
  })
  return { parentElement, seen, call: (/** @type {string} */ data) => draw({ data, parentElement }) }
}

test("data that come one after the other are drawn, and nothing is left", () => {
  const { seen, call } = component()
  call("old")
  call("new")
  assert.deepEqual(seen, { drawn: "new", left: 0 })
})

test("old data that are drawn too late make room for the new ones", () => {
  const { seen, call } = component()
  call("new")
  const late = call("old")
  assert.equal(seen.drawn, "old")
  late() // Streamlit gives up what had been asked for before the new data came
  assert.deepEqual(seen, { drawn: "new", left: 0 })
})

test("old data that were given up before the new ones are drawn leave the component as it is", () => {
  const { seen, call } = component()
  const given = call("old")
  call("new")
  given()
  assert.deepEqual(seen, { drawn: "new", left: 0 })
})

test("of three the latest stays, in whatever order the first two come late", () => {
  const { seen, call } = component()
  call("third")
  const second = call("second")
  const first = call("first")
  first()
  second()
  assert.equal(seen.drawn, "third")
})

test("two that come late are given up in the order they came", () => {
  const { seen, call } = component()
  call("third")
  const second = call("second")
  const first = call("first")
  second()
  first()
  assert.equal(seen.drawn, "third")
})

test("it is left once its place is gone from the page", () => {
  const { parentElement, seen, call } = component()
  const leave = call("only")
  parentElement.isConnected = false
  leave()
  assert.deepEqual(seen, { drawn: "only", left: 1 })
})

test("places are told apart", () => {
  /** @type {string[]} */
  const drawn = []
  const draw = latest((/** @type {{ data: string, parentElement: any }} */ { data }) => void drawn.push(data))
  draw({ data: "here", parentElement: place() })
  draw({ data: "there", parentElement: place() })()
  assert.deepEqual(drawn, ["here", "there"])
})
