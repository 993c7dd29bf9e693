// Two translations of one sentence side by side, whole or growing clause by clause: what it draws is in drawing.js, what
// lights up in light.js; here are growing, the pointer and the keys. All data comes once; every text is set as text.

/** @import { CompareData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { LengthCurve } from "./length_curve.js" */
import { anew } from "../shared/anew.js"
import { find, findAll, nearest, rooted } from "../shared/dom.js"
import { CHOOSING, modified, paged, PRESSED, touched, TYPING } from "../shared/keys.js"
import { announce, presenting, rests } from "../shared/walk.js"
import { build, drawStage, keepHeight } from "./drawing.js"
import { light } from "./light.js"

/**
 * @typedef {object} Kept
 * @property {CompareData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {number} [runs] how often growing was asked for
 * @property {{ text: string, runs: number }} [asked] what a clicker asked to grow, and how often that had been asked before
 * @property {number} at which stage is shown, from 0
 * @property {number} [sent] which one the page knows of
 * @property {boolean} playing
 * @property {HTMLElement | null} pinned the word whose light stays on
 * @property {LengthCurve} curve
 * @property {number} wide the width that heights were measured at
 * @property {ResizeObserver} observer
 * @property {ReturnType<typeof setInterval>} [clock]
 * @property {ReturnType<typeof setTimeout>} [telling]
 * @property {(event: KeyboardEvent) => void} keys
 * @property {Mounted<CompareData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & Kept} Comparison */

const CLAUSE = 2200 // milliseconds a clause while playing
const TOLD_AFTER = 400 // milliseconds of rest before the page is told which clause is shown

/** @param {Comparison} root */
function show(root) {
  anew(root, () => {
    drawStage(root)
    root.pinned = null
    light(root, null)
  }, ".pair [data-target]")
}

/** @param {Comparison} root */
const lastOf = (root) => root.data.stages.length - 1

// ---- growing -------------------------------------------------------------------------------------------------------

/**
 * @param {Comparison} root
 * @param {number} at
 */
function go(root, at) {
  root.at = Math.max(0, Math.min(lastOf(root), at))
  show(root)
  tell(root)
}

/** @param {Comparison} root */
function tell(root) {
  clearTimeout(root.telling)
  if (!root.data.grown || root.playing || root.sent === root.at) return
  root.telling = setTimeout(() => {
    root.sent = root.at
    root.trigger("clause", { text: root.data.text, clause: root.at + 1 })
  }, TOLD_AFTER)
}

/** @param {Comparison} root */
function play(root) {
  root.playing = true
  if (root.at === lastOf(root)) root.at = 0
  show(root)
  root.clock = setInterval(() => {
    if (root.at + 1 >= lastOf(root)) pause(root, root.at + 1)
    else go(root, root.at + 1)
  }, CLAUSE)
}

/**
 * @param {Comparison} root
 * @param {number} [at]
 */
function pause(root, at = root.at) {
  clearInterval(root.clock)
  root.playing = false
  go(root, at)
}

/**
 * A press of the clicker: the next clause; before the first one the sentence is asked to grow, once.
 * @param {Comparison} root
 * @param {1 | -1} by
 */
function walked(root, by) {
  const { data, asked } = root
  if (data.grown) {
    const to = root.at + by
    if (to < 0 || to > lastOf(root)) return false
    pause(root, to)
    return true
  }
  if (by < 0 || data.clauses < 2) return false
  if (asked?.text === data.text) return asked.runs === data.runs || !rests() // it is being made, or can't be
  root.asked = { text: data.text, runs: data.runs }
  find(root, "[data-do=grow]").setAttribute("disabled", "")
  root.trigger("grow", data.text)
  return true
}

/** @param {Comparison} root */
const toggle = (root) => (root.playing ? pause(root) : play(root))

// ---- pointer and keys ----------------------------------------------------------------------------------------------

/**
 * @param {Comparison} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  const [node] = event.composedPath()
  if (!root.data || !root.isConnected || modified(event) || event.shiftKey || !(node instanceof Node)) return
  const element = node instanceof Element ? node : null
  if (element?.matches(TYPING)) return
  const word = root.contains(node) ? nearest(node, ".pair [data-target], .source [data-source]") : null
  if (word && walk(root, word, event.key)) return event.preventDefault()
  if (!root.data.grown) return
  const last = lastOf(root)
  const paging = paged(event.key)
  if (paging && presenting()) return // the frame walks the page, the clauses with it
  if (!paging && element?.closest(CHOOSING)) return
  if (event.key === " " && element?.closest(PRESSED)) return
  const tracked = element?.matches(".track")
  /** @type {Record<string, number | undefined>} */
  const ways = { ArrowRight: root.at + 1, ArrowUp: tracked ? root.at + 1 : undefined, ArrowLeft: root.at - 1,
    ArrowDown: tracked ? root.at - 1 : undefined, Home: 0, End: last, PageDown: root.at + 1, PageUp: root.at - 1 }
  const to = ways[event.key]
  if (event.key === " ") toggle(root)
  else if (to !== undefined) pause(root, to)
  else return
  event.preventDefault()
}

