// The frame's browser side: the skip link, the lecture that is prepared (lecture_dialog.js), and presenting. While presenting,
// the frame is hidden and everything is larger (page.css), a clicker steps through the page (presentation.js) and from one
// stop of the walk to the next, one key blackens the screen, one shows a QR code (qr_code.js), one opens the speaker's window
// (lecture_presentation.js), and no key or wheel scrolls by accident. The server opens the stops (pages/ui/frame/walk.py).

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
/** @import { Lecture, LectureStop } from "./lecture.js" */
/** @import { LecturePresentation, SpeakerPress } from "./lecture_presentation.js" */
import { getUnsubmittedText, submitBeforeLeaving, listenToSentenceBox } from "./sentence_box.js"
import { announceText, findAll, make, mountRoot } from "./dom.js"
import { formatTemplate, shortenText } from "./format.js"
import { limitEntries } from "./history.js"
import { CHOICE_WIDGETS, isTouch, normaliseKey, hasModifier, getPageDirection, PRESSABLE, TYPING_FIELDS } from "./keys.js"
import { MAX_STOPS, readView } from "./lecture.js"
import { appendStop, fetchShippedLecture, LectureDialog, loadLecture } from "./lecture_dialog.js"
import { loadPresentation, makePresentation, openChannel, openSpeakerWindow, storePresentation } from "./lecture_presentation.js"
import { watchPageLinks } from "./navigation.js"
import { watchInputs, waitForPending } from "./pending_input.js"
import { buildQrDialog, QR_KEY, requestQrCode } from "./qr_code.js"
import { requestVote } from "./questions.js"
import { readStored, writeStored } from "./storage.js"
import { buildThemeSwitch, cleanAddress, isDark, nameThemeSwitch } from "./theme.js"
import { setPresentingStyles, scrollToStart, hasSkippableSteps, hasVisibleSteps, isPresenting, isServerIdle, skipSteps, advance } from "./presentation.js"

/**
 * @typedef {object} FrameState
 * @property {HTMLAnchorElement} skipLink link to the main part
 * @property {HTMLButtonElement} themeSwitch between light and dark
 * @property {HTMLButtonElement} presentButton
 * @property {HTMLElement} presentMenu the menu below the button
 * @property {HTMLButtonElement} addButton adds the view on the screen to the lecture that is prepared
 * @property {Promise<string> | null} addition of the view on the screen, while it waits
 * @property {LectureDialog} lectureDialog
 * @property {LecturePresentation | null} presentation the lecture that is presented
 * @property {BroadcastChannel | null} channel to the speaker's window
 * @property {boolean} isLinkRead whether the lecture of the link was opened
 * @property {HTMLElement} bar buttons of a presentation, for pointers
 * @property {HTMLElement} hint how to skip steps, shown once, or why something failed
 * @property {ReturnType<typeof setTimeout>} [hintTimer] until it is hidden
 * @property {number} presses of the clicker in this stop
 * @property {number} pressedAt time of the last press of PageDown
 * @property {boolean} isHeld whether PageDown is held
 * @property {{ screenX: number, screenY: number }} pointer where it is
 * @property {HTMLElement} blackCover cover of a blackened screen
 * @property {AbortController} abortController
 * @property {AbortController | null} scrollController aborts the scrolling to the start of a page; null once the reader moves on
 * @property {AbortController | null} pageController aborts waiting until the opened page is complete
 * @property {ReturnType<typeof setTimeout>} [pointerTimer] until the pointer counts as at rest
 * @property {FrameData} data
 * @property {boolean} [serverPresenting] last value from the server
 * @property {Mounted<FrameData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & FrameState} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const TEXT_FIELDS = `${TYPING_FIELDS}, [role='textbox'], [role='combobox']`
const SLIDERS = "input[type='range']" // Space does nothing on them
const BLACK = ["b", "."]
const CHOICES = /** @type {const} */ (["lecture", "own", "all", "code", "vote"]) // the shipped lecture, the reader's own, every page, the QR code, a vote
const SKIP = "s"
const SPEAKER = "n" // notes
const REPORT_TIME = 700 // milliseconds in which a page has its position and typed text in its address
const TITLE_LENGTH = 80 // characters
const POINTER_REST = 2000 // milliseconds after which pointer and switch are hidden
const LINKS_TIME = 150 // milliseconds without a new link after which all are there
const SETTLE_TIME = 1500 // milliseconds without a change after which a page is complete
const DOUBLE_PRESS = 250 // milliseconds between the presses of a double press
const HINT_TIME = 8000 // milliseconds
const HINT_KEY = "skip-hint-shown" // in local storage
const ASK_AGAIN = 3000 // milliseconds
const RETURN_TIME = 5000 // milliseconds in which a page must have its height again at the end

