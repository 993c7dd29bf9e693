// The frame's browser side: the skip link and presenting. While presenting, the frame is hidden and everything is larger
// (page.css), a clicker steps through the page (presentation.js) and from one stop of the walk to the next, one key
// blackens the screen, one shows a QR code (qr_code.js), and no key or wheel scrolls by accident. The server opens the stops (pages/ui/frame/walk.py).

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { submitBeforeLeaving, listenToSentenceBox } from "./sentence_box.js"
import { findAll, make, mountRoot } from "./dom.js"
import { replacePlaceEntries } from "./history.js"
import { isTouch, normalizeKey, hasModifier, pageDirection, TYPING_FIELDS } from "./keys.js"
import { watchPageLinks } from "./navigation.js"
import { watchInputs, waitForPending } from "./pending_input.js"
import { buildQrDialog, QR_KEY, requestQrCode } from "./qr_code.js"
import { buildThemeSwitch, nameThemeSwitch } from "./theme.js"
import { setPresentingStyles, scrollToStart, hasSteps, isPresenting, isServerIdle, skipSteps, advance } from "./presentation.js"

/**
 * @typedef {object} FrameState
 * @property {HTMLAnchorElement} skip
 * @property {HTMLButtonElement} theme switch between light and dark
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} choice the two walks and the QR code, open below the button
 * @property {HTMLElement} bar buttons of a presentation, for pointers
 * @property {HTMLElement} hint how to skip steps, shown once
 * @property {number} presses of the clicker in this stop
 * @property {number} pressedAt time of the last press, and whether it is held
 * @property {boolean} isHeld
 * @property {{ screenX: number, screenY: number }} pointer where it is
 * @property {HTMLElement} black cover of a blackened screen
 * @property {AbortController} abortController
 * @property {AbortController | null} arrival aborts scrolling to the start of a page; null once the reader moves on
 * @property {AbortController | null} awaited the last arrival, until the page is complete
 * @property {ReturnType<typeof setTimeout>} [pointerTimer] until the pointer counts as at rest
 * @property {FrameData} data
 * @property {boolean} [serverPresenting] last value from the server
 * @property {Mounted<FrameData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & FrameState} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const TEXT_FIELDS = `${TYPING_FIELDS}, [role='textbox'], [role='combobox']`
const CHOICE_WIDGETS = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const SLIDERS = "input[type='range']" // Space does nothing on them
const PRESSABLE = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"
const BLACK = ["b", "."]
const CHOICES = /** @type {const} */ (["route", "all", "code"]) // the two walks, and the QR code
const SKIP = "s"
const POINTER_REST = 2000 // milliseconds after which pointer and switch are hidden
const LINKS_TIME = 150 // milliseconds without a new link after which all are there
const SETTLE_TIME = 1500 // milliseconds without a change after which a page is complete
const DOUBLE_PRESS = 250 // milliseconds between the presses of a double press
const HINT_TIME = 8000 // milliseconds
const HINT_KEY = "skip-hint-shown" // in local storage
const ASK_AGAIN = 3000 // milliseconds
const RETURN_TIME = 5000 // milliseconds in which a page must have its height again at the end

const findMain = () => document.querySelector(".stMain")

/**
 * Scroll the links, where they overflow, so that the one of this page is visible, as soon as all are there.
 * @param {number} [drawn] number of links a moment ago
 */
function showCurrentPage(drawn = 0) {
  const links = document.querySelector(".st-key-pages")
  const current = document.querySelector(".st-key-page-now")
  const count = links?.querySelectorAll("a").length ?? 0
  if (!links || !current || !count || count !== drawn) return void setTimeout(showCurrentPage, LINKS_TIME, count)
  const [box, link] = [links.getBoundingClientRect(), current.getBoundingClientRect()]
  if (link.left < box.left || link.right > box.right) links.scrollBy({ left: link.left - box.left - (box.width - link.width) / 2, behavior: "instant" })
}

