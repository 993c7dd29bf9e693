// The frame's browser side: the skip link and presenting. While presenting, the frame is hidden and everything is larger
// (page.css), a clicker steps through the page (presentation.js) and turns pages, one key blackens the screen, and no key
// or wheel scrolls by accident.

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { submitBeforeLeaving, listenToSentenceBox } from "./sentence_box.js"
import { findAll, make, mountRoot } from "./dom.js"
import { replacePlaceEntries } from "./history.js"
import { normalizeKey, hasModifier, pageDirection, TYPING_FIELDS } from "./keys.js"
import { watchPageLinks } from "./navigation.js"
import { watchInputs, waitForPending } from "./pending_input.js"
import { buildThemeSwitch, nameThemeSwitch } from "./theme.js"
import { setPresentingStyles, scrollToStart, isPresenting, isServerIdle, skipSteps, advance } from "./presentation.js"

/**
 * @typedef {object} FrameState
 * @property {HTMLAnchorElement} skip
 * @property {HTMLButtonElement} theme switch between light and dark
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} black cover of a blackened screen
 * @property {AbortController} abortController
 * @property {AbortController | null} arrival aborts waiting for a page; null once the reader moves on
 * @property {ReturnType<typeof setTimeout>} [pointerTimer] until the pointer counts as at rest
 * @property {FrameData} data
 * @property {boolean} [serverPresenting] last value from the server
 * @property {Mounted<FrameData>["setStateValue"]} setStateValue
 */
/** @typedef {HTMLElement & FrameState} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const TEXT_FIELDS = `${TYPING_FIELDS}, [role='textbox'], [role='combobox']`
const CHOICE_WIDGETS = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const SLIDERS = "input[type='range']" // Space does nothing on them
const PRESSABLE = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"
const BLACK = ["b", "."]
const SKIP = "s"
const POINTER_REST = 2000 // milliseconds after which pointer and switch are hidden
const SETTLE_TIME = 1500 // milliseconds without a change after which a page is complete

const findMain = () => document.querySelector(".stMain")
const findPageLinks = () => findAll(document, ".st-key-pages a")
const findCurrentPage = () => findPageLinks().findIndex((link) => link.closest(".st-key-page-now"))

/** Scroll the links, where they overflow, so that the one of this page is visible. */
function showCurrentPage() {
  const links = document.querySelector(".st-key-pages")
  const current = document.querySelector(".st-key-page-now")
  if (!links || !current) return
  const [box, link] = [links.getBoundingClientRect(), current.getBoundingClientRect()]
  if (link.left < box.left || link.right > box.right) links.scrollBy({ left: link.left - box.left - (box.width - link.width) / 2, behavior: "instant" })
}

/** @type {(root: Root, isOn: boolean) => void} */
function setPresenting(root, isOn) {
  const begins = isOn && !isPresenting()
  setPresentingStyles(isOn)
  root.classList.toggle("presenting", isOn)
  const { words } = root.data
  root.button.textContent = isOn ? words.end : words.present
  root.button.title = words.present_help
  if (!isOn) root.black.hidden = true
  if (!begins) return
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys now belong to the picture
  awaitPage(root, 1)
}

/**
 * Switch presenting and report it to the server, which puts it in the link.
 * @type {(root: Root, isOn: boolean) => void}
 */
function changePresenting(root, isOn) {
  setPresenting(root, isOn)
  root.setStateValue("present", isOn)
}

/**
 * Go to the next (1) or previous page (-1), if there is one.
 * @type {(root: Root, direction: 1 | -1) => void}
 */
function turnPage(root, direction) {
  const currentIndex = findCurrentPage()
  const link = currentIndex < 0 ? undefined : findPageLinks()[currentIndex + direction]
  if (!link) return
  awaitPage(root, direction, currentIndex + direction)
  link.click()
}

/**
 * Wait for a page and scroll to where its presentation starts; repeat whenever it grows, until the reader moves on. There
 * is no timeout: pages and their parts may be slow. Once the page has been unchanged for a while the frame gets the class
 * "whole".
 * @param {Root} root
 * @param {1 | -1} direction forward or backward
 * @param {number} [page] index of the expected page, if another one is still shown
 */
function awaitPage(root, direction, page) {
  root.arrival?.abort()
  const arrival = new AbortController()
  root.arrival = arrival
  root.classList.remove("whole")
  let hasArrived = false
  let changed = 0 // time of the last change
  let [height, target] = [-1, -1]
  /** @type {WeakSet<Element>} */
  const endedSections = new WeakSet() // sections may appear at different times
  const check = () => {
    if (arrival.signal.aborted || !isPresenting()) return
    const currentIndex = performance.now()
    const mainNode = findMain()
    const isIdle = (page === undefined || findCurrentPage() === page) && isServerIdle()
    hasArrived ||= isIdle
    const shifted = !root.classList.contains("whole") && mainNode?.scrollTop !== target // scrolled by a measurement
    if (!isIdle || !mainNode || mainNode.scrollHeight !== height || shifted) changed = currentIndex
    height = mainNode?.scrollHeight ?? -1
    const isSettled = currentIndex - changed >= SETTLE_TIME
    root.classList.toggle("whole", isSettled)
    if (!isSettled && hasArrived && mainNode) scrollToStart(mainNode, direction, endedSections)
    target = mainNode?.scrollTop ?? -1
    setTimeout(check, 100)
  }
  check()
  for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) addEventListener(kind, () => endArrival(root), { signal: arrival.signal, capture: true })
}

