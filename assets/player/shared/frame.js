// What the frame asks of the browser itself: the way past it by keyboard, and presenting. While presenting, the frame is
// hidden and everything is larger (page.css), a clicker walks the page (walk.js) and then turns it, one key blackens the
// screen, and no key or wheel scrolls by accident.

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { submitBeforeLeaving, listenToSentenceBox } from "./sentence_box.js"
import { findAll, make, mountRoot } from "./dom.js"
import { replacePlaceEntries } from "./history.js"
import { normalizeKey, hasModifier, pageDirection, TYPING_FIELDS } from "./keys.js"
import { watchPageLinks } from "./navigation.js"
import { watchInputs, waitForPending } from "./pending_input.js"
import { setPresentingStyles, scrollToStart, isPresenting, isServerIdle, skipSteps, advance } from "./presentation.js"

/**
 * @typedef {object} FrameState
 * @property {HTMLAnchorElement} skip
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} black what covers the screen while it is black
 * @property {AbortController} abortController
 * @property {AbortController | null} arrival from when a page is come to until somebody walks on: what ends that
 * @property {ReturnType<typeof setTimeout>} [pointerTimer] until the pointer counts as at rest
 * @property {FrameData} data
 * @property {boolean} [serverPresenting] what the server last said of presenting
 * @property {Mounted<FrameData>["setStateValue"]} setStateValue
 */
/** @typedef {HTMLElement & FrameState} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const TEXT_FIELDS = `${TYPING_FIELDS}, [role='textbox'], [role='combobox']`
const CHOICE_WIDGETS = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const SLIDERS = "input[type='range']" // whose Space is nobody's
const PRESSABLE = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"
const BLACK = ["b", "."]
const SKIP = "s"
const POINTER_REST = 2000 // milliseconds after which the pointer, and the switch it may want, are out of the way
const SETTLE_TIME = 1500 // milliseconds without a change after which a page is whole, pictures and all

const findMain = () => document.querySelector(".stMain")
const findPageLinks = () => findAll(document, ".st-key-pages a")
const findCurrentPage = () => findPageLinks().findIndex((link) => link.closest(".st-key-page-now"))

/**
 * @param {Root} root
 * @param {boolean} isOn
 */
function setPresenting(root, isOn) {
  const begins = isOn && !isPresenting()
  setPresentingStyles(isOn)
  root.classList.toggle("presenting", isOn)
  const { words } = root.data
  root.button.textContent = isOn ? words.end : words.present
  root.button.title = words.present_help
  if (!isOn) setBlack(root, false)
  if (!begins) return
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys are for the picture now
  awaitPage(root, 1)
}

/**
 * The server hears of it for the link's sake; nothing here waits for it.
 * @param {Root} root
 * @param {boolean} isOn
 */
function changePresenting(root, isOn) {
  setPresenting(root, isOn)
  root.setStateValue("present", isOn)
}

/**
 * The page after this one (1), or before it (-1); at either end nothing happens.
 * @param {Root} root
 * @param {1 | -1} direction
 */
function turnPage(root, direction) {
  const currentIndex = findCurrentPage()
  const link = currentIndex < 0 ? undefined : findPageLinks()[currentIndex + direction]
  if (!link) return
  awaitPage(root, direction, currentIndex + direction)
  link.click()
}

/**
 * Wait for a page, and bring the window to where its walk begins; again whenever it grows, until somebody walks on. No
 * clock ends that: a page may take its time to be there, and parts of it more. Once it has stood as it is for a while the
 * frame is of the class "whole".
 * @param {Root} root
 * @param {1 | -1} direction from before it, or from behind
 * @param {number} [page] its place among the pages, where another one is shown as yet
 */
function awaitPage(root, direction, page) {
  root.arrival?.abort()
  const coming = new AbortController()
  root.arrival = coming
  root.classList.remove("whole")
  let hasArrived = false
  let changed = 0 // when it was last being made, or grew
  let [height, target] = [-1, -1]
  /** @type {WeakSet<Element>} */
  const ended = new WeakSet() // some are there later than others
  const check = () => {
    if (coming.signal.aborted || !isPresenting()) return
    const currentIndex = performance.now()
    const mainNode = findMain()
    const isIdle = (page === undefined || findCurrentPage() === page) && isServerIdle()
    hasArrived ||= isIdle
    const shifted = !root.classList.contains("whole") && mainNode?.scrollTop !== target // by what is being measured
    if (!isIdle || !mainNode || mainNode.scrollHeight !== height || shifted) changed = currentIndex
    height = mainNode?.scrollHeight ?? -1
    const isSettled = currentIndex - changed >= SETTLE_TIME
    root.classList.toggle("whole", isSettled)
    if (!isSettled && hasArrived && mainNode) scrollToStart(mainNode, direction, ended)
    target = mainNode?.scrollTop ?? -1
    setTimeout(check, 100)
  }
  check()
  for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) addEventListener(kind, () => endArrival(root), { signal: coming.signal, capture: true })
}