/** @type {(root: Root, isOn: boolean) => void} */
function setPresenting(root, isOn) {
  const begins = isOn && (!isPresenting() || !root.awaited) // Streamlit may have put the frame on the page anew
  setPresentingStyles(isOn)
  root.classList.toggle("presenting", isOn)
  const { words } = root.data
  root.button.textContent = words.present
  root.button.title = words.present_help
  const [back, next, code, end] = /** @type {HTMLCollectionOf<HTMLElement>} */ (root.bar.children)
  back.title = words.back
  next.title = words.next
  code.textContent = words.present_code
  end.textContent = words.end
  root.hint.textContent = words.skip_hint
  if (!isOn) root.black.hidden = root.hint.hidden = true
  if (!begins) return
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys now belong to the picture
  awaitPage(root, 1)
}

/**
 * Start one of the walks; the short route begins with its first stop.
 * @type {(root: Root, walk: "route" | "all") => void}
 */
function startPresenting(root, walk) {
  toggleChoice(root, false)
  document.documentElement.dataset.presentedFrom = String(findMain()?.scrollTop ?? 0)
  root.presses = 0
  setPresenting(root, true)
  root.trigger("walk", { walk })
  if (walk === "route") awaitPage(root, 1, 0, false)
}

/**
 * End presenting, and return to where it was started.
 * @param {Root} root
 */
function endPresenting(root) {
  setPresenting(root, false)
  const target = Number(document.documentElement.dataset.presentedFrom ?? 0)
  let asked = -Infinity
  const restore = () => {
    const mainNode = findMain()
    const currentTime = performance.now()
    if (isPresenting() || !mainNode) return
    if (root.data.present && currentTime - asked > ASK_AGAIN && (asked < 0 || isServerIdle())) {
      asked = currentTime
      root.trigger("walk", { walk: "" })
    }
    const isThere = !root.data.present && isServerIdle() && mainNode.scrollHeight - mainNode.clientHeight >= target
    if (isThere) mainNode.scrollTo({ top: target, behavior: "instant" })
    else if (currentTime - asked < RETURN_TIME) setTimeout(restore, 100)
  }
  restore()
}

/** @type {(root: Root, isOpen: boolean) => void} */
function toggleChoice(root, isOpen) {
  root.choice.hidden = !isOpen
  const { bottom, right } = root.button.getBoundingClientRect() // its row would clip the choice
  root.choice.style.top = `${bottom + 4}px`
  root.choice.style.right = `${document.documentElement.clientWidth - right}px`
  root.button.setAttribute("aria-expanded", String(isOpen))
  if (isOpen) /** @type {HTMLElement} */ (root.choice.firstElementChild).focus()
}

/**
 * Go to the next (1) or previous stop (-1), if there is one.
 * @type {(root: Root, direction: 1 | -1) => void}
 */
function turnPage(root, direction) {
  const { stop, count } = root.data.walk
  const target = stop + direction
  if (stop < 0 || target < 0 || target >= count) return
  root.presses = direction < 0 ? Infinity : 0
  awaitPage(root, direction, target)
}

/**
 * Show once how a clicker skips steps, where there are any.
 * @param {Root} root
 */
function showHint(root) {
  const mainNode = findMain()
  if (!mainNode || !hasSteps(mainNode)) return
  try {
    if (localStorage.getItem(HINT_KEY)) return
    localStorage.setItem(HINT_KEY, "1")
  } catch {
    return // storage is blocked: the hint would come back on every page
  }
  root.hint.hidden = false
  setTimeout(() => (root.hint.hidden = true), HINT_TIME)
}

/**
 * Wait for a page and scroll to where its presentation starts; repeat whenever it grows, until the reader moves on. There
 * is no timeout: pages and their parts may be slow. Once the page has been unchanged for a while the frame gets the class
 * "whole".
 * @param {Root} root
 * @param {1 | -1} direction forward or backward
 * @param {number} [stop] the expected stop, if another one is still shown
 * @param {boolean} [asks] whether to ask the server for it
 */
