// The story: six scenes, each a few sentences and a picture. Space, PageDown and the arrows walk its steps; everything in
// a picture can be pointed at, tapped and reached by keyboard. All data comes once.

/** @import { StoryData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Place } from "./steps.js" */
import { unmoved } from "../shared/anew.js"
import { find, findAll, make, nearest, rooted } from "../shared/dom.js"
import { filled } from "../shared/format.js"
import { CHOOSING, modified, paged, PRESSED, TYPING } from "../shared/keys.js"
import { announce, presenting } from "../shared/walk.js"
import { after } from "./after.js"
import { looking } from "./looking.js"
import { lookup } from "./lookup.js"
import { proof } from "./proof.js"
import { tables } from "./tables.js"
import { vector } from "./vector.js"
import { outermost, walk } from "./steps.js"

/**
 * @typedef {object} Kept
 * @property {StoryData} data
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {Scene[]} scenes
 * @property {Place} place
 * @property {number} [sent] which scene the page knows of
 * @property {boolean} held whether what was tapped stays lit
 * @property {string} wide what the scene was fitted to
 * @property {ResizeObserver} observer
 * @property {ReturnType<typeof setTimeout>} [telling]
 * @property {(event: KeyboardEvent) => void} keys
 * @property {Mounted<StoryData>["setTriggerValue"]} send
 */
/** @typedef {HTMLElement & Kept} Story */

const TOLD_AFTER = 400 // milliseconds of rest before the page is told which scene is shown

/** @param {Story} root */
const sceneOf = (root) => root.scenes[root.place.scene]

/** @param {Story} root */
const counts = (root) => root.scenes.map((scene) => scene.lines.length)

/**
 * @param {Story} root
 * @param {Place} place
 */
function go(root, place) {
  const other = place.scene !== root.place.scene || !find(root, ".picture").firstChild
  const keyboard = () => /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement
  const had = root.contains(keyboard())
  root.place = place
  if (other) {
    enter(root)
    fit(root)
  }
  show(root)
  // What had the keyboard may be gone with its picture, or be a button that leads nowhere any more.
  if (had && (!root.contains(keyboard()) || keyboard()?.matches(":disabled"))) root.focus({ preventScroll: true })
  clearTimeout(root.telling)
  if (root.sent === place.scene) return
  root.telling = setTimeout(() => {
    root.sent = place.scene
    root.send("scene", place.scene + 1)
  }, TOLD_AFTER)
}

/**
 * Put a scene's title, sentences and picture in place.
 * @param {Story} root
 */
function enter(root) {
  const { data, place } = root
  const { title, lines } = data.scenes[place.scene]
  find(root, "h2").textContent = title
  find(root, ".lines").replaceChildren(...lines.map((line) => make("p", { class: "told" }, line)))
  find(root, ".picture").replaceChildren(sceneOf(root).node)
  find(root, ".made").hidden = place.scene + 1 < root.scenes.length // out of a newcomer's way, where a lecturer looks for it
  findAll(root, ".scenes button").forEach((button, k) => button.setAttribute("aria-current", k === place.scene ? "step" : "false"))
}

const SMALLEST = 0.62 // of the size that presenting asks for: smaller type nobody reads
const SMALLER = 0.03

/**
 * Presenting makes everything larger: as large as is asked for, but with all of the scene on the screen at every step.
 * @param {Story} root
 */
function fit(root) {
  root.style.setProperty("--fit", "1")
  if (!presenting()) return
  const scene = sceneOf(root)
  const [text, picture] = [find(root, ".text"), find(root, ".picture")]
  const fits = () => scene.lines.every((_, number) => {
    scene.show(number, true)
    const nodes = [scene.node, ...findAll(scene.node, ".columns")]
    return nodes.every((node) => node.scrollWidth <= node.clientWidth + 1) && Math.max(scene.node.scrollHeight, scene.node.offsetHeight) <= picture.clientHeight + 1
      && text.getBoundingClientRect().top + find(text, ".controls").offsetTop + find(text, ".controls").offsetHeight - text.offsetTop <= innerHeight - 6
  })
  unmoved(() => {
    for (let share = 1 - SMALLER; share >= SMALLEST && !fits(); share -= SMALLER) root.style.setProperty("--fit", share.toFixed(2))
  })
}

/** @param {Story} root */
function show(root) {
  const { place, data: { words } } = root
  const scene = sceneOf(root)
  const told = scene.lines[place.step]
  findAll(root, ".told").forEach((line, k) => {
    line.classList.toggle("coming", k >= told)
    line.classList.toggle("now", k === told - 1)
  })
  scene.show(place.step)
  touch(root, null)
  const all = counts(root)
  find(root, ".count").textContent = filled(words.told, { step: place.step + 1, last: scene.lines.length })
  find(root, "[data-by='-1']").toggleAttribute("disabled", !walk(place, all, -1))
  find(root, "[data-by='1']").toggleAttribute("disabled", !walk(place, all, 1))
}

/**
 * @param {Story} root
 * @param {number} by
 */
function step(root, by) {
  const to = walk(root.place, counts(root), by)
  if (to) go(root, to)
  return to !== null
}

/**
 * The story's first place, or its last one.
 * @param {Story} root
 * @param {string} key Home or End; others lead nowhere
 */
function leap(root, key) {
  const to = outermost(key, counts(root))
  if (to) go(root, to)
  return to !== null
}