/** @param {Pick<Root, "blackCover">} root */
const isBlack = ({ blackCover }) => blackCover.matches(":popover-open")

const findMain = () => document.querySelector(".stMain")

/**
 * Scroll the links, where they overflow, so that the one of this page is visible, as soon as all are there.
 * @param {number} [previousCount] number of links a moment ago
 */
function showCurrentPage(previousCount = 0) {
  const links = document.querySelector(".st-key-pages")
  const current = document.querySelector(".st-key-page-now")
  const count = links?.querySelectorAll("a").length ?? 0
  if (!links || !current || !count || count !== previousCount) return void setTimeout(showCurrentPage, LINKS_TIME, count)
  const [box, link] = [links.getBoundingClientRect(), current.getBoundingClientRect()]
  if (link.left < box.left || link.right > box.right) links.scrollBy({ left: link.left - box.left - (box.width - link.width) / 2, behavior: "instant" })
}

/** @type {(root: Root, isOn: boolean) => void} */
function setPresenting(root, isOn) {
  const begins = isOn && (!isPresenting() || !root.pageController) // Streamlit may have put the frame on the page anew
  const ends = !isOn && root.classList.contains("presenting")
  setPresentingStyles(isOn)
  root.classList.toggle("presenting", isOn)
  const { messages } = root.data
  root.presentButton.textContent = messages.present
  root.presentButton.title = messages.present_help
  const [backButton, nextButton, speakerButton, codeButton, endButton] = /** @type {HTMLCollectionOf<HTMLElement>} */ (root.bar.children)
  for (const [button, text] of /** @type {const} */ ([[backButton, messages.back], [nextButton, messages.next]])) {
    button.title = text
    button.setAttribute("aria-label", text)
  }
  speakerButton.textContent = root.data.lecture_messages.speaker
  speakerButton.hidden = !root.presentation
  codeButton.textContent = messages.present_code
  endButton.textContent = messages.end
  if (ends) {
    root.blackCover.hidePopover()
    showHint(root, "")
  }
  if (!begins) return
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys now belong to the picture
  awaitPage(root, 1)
}

/**
 * Start to present a lecture, or every page.
 * @type {(root: Root, lecture: Lecture | null) => void}
 */
function startPresenting(root, lecture) {
  toggleChoice(root, false)
  document.documentElement.dataset.presentedFrom = String(findMain()?.scrollTop ?? 0)
  setPresentation(root, lecture && makePresentation(lecture))
  setPresenting(root, true)
  if (lecture) goToStop(root, 0, 1)
  else root.trigger("walk", { walk: "all" })
}

/** @type {(root: Root, presentation: LecturePresentation | null) => void} */
function setPresentation(root, presentation) {
  if (root.presentation && !presentation) root.channel?.postMessage({ ended: true })
  root.channel?.close()
  root.presentation = presentation
  root.channel = presentation && openChannel(presentation.id, (/** @type {SpeakerPress} */ press) => followSpeaker(root, press))
  storePresentation(presentation)
}

/** Tell the speaker's window what is on the screen. @param {Root} root */
function informSpeaker(root) {
  const { presentation, channel, themeSwitch: theme, data } = root
  if (!presentation) return
  const { lecture, stop, began } = presentation
  channel?.postMessage({ lecture, stop, began, isBlack: isBlack(root), isDark: isDark(theme), messages: data.lecture_messages })
}

/** @type {(root: Root, isOn: boolean) => void} */
function setBlack(root, isOn) {
  root.blackCover.togglePopover(isOn)
  informSpeaker(root)
}

