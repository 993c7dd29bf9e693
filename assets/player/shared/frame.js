// What the frame asks of the browser itself: the way past it by keyboard, and presenting. While presenting, the frame is
// hidden and everything is larger (page.css), a clicker turns the pages, and no key or wheel scrolls by accident.

/** @import { FrameData } from "../payloads.js" */
/** @import { Mounted } from "./component.js" */
import { findAll, make, rooted } from "./dom.js"
import { modified, paged } from "./keys.js"

/**
 * @typedef {object} Parts
 * @property {HTMLAnchorElement} skip
 * @property {HTMLButtonElement} button
 * @property {AbortController} ends
 * @property {FrameData} data
 * @property {boolean} [heard] what the server last said of presenting
 * @property {Mounted<FrameData>["setStateValue"]} tell
 */
/** @typedef {HTMLElement & Parts} Root */

const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const WRITES = "input, textarea, select, [contenteditable='true'], [role='textbox'], [role='combobox']"
const CHOOSES = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const PRESSED = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"

const presenting = () => document.documentElement.hasAttribute("data-presenting")

/**
 * @param {Root} root
 * @param {boolean} on
 */
function present(root, on) {
  const begins = on && !presenting()
  document.documentElement.toggleAttribute("data-presenting", on)
  root.classList.toggle("presenting", on)
  const { words } = root.data
  root.button.textContent = on ? words.end : words.present
  root.button.title = words.present_help
  root.button.setAttribute("aria-pressed", String(on))
  if (!begins) return
  document.querySelector(".stMain")?.scrollTo(0, 0)
  const { activeElement } = document
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur() // keys are for the picture now
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
 * @param {number} by
 */
function turn(by) {
  const links = findAll(document, ".st-key-pages a")
  const now = links.findIndex((link) => link.closest(".st-key-page-now"))
  if (now >= 0) links[now + by]?.click()
}

/**
 * @param {Root} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  if (!presenting() || event.defaultPrevented || modified(event)) return
  if (event.key === "Escape") return change(root, false)
  const by = paged(event.key)
  if (by) {
    event.preventDefault()
    return turn(by)
  }
  const users = event.key === " " ? [WRITES, CHOOSES, PRESSED] : [WRITES, CHOOSES]
  const [at] = event.composedPath()
  if (SCROLL.includes(event.key) && !(at instanceof Element && at.closest(users.join(", ")))) event.preventDefault()
}

/**
 * A wheel over something that scrolls by itself never moves the page behind it.
 * @param {WheelEvent} event
 */
function wheeled(event) {
  if (!presenting() || event.ctrlKey) return
  const main = document.querySelector(".stMain")
  for (const node of event.composedPath()) {
    if (node === main || !(node instanceof Element)) return
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue
    const rest = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop
    if (rest < 1 && event.deltaY) event.preventDefault()
    return
  }
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault()
  const aim = document.querySelector(".st-key-sentence input") ?? document.querySelector("[data-testid='stMainBlockContainer']")
  if (!(aim instanceof HTMLElement)) return
  if (aim.tabIndex < 0) aim.tabIndex = -1
  aim.focus()
}

/** @param {Root} root */
function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" })
  root.skip.addEventListener("click", skip)
  root.button = make("button", { type: "button" })
  root.button.addEventListener("click", () => change(root, !presenting()))
  root.append(root.skip, root.button)
  root.ends = new AbortController()
  // On the window, after everything on the page has had its turn with the key.
  addEventListener("keydown", (event) => pressed(root, event), { signal: root.ends.signal })
  addEventListener("wheel", wheeled, { signal: root.ends.signal, passive: false })
}

/** @param {Mounted<FrameData>} mounted */
export default function frame({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "frame", {}, build)
  root.tell = setStateValue
  root.data = data
  root.skip.textContent = data.words.skip
  // What the server says counts when it changes; in between the browser knows better.
  const news = root.heard !== data.present
  root.heard = data.present
  present(root, news ? data.present : presenting())
  return () => root.ends.abort()
}