/**
 * Whether the page that was asked for is there, so that it can be walked; then nothing moves it but the reader.
 * @param {Root} root
 */
function endArrival(root) {
  if (root.arrival && !root.classList.contains("whole") && !isServerIdle()) return false
  root.arrival?.abort()
  root.arrival = null
  return true
}

/**
 * @param {Root} root
 * @param {1 | -1} direction
 */
function stepOrTurn(root, direction) {
  const mainNode = findMain()
  if (!mainNode || !endArrival(root)) return
  if (!advance(mainNode, direction)) turnPage(root, direction)
}

/**
 * @param {Root} root
 * @param {boolean} isOn
 */
function setBlack(root, isOn) {
  root.black.hidden = !isOn
}

/**
 * While the screen is black no key goes on to the page: what is played there would move unseen.
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function handleKeyWhileBlack(root, event) {
  if (root.black.hidden || hasModifier(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (BLACK.includes(normalizeKey(event)) || event.key === "Escape" || pageDirection(event.key)) setBlack(root, false)
}

/**
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function handleKey(root, event) {
  if (!isPresenting() || event.defaultPrevented || hasModifier(event)) return
  const [target] = event.composedPath()
  /** @param {string} nodes */
  const uses = (nodes) => target instanceof Element && target.closest(nodes) != null
  const direction = pageDirection(event.key)
  if (event.key === "Escape") return changePresenting(root, false)
  if (direction) {
    event.preventDefault()
    return stepOrTurn(root, direction)
  }
  if (uses(TEXT_FIELDS)) return
  const mainNode = findMain()
  if (BLACK.includes(normalizeKey(event))) setBlack(root, true)
  else if (normalizeKey(event) === SKIP && mainNode) skipSteps(mainNode)
  else if (!SCROLL.includes(event.key) || uses(event.key === " " ? `${CHOICE_WIDGETS}, ${PRESSABLE}` : `${CHOICE_WIDGETS}, ${SLIDERS}`)) return
  event.preventDefault()
}

/**
 * The pointer has moved: the switch is there for it, and gone again soon.
 * @param {Root} root
 */
function handlePointerMove(root) {
  if (!isPresenting()) return
  root.classList.add("moved")
  clearTimeout(root.pointerTimer)
  root.pointerTimer = setTimeout(() => root.classList.remove("moved"), POINTER_REST)
}

/**
 * A wheel over something that scrolls by itself never moves the page behind it.
 * @param {WheelEvent} event
 */
function handleWheel(event) {
  if (!isPresenting() || event.ctrlKey) return
  const page = findMain()
  for (const node of event.composedPath()) {
    if (node === page || !(node instanceof Element)) return
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue
    const room = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop
    if (room < 1 && event.deltaY) event.preventDefault()
    return
  }
}

/** @param {Event} event */
function skipToContent(event) {
  event.preventDefault()
  const aim = document.querySelector(".st-key-sentence textarea") ?? document.querySelector("[data-testid='stMainBlockContainer']")
  if (!(aim instanceof HTMLElement)) return
  if (aim.tabIndex < 0) aim.tabIndex = -1
  aim.focus()
}

/** @param {Root} root */
function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" })
  root.skip.addEventListener("click", skipToContent)
  root.button = make("button", { type: "button" })
  root.button.addEventListener("click", () => changePresenting(root, !isPresenting()))
  root.black = make("div", { class: "black", hidden: "" })
  root.append(root.skip, root.button, root.black)
  root.arrival = null
  root.abortController = new AbortController()
  addEventListener("keydown", (event) => handleKeyWhileBlack(root, event), { signal: root.abortController.signal, capture: true })
  // On the window, after everything on the page has had its turn with the key.
  addEventListener("keydown", (event) => handleKey(root, event), { signal: root.abortController.signal })
  addEventListener("pointermove", () => handlePointerMove(root), { signal: root.abortController.signal })
  addEventListener("resize", () => isPresenting() && setPresentingStyles(true), { signal: root.abortController.signal })
  addEventListener("wheel", handleWheel, { signal: root.abortController.signal, passive: false })
  watchPageLinks(root.abortController.signal, (link) => submitBeforeLeaving(link) || waitForPending(link))
  listenToSentenceBox(root.abortController.signal, () => root.data.live)
  watchInputs(root.abortController.signal)
}

/** @param {Mounted<FrameData>} mounted */
export default function frame({ data: [data], parentElement, setStateValue }) {
  const root = mountRoot(parentElement, "frame", {}, build)
  root.setStateValue = setStateValue
  root.data = data
  root.skip.textContent = data.words.skip
  replacePlaceEntries(data.places)
  document.documentElement.lang = data.language // of what has none of its own: Streamlit says English
  // What the server says counts when it changes; in between the browser knows better.
  const news = root.serverPresenting !== data.present
  root.serverPresenting = data.present
  setPresenting(root, news ? data.present : isPresenting())
  return () => {
    root.abortController.abort()
    root.arrival?.abort()
    clearTimeout(root.pointerTimer)
  }
}
