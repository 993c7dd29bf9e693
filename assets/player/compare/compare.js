// Compare the translations of two models, whole or growing clause by clause: state, pointer and keys. drawing.js draws,
// highlight.js highlights.

/** @import { CompareData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { LengthCurve } from "./length_curve.js" */
import { redraw } from "../shared/redraw.js"
import { find, findAll, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { listTarget, setTabStop } from "../shared/focus.js"
import { CHOICE_WIDGETS, hasModifier, isInDialog, getPageDirection, PRESSABLE, isTouch, TYPING_FIELDS } from "../shared/keys.js"
import { registerSection, isPresenting, isServerIdle } from "../shared/presentation.js"
import { buildComparison, renderPrefix, reserveHeight } from "./drawing.js"
import { highlightWord } from "./highlight.js"

/**
 * @typedef {object} ComparisonState
 * @property {number} [runs] how often growing was requested
 * @property {{ text: string, runs: number }} [growRequest] what a clicker requested to grow
 * @property {number} prefixIndex from 0
 * @property {number} [reportedPrefix] the last prefix reported to the page
 * @property {boolean} isPlaying
 * @property {HTMLElement | null} pinnedWord the word that stays highlighted
 * @property {LengthCurve} curve
 * @property {number} measuredWidth width for which heights were measured
 * @property {ResizeObserver} observer
 * @property {ReturnType<typeof setInterval>} [playTimer]
 * @property {(event: KeyboardEvent) => void} handleKeys
 */
/** @typedef {ComponentRoot<CompareData> & ComparisonState} Comparison */

const CLAUSE_TIME = 2200 // milliseconds per clause while playing
const REPORT_DELAY = 400 // milliseconds of rest before the clause is reported

/** @param {Comparison} root */
function renderComparison(root) {
  redraw(root, () => {
    renderPrefix(root)
    root.pinnedWord = null
    highlightWord(root, null)
  }, ".pair [data-target]")
}

/** @param {Comparison} root */
const getLastPrefix = (root) => root.data.prefixes.length - 1

/** @type {(root: Comparison, index: number) => void} */
function goToPrefix(root, index) {
  root.prefixIndex = Math.max(0, Math.min(getLastPrefix(root), index))
  renderComparison(root)
  reportPrefix(root)
}

/** @param {Comparison} root */
function reportPrefix(root) {
  clearTimeout(root.reportTimer)
  if (!root.data.has_prefixes || root.isPlaying || root.reportedPrefix === root.prefixIndex) return
  root.reportTimer = setTimeout(() => {
    root.reportedPrefix = root.prefixIndex
    root.trigger("clause", { text: root.data.text, clause: root.prefixIndex + 1 })
  }, REPORT_DELAY)
}

/** @param {Comparison} root */
function play(root) {
  root.isPlaying = true
  if (root.prefixIndex === getLastPrefix(root)) root.prefixIndex = 0
  renderComparison(root)
  root.playTimer = setInterval(() => {
    if (root.prefixIndex + 1 >= getLastPrefix(root)) stopAt(root, root.prefixIndex + 1)
    else goToPrefix(root, root.prefixIndex + 1)
  }, CLAUSE_TIME)
}

/**
 * Stop playing, and go to a prefix.
 * @type {(root: Comparison, index?: number) => void}
 */
function stopAt(root, index = root.prefixIndex) {
  clearInterval(root.playTimer)
  root.isPlaying = false
  goToPrefix(root, index)
}

/**
 * Handle a press of the clicker: go to the next clause, or request growing, once per sentence.
 * @type {(root: Comparison, direction: 1 | -1) => boolean}
 */
function advanceClause(root, direction) {
  const { data, growRequest } = root
  if (data.has_prefixes) {
    const prefixIndex = root.prefixIndex + direction
    if (prefixIndex < 0 || prefixIndex > getLastPrefix(root)) return false
    stopAt(root, prefixIndex)
    return true
  }
  if (direction < 0 || data.clause_count < 2) return false
  if (growRequest?.text === data.text) return growRequest.runs === data.growth_count || !isServerIdle() // being computed, or it failed
  root.growRequest = { text: data.text, runs: data.growth_count }
  find(root, "[data-do=grow]").setAttribute("disabled", "")
  root.trigger("grow", data.text)
  return true
}

/** @param {Comparison} root */
const togglePlaying = (root) => (root.isPlaying ? stopAt(root) : play(root))

/** @type {(root: Comparison, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  const [node] = event.composedPath()
  if (!root.data || !root.isConnected || hasModifier(event) || event.shiftKey || isInDialog(event) || !(node instanceof Node)) return
  const element = node instanceof Element ? node : null
  if (element?.matches(TYPING_FIELDS)) return
  const word = root.contains(node) ? findClosest(node, ".pair [data-target], .source [data-source]") : null
  if (word && moveFocus(root, word, event.key)) return event.preventDefault()
  if (!root.data.has_prefixes) return
  const last = getLastPrefix(root)
  const paging = getPageDirection(event.key)
  if (paging && isPresenting()) return // the frame steps through the clauses
  if (!paging && element?.closest(CHOICE_WIDGETS)) return
  if (event.key === " " && element?.closest(PRESSABLE)) return
  const isTrack = element?.matches(".track")
  /** @type {Record<string, number | undefined>} */
  const targets = { ArrowRight: root.prefixIndex + 1, ArrowUp: isTrack ? root.prefixIndex + 1 : undefined, ArrowLeft: root.prefixIndex - 1,
    ArrowDown: isTrack ? root.prefixIndex - 1 : undefined, Home: 0, End: last, PageDown: root.prefixIndex + 1, PageUp: root.prefixIndex - 1 }
  const prefixIndex = targets[event.key]
  if (event.key === " ") togglePlaying(root)
  else if (prefixIndex !== undefined) stopAt(root, prefixIndex)
  else return
  event.preventDefault()
}

