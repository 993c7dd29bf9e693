// Step through a page with a clicker while presenting. The frame (frame.js) handles the keys: PageDown asks the visible
// sections for their next step. If none has one, the window scrolls to what was not yet fully visible, and at the end goes
// to the next page. PageUp goes back, S skips the remaining visible steps.
//
// A component registers its sections, with steps or without. The window's edge never cuts a section that fits; unregistered
// content is scrolled through by paragraphs and rows. While presenting, a section has the attribute data-presented, and
// style sheets read --enlarge (factor of the type size), --least (smallest type, px) and --screen (window height).

/** Steps of a section.
 * @typedef {object} Steps
 * @property {(direction: 1 | -1) => boolean} go do or undo a step; returns whether there was one
 * @property {() => boolean} [skipRest] do all remaining steps; returns whether there were any
 * @property {() => void} [goToStart] show the beginning, for a reader who comes from the page before
 * @property {() => void} [goToEnd] show the end, for a reader who comes from the next page
 */
/** @typedef {Element & { steps?: Steps }} Section */
/** Vertical position of a block in the page. A heading stays with the block below it.
 * @typedef {{ top: number, bottom: number, isHeading?: boolean }} Block */
/** @typedef {Block & { node: Section }} PlacedBlock */

export const EDGE = 6 // pixels between the window's edge and a block
const TOLERANCE = 2 // pixels
const MIN_HEIGHT = 100 // pixels; a tiny window would leave none
const SECTION = "[data-section]"
const HEADING = "h1, h2, h3, h4, h5, h6, caption"
const BLOCKS = `${SECTION}, [class*="st-key-section-"], ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`

export const isPresenting = () => document.documentElement.hasAttribute("data-presenting")

/** Return whether the server has finished its last run. */
export const isServerIdle = () => document.querySelector(".stApp[data-test-script-state='notRunning']") != null

/**
 * Register a node as a section, with its steps if it has any.
 * @type {(node: Section, steps?: Steps) => void}
 */
export function registerSection(node, steps) {
  node.setAttribute("data-section", "")
  node.toggleAttribute("data-presented", isPresenting())
  node.steps = steps
}

/** @type {(root: HTMLElement, language: string, sections: HTMLElement[]) => void} */
export function showSections(root, language, sections) {
  root.lang = language
  root.replaceChildren(...sections)
  for (const section of sections) registerSection(section)
}

const PROJECTOR_SIZE = [1280, 720] // pixels; type is 1.5 times as large as on a desk there
const ENLARGEMENT = [1.5, 1.3] // at that size, and at least
const MIN_TYPE = 16 // pixels, smallest type at that size
const PHONE_BELOW = 600 // pixels
const PHONE_TYPE = 12

/**
 * Mark the page and all sections as presented or not, and set the type size from the window size.
 * @param {boolean} isOn
 */
export function setPresentingStyles(isOn) {
  const { style } = document.documentElement
  document.documentElement.toggleAttribute("data-presenting", isOn)
  const share = Math.min(innerWidth / PROJECTOR_SIZE[0], innerHeight / PROJECTOR_SIZE[1])
  if (isOn) {
    const isPhone = innerWidth < PHONE_BELOW // held in the hand
    style.setProperty("--enlarge", String(isPhone ? 1 : Math.max(ENLARGEMENT[0] * share, ENLARGEMENT[1])))
    style.setProperty("--least", `${isPhone ? PHONE_TYPE : MIN_TYPE * Math.max(1, share)}px`)
  } else for (const name of ["--enlarge", "--least"]) style.removeProperty(name)
  for (const node of findSections(document.documentElement)) node.toggleAttribute("data-presented", isOn)
}

/**
 * Return scroll stops for a window of that height: every block is fully visible at one stop, and none that fits is cut.
 * Blocks may be side by side; a block taller than the window is shown in parts.
 * @param {Block[]} blocks in page order
 * @param {number} height
 * @returns {number[]} the upper edge of each stop
 */
export function computeStops(blocks, height) {
  // A heading ends where the next block ends, if both fit.
  const extendedBlocks = blocks.map((block, k) => {
    const nextBlock = blocks[k + 1]
    const bottom = block.isHeading && nextBlock && nextBlock.bottom - block.top <= height ? Math.max(block.bottom, nextBlock.bottom) : block.bottom
    return { ...block, bottom }
  })
  /** @type {number[]} */
  const stops = []
  let seenTo = -Infinity // everything above has been fully visible
  for (;;) {
    const remainingBlocks = extendedBlocks.filter(({ bottom }) => bottom > seenTo + TOLERANCE)
    if (!remainingBlocks.length) return stops
    const start = Math.max(seenTo, Math.min(...remainingBlocks.map(({ top }) => top)))
    stops.push(start)
    seenTo = findCut(remainingBlocks, start, height)
  }
}