/**
 * @param {Story} root
 * @param {HTMLElement | null} node
 */
function touch(root, node) {
  root.held = false
  find(root, ".readout").textContent = sceneOf(root).touch(node) || root.data.words.hint
}

/**
 * @param {Story} root
 * @param {KeyboardEvent} event
 */
function pressed(root, event) {
  const [node] = event.composedPath()
  const element = node instanceof Element ? node : null
  if (!root.data || !root.isConnected || modified(event) || element?.matches(TYPING)) return
  const by = paged(event.key) ?? (event.key === " " ? (event.shiftKey ? -1 : 1) : undefined)
    ?? (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : undefined)
  if (["Home", "End"].includes(event.key) && !event.shiftKey && !element?.closest(CHOOSING) && leap(root, event.key)) return event.preventDefault()
  if (by === undefined || (paged(event.key) && presenting())) return // the frame walks the page, the scenes with it
  // Space presses what the keyboard is on; after a click of the mouse it walks on all the same.
  if (event.key === " " && element?.closest(PRESSED) && element.matches(":focus-visible")) return
  if (!paged(event.key) && element?.closest(CHOOSING)) return
  if (step(root, by) || event.key === " ") event.preventDefault()
}

/**
 * The page after this one, by its link in the frame. The scene is not told any more: asked for both in one moment, the
 * server stays on this page.
 * @param {Story} root
 */
function openNext(root) {
  clearTimeout(root.telling)
  const links = findAll(document, ".st-key-pages a")
  links[links.findIndex((link) => link.closest(".st-key-page-now")) + 1]?.click()
}

/** @param {Story} root */
function listen(root) {
  const part = (/** @type {EventTarget | null} */ target) => nearest(target, "[data-touch], .cell")
  root.onpointerover = (event) => {
    if (event.pointerType === "mouse" && !root.held) touch(root, part(event.target))
  }
  root.onpointerleave = () => {
    if (!root.held) touch(root, null)
  }
  root.addEventListener("focusin", (event) => {
    const node = part(event.target)
    if (node) touch(root, node)
  })
  root.onclick = (event) => {
    const button = nearest(event.target, "button")
    const by = button?.dataset.by
    const scene = button?.dataset.scene
    if (by) step(root, Number(by))
    else if (scene) go(root, { scene: Number(scene), step: 0 })
    else if (button?.hasAttribute("data-open")) openNext(root)
    else if (button) {
      const to = sceneOf(root).press?.(button)
      if (to != null) {
        go(root, { scene: root.place.scene, step: to })
        if (!button.isConnected) find(root, ".next").focus({ preventScroll: true }) // it had the keyboard
      }
    } else {
      const node = part(event.target)
      touch(root, node)
      root.held = node !== null
    }
  }
}

/** @param {Story} root */
function begin(root) {
  listen(root)
  root.keys = (event) => pressed(root, event)
  // Before the frame, which keeps from scrolling what nobody has taken.
  document.addEventListener("keydown", root.keys, true)
  announce(root, {
    go: (by) => step(root, by),
    rest() {
      const last = sceneOf(root).lines.length - 1
      if (root.place.step >= last) return false
      go(root, { scene: root.place.scene, step: last })
      return true
    },
    end: () => leap(root, "End"),
  })
  root.wide = ""
  root.observer = new ResizeObserver(() => {
    const wide = `${innerWidth} ${innerHeight} ${presenting()}`
    if (!root.data) return
    if (wide !== root.wide) {
      root.wide = wide
      fit(root)
      sceneOf(root).show(root.place.step)
    }
    sceneOf(root).resize?.()
  })
}

/**
 * @param {Story} root
 * @param {StoryData} data
 */
function build(root, data) {
  const { words } = data
  root.lang = data.language
  root.setAttribute("aria-label", words.label)
  const scenes = data.scenes.map(({ title }, k) =>
    make("button", { type: "button", "data-scene": k, "aria-label": filled(words.scene, { number: k + 1, title }), title }, String(k + 1)))
  const picture = make("div", { class: "picture" })
  root.replaceChildren(
    make("div", { class: "text", "data-within": "" },
      make("nav", { class: "scenes", "aria-label": words.scenes }, ...scenes),
      make("h2"), make("div", { class: "lines", "aria-live": "polite" }),
      make("div", { class: "controls" },
        make("button", { type: "button", "data-by": -1 }, words.back), make("button", { type: "button", class: "next", "data-by": 1 }, words.next),
        make("span", { class: "count" }), make("span", { class: "hint" }, words.keys))),
    make("div", { class: "shown" }, picture, make("p", { class: "readout", "aria-live": "polite" })),
    make("p", { class: "made" }, data.made))
  root.observer.disconnect()
  root.observer.observe(picture)
  root.scenes = [tables, vector, looking, lookup, proof, after].map((scene) => scene(data))
}

/** @param {Mounted<StoryData>} mounted */
export default function story({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "story", { role: "group", tabindex: -1 }, begin)
  root.send = setTriggerValue
  const drawn = JSON.stringify({ ...data, scene: 0 })
  if (root.drawn !== drawn) {
    const place = root.drawn ? root.place : { scene: data.scene - 1, step: 0 }
    root.drawn = drawn
    root.data = data
    root.sent = data.scene - 1
    root.place = place
    build(root, data)
    go(root, place)
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true)
    root.observer.disconnect()
    clearTimeout(root.telling)
  }
}
