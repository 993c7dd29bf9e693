// Select and edit an attention row: by dragging, typing or keys. The other weights adapt; when the edit ends it is sent to
// the page. Escape reverts the row.

/** @import { Console } from "./console.js" */
import { find, findAll, findClosest } from "../shared/dom.js"
import { formatTemplate, formatShare } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { updateLabels } from "./controls.js"
import { shadeCell, getRowWeights } from "./console_maps.js"
import { getEditedSide, setWeight, formatRow } from "./attention_changes.js"

const KEY_PAUSE = 600 // milliseconds after the last key until the row is sent
const DRAG_DISTANCE = 140 // pixels of dragging a map cell from 0 to 1
const DRAG_THRESHOLD = 4 // pixels from which a press is a drag

/** @type {(root: Console, step: number, sourceIndex: number) => void} */
export function selectRow(root, step, sourceIndex) {
  if (step !== root.step) {
    reportDraft(root) // send a pending edit of the row that is left
    root.draft = null
  }
  root.step = step
  root.sourceIndex = sourceIndex
  for (const row of findAll(root, "[data-row]")) row.classList.toggle("selected", Number(row.dataset.row) === step)
  for (const node of findAll(root, ".step")) node.tabIndex = Number(node.dataset.step) === step ? 0 : -1
  for (const node of findAll(root, ".bar, th[data-source]")) node.classList.toggle("here", Number(node.dataset.source) === sourceIndex)
  renderRow(root)
  updateLabels(root)
}

/** @param {Console} root */
function renderRow(root) {
  const { data, step, sourceIndex } = root
  const { messages } = data
  const row = getRowWeights(root, step)
  const target = getEditedSide(data).pieces[step].text
  for (const [k, bar] of findAll(root, ".bar").entries()) {
    bar.style.setProperty("--share", row[k].toFixed(4))
    bar.tabIndex = k === sourceIndex ? 0 : -1
    bar.setAttribute("aria-valuenow", row[k].toFixed(2))
    bar.setAttribute("aria-label", formatTemplate(messages.cell, { target, source: data.source[k].text }))
    find(bar, "span").textContent = row[k] >= 0.005 ? formatShare(row[k]) : ""
  }
  for (const [k, cell] of findAll(root, `td[data-step="${step}"]`).entries()) shadeCell(cell, row[k])
  find(root, ".which").textContent = formatTemplate(messages.which, { step: step + 1 })
  find(root, ".description").textContent = formatTemplate(messages.override_cell, { target, source: data.source[sourceIndex].text })
  find(root, ".weight-of").textContent = messages.weight
  const input = /** @type {HTMLInputElement} */ (find(root, ".weight"))
  if (!input.matches(":focus")) input.value = row[sourceIndex].toFixed(2)
}

/** @type {(root: Console, sourceIndex: number, weight: number) => void} */
function changeWeight(root, sourceIndex, weight) {
  if (root.data.is_export) return
  root.draft = setWeight(getRowWeights(root, root.step), sourceIndex, weight)
  selectRow(root, root.step, sourceIndex)
}

/** @param {Console} root */
function reportDraft(root) {
  clearTimeout(root.reportTimer)
  if (!root.draft || root.draft === root.reportedDraft) return
  root.reportedDraft = root.draft
  root.requestChange({ add: formatRow(root.data.map_key, root.step + 1, root.draft) })
}

/**
 * Revert the draft, or else the change made by hand.
 * @param {Console} root
 */
function revertRow(root) {
  clearTimeout(root.reportTimer)
  if (root.draft) {
    root.draft = null
    renderRow(root)
    return true
  }
  if (root.data.is_export) return false
  const manualChange = root.data.overrides.find(({ override: change }) => change.startsWith(`${root.data.map_key}@${root.step + 1}=`))
  if (manualChange) root.requestChange({ remove: manualChange.override })
  return manualChange !== undefined
}

/**
 * Return the space above a bar for its number (console.css).
 * @param {Console} root
 */
const measureNumberSpace = (root) => 15 * (parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1)

/**
 * Drag a weight: a bar follows the pointer; a map cell changes with the vertical distance.
 * @type {(root: Console, event: PointerEvent) => void}
 */
