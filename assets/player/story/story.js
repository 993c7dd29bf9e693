// The story: six scenes of a few sentences and a picture. Space, PageDown and arrow keys move through its steps; everything
// in a picture can be hovered, tapped and focused.

/** @import { StoryData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { StoryPosition, Scene } from "./scene.js" */
import { keepScroll } from "../shared/redraw.js"
import { find, findAll, make, findClosest, mountRoot, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { CHOICE_WIDGETS, hasModifier, isInDialog, getPageDirection, PRESSABLE, TYPING_FIELDS } from "../shared/keys.js"
import { registerSection, isPresenting } from "../shared/presentation.js"
import { findPositionOfKey, findNextPosition } from "./scene.js"
import { makeHistory } from "./history_scene.js"
import { makeAttention } from "./attention_scene.js"
import { makeLookup } from "./lookup_scene.js"
import { makeEvidence } from "./evidence_scene.js"
import { makeTables } from "./phrase_tables_scene.js"
import { makeVector } from "./vector_scene.js"

/**
 * @typedef {object} StoryState
 * @property {Scene[]} scenes
 * @property {StoryPosition} position
 * @property {number} [reportedScene] last scene reported to the page
 * @property {boolean} isPinned whether the tapped part stays highlighted
 * @property {string} fittedSize window size the scene was fitted to
 * @property {ResizeObserver} observer
 * @property {(event: KeyboardEvent) => void} handleKeys
 */
/** @typedef {ComponentRoot<StoryData> & StoryState} Story */

const REPORT_DELAY = 400 // milliseconds of rest before the scene is reported

/** @param {Story} root */
const getCurrentScene = (root) => root.scenes[root.position.scene]

/** @param {Story} root */
const stepCounts = (root) => root.scenes.map((scene) => scene.lineCounts.length)

/** @type {(root: Story, position: StoryPosition) => void} */
function goToPosition(root, position) {
  const isNewScene = position.scene !== root.position.scene || !find(root, ".picture").firstChild
  const keyboard = () => /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement
  const hadFocus = root.contains(keyboard())
  root.position = position
  if (isNewScene) {
    showScene(root)
    shrinkToFit(root)
  }
  renderStep(root)
  // The focused node may be gone with its picture, or disabled.
  if (hadFocus && (!root.contains(keyboard()) || keyboard()?.matches(":disabled"))) root.focus({ preventScroll: true })
  clearTimeout(root.reportTimer)
  if (root.reportedScene === position.scene) return
  root.reportTimer = setTimeout(() => {
    root.reportedScene = position.scene
    root.trigger("scene", position.scene + 1)
  }, REPORT_DELAY)
}

/** @param {Story} root */
function showScene(root) {
  const { data, position } = root
  const { title, lines } = data.scenes[position.scene]
  find(root, "h2").textContent = title
  find(root, ".lines").replaceChildren(...lines.map((line) => make("p", { class: "narration" }, line)))
  find(root, ".picture").replaceChildren(getCurrentScene(root).node)
  find(root, ".footnote").hidden = position.scene + 1 < root.scenes.length // at the end, where a lecturer looks for it
  findAll(root, ".scenes button").forEach((button, k) => button.setAttribute("aria-current", k === position.scene ? "step" : "false"))
}

const MIN_FIT = 0.62 // share of the requested size; smaller type is unreadable
const FIT_STEP = 0.03
const NARROW = 860 // pixels; text and picture are below each other, and scrolled

/**
 * Find the largest type size, up to the requested one, at which every step of the scene fits the screen.
 * @param {Story} root
 */
function shrinkToFit(root) {
  root.style.setProperty("--fit", "1")
  if (!isPresenting() || innerWidth <= NARROW) return
  const scene = getCurrentScene(root)
  const [text, picture] = [find(root, ".text"), find(root, ".picture")]
  const hasRoom = () => scene.lineCounts.every((_, number) => {
    scene.showStep(number, true)
    const nodes = [scene.node, ...findAll(scene.node, ".columns")]
    return nodes.every((node) => node.scrollWidth <= node.clientWidth + 1) && Math.max(scene.node.scrollHeight, scene.node.offsetHeight) <= picture.clientHeight + 1
      && text.getBoundingClientRect().top + find(text, ".controls").offsetTop + find(text, ".controls").offsetHeight - text.offsetTop <= innerHeight - 6
  })
  keepScroll(() => {
    for (let share = 1 - FIT_STEP; share >= MIN_FIT && !hasRoom(); share -= FIT_STEP) root.style.setProperty("--fit", share.toFixed(2))
  })
}

/** @param {Story} root */
function renderStep(root) {
  const { position, data: { messages } } = root
  const scene = getCurrentScene(root)
  const lineCount = scene.lineCounts[position.step]
  findAll(root, ".narration").forEach((line, k) => {
    line.classList.toggle("coming", k >= lineCount)
    line.classList.toggle("now", k === lineCount - 1)
  })
  scene.showStep(position.step)
  pointAt(root, null)
  const all = stepCounts(root)
  find(root, ".count").textContent = formatTemplate(messages.description, { step: position.step + 1, last: scene.lineCounts.length })
  find(root, "[data-by='-1']").toggleAttribute("disabled", !findNextPosition(position, all, -1))
  find(root, "[data-by='1']").toggleAttribute("disabled", !findNextPosition(position, all, 1))
}

/** @type {(root: Story, direction: number) => boolean} */
function advanceStep(root, direction) {
  const position = findNextPosition(root.position, stepCounts(root), direction)
  if (position) goToPosition(root, position)
  return position !== null
}

/** @type {(root: Story, key: string) => boolean} */
function jump(root, key) {
  const position = findPositionOfKey(key, stepCounts(root))
  if (position) goToPosition(root, position)
  return position !== null
}

/** @type {(root: Story, node: HTMLElement | null) => void} */
function pointAt(root, node) {
  root.isPinned = false
  find(root, ".readout").textContent = getCurrentScene(root).pointAt(node) || root.data.messages.hint
}

/** @type {(root: Story, event: KeyboardEvent) => void} */
function handleKey(root, event) {
  const [node] = event.composedPath()
  const element = node instanceof Element ? node : null
  if (!root.data || !root.isConnected || hasModifier(event) || isInDialog(event) || element?.matches(TYPING_FIELDS)) return
  const direction = getPageDirection(event.key) ?? (event.key === " " ? (event.shiftKey ? -1 : 1) : undefined)
    ?? (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : undefined)
  if (["Home", "End"].includes(event.key) && !event.shiftKey && !element?.closest(CHOICE_WIDGETS) && jump(root, event.key)) return event.preventDefault()
  if (direction === undefined || (getPageDirection(event.key) && isPresenting())) return // the frame steps through the scenes
  // Space presses a button focused by keyboard; after a mouse click it goes on.
  if (event.key === " " && element?.closest(PRESSABLE) && element.matches(":focus-visible")) return
  if (!getPageDirection(event.key) && element?.closest(CHOICE_WIDGETS)) return
  if (advanceStep(root, direction) || event.key === " ") event.preventDefault()
}

/**
 * Open the next page by its link in the frame. The scene is not reported any more: with both at once the server would stay
 * on this page.
 * @param {Story} root
 */
function openNextPage(root) {
  clearTimeout(root.reportTimer)
  const links = findAll(document, ".st-key-pages a")
  links[links.findIndex((link) => link.closest(".st-key-page-now")) + 1]?.click()
}

/** @param {Story} root */
function addListeners(root) {
  const part = (/** @type {EventTarget | null} */ target) => findClosest(target, "[data-touch], .cell")
  root.onpointerover = (event) => {
    if (event.pointerType === "mouse" && !root.isPinned) pointAt(root, part(event.target))
  }
  root.onpointerleave = () => {
    if (!root.isPinned) pointAt(root, null)
  }
  root.addEventListener("focusin", (event) => {
    const node = part(event.target)
    if (node) pointAt(root, node)
  })
  root.onclick = (event) => {
    const button = findClosest(event.target, "button")
    const direction = button?.dataset.by
    const scene = button?.dataset.scene
    if (direction) advanceStep(root, Number(direction))
    else if (scene) goToPosition(root, { scene: Number(scene), step: 0 })
    else if (button?.hasAttribute("data-open")) openNextPage(root)
    else if (button) {
      const step = getCurrentScene(root).pressButton?.(button)
      if (step != null) {
        goToPosition(root, { scene: root.position.scene, step })
        if (!button.isConnected) find(root, ".next").focus({ preventScroll: true }) // it had the focus
      }
    } else {
      const node = part(event.target)
      pointAt(root, node)
      root.isPinned = node !== null
    }
  }
}

/** @param {Story} root */
function setUp(root) {
  addListeners(root)
  root.handleKeys = (event) => handleKey(root, event)
  // Before the frame, which suppresses scrolling by unhandled keys.
  document.addEventListener("keydown", root.handleKeys, true)
  registerSection(root, {
    go: (direction) => advanceStep(root, direction),
    skipRest() {
      const last = getCurrentScene(root).lineCounts.length - 1
      if (root.position.step >= last) return false
      goToPosition(root, { scene: root.position.scene, step: last })
      return true
    },
    goToEnd: () => jump(root, "End"),
  })
  root.fittedSize = ""
  root.observer = new ResizeObserver(() => {
    const sizeKey = `${innerWidth} ${innerHeight} ${isPresenting()}`
    if (!root.data) return
    if (sizeKey !== root.fittedSize) {
      root.fittedSize = sizeKey
      shrinkToFit(root)
      getCurrentScene(root).showStep(root.position.step)
    }
    getCurrentScene(root).resize?.()
  })
}

/** @type {(root: Story, data: StoryData) => void} */
function buildStory(root, data) {
  const { messages } = data
  root.lang = data.language
  root.setAttribute("aria-label", messages.label)
  const scenes = data.scenes.map(({ title }, k) =>
    make("button", { type: "button", "data-scene": k, "aria-label": formatTemplate(messages.scene, { number: k + 1, title }), title }, String(k + 1)))
  const picture = make("div", { class: "picture" })
  root.replaceChildren(
    make("div", { class: "text", "data-within": "" },
      make("nav", { class: "scenes", "aria-label": messages.scenes }, ...scenes),
      make("h2"), make("div", { class: "lines", "aria-live": "polite" }),
      make("div", { class: "controls" },
        make("button", { type: "button", "data-by": -1 }, messages.back), make("button", { type: "button", class: "next", "data-by": 1 }, messages.next),
        make("span", { class: "count" }), make("span", { class: "hint" }, messages.keys))),
    make("div", { class: "shown" }, picture, make("p", { class: "readout", "aria-live": "polite" })),
    make("p", { class: "footnote" }, data.provenance))
  root.observer.disconnect()
  root.observer.observe(picture)
  root.scenes = [makeTables, makeVector, makeAttention, makeLookup, makeEvidence, makeHistory].map((scene) => scene(data))
}

/** @param {Mounted<StoryData>} mounted */
export default function mountStory({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "story", { role: "group", tabindex: -1 }, setUp)
  if (storeData(root, data, { scene: 0 })) {
    const position = root.position ?? { scene: data.scene - 1, step: 0 }
    root.data = data
    root.reportedScene = data.scene - 1
    root.position = position
    buildStory(root, data)
    goToPosition(root, position)
  }
  return () => {
    document.removeEventListener("keydown", root.handleKeys, true)
    root.observer.disconnect()
    clearTimeout(root.reportTimer)
  }
}