/**
 * Do what the speaker pressed in the other window.
 * @type {(root: Root, press: SpeakerPress) => void}
 */
function followSpeaker(root, press) {
  if (!isPresenting() || !root.presentation) return
  if ("stop" in press) return void (press.stop !== root.presentation.stop && root.presentation.lecture.stops[press.stop] && goToStop(root, press.stop, 1))
  if (press.press === "hello") return informSpeaker(root)
  if (press.press === "black") return setBlack(root, !isBlack(root))
  dispatchEvent(new KeyboardEvent("keydown", { key: press.press === "next" ? "PageDown" : "PageUp", cancelable: true })) // an open dialog takes it first
}

/**
 * End presenting, and return to where it was started.
 * @param {Root} root
 */
function endPresenting(root) {
  setPresentation(root, null)
  setPresenting(root, false)
  const target = Number(document.documentElement.dataset.presentedFrom ?? 0)
  let requestTime = -Infinity
  const restore = () => {
    const mainNode = findMain()
    const currentTime = performance.now()
    if (isPresenting() || !mainNode) return
    if (root.data.is_presenting && currentTime - requestTime > ASK_AGAIN && (requestTime < 0 || isServerIdle())) {
      requestTime = currentTime
      root.trigger("walk", { walk: "" })
    }
    const isThere = !root.data.is_presenting && isServerIdle() && mainNode.scrollHeight - mainNode.clientHeight >= target
    if (isThere) mainNode.scrollTo({ top: target, behavior: "instant" })
    else if (currentTime - requestTime < RETURN_TIME) setTimeout(restore, 100)
  }
  restore()
}

/** @type {(root: Root, isOpen: boolean) => void} */
function toggleChoice(root, isOpen) {
  root.presentMenu.hidden = !isOpen
  const { bottom, right } = root.presentButton.getBoundingClientRect() // its row would clip the choice
  root.presentMenu.style.top = `${bottom + 4}px`
  root.presentMenu.style.right = `${document.documentElement.clientWidth - right}px`
  root.presentButton.setAttribute("aria-expanded", String(isOpen))
  if (isOpen) /** @type {HTMLElement} */ (root.presentMenu.firstElementChild).focus()
}

/**
 * Go to the next (1) or previous stop (-1), if there is one.
 * @type {(root: Root, direction: 1 | -1) => void}
 */
function turnPage(root, direction) {
  const { stop, count } = root.presentation ? { stop: root.presentation.stop, count: root.presentation.lecture.stops.length } : root.data.walk
  const target = stop + direction
  if (stop >= 0 && target >= 0 && target < count) goToStop(root, target, direction)
}

/**
 * Go to a stop. One of a lecture opens as it was added, from both directions.
 * @type {(root: Root, stop: number, direction: 1 | -1) => void}
 */
function goToStop(root, stop, direction) {
  root.presses = 0
  if (root.presentation) {
    root.presentation.stop = stop
    storePresentation(root.presentation)
    informSpeaker(root)
  }
  awaitPage(root, root.presentation ? 1 : direction, stop)
}

/** @type {(root: Root, stop: number) => object} what to ask the server for */
function requestStop({ presentation }, stop) {
  if (!presentation) return { stop }
  const { page, values } = presentation.lecture.stops[stop]
  return { lecture: stop, page, values }
}

/**
 * Show once how a clicker skips steps, where there are any.
 * @param {Root} root
 */
function showSkipHint(root) {
  const mainNode = findMain()
  if (!mainNode || !hasSkippableSteps(mainNode)) return
  if (readStored("localStorage", HINT_KEY) || !writeStored("localStorage", HINT_KEY, 1)) return // if it is blocked, the hint would come back on every page
  showHint(root, root.data.messages.skip_hint)
}

/**
 * Show a text for a while, which is announced too; "" for none.
 * @type {(root: Root, text: string) => void}
 */
function showHint(root, text) {
  root.hint.textContent = text
  clearTimeout(root.hintTimer)
  root.hintTimer = setTimeout(() => (root.hint.textContent = ""), HINT_TIME)
}