function awaitPage(root, direction, stop, asks = true) {
  root.arrival?.abort()
  const arrival = new AbortController()
  root.arrival = root.awaited = arrival
  root.classList.remove("whole")
  let hasArrived = false
  let changed = 0 // time of the last change
  let asked = -Infinity // time of the last request; one that came during a run of the page may be lost
  let [height, target] = [-1, -1]
  /** @type {WeakSet<Element>} */
  const endedSections = new WeakSet() // sections may appear at different times
  const check = () => {
    if (root.awaited !== arrival || !isPresenting()) return
    const isTakenOver = arrival.signal.aborted // by the reader, who scrolls from now on
    const currentTime = performance.now()
    const mainNode = findMain()
    const isIdle = (stop === undefined || (root.data.present && root.data.walk.stop === stop)) && isServerIdle()
    hasArrived ||= isIdle
    if (asks && stop !== undefined && !hasArrived && currentTime - asked > ASK_AGAIN && (asked < 0 || isServerIdle())) {
      asked = currentTime
      root.trigger("walk", { stop })
    }
    const shifted = !root.classList.contains("whole") && mainNode?.scrollTop !== target // scrolled by a measurement
    if (!isIdle || !mainNode || mainNode.scrollHeight !== height || shifted) changed = currentTime
    height = mainNode?.scrollHeight ?? -1
    const isSettled = currentTime - changed >= SETTLE_TIME
    if (isSettled && !root.classList.contains("whole")) showHint(root)
    root.classList.toggle("whole", isSettled)
    if (!isSettled && hasArrived && mainNode && !isTakenOver) scrollToStart(mainNode, direction, endedSections)
    target = mainNode?.scrollTop ?? -1
    if (!isSettled || !isTakenOver) setTimeout(check, 100)
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
  root.hint.hidden = true
  const { presses, skips } = root.data.walk
  if (presses >= 0) root.presses = Math.min(root.presses, presses) // Infinity: the reader came from the next stop
  const hasPresses = presses < 0 || (direction > 0 ? root.presses < presses : root.presses > 0)
  if (!hasPresses || !((direction > 0 && skips && skipSteps(mainNode)) || advance(mainNode, direction))) return turnPage(root, direction)
  root.presses += direction
}

/**
 * A press of PageDown: a step. Held, or the second of a double press: all remaining steps of what is on the screen.
 * @type {(root: Root, event: KeyboardEvent) => void}
 */
function pressForward(root, event) {
  const mainNode = findMain()
  const isDouble = !event.repeat && event.timeStamp - root.pressedAt < DOUBLE_PRESS
  if (event.repeat && root.isHeld) return
  root.isHeld = event.repeat
  root.pressedAt = event.timeStamp
  if ((isDouble || event.repeat) && mainNode && (!root.arrival || endArrival(root)) && skipSteps(mainNode)) return
  if (!event.repeat) stepOrTurn(root, 1)
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
  if (event.key === "Escape" && !root.choice.hidden) {
    toggleChoice(root, false)
    return root.button.focus()
  }
  if (!isPresenting() || event.defaultPrevented || hasModifier(event)) return
  const [target] = event.composedPath()
  /** @param {string} nodes */
  const isWithin = (nodes) => target instanceof Element && target.closest(nodes) != null
  const direction = pageDirection(event.key)
  if (event.key === "Escape") return endPresenting(root)
  if (direction) {
    event.preventDefault()
    return direction > 0 ? pressForward(root, event) : stepOrTurn(root, direction)
  }
  if (isWithin(TEXT_FIELDS)) return
  const mainNode = findMain()
  if (BLACK.includes(normalizeKey(event))) root.black.hidden = false
  else if (normalizeKey(event) === QR_KEY) requestQrCode()
  else if (normalizeKey(event) === SKIP && mainNode) skipSteps(mainNode)
  else if (!SCROLL.includes(event.key) || isWithin(event.key === " " ? `${CHOICE_WIDGETS}, ${PRESSABLE}` : `${CHOICE_WIDGETS}, ${SLIDERS}`)) return
  event.preventDefault()
}

/**
 * Keep what comes under a resting pointer from being highlighted.
 * @type {(root: Root, event: Event) => void}
 */
function ignoreRest(root, event) {
  if (!isPresenting() || !(event instanceof MouseEvent) || isTouch(event)) return
  if (event.screenX === root.pointer.screenX && event.screenY === root.pointer.screenY) event.stopImmediatePropagation()
}

/** @type {(root: Root, event: PointerEvent) => void} */
function handlePointerMove(root, { screenX, screenY }) {
  root.pointer = { screenX, screenY }
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
  root.button.addEventListener("click", () => toggleChoice(root, root.choice.hidden === true))
  root.button.setAttribute("aria-haspopup", "true")
  root.choice = make("div", { class: "choice", hidden: "" }, ...CHOICES.map((choice) => {
    const option = make("button", { type: "button" }, make("b"), " ", make("span"))
    option.addEventListener("click", () => {
      if (choice !== "code") return startPresenting(root, choice)
      toggleChoice(root, false)
      requestQrCode()
    })
    return option
  }))
  root.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) toggleChoice(root, false)
  })
  /** @type {(text: string, act: () => void) => HTMLElement} */
  const makeBarButton = (text, act) => {
    const button = make("button", { type: "button" }, text)
    button.addEventListener("click", act)
    return button
  }
  root.bar = make("div", { class: "bar" }, makeBarButton("◀", () => stepOrTurn(root, -1)), makeBarButton("▶", () => stepOrTurn(root, 1)), makeBarButton("", requestQrCode), makeBarButton("", () => endPresenting(root)))
  root.hint = make("p", { class: "hint", role: "status", hidden: "" })
  root.presses = root.pressedAt = 0
  root.pointer = { screenX: NaN, screenY: NaN }
  root.isHeld = false
  root.black = make("div", { class: "black", hidden: "" })
  root.abortController = new AbortController()
  root.append(root.skip, root.theme, root.button, root.choice, root.bar, root.hint, root.black, buildQrDialog(root.abortController.signal, () => root.data))
  root.arrival = root.awaited = null
  addEventListener("keydown", (event) => handleKeyWhileBlack(root, event), { signal: root.abortController.signal, capture: true })
  // On the window, so that everything on the page handles the key first.
  addEventListener("keydown", (event) => handleKey(root, event), { signal: root.abortController.signal })
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
    addEventListener(kind, (event) => handlePointerMove(root, event), { signal: root.abortController.signal, capture: true })
  }
  for (const kind of ["pointerover", "pointerenter", "mouseover", "mouseenter"]) {
    addEventListener(kind, (event) => ignoreRest(root, event), { signal: root.abortController.signal, capture: true })
  }
  addEventListener("resize", () => isPresenting() && setPresentingStyles(true), { signal: root.abortController.signal })
  addEventListener("wheel", handleWheel, { signal: root.abortController.signal, passive: false })
  watchPageLinks(root.abortController.signal, (link) => submitBeforeLeaving(link) || waitForPending(link))
  listenToSentenceBox(root.abortController.signal, () => root.data.live)
  watchInputs(root.abortController.signal)
}

/** @param {Mounted<FrameData>} mounted */
export default function frame({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "frame", {}, build)
  root.data = data
  root.skip.textContent = data.words.skip
  findAll(root.choice, "button").forEach((option, k) => {
    const [name, help] = option.children
    name.textContent = data.words[`present_${CHOICES[k]}`]
    help.textContent = data.words[`present_${CHOICES[k]}_help`]
  })
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
    root.awaited = null
    clearTimeout(root.pointerTimer)
  }
}