/**
 * Move between words with the arrow keys; Enter or Space pins the highlight, Escape releases it. Returns whether the key was handled.
 * @type {(root: Comparison, word: HTMLElement, key: string) => boolean}
 */
function moveFocus(root, word, key) {
  if (key === "Enter" || key === " ") {
    togglePin(root, word)
    return true
  }
  if (key === "Escape" && root.pinnedWord) {
    togglePin(root, null)
    return true
  }
  const cells = findAll(root, word.dataset.source ? ".source [data-source]" : `.pair [data-model="${word.dataset.model}"]`)
  const column = [...(findClosest(word, ".column")?.children ?? [])]
  /** @param {Element | undefined} cell */
  const findFirstWord = (cell) => cell && findAll(cell, "[data-target]")[0]
  const target = key === "ArrowUp" ? findFirstWord(column[0]) : key === "ArrowDown" ? findFirstWord(column[column.length - 1]) : listTarget(cells, word, key)
  target?.focus()
  return target !== null
}

/** @type {(root: Comparison, node: HTMLElement | null, isTap?: boolean) => void} */
function togglePin(root, node, isTap = false) {
  root.pinnedWord = root.pinnedWord === node ? null : node
  highlightWord(root, isTap ? root.pinnedWord : node) // a finger does not hover after its tap
}

/** @param {Comparison} root */
function addListeners(root) {
  root.onpointerover = (event) => {
    if (!root.pinnedWord) highlightWord(root, event.target)
  }
  root.onpointerleave = () => highlightWord(root, root.pinnedWord)
  root.addEventListener("focusin", (event) => {
    const word = findClosest(event.target, ".pair [data-target], .source [data-source]")
    if (!word) return
    setTabStop(/** @type {HTMLElement} */ (word.closest(".pair, .source")), "[data-target], [data-source]", word)
    if (!root.pinnedWord) highlightWord(root, word)
  })
  root.onclick = (event) => {
    const button = findClosest(event.target, "[data-do]")
    const act = button?.dataset.do
    const word = findClosest(event.target, "[data-target], [data-source]")
    if (act === "grow") {
      button?.setAttribute("disabled", "")
      root.growRequest = undefined
      root.trigger("grow", root.data.text)
    } else if (act === "play") togglePlaying(root)
    else if (act === "back") stopAt(root, root.prefixIndex - 1)
    else if (act === "on") stopAt(root, root.prefixIndex + 1)
    else if (word) togglePin(root, word, isTouch(event))
    else if (root.pinnedWord) togglePin(root, null)
  }
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) stopAt(root, Number(event.target.value) - 1)
  }
}

/** @param {Comparison} root */
function setUp(root) {
  addListeners(root)
  registerSection(root)
  root.handleKeys = (event) => handleKey(root, event)
  // Before the frame, which suppresses scrolling by unhandled keys.
  document.addEventListener("keydown", root.handleKeys, true)
  root.observer = new ResizeObserver(([entry]) => {
    if (!root.data || entry.contentRect.width === root.measuredWidth) return
    root.measuredWidth = entry.contentRect.width
    const listWords = () => findAll(root, "[data-target], [data-source]")
    const pinnedIndex = root.pinnedWord ? listWords().indexOf(root.pinnedWord) : -1
    redraw(root, () => {
      reserveHeight(root)
      renderPrefix(root)
      root.pinnedWord = listWords()[pinnedIndex] ?? null
      highlightWord(root, root.pinnedWord)
    }, ".pair [data-target]")
  })
  root.observer.observe(root)
}

/** @param {Mounted<CompareData>} mounted */
export default function mountCompare({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "compare", { role: "group", tabindex: -1 }, setUp)
  const isNew = storeData(root, data, { shown_clause_count: 0, growth_count: 0 })
  const isRestarted = data.has_prefixes && root.runs !== undefined && data.growth_count !== root.runs
  if (data.has_prefixes || root.runs === undefined) root.runs = data.growth_count
  if (isNew || isRestarted) {
    clearInterval(root.playTimer)
    clearTimeout(root.reportTimer)
    root.isPlaying = false
    const isSameSentence = root.data?.has_prefixes && root.data.text === data.text && !isRestarted
    root.data = data
    root.prefixIndex = Math.min(isSameSentence ? root.prefixIndex : data.has_prefixes ? data.shown_clause_count - 1 : 0, data.prefixes.length - 1)
    root.reportedPrefix = root.prefixIndex
    redraw(root, () => {
      buildComparison(root, data)
      reserveHeight(root)
      renderComparison(root)
    })
    registerSection(find(root, ".growth"), {
      go: (direction) => advanceClause(root, direction),
      skipRest() {
        if (!root.data.has_prefixes || root.prefixIndex === getLastPrefix(root)) return false
        stopAt(root, getLastPrefix(root))
        return true
      },
    })
    if (isRestarted && root.growRequest?.text !== data.text) {
      find(root, ".track").focus({ preventScroll: true })
      play(root)
    }
  }
  return () => {
    document.removeEventListener("keydown", root.handleKeys, true)
    root.observer.disconnect()
    clearInterval(root.playTimer)
    clearTimeout(root.reportTimer)
  }
}