function drag(root, event) {
  const bar = findClosest(event.target, ".bar")
  const cell = bar ? null : findClosest(event.target, "td[data-step]")
  const node = bar ?? cell
  if (!node || event.button > 0 || !event.isPrimary) return // a second finger drags nothing
  const sourceIndex = Number(node.dataset.source)
  const focusedInput = root.querySelector(".weight:focus")
  if (focusedInput instanceof HTMLElement) focusedInput.blur() // typed text belongs to the row that was selected until now
  if (cell) selectRow(root, Number(cell.dataset.step), sourceIndex)
  else selectRow(root, root.step, sourceIndex)
  if (root.data.is_export) return
  if (cell && event.pointerType === "touch") return // it scrolls the page there; rows are dragged in the enlarged row
  event.preventDefault()
  find(root, `[role=slider][data-source="${sourceIndex}"]`).focus({ preventScroll: true })
  const [x, y, start] = [event.clientX, event.clientY, getRowWeights(root, root.step)[sourceIndex]]
  const box = node.getBoundingClientRect()
  let isDragging = false
  /** @param {PointerEvent} moveEvent */
  const moveTo = (moveEvent) => {
    isDragging ||= bar !== null || Math.hypot(moveEvent.clientX - x, moveEvent.clientY - y) > DRAG_THRESHOLD
    if (isDragging) changeWeight(root, sourceIndex, bar ? (box.bottom - moveEvent.clientY) / (box.height - measureNumberSpace(root)) : start + (y - moveEvent.clientY) / DRAG_DISTANCE)
  }
  const controller = new AbortController()
  const { signal } = controller
  root.dragController = controller
  addEventListener("pointermove", (moveEvent) => moveEvent.pointerId === event.pointerId && moveTo(moveEvent), { signal })
  addEventListener("pointerup", (moveEvent) => {
    if (moveEvent.pointerId !== event.pointerId) return
    controller.abort()
    if (isDragging) reportDraft(root)
  }, { signal })
  addEventListener("pointercancel", (moveEvent) => {
    if (moveEvent.pointerId !== event.pointerId) return
    controller.abort()
    root.draft = null
    renderRow(root)
  }, { signal })
  addEventListener("keydown", (key) => {
    if (key.key !== "Escape") return
    key.preventDefault()
    key.stopPropagation() // earlier changes are kept
    controller.abort()
    root.draft = null
    renderRow(root)
  }, { signal, capture: true })
  if (bar) moveTo(event)
}

/** @type {(root: Console, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  const { data, step, sourceIndex } = root
  const last = data.source.length - 1
  const bar = findClosest(event.target, ".bar")
  const head = findClosest(event.target, ".step")
  if (hasModifier(event) || (!bar && !head)) return
  const amount = event.shiftKey ? 0.01 : 0.05
  const value = getRowWeights(root, step)[sourceIndex]
  /** @type {Record<string, () => void>} */
  const keys = bar
    ? { ArrowUp: () => changeWeight(root, sourceIndex, value + amount), ArrowDown: () => changeWeight(root, sourceIndex, value - amount),
        Home: () => changeWeight(root, sourceIndex, 0), End: () => changeWeight(root, sourceIndex, 1),
        ArrowLeft: () => selectRow(root, step, Math.max(0, sourceIndex - 1)), ArrowRight: () => selectRow(root, step, Math.min(last, sourceIndex + 1)),
        Enter: () => reportDraft(root) }
    : { ArrowUp: () => selectRow(root, Math.max(0, step - 1), sourceIndex), ArrowDown: () => selectRow(root, Math.min(getEditedSide(data).pieces.length - 1, step + 1), sourceIndex),
        Home: () => selectRow(root, 0, sourceIndex), End: () => selectRow(root, getEditedSide(data).pieces.length - 1, sourceIndex) }
  if (event.key === "Escape") {
    if (revertRow(root)) event.preventDefault()
    return
  }
  if (!Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  keys[event.key]()
  clearTimeout(root.reportTimer)
  if (!bar) return find(root, `.step[data-step="${root.step}"]`).focus()
  find(root, `[role=slider][data-source="${root.sourceIndex}"]`).focus({ preventScroll: true })
  if (root.draft && event.key !== "Enter") root.reportTimer = setTimeout(() => reportDraft(root), KEY_PAUSE)
}

/** @param {Console} root */
export function listenToRows(root) {
  root.addEventListener("pointerdown", (event) => drag(root, event))
  root.addEventListener("keydown", (event) => handleKey(root, event))
  root.addEventListener("click", (event) => {
    const head = findClosest(event.target, ".step, th[data-source]")
    if (!head) return
    selectRow(root, Number(head.dataset.step ?? root.step), Number(head.dataset.source ?? root.sourceIndex))
  })
  root.addEventListener("focusin", (event) => {
    const node = findClosest(event.target, ".bar, .step")
    if (!node) return
    const [step, sourceIndex] = [Number(node.dataset.step ?? root.step), Number(node.dataset.source ?? root.sourceIndex)]
    if (step !== root.step || sourceIndex !== root.sourceIndex) selectRow(root, step, sourceIndex)
  })
  root.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement | null} */ (findClosest(event.target, ".weight"))
    if (!input || input.value === "" || !Number.isFinite(input.valueAsNumber)) return
    const weight = Math.min(1, Math.max(0, input.valueAsNumber))
    if (weight !== input.valueAsNumber) input.value = String(weight)
    changeWeight(root, root.sourceIndex, weight)
    reportDraft(root)
  })
}
