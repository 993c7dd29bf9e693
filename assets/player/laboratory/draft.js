// The row that is looked at: chosen, dragged, typed and moved by keys. The rest of the row gives way; on letting go the
// change is told. Escape gives the row back.

/** @import { Console } from "./console.js" */
import { find, findAll, nearest } from "../shared/dom.js"
import { filled, two } from "../shared/format.js"
import { modified } from "../shared/keys.js"
import { labels } from "./controls.js"
import { shade, weights } from "./rows.js"
import { current, giveWay, written } from "./share.js"

const REST = 600 // milliseconds after the last key until the row is told
const FAR = 140 // pixels that a cell of the map is dragged through from 0 to 1
const BEGINS = 4 // pixels from which a press is a drag

/**
 * Look at a step and a piece of the source.
 * @param {Console} root
 * @param {number} step
 * @param {number} place
 */
export function select(root, step, place) {
  if (step !== root.step) {
    letGo(root) // keys that rest no longer have changed the row that is left
    root.draft = null
  }
  root.step = step
  root.place = place
  for (const row of findAll(root, "[data-row]")) row.classList.toggle("selected", Number(row.dataset.row) === step)
  for (const node of findAll(root, ".step")) node.tabIndex = Number(node.dataset.step) === step ? 0 : -1
  for (const node of findAll(root, ".bar, th[data-place]")) node.classList.toggle("here", Number(node.dataset.place) === place)
  show(root)
  labels(root)
}

/**
 * Draw the row that is looked at, large and in the map.
 * @param {Console} root
 */
function show(root) {
  const { data, step, place } = root
  const { words } = data
  const row = weights(root, step)
  const target = current(data).pieces[step].text
  for (const [k, bar] of findAll(root, ".bar").entries()) {
    bar.style.setProperty("--share", row[k].toFixed(4))
    bar.tabIndex = k === place ? 0 : -1
    bar.setAttribute("aria-valuenow", row[k].toFixed(2))
    bar.setAttribute("aria-label", filled(words.cell, { target, source: data.source[k].text }))
    find(bar, "span").textContent = row[k] >= 0.005 ? two(row[k]) : ""
  }
  for (const [k, cell] of findAll(root, `td[data-step="${step}"]`).entries()) shade(cell, row[k])
  find(root, ".which").textContent = filled(words.which, { step: step + 1 })
  find(root, ".said").textContent = filled(words.said_cell, { target, source: data.source[place].text })
  find(root, ".weight-of").textContent = words.weight
  const input = /** @type {HTMLInputElement} */ (find(root, ".weight"))
  if (!input.matches(":focus")) input.value = row[place].toFixed(2)
}

/**
 * @param {Console} root
 * @param {number} place
 * @param {number} weight
 */
function change(root, place, weight) {
  if (root.data.alone) return
  root.place = place
  root.draft = giveWay(weights(root, root.step), place, weight)
  select(root, root.step, place)
}

/**
 * Tell the row that was changed, if there is one.
 * @param {Console} root
 */
function letGo(root) {
  clearTimeout(root.rests)
  if (!root.draft || root.draft === root.told) return
  root.told = root.draft
  root.tell({ more: written(root.data.map, root.step + 1, root.draft) })
}

/**
 * Give the row back: that which is being changed, else that which was changed by hand.
 * @param {Console} root
 */
function giveBack(root) {
  clearTimeout(root.rests)
  if (root.draft) {
    root.draft = null
    show(root)
    return true
  }
  if (root.data.alone) return false
  const byHand = root.data.changes.find(({ written: one }) => one.startsWith(`${root.data.map}@${root.step + 1}=`))
  if (byHand) root.tell({ less: byHand.written })
  return byHand !== undefined
}

/**
 * What a bar keeps free above a weight of 1, for its number (console.css).
 * @param {Console} root
 */
const room = (root) => 15 * (parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1)

/**
 * Drag: within a bar the weight is where the pointer is; a cell of the map goes up and down with it.
 * @param {Console} root
 * @param {PointerEvent} event
 */
