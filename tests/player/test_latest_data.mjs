// A component draws its newest data, whatever the order in which its script is loaded.
import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { keepLatestData } from "../../assets/player/shared/latest_data.js"

/** @type {any} */
const world = globalThis
beforeEach(() => {
  world.document = { documentElement: { dataset: {} } }
  world.location = { pathname: "/story" }
})

/** @returns {any} a place on the page */
const place = () => ({ isConnected: true })
const SILENT = { setTriggerValue() {} }

/** @typedef {{ data: string, parentElement: any, setTriggerValue: (name: string, value: unknown) => void }} Sent */

function component() {
  const parentElement = place()
  const record = { drawnData: "", cleanUpCount: 0 }
  const draw = keepLatestData((/** @type {Sent} */ { data }) => {
    record.drawnData = data
    return () => {
      record.cleanUpCount += 1
    }
  })
  return { parentElement, record, call: (/** @type {string} */ data) => draw({ data, parentElement, ...SILENT }) }
}

test("data that arrives in order is drawn without clean-up", () => {
  const { record, call } = component()
  call("old")
  call("new")
  assert.deepEqual(record, { drawnData: "new", cleanUpCount: 0 })
})

test("old data drawn late is replaced by the newest", () => {
  const { record, call } = component()
  call("new")
  const cleanUp = call("old")
  assert.equal(record.drawnData, "old")
  cleanUp() // Streamlit cleans up the call with old data
  assert.deepEqual(record, { drawnData: "new", cleanUpCount: 0 })
})

test("cleaning up old data before newer is drawn leaves the component alone", () => {
  const { record, call } = component()
  const mounted = call("old")
  call("new")
  mounted()
  assert.deepEqual(record, { drawnData: "new", cleanUpCount: 0 })
})

test("the newest of three stays, in whatever order the late calls are cleaned up", () => {
  for (const isReversed of [false, true]) {
    const { record, call } = component()
    call("third")
    const cleanUps = [call("second"), call("first")]
    for (const cleanUp of isReversed ? cleanUps.reverse() : cleanUps) cleanUp()
    assert.equal(record.drawnData, "third")
  }
})

test("a component is cleaned up once its node is gone", () => {
  const { parentElement, record, call } = component()
  const cleanUp = call("only")
  parentElement.isConnected = false
  cleanUp()
  assert.deepEqual(record, { drawnData: "only", cleanUpCount: 1 })
})

test("nodes are independent", () => {
  /** @type {string[]} */
  const drawnData = []
  const draw = keepLatestData((/** @type {Sent} */ { data }) => void drawnData.push(data))
  draw({ data: "here", parentElement: place(), ...SILENT })
  draw({ data: "there", parentElement: place(), ...SILENT })()
  assert.deepEqual(drawnData, ["here", "there"])
})

test("nothing is sent from a page being left, until the next page is there or has failed to open", () => {
  /** @type {unknown[]} */
  const reported = []
  /** @type {Sent[]} */
  const calls = []
  const draw = keepLatestData((/** @type {Sent} */ mounted) => void calls.push(mounted))
  const note = (/** @type {string} */ name, /** @type {unknown} */ value) => void reported.push(`${name} ${value}`)
  draw({ data: "", parentElement: place(), setTriggerValue: note })
  const sendValues = (/** @type {number} */ value) => calls[0].setTriggerValue("edit", value)
  sendValues(1)
  world.document.documentElement.dataset.leaving = `${Date.now()} /story`
  sendValues(2)
  world.location.pathname = "/"
  sendValues(3)
  world.location.pathname = "/story"
  world.document.documentElement.dataset.leaving = `${Date.now() - 60_000} /story`
  sendValues(4)
  assert.deepEqual(reported, ["edit 1", "edit 3", "edit 4"])
})

test("a component begins anew where the second item of its data changes", () => {
  let [rootCount, cleanUps] = [1, 0]
  const parentElement = { ...place(), querySelectorAll: () => [{ remove: () => (rootCount -= 1) }] }
  const draw = keepLatestData(() => () => void (cleanUps += 1))
  const call = (/** @type {unknown[]} */ data) => draw(/** @type {any} */ ({ data, parentElement, ...SILENT }))
  call(["a"])
  call(["b"])
  assert.deepEqual([rootCount, cleanUps], [1, 0])
  call(["b", 1])
  call(["c", 1])
  assert.deepEqual([rootCount, cleanUps], [0, 1])
})