/**
 * Among the words of a sentence or a translation the arrows walk; Enter or Space keeps a word's light on. Whether it was such a key.
 * @param {Comparison} root
 * @param {HTMLElement} word
 * @param {string} key
 */
function walk(root, word, key) {
  if (key === "Enter" || key === " ") {
    pin(root, word)
    return true
  }
  const cells = findAll(root, word.dataset.source ? ".source [data-source]" : `.pair [data-model="${word.dataset.model}"]`)
  const place = cells.indexOf(word)
  const column = [...(nearest(word, ".column")?.children ?? [])]
  /** @param {Element | undefined} cell */
  const inside = (cell) => cell && findAll(cell, "[data-target]")[0]
  /** @type {Record<string, HTMLElement | undefined>} */
  const next = { ArrowLeft: cells[place - 1], ArrowRight: cells[place + 1], Home: cells[0], End: cells[cells.length - 1],
    ArrowUp: inside(column[0]), ArrowDown: inside(column[column.length - 1]) }
  if (!Object.hasOwn(next, key)) return false
  next[key]?.focus()
  return true
}

/**
 * @param {Comparison} root
 * @param {HTMLElement} node
 * @param {boolean} [finger] which rests on nothing once it is lifted
 */
function pin(root, node, finger = false) {
  root.pinned = root.pinned === node ? null : node
  light(root, finger ? root.pinned : node)
}

/** @param {Comparison} root */
function listen(root) {
  root.onpointerover = (event) => {
    if (!root.pinned) light(root, event.target)
  }
  root.onpointerleave = () => light(root, root.pinned)
  root.addEventListener("focusin", (event) => {
    const word = nearest(event.target, ".pair [data-target], .source [data-source]")
    if (!word) return
    for (const one of findAll(/** @type {HTMLElement} */ (word.closest(".pair, .source")), '[tabindex="0"]')) one.tabIndex = -1
    word.tabIndex = 0 // one stop for the Tab key
    if (!root.pinned) light(root, word)
  })
  root.onclick = (event) => {
    const button = nearest(event.target, "[data-do]")
    const act = button?.dataset.do
    const word = nearest(event.target, "[data-target], [data-source]")
    if (act === "grow") {
      button?.setAttribute("disabled", "")
      root.asked = undefined
      root.trigger("grow", root.data.text)
    } else if (act === "play") toggle(root)
    else if (act === "back") pause(root, root.at - 1)
    else if (act === "on") pause(root, root.at + 1)
    else if (word) pin(root, word, touched(event))
    else if (root.pinned) {
      root.pinned = null
      light(root, null)
    }
  }
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) pause(root, Number(event.target.value) - 1)
  }
}

/** @param {Comparison} root */
function begin(root) {
  listen(root)
  announce(root)
  root.keys = (event) => pressed(root, event)
  // Before the frame, which turns pages with the keys that nobody has taken.
  document.addEventListener("keydown", root.keys, true)
  root.observer = new ResizeObserver(([entry]) => {
    if (!root.data || entry.contentRect.width === root.wide) return
    root.wide = entry.contentRect.width
    anew(root, () => {
      keepHeight(root)
      show(root)
    })
  })
  root.observer.observe(root)
}

/** @param {Mounted<CompareData>} mounted */
export default function compare({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "compare", { role: "group", tabindex: -1 }, begin)
  root.trigger = setTriggerValue
  const drawn = JSON.stringify({ ...data, clause: 0, runs: 0 })
  const begun = data.grown && root.runs !== undefined && data.runs !== root.runs
  if (data.grown || root.runs === undefined) root.runs = data.runs
  if (root.drawn !== drawn || begun) {
    clearInterval(root.clock)
    clearTimeout(root.telling)
    root.playing = false
    const same = root.data?.grown && root.data.text === data.text && !begun
    root.drawn = drawn
    root.data = data
    root.at = Math.min(same ? root.at : data.grown ? data.clause - 1 : 0, data.stages.length - 1)
    root.sent = root.at
    anew(root, () => {
      build(root, data)
      keepHeight(root)
      show(root)
    })
    announce(find(root, ".growth"), {
      go: (by) => walked(root, by),
      rest() {
        if (!root.data.grown) return false
        pause(root, lastOf(root))
        return true
      },
    })
    if (begun && root.asked?.text !== data.text) {
      find(root, ".track").focus({ preventScroll: true })
      play(root)
    }
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true)
    root.observer.disconnect()
    clearInterval(root.clock)
    clearTimeout(root.telling)
  }
}
