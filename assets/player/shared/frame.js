// What the frame asks of the browser itself: the way past it by keyboard, and presenting. While presenting, the frame is
// hidden and everything is larger (page.css), a clicker walks the page (walk.js) and then turns it, one key blackens the
// screen, and no key or wheel scrolls by accident.

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { askBefore, listenToBox } from "./box.js"
import { findAll, make, rooted } from "./dom.js"
import { quieten } from "./history.js"
import { letter, modified, paged, TYPING } from "./keys.js"
import { noteLeaving } from "./leaving.js"
import { listenToBoxes, saidBefore } from "./typed.js"
import { announcePresenting, enter, presenting, rests, skip, walk } from "./walk.js"

/**
 * @typedef {object} Parts
 * @property {HTMLAnchorElement} skip
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} black what covers the screen while it is black
 * @property {AbortController} ends
 * @property {AbortController | null} coming from when a page is come to until somebody walks on: what ends that
 * @property {ReturnType<typeof setTimeout>} [still] until the pointer counts as at rest
 * @property {FrameData} data
 * @property {boolean} [heard] what the server last said of presenting
 * @property {Mounted<FrameData>["setStateValue"]} tell
 */
/** @typedef {HTMLElement & Parts} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const WRITES = `${TYPING}, [role='textbox'], [role='combobox']`
const CHOOSES = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const SLIDES = "input[type='range']" // whose Space is nobody's
const PRESSED = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"
const BLACK = ["b", "."]
const SKIP = "s"
const REST = 2000 // milliseconds after which the pointer, and the switch it may want, are out of the way
const SETTLES = 1500 // milliseconds without a change after which a page is whole, pictures and all

const main = () => document.querySelector(".stMain")
const pages = () => findAll(document, ".st-key-pages a")
const here = () => pages().findIndex((link) => link.closest(".st-key-page-now"))

/**
 * @param {Root} root
 * @param {boolean} on
 */
function present(root, on) {
  const begins = on && !presenting()
  announcePresenting(on)
  root.classList.toggle("presenting", on)
  const { words } = root.data
  root.button.textContent = on ? words.end : words.present
  root.button.title = words.present_help
  if (!on) darken(root, false)
  if (!begins) return
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys are for the picture now
  come(root, 1)
}

/**
 * The server hears of it for the link's sake; nothing here waits for it.
 * @param {Root} root
 * @param {boolean} on
 */
function change(root, on) {
  present(root, on)
  root.tell("present", on)
}

/**
 * The page after this one (1), or before it (-1); at either end nothing happens.
 * @param {Root} root
 * @param {1 | -1} by
 */
function turn(root, by) {
  const now = here()
  const link = now < 0 ? undefined : pages()[now + by]
  if (!link) return
  come(root, by, now + by)
  link.click()
}

/**
 * Wait for a page, and bring the window to where its walk begins; again whenever it grows, until somebody walks on. No
 * clock ends that: a page may take its time to be there, and parts of it more. Once it has stood as it is for a while the
 * frame is of the class "whole".
 * @param {Root} root
 * @param {1 | -1} by from before it, or from behind
 * @param {number} [page] its place among the pages, where another one is shown as yet
 */
function come(root, by, page) {
  root.coming?.abort()
  const coming = new AbortController()
  root.coming = coming
  root.classList.remove("whole")
  let there = false
  let changed = 0 // when it was last being made, or grew
  let [height, at] = [-1, -1]
  /** @type {WeakSet<Element>} */
  const ended = new WeakSet() // some are there later than others
  const look = () => {
    if (coming.signal.aborted || !presenting()) return
    const now = performance.now()
    const seen = main()
    const rested = (page === undefined || here() === page) && rests()
    there ||= rested
    const shifted = !root.classList.contains("whole") && seen?.scrollTop !== at // by what is being measured
    if (!rested || !seen || seen.scrollHeight !== height || shifted) changed = now
    height = seen?.scrollHeight ?? -1
    const whole = now - changed >= SETTLES
    root.classList.toggle("whole", whole)
    if (!whole && there && seen) enter(seen, by, ended)
    at = seen?.scrollTop ?? -1
    setTimeout(look, 100)
  }
  look()
  for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) addEventListener(kind, () => arrived(root), { signal: coming.signal, capture: true })
}

