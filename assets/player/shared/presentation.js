// How a clicker walks a page while presenting. Two sides use this module:
//
// - The frame (frame.js) has the keys. PageDown asks whatever has steps and is on the screen whether it can go on; where
//   nothing can, the window goes on to what has not been wholly in it, and from the end of a page to the next one.
//   PageUp is the same backwards. S skips the steps that are left on the screen.
// - A component announces what it has. It leaves PageDown and PageUp alone while presenting (`presenting()`).
//
//     import { announce, presenting } from "../shared/walk.js"
//     announce(root, { go: (by) => step(by), rest: () => toTheEnd() })   // a section with steps
//     announce(node)                                                      // a section that is only kept whole
//
// `go(1)` does the next step, `go(-1)` takes the last one back; each returns false where there is none (left), and the
// walk goes on elsewhere. Scenes that take each other's place are steps of one section; scenes that stand below each
// other are sections, each with its own steps. A section that fits the window is never cut by its edge: while presenting
// it has the attribute data-presented, and its size comes from --enlarge (how many times larger type is), --least (the
// smallest type, px) and --screen (the window's height), which style sheets of components see too.
// What is not announced is walked as well, paragraph by paragraph, row by row.

/** What of a section can be walked.
 * @typedef {object} Steps
 * @property {(by: 1 | -1) => boolean} go a step on or back; whether there was one
 * @property {() => boolean} [skipRest] the steps that are left, all at once; whether there were any
 * @property {() => void} [goToEnd] where it stands for who comes to it from behind, if not where it was left
 */
/** @typedef {Element & { steps?: Steps }} Section */
/** Where a block stands in the page; a heading is kept with the block below it.
 * @typedef {{ top: number, bottom: number, isHeading?: boolean }} Block */
/** @typedef {Block & { node: Section }} PlacedBlock */

export const EDGE = 6 // pixels between the window's edge and what it stops at
const TOLERANCE = 2 // pixels that are no difference
const SECTION = "[data-section]"
const HEADING = "h1, h2, h3, h4, h5, h6, caption"
const BLOCKS = `${SECTION}, ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`

export const isPresenting = () => document.documentElement.hasAttribute("data-presenting")

/** Whether the server has nothing more to say of what was asked of it last. */
export const isServerIdle = () => document.querySelector(".stApp[data-test-script-state='notRunning']") != null

/**
 * Make a node a section, with the steps that it has, if any.
 * @param {Section} node
 * @param {Steps} [steps]
 */
export function registerSection(node, steps) {
  node.setAttribute("data-section", "")
  node.toggleAttribute("data-presented", isPresenting())
  node.steps = steps
}

const PROJECTOR_SIZE = [1280, 720] // pixels of the window that type is made for: 1.5 times as large as on a desk
const ENLARGEMENT = [1.5, 1.3] // there, and at the least in a smaller one
const MIN_TYPE = 16 // pixels of the smallest type there

/**
 * Say to the page, and to every section of it, whether it is presented: in a larger window type is larger by as much.
 * @param {boolean} isOn
 */
export function setPresentingStyles(isOn) {
  const { style } = document.documentElement
  document.documentElement.toggleAttribute("data-presenting", isOn)
  const share = Math.min(innerWidth / PROJECTOR_SIZE[0], innerHeight / PROJECTOR_SIZE[1])
  if (isOn) {
    style.setProperty("--enlarge", String(Math.max(ENLARGEMENT[0] * share, ENLARGEMENT[1])))
    style.setProperty("--least", `${MIN_TYPE * Math.max(1, share)}px`)
  } else for (const name of ["--enlarge", "--least"]) style.removeProperty(name)
  for (const node of findSections(document.documentElement)) node.toggleAttribute("data-presented", isOn)
}

/**
 * Where a window of that height stops so that every block is once wholly in it, and none is cut by its lower edge that
 * fits. Blocks may stand side by side; one higher than the window is seen in parts.
 * @param {Block[]} blocks in the page's order
 * @param {number} height
 * @returns {number[]} the upper edge of each stop
 */
export function computeStops(blocks, height) {
  // A heading ends where the block after it ends, if both fit.
  const extended = blocks.map((block, k) => {
    const next = blocks[k + 1]
    const bottom = block.isHeading && next && next.bottom - block.top <= height ? Math.max(block.bottom, next.bottom) : block.bottom
    return { ...block, bottom }
  })
  /** @type {number[]} */
  const stops = []
  let seenTo = -Infinity // all above this has been wholly in the window
  for (;;) {
    const unseen = extended.filter(({ bottom }) => bottom > seenTo + TOLERANCE)
    if (!unseen.length) return stops
    const start = Math.max(seenTo, Math.min(...unseen.map(({ top }) => top)))
    stops.push(start)
    seenTo = findCut(unseen, start, height)
  }
}

/**
 * How far down a window is filled that begins at `start`: no further than it reaches, and through no block that can be
 * moved to the next stop whole. A section that would be torn from its heading begins the next stop, if this one is not
 * left half empty.
 * @param {Block[]} blocks
 * @param {number} start
 * @param {number} height
 */