/**
 * Return how far down a window that begins at `start` is filled, without cutting a block that the next stop can show. A
 * heading near the lower edge moves to the next stop together with its block, if at least half of the window stays full.
 * @type {(blocks: Block[], start: number, height: number) => number}
 */
function findCut(blocks, start, height) {
  let cut = start + height
  for (;;) {
    const crossingBlocks = blocks.filter(({ top, bottom }) => top < cut - TOLERANCE && bottom > cut + TOLERANCE && top > start + TOLERANCE)
    if (!crossingBlocks.length) break
    cut = Math.min(...crossingBlocks.map(({ top }) => top))
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
 * Collect the blocks of a page: nodes that fit the window, or the parts of those that do not.
 * @type {(node: Element, height: number) => Section[]}
 */
function collectBlocks(node, height) {
  const children = [...(node.shadowRoot ?? node).children].filter((child) => !/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(child.tagName))
  if (getComputedStyle(node).display !== "contents") {
    if (isHidden(node)) return []
    const { width, height: blockHeight } = node.getBoundingClientRect()
    const hasOwnText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim())
    if (hasOwnText || !children.length || (blockHeight <= height + TOLERANCE && node.matches(BLOCKS))) return width > 1 && blockHeight > 1 && (hasOwnText || node.matches(BLOCKS)) ? [node] : []
  }
  return children.flatMap((child) => collectBlocks(child, height))
}

/** Return the height in which blocks are shown, at least MIN_HEIGHT. @param {Pick<Element, "clientHeight">} main */
export const measureVisibleHeight = (main) => Math.max(MIN_HEIGHT, main.clientHeight - 2 * EDGE)

/** @type {(main: Element) => PlacedBlock[]} */
function measureBlocks(main) {
  const contentTop = main.getBoundingClientRect().top + main.clientTop - main.scrollTop
  return collectBlocks(main, measureVisibleHeight(main)).map((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return { node, top: top - contentTop, bottom: bottom - contentTop, isHeading: node.matches(HEADING) }
  })
}

/** @type {(main: Element, blocks: Block[]) => number[]} */
function scrollPositions(main, blocks) {
  const last = main.scrollHeight - main.clientHeight
  return [...new Set(computeStops(blocks, measureVisibleHeight(main)).map((start) => Math.max(0, Math.min(last, Math.round(start - EDGE)))))]
}

/** @type {(node: Element) => boolean} */
function isInSection(node) {
  if (node.closest(SECTION)) return true
  const root = node.getRootNode()
  return root instanceof ShadowRoot && isInSection(root.host)
}

/** @type {(main: Element) => Steps[]} */
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
 * Find all sections below a node, also inside shadow roots.
 * @type {(node: Element | ShadowRoot) => Section[]}
 */
const findSections = (node) =>
  [...node.querySelectorAll("*")].flatMap((child) => [
    ...(child.matches(SECTION) ? [child] : []), ...(child.shadowRoot ? findSections(child.shadowRoot) : []),
  ])

/**
 * Handle one press of the clicker: a step, or the next stop. Returns false at the end of the page.
 * @type {(main: Element, direction: 1 | -1) => boolean}
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

/** @param {Element} main */
export const hasVisibleSteps = (main) => findSteppers(main).length > 0

/** Return whether what is visible has steps that can be skipped. @param {Element} main */
export const hasSkippableSteps = (main) => findSteppers(main).some(({ skipRest }) => skipRest)

/** @param {Element} main */
export const skipSteps = (main) => findSteppers(main).some(({ skipRest }) => skipRest?.())

/**
 * Scroll to where a presentation of the page starts: its first section if it is visible from the top, else the top;
 * backward: its end. Sections with steps that are not in `visitedSections` are set to their first or last step, and added.
 * @type {(main: Element, direction: 1 | -1, visitedSections: WeakSet<Element>) => void}
 */
export function scrollToStart(main, direction, visitedSections) {
  const blocks = measureBlocks(main)
  const stops = scrollPositions(main, blocks)
  const firstSectionBlock = blocks.find(({ node }) => isInSection(node))
  for (const node of findSections(main)) {
    if (!node.steps || visitedSections.has(node)) continue
    visitedSections.add(node)
    if (direction < 0) node.steps.goToEnd?.()
    else node.steps.goToStart?.()
  }
  const startStopIndex = firstSectionBlock && firstSectionBlock.top < measureVisibleHeight(main) ? stops.findLastIndex((stop) => stop <= firstSectionBlock.top) : 0
  main.scrollTo({ top: (direction > 0 ? stops[Math.max(0, startStopIndex)] : stops[stops.length - 1]) ?? 0, behavior: "instant" })
}
