// Which addresses count as the same.
import assert from "node:assert/strict"
import test from "node:test"
import { isSameAddress } from "../../assets/player/shared/history.js"

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