/**
 * Whether the page that was asked for is there, so that it can be walked; then nothing moves it but the reader.
 * @param {Root} root
 */
function arrived(root) {
  if (root.coming && !root.classList.contains("whole") && !rests()) return false
  root.coming?.abort()
  root.coming = null
  return true
}

/**
 * @param {Root} root
 * @param {1 | -1} by
 */
function walked(root, by) {
  const seen = main()
  if (!seen || !arrived(root)) return
  if (!walk(seen, by)) turn(root, by)
}

/**
 * @param {Root} root
 * @param {boolean} on
 */
function darken(root, on) {
  root.black.hidden = !on
}

/**
 * While the screen is black no key goes on to the page: what is played there would move unseen.
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function covered(root, event) {
  if (root.black.hidden || modified(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (BLACK.includes(letter(event)) || event.key === "Escape" || paged(event.key)) darken(root, false)
}

/**
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  if (!presenting() || event.defaultPrevented || modified(event)) return
  const [at] = event.composedPath()
  /** @param {string} nodes */
  const uses = (nodes) => at instanceof Element && at.closest(nodes) != null
  const by = paged(event.key)
  if (event.key === "Escape") return change(root, false)
  if (by) {
    event.preventDefault()
    return walked(root, by)
  }
  if (uses(WRITES)) return
  const seen = main()
  if (BLACK.includes(letter(event))) darken(root, true)
  else if (letter(event) === SKIP && seen) skip(seen)
  else if (!SCROLL.includes(event.key) || uses(event.key === " " ? `${CHOOSES}, ${PRESSED}` : `${CHOOSES}, ${SLIDES}`)) return
  event.preventDefault()
}

/**
 * The pointer has moved: the switch is there for it, and gone again soon.
 * @param {Root} root
 */
function moved(root) {
  if (!presenting()) return
  root.classList.add("moved")
  clearTimeout(root.still)
  root.still = setTimeout(() => root.classList.remove("moved"), REST)
}

/**
 * A wheel over something that scrolls by itself never moves the page behind it.
 * @param {WheelEvent} event
 */
function wheeled(event) {
  if (!presenting() || event.ctrlKey) return
  const page = main()
  for (const node of event.composedPath()) {
    if (node === page || !(node instanceof Element)) return
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue
    const rest = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop
    if (rest < 1 && event.deltaY) event.preventDefault()
    return
  }
}

/** @param {Event} event */
function past(event) {
  event.preventDefault()
  const aim = document.querySelector(".st-key-sentence textarea") ?? document.querySelector("[data-testid='stMainBlockContainer']")
  if (!(aim instanceof HTMLElement)) return
  if (aim.tabIndex < 0) aim.tabIndex = -1
  aim.focus()
}

/** @param {Root} root */
function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" })
  root.skip.addEventListener("click", past)
  root.button = make("button", { type: "button" })
  root.button.addEventListener("click", () => change(root, !presenting()))
  root.black = make("div", { class: "black", hidden: "" })
  root.append(root.skip, root.button, root.black)
  root.coming = null
  root.ends = new AbortController()
  addEventListener("keydown", (event) => covered(root, event), { signal: root.ends.signal, capture: true })
  // On the window, after everything on the page has had its turn with the key.
  addEventListener("keydown", (event) => pressed(root, event), { signal: root.ends.signal })
  addEventListener("pointermove", () => moved(root), { signal: root.ends.signal })
  addEventListener("resize", () => presenting() && announcePresenting(true), { signal: root.ends.signal })
  addEventListener("wheel", wheeled, { signal: root.ends.signal, passive: false })
  noteLeaving(root.ends.signal, (link) => askBefore(link) || saidBefore(link))
  listenToBox(root.ends.signal, () => root.data.live)
  listenToBoxes(root.ends.signal)
}

/** @param {Mounted<FrameData>} mounted */
export default function frame({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "frame", {}, build)
  root.tell = setStateValue
  root.data = data
  root.skip.textContent = data.words.skip
  quieten(data.places)
  document.documentElement.lang = data.language // of what has none of its own: Streamlit says English
  // What the server says counts when it changes; in between the browser knows better.
  const news = root.heard !== data.present
  root.heard = data.present
  present(root, news ? data.present : presenting())
  return () => {
    root.ends.abort()
    root.coming?.abort()
    clearTimeout(root.still)
  }
}