function findCut(blocks, start, height) {
  let cut = start + height
  for (;;) {
    const crossing = blocks.filter(({ top, bottom }) => top < cut - TOLERANCE && bottom > cut + TOLERANCE && top > start + TOLERANCE)
    if (!crossing.length) break
    cut = Math.min(...crossing.map(({ top }) => top))
  }
  const overflows = blocks.some(({ bottom }) => bottom > cut + TOLERANCE)
  const heads = blocks.filter(({ top, isHeading }) => isHeading && top > start + height / 2 && top < cut - TOLERANCE).map(({ top }) => top)
  return overflows && heads.length ? Math.min(cut, Math.max(...heads)) : cut
}

/** @param {Element} node */
function isHidden(node) {
  const { position, opacity } = getComputedStyle(node)
  return position === "fixed" || opacity === "0" || !node.checkVisibility({ visibilityProperty: true })
}

/**
 * The blocks of a page: what fits a window of that height is kept whole, what does not is looked into.
 * @param {Element} node
 * @param {number} height
 * @returns {Section[]}
 */
function collectBlocks(node, height) {
  const children = [...(node.shadowRoot ?? node).children].filter((child) => !/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(child.tagName))
  if (getComputedStyle(node).display !== "contents") {
    if (isHidden(node)) return []
    const { width, height: blockHeight } = node.getBoundingClientRect()
    const speaks = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim())
    if (speaks || !children.length || (blockHeight <= height + TOLERANCE && node.matches(BLOCKS))) return width > 1 && blockHeight > 1 && (speaks || node.matches(BLOCKS)) ? [node] : []
  }
  return children.flatMap((child) => collectBlocks(child, height))
}

/** @param {Element} main */
const visibleHeight = (main) => main.clientHeight - 2 * EDGE

/**
 * The blocks of the page that `main` scrolls, and where they stand in it.
 * @param {Element} main
 * @returns {PlacedBlock[]}
 */
function measureBlocks(main) {
  const above = main.getBoundingClientRect().top + main.clientTop - main.scrollTop
  return collectBlocks(main, visibleHeight(main)).map((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return { node, top: top - above, bottom: bottom - above, isHeading: node.matches(HEADING) }
  })
}

/**
 * How far `main` is scrolled at each of its stops.
 * @param {Element} main
 * @param {Block[]} blocks
 */
function scrollPositions(main, blocks) {
  const last = main.scrollHeight - main.clientHeight
  return [...new Set(computeStops(blocks, visibleHeight(main)).map((start) => Math.max(0, Math.min(last, Math.round(start - EDGE)))))]
}

/**
 * Whether a node is a section, or in one.
 * @param {Element} node
 * @returns {boolean}
 */
function isInSection(node) {
  if (node.closest(SECTION)) return true
  const root = node.getRootNode()
  return root instanceof ShadowRoot && isInSection(root.host)
}

/**
 * What has steps and is on the screen, in the page's order.
 * @param {Element} main
 * @returns {Steps[]}
 */
function findSteppers(main) {
  const { top, bottom } = main.getBoundingClientRect()
  const middle = (top + bottom) / 2
  return findSections(main).flatMap((node) => {
    if (!node.steps || !node.checkVisibility()) return []
    const box = node.getBoundingClientRect()
    const isVisible = box.top >= top - TOLERANCE && box.bottom <= bottom + TOLERANCE
    return isVisible || (box.top < middle && box.bottom > middle) ? [node.steps] : []
  })
}

/**
 * The sections below a node, those of components too.
 * @param {Element | ShadowRoot} node
 * @returns {Section[]}
 */
const findSections = (node) =>
  [...node.querySelectorAll("*")].flatMap((child) => [
    ...(child.matches(SECTION) ? [child] : []), ...(child.shadowRoot ? findSections(child.shadowRoot) : []),
  ])

/**
 * One press of the clicker: a step, or another stop. Whether there was one; else the page is walked to its end.
 * @param {Element} main what scrolls the page
 * @param {1 | -1} direction on or back
 */
export function advance(main, direction) {
  const steppers = findSteppers(main)
  if ((direction > 0 ? steppers : steppers.reverse()).some(({ go }) => go(direction))) return true
  const scrollTop = main.scrollTop
  const stops = scrollPositions(main, measureBlocks(main)).filter((stop) => (direction > 0 ? stop > scrollTop + TOLERANCE : stop < scrollTop - TOLERANCE))
  if (!stops.length) return false
  main.scrollTo({ top: direction > 0 ? stops[0] : stops[stops.length - 1], behavior: "instant" })
  return true
}

/**
 * Skip the steps that are left on the screen.
 * @param {Element} main
 */
export const skipSteps = (main) => findSteppers(main).some(({ skipRest: unseen }) => unseen?.())

/**
 * Where a walk through a page begins: with its first section, if that is in sight at once (the box may stand above it),
 * else at its top; backwards with its end.
 * @param {Element} main
 * @param {1 | -1} direction
 * @param {WeakSet<Element>} ended the sections that have come to their end already, as all do that are entered backwards
 */
export function scrollToStart(main, direction, ended) {
  const blocks = measureBlocks(main)
  const stops = scrollPositions(main, blocks)
  const begins = blocks.find(({ node }) => isInSection(node))
  for (const node of direction < 0 ? findSections(main) : []) {
    if (!node.steps || ended.has(node)) continue
    ended.add(node)
    node.steps.goToEnd?.()
  }
  const isVisible = begins && begins.top < visibleHeight(main) ? stops.findLastIndex((stop) => stop <= begins.top) : 0
  main.scrollTo({ top: (direction > 0 ? stops[Math.max(0, isVisible)] : stops[stops.length - 1]) ?? 0, behavior: "instant" })
}