function drag(root, event) {
  const bar = nearest(event.target, ".bar")
  const cell = bar ? null : nearest(event.target, "td[data-step]")
  const node = bar ?? cell
  if (!node || event.button > 0 || !event.isPrimary) return // another finger drags no other weight
  const place = Number(node.dataset.place)
  const typed = root.querySelector(".weight:focus")
  if (typed instanceof HTMLElement) typed.blur() // what is typed there is of the row that is looked at until now
  if (cell) select(root, Number(cell.dataset.step), place)
  else select(root, root.step, place)
  if (root.data.alone) return
  if (cell && event.pointerType === "touch") return // there the page is scrolled; the row is dragged above the map
  event.preventDefault()
  find(root, `[role=slider][data-place="${place}"]`).focus({ preventScroll: true })
  const [x, y, from] = [event.clientX, event.clientY, weights(root, root.step)[place]]
  const box = node.getBoundingClientRect()
  let begun = false
  /** @param {PointerEvent} now */
  const move = (now) => {
    begun ||= bar !== null || Math.hypot(now.clientX - x, now.clientY - y) > BEGINS
    if (begun) change(root, place, bar ? (box.bottom - now.clientY) / (box.height - room(root)) : from + (y - now.clientY) / FAR)
  }
  const done = new AbortController()
  const { signal } = done
  root.dragged = done
  addEventListener("pointermove", (now) => now.pointerId === event.pointerId && move(now), { signal })
  addEventListener("pointerup", (now) => {
    if (now.pointerId !== event.pointerId) return
    done.abort()
    if (begun) letGo(root)
  }, { signal })
  addEventListener("pointercancel", (now) => {
    if (now.pointerId !== event.pointerId) return
    done.abort()
    root.draft = null
    show(root)
  }, { signal })
  addEventListener("keydown", (key) => {
    if (key.key !== "Escape") return
    key.preventDefault()
    key.stopPropagation() // what was changed before is not given back with it
    done.abort()
    root.draft = null
    show(root)
  }, { signal, capture: true })
  if (bar) move(event)
}

/**
 * @param {Console} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  const { data, step, place } = root
  const last = data.source.length - 1
  const bar = nearest(event.target, ".bar")
  const head = nearest(event.target, ".step")
  if (modified(event) || (!bar && !head)) return
  const by = event.shiftKey ? 0.01 : 0.05
  const value = weights(root, step)[place]
  /** @type {Record<string, () => void>} */
  const keys = bar
    ? { ArrowUp: () => change(root, place, value + by), ArrowDown: () => change(root, place, value - by),
        Home: () => change(root, place, 0), End: () => change(root, place, 1),
        ArrowLeft: () => select(root, step, Math.max(0, place - 1)), ArrowRight: () => select(root, step, Math.min(last, place + 1)),
        Enter: () => letGo(root) }
    : { ArrowUp: () => select(root, Math.max(0, step - 1), place), ArrowDown: () => select(root, Math.min(current(data).pieces.length - 1, step + 1), place),
        Home: () => select(root, 0, place), End: () => select(root, current(data).pieces.length - 1, place) }
  if (event.key === "Escape") {
    if (giveBack(root)) event.preventDefault()
    return
  }
  if (!Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  keys[event.key]()
  clearTimeout(root.rests)
  if (!bar) return find(root, `.step[data-step="${root.step}"]`).focus()
  find(root, `[role=slider][data-place="${root.place}"]`).focus({ preventScroll: true })
  if (root.draft && event.key !== "Enter") root.rests = setTimeout(() => letGo(root), REST)
}

/** @param {Console} root */
export function listenToRows(root) {
  root.addEventListener("pointerdown", (event) => drag(root, event))
  root.addEventListener("keydown", (event) => pressed(root, event))
  root.addEventListener("click", (event) => {
    const head = nearest(event.target, ".step, th[data-place]")
    if (!head) return
    select(root, Number(head.dataset.step ?? root.step), Number(head.dataset.place ?? root.place))
  })
  root.addEventListener("focusin", (event) => {
    const at = nearest(event.target, ".bar, .step")
    if (!at) return
    const [step, place] = [Number(at.dataset.step ?? root.step), Number(at.dataset.place ?? root.place)]
    if (step !== root.step || place !== root.place) select(root, step, place)
  })
  root.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement | null} */ (nearest(event.target, ".weight"))
    if (!input || input.value === "" || !Number.isFinite(input.valueAsNumber)) return
    const weight = Math.min(1, Math.max(0, input.valueAsNumber))
    if (weight !== input.valueAsNumber) input.value = String(weight)
    change(root, root.place, weight)
    letGo(root)
  })
}