/**
 * Wait for a page and scroll to where its presentation starts; repeat whenever it grows, until the reader moves on. There
 * is no timeout: pages and their parts may be slow. Once the page has been unchanged for a while the frame gets the class
 * "whole".
 * @param {Root} root
 * @param {1 | -1} direction forward or backward
 * @param {number} [stop] the expected stop, if another one is still shown
 */
function awaitPage(root, direction, stop) {
  root.scrollController?.abort()
  const arrival = new AbortController()
  root.scrollController = root.pageController = arrival
  root.classList.remove("whole")
  let hasArrived = false
  let changeTime = 0 // time of the last change
  let requestTime = -Infinity // time of the last request; one that came during a run of the page may be lost
  let [height, target] = [-1, -1]
  /** @type {WeakSet<Element>} */
  const endedSections = new WeakSet() // sections may appear at different times
  const check = () => {
    if (root.pageController !== arrival || !isPresenting()) return
    const isTakenOver = arrival.signal.aborted // by the reader, who scrolls from now on
    const currentTime = performance.now()
    const mainNode = findMain()
    const { is_presenting: isServerPresenting, walk } = root.data
    const isIdle = (stop === undefined || (isServerPresenting && (root.presentation ? walk.lecture_stop : walk.stop) === stop)) && isServerIdle()
    hasArrived ||= isIdle
    if (stop !== undefined && !hasArrived && currentTime - requestTime > ASK_AGAIN && (requestTime < 0 || isServerIdle())) {
      requestTime = currentTime
      root.trigger("walk", requestStop(root, stop))
    }
    const isShifted = !root.classList.contains("whole") && mainNode?.scrollTop !== target // scrolled by a measurement
    if (!isIdle || !mainNode || mainNode.scrollHeight !== height || isShifted) changeTime = currentTime
    height = mainNode?.scrollHeight ?? -1
    const isSettled = currentTime - changeTime >= SETTLE_TIME
    if (isSettled && !root.classList.contains("whole")) showSkipHint(root)
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
  if (root.scrollController && !root.classList.contains("whole") && !isServerIdle()) return false
  root.scrollController?.abort()
  root.scrollController = null
  return true
}

/** @type {(root: Root, direction: 1 | -1) => void} */
function stepOrTurn(root, direction) {
  const mainNode = findMain()
  if (!mainNode || !endArrival(root)) return
  showHint(root, "")
  const presses = root.presentation?.lecture.stops[root.presentation.stop].presses ?? Infinity
  const hasPresses = direction > 0 ? root.presses < presses : !root.presentation || root.presses > 0
  if (!hasPresses || !advance(mainNode, direction)) return turnPage(root, direction)
  root.presses += direction
}

/**
 * Handle PageDown: do a step; if it is held or pressed twice, skip the remaining steps.
 * @type {(root: Root, event: KeyboardEvent) => void}
 */
function pressForward(root, event) {
  const mainNode = findMain()
  const isDouble = !event.repeat && event.timeStamp - root.pressedAt < DOUBLE_PRESS
  if (event.repeat && root.isHeld) return
  root.isHeld = event.repeat
  root.pressedAt = event.timeStamp
  if ((isDouble || event.repeat) && mainNode && (!root.scrollController || endArrival(root)) && skipSteps(mainNode)) return
  if (!event.repeat) stepOrTurn(root, 1)
}

/**
 * Swallow every key while the screen is black; some end it.
 * @type {(root: Root, event: KeyboardEvent) => void}
 */
function handleKeyWhileBlack(root, event) {
  if (!isBlack(root) || hasModifier(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (BLACK.includes(normaliseKey(event)) || event.key === "Escape" || getPageDirection(event.key)) setBlack(root, false)
}

/** @type {(root: Root, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  if (event.key === "Escape" && !root.presentMenu.hidden) {
    toggleChoice(root, false)
    return root.presentButton.focus()
  }
  if (!isPresenting() || event.defaultPrevented || event.isComposing || hasModifier(event)) return
  const [target] = event.composedPath()
  /** @param {string} nodes */
  const isWithin = (nodes) => target instanceof Element && target.closest(nodes) != null
  const direction = getPageDirection(event.key)
  if (event.key === "Escape") return endPresenting(root)
  if (direction) {
    event.preventDefault()
    return direction > 0 && event.isTrusted ? pressForward(root, event) : stepOrTurn(root, direction) // presses of the speaker's window may arrive together
  }
  if (isWithin(TEXT_FIELDS)) return
  const mainNode = findMain()
  if (BLACK.includes(normaliseKey(event))) setBlack(root, true)
  else if (normaliseKey(event) === SPEAKER && root.presentation) openSpeakerWindow(root.presentation.id, root.data.language)
  else if (normaliseKey(event) === QR_KEY) requestQrCode()
  else if (normaliseKey(event) === SKIP && mainNode) skipSteps(mainNode)
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

/**
 * Add the view on the screen to the lecture, once its address has everything; a press meanwhile adds nothing. Announces and
 * returns what came of it.
 * @param {Root} root
 */
function addView(root) {
  root.addButton.ariaDisabled = "true" // not disabled: it would lose the focus
  root.addition ??= appendView(root).finally(() => {
    root.addition = null
    root.addButton.ariaDisabled = null
  })
  return root.addition
}

/** @param {Root} root */
async function appendView(root) {
  await new Promise((/** @type {(value: null) => void} */ resolve) => {
    const check = () => (isServerIdle() ? resolve(null) : setTimeout(check, 100))
    setTimeout(check, REPORT_TIME)
  })
  const { pages, view_title: name, lecture_messages: messages } = root.data
  const view = readView(location.href, pages)
  const { sentence } = view.values
  const mainNode = findMain()
  const problem = appendStop(loadLecture(pages) ?? { title: "", stops: [] }, {
    ...view, title: shortenText(sentence ? `${name}: ${sentence}` : name, TITLE_LENGTH),
    note: "", minutes: 0, presses: mainNode && hasVisibleSteps(mainNode) ? null : 0,
  })
  nameAddButton(root)
  const text = formatTemplate(problem ? messages[`problem_${problem}`] : messages.added, { title: name, limit: MAX_STOPS })
  if (problem) showHint(root, text)
  else announceText(root, text)
  return text
}

/** @type {(root: Root, stop: LectureStop) => void} */
const openView = (root, { page, values }) => root.trigger("walk", { page, values })

/**
 * Show the button while a lecture is being prepared, with the number of its stops.
 * @param {Root} root
 */
function nameAddButton(root) {
  const lecture = loadLecture(root.data.pages)
  const { lecture_messages: messages } = root.data
  root.addButton.hidden = !lecture
  root.addButton.replaceChildren("+ ", make("span", {}, messages.add), ` (${lecture?.stops.length ?? 0})`)
  root.addButton.title = formatTemplate(messages.add_help, { count: lecture?.stops.length ?? 0 })
}

/**
 * Open the lecture that the link has, once.
 * @param {Root} root
 */
function readLink(root) {
  const packedLecture = new URL(location.href).searchParams.get("lecture")
  if (packedLecture === null || root.isLinkRead) return
  root.isLinkRead = true
  root.lectureDialog.takeLink(packedLecture)
  root.trigger("walk", { is_read: true })
}

/** @param {Root} root */
function build(root) {
  root.skipLink = make("a", { class: "skip", href: "#content" })
  root.skipLink.addEventListener("click", skipToContent)
  root.themeSwitch = buildThemeSwitch(getUnsubmittedText)
  root.presentButton = make("button", { type: "button", class: "present", "aria-expanded": "false" })
  root.presentButton.addEventListener("click", () => toggleChoice(root, root.presentMenu.hidden === true))
  root.presentMenu = make("div", { class: "choice", hidden: "" }, ...CHOICES.map((choice) => {
    const option = make("button", { type: "button" }, make("b"), " ", make("span"))
    option.addEventListener("click", () => {
      toggleChoice(root, false)
      if (choice === "code") requestQrCode()
      else if (choice === "vote") requestVote()
      else if (choice === "own") root.lectureDialog.open()
      else if (choice === "all") startPresenting(root, null)
      else fetchShippedLecture(root.data).then((lecture) => startPresenting(root, lecture), () => showHint(root, root.data.lecture_messages.problem_fetch))
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
  root.bar = make("div", { class: "bar" }, makeBarButton("◀", () => stepOrTurn(root, -1)), makeBarButton("▶", () => stepOrTurn(root, 1)), makeBarButton("", () => root.presentation && openSpeakerWindow(root.presentation.id, root.data.language)), makeBarButton("", requestQrCode), makeBarButton("", () => endPresenting(root)))
  root.hint = make("p", { class: "hint", role: "status" })
  root.presses = root.pressedAt = 0
  root.pointer = { screenX: NaN, screenY: NaN }
  root.isHeld = false
  root.blackCover = make("div", { class: "black", popover: "manual" }) // so that it covers dialogs too
  root.abortController = new AbortController()
  addEventListener("keydown", (event) => handleKeyWhileBlack(root, event), { signal: root.abortController.signal, capture: true }) // before dialogs
  root.addButton = make("button", { type: "button", class: "add" })
  root.addButton.addEventListener("click", () => addView(root))
  root.lectureDialog = new LectureDialog(root.abortController.signal, {
    getData: () => root.data, addView: () => addView(root), present: (lecture) => startPresenting(root, lecture),
    openView: (stop) => openView(root, stop), update: () => nameAddButton(root),
  })
  root.append(root.skipLink, root.addButton, root.themeSwitch, root.presentButton, root.presentMenu, root.bar, root.hint, root.blackCover, root.lectureDialog.node, buildQrDialog(root.abortController.signal, () => root.data))
  root.scrollController = root.pageController = null
  root.presentation = root.channel = root.addition = null
  root.isLinkRead = false
  // On the window, so that everything on the page handles the key first.
  addEventListener("keydown", (event) => handleKey(root, event), { signal: root.abortController.signal })
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
    addEventListener(kind, (event) => handlePointerMove(root, event), { signal: root.abortController.signal, capture: true })
  }
  for (const kind of ["pointerover", "pointerenter", "mouseover", "mouseenter"]) {
    addEventListener(kind, (event) => ignoreRest(root, event), { signal: root.abortController.signal, capture: true })
  }
  addEventListener("beforeunload", (event) => root.data.has_unsaved_work && event.preventDefault(), { signal: root.abortController.signal })
  addEventListener("resize", () => isPresenting() && setPresentingStyles(true), { signal: root.abortController.signal })
  addEventListener("wheel", handleWheel, { signal: root.abortController.signal, passive: false })
  watchPageLinks(root.abortController.signal, (link) => submitBeforeLeaving(link) || waitForPending(link))
  listenToSentenceBox(root.abortController.signal, () => root.data.is_live)
  watchInputs(root.abortController.signal)
}

/** @param {Mounted<FrameData>} mounted */
export default function mountFrame({ data: [data], ...mounted }) {
  // Safari does not focus a clicked button but the root, so that the menu stays open.
  const root = mountRoot(mounted, "frame", { tabindex: -1 }, build)
  root.data = data
  root.skipLink.textContent = data.messages.skip
  findAll(root.presentMenu, "button").forEach((option, k) => {
    const [name, help] = option.children
    name.textContent = data.messages[`present_${CHOICES[k]}`]
    help.textContent = data.messages[`present_${CHOICES[k]}_help`]
  })
  nameThemeSwitch(root.themeSwitch, data.messages)
  cleanAddress()
  nameAddButton(root)
  if (data.is_presenting && !root.presentation) {
    setPresentation(root, loadPresentation()) // the page was reloaded
    informSpeaker(root)
  }
  readLink(root)
  showCurrentPage()
  limitEntries(data.position_params)
  document.documentElement.lang = data.language // for nodes without lang: Streamlit says English
  // The server's value counts only when it changes; otherwise the browser's is newer.
  const isChanged = root.serverPresenting !== data.is_presenting
  root.serverPresenting = data.is_presenting
  if (isChanged && !data.is_presenting) setPresentation(root, null) // the reader went back to before the lecture
  setPresenting(root, isChanged ? data.is_presenting : isPresenting())
  return () => {
    root.abortController.abort()
    root.scrollController?.abort()
    root.pageController = null
    root.channel?.close()
    clearTimeout(root.pointerTimer)
    clearTimeout(root.hintTimer)
  }
}