/**
 * Return whether the expected page is there; from then on only the reader scrolls it.
 * @param {Root} root
 */
function endArrival(root) {
  if (root.arrival && !root.classList.contains("whole") && !isServerIdle()) return false
  root.arrival?.abort()
  root.arrival = null
  return true
}

/** @type {(root: Root, direction: 1 | -1) => void} */
function stepOrTurn(root, direction) {
  const mainNode = findMain()
  if (!mainNode || !endArrival(root)) return
  if (!advance(mainNode, direction)) turnPage(root, direction)
}

/**
 * While the screen is black no key reaches the page.
 * @type {(root: Root, event: KeyboardEvent) => void}
 */
function handleKeyWhileBlack(root, event) {
  if (root.black.hidden || hasModifier(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (BLACK.includes(normalizeKey(event)) || event.key === "Escape" || pageDirection(event.key)) root.black.hidden = true
}

/** @type {(root: Root, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  if (!isPresenting() || event.defaultPrevented || hasModifier(event)) return
  const [target] = event.composedPath()
  /** @param {string} nodes */
  const isWithin = (nodes) => target instanceof Element && target.closest(nodes) != null
  const direction = pageDirection(event.key)
  if (event.key === "Escape") return changePresenting(root, false)
  if (direction) {
    event.preventDefault()
    return stepOrTurn(root, direction)
  }
  if (isWithin(TEXT_FIELDS)) return
  const mainNode = findMain()
  if (BLACK.includes(normalizeKey(event))) root.black.hidden = false
  else if (normalizeKey(event) === SKIP && mainNode) skipSteps(mainNode)
  else if (!SCROLL.includes(event.key) || isWithin(event.key === " " ? `${CHOICE_WIDGETS}, ${PRESSABLE}` : `${CHOICE_WIDGETS}, ${SLIDERS}`)) return
  event.preventDefault()
}

/** @param {Root} root */
function handlePointerMove(root) {
  if (!isPresenting()) return
  root.classList.add("moved")
  clearTimeout(root.pointerTimer)
  root.pointerTimer = setTimeout(() => root.classList.remove("moved"), POINTER_REST)
}

/**
 * Keep the wheel over a scrollable node from scrolling the page behind it.
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
  root.theme = buildThemeSwitch()
  root.button = make("button", { type: "button", class: "present" })
  root.button.addEventListener("click", () => changePresenting(root, !isPresenting()))
  root.black = make("div", { class: "black", hidden: "" })
  root.append(root.skip, root.theme, root.button, root.black)
  root.arrival = null
  root.abortController = new AbortController()
  addEventListener("keydown", (event) => handleKeyWhileBlack(root, event), { signal: root.abortController.signal, capture: true })
  // On the window, so that everything on the page handles the key first.
  addEventListener("keydown", (event) => handleKey(root, event), { signal: root.abortController.signal })
  addEventListener("pointermove", () => handlePointerMove(root), { signal: root.abortController.signal })
  addEventListener("resize", () => isPresenting() && setPresentingStyles(true), { signal: root.abortController.signal })
  addEventListener("wheel", handleWheel, { signal: root.abortController.signal, passive: false })
  watchPageLinks(root.abortController.signal, (link) => submitBeforeLeaving(link) || waitForPending(link))
  listenToSentenceBox(root.abortController.signal, () => root.data.live)
  watchInputs(root.abortController.signal)
}

/** @param {Mounted<FrameData>} mounted */
export default function frame({ data: [data], setStateValue, ...mounted }) {
  const root = mountRoot(mounted, "frame", {}, build)
  root.setStateValue = setStateValue
  root.data = data
  root.skip.textContent = data.words.skip
  nameThemeSwitch(root.theme, data.words)
  showCurrentPage()
  replacePlaceEntries(data.places)
  document.documentElement.lang = data.language // for nodes without lang: Streamlit says English
  // The server's value counts only when it changes; otherwise the browser's is newer.
  const isChanged = root.serverPresenting !== data.present
  root.serverPresenting = data.present
  setPresenting(root, isChanged ? data.present : isPresenting())
  return () => {
    root.abortController.abort()
    root.arrival?.abort()
    clearTimeout(root.pointerTimer)
  }
}
