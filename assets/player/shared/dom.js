// Create and find DOM nodes. Text is always set as text, never as markup; glossary terms in it become buttons.

/** @import { Mounted } from "./component.js" */

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

// A glossary term in a text (messages.py): control characters enclose a key and the words.
const MARK = /\u2061([\w-]+)\u2063([^\u2061-\u2064]*)\u2064/

/** @param {string} text */
const stripTerms = (text) => (text.includes("\u2061") ? text.replaceAll(new RegExp(MARK, "g"), "$2") : text)

/**
 * @template {Element} Made
 * @param {Made} node
 * @param {Attributes} attributes
 * @param {(Node | string | null | undefined | false)[]} children
 */
function setContent(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, stripTerms(String(value)))
  for (const child of children) if (child != null && child !== false) node.append(child)
  return node
}

/**
 * Make a glossary term: a button that opens its explanation (glossary.js).
 * @type {(name: string, text: string) => HTMLElement}
 */
export const makeTerm = (name, text) => setContent(document.createElement("span"), { role: "button", tabindex: 0, class: "term", "data-term": name }, [text])

/** @type {(child: Node | string | null | undefined | false) => (Node | string | null | undefined | false)[]} */
function splitTerms(child) {
  if (typeof child !== "string" || !child.includes("\u2061")) return [child]
  const parts = child.split(MARK) // text, key, words, text, key, words ...
  return parts.flatMap((part, k) => (k % 3 === 1 ? [] : [k % 3 === 2 ? makeTerm(parts[k - 1], part) : part]))
}

/**
 * Make an HTML element. Attributes and children that are null are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export const make = (tag, attributes = {}, ...children) => setContent(document.createElement(tag), attributes, children.flatMap(splitTerms))

/** @type {WeakMap<HTMLElement, string>} */
const renderedTexts = new WeakMap()

/**
 * Set a node's text, with terms as buttons; does nothing if the text is unchanged.
 * @type {(node: HTMLElement, text: string) => void}
 */
export function setText(node, text) {
  if (renderedTexts.get(node) === text) return
  renderedTexts.set(node, text)
  node.replaceChildren(.../** @type {(Node | string)[]} */ (splitTerms(text)))
}

/**
 * Set subscripts such as those of "p_gen" and "W_Q", which Unicode lacks; nodes stay as they are.
 * @type {(...parts: (Node | string)[]) => (Node | string)[]}
 */
export const typeset = (...parts) => parts.flatMap((part) => (typeof part !== "string" ? part
  : part.split(/(?<=(?<![\p{L}\p{N}])\p{L})_([\p{Script=Latin}\p{Script=Greek}]+)/u).map((text, k) => /** @type {Node | string} */ (k % 2 ? make("sub", {}, text) : text))))

/**
 * Render the text between two words: spaces, and symbols that were copied past the model, as a term.
 * @type {(gap: string) => (Node | string)[]}
 */
export function renderGap(gap) {
  const copiedSymbols = gap.trim()
  if (!copiedSymbols) return [gap]
  const start = gap.indexOf(copiedSymbols)
  return [gap.slice(0, start), makeTerm("copied", copiedSymbols), gap.slice(start + copiedSymbols.length)]
}

export const SVG_NAMESPACE = "http://www.w3.org/2000/svg"

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export const draw = (tag, attributes = {}, ...children) => setContent(document.createElementNS(SVG_NAMESPACE, tag), attributes, children.map((child) => (typeof child === "string" ? stripTerms(child) : child)))

/** @type {(root: ParentNode, selector: string) => HTMLElement} */
export function find(root, selector) {
  const node = root.querySelector(selector)
  if (!node) throw new Error(`no ${selector}`)
  return /** @type {HTMLElement} */ (node)
}

/** @type {(root: ParentNode, selector: string) => HTMLElement[]} */
export const findAll = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])

/**
 * Show those buttons as pressed whose data attribute `name` is the value.
 * @type {(root: ParentNode, name: string, value: string | number) => void}
 */
export function showPressed(root, name, value) {
  for (const node of findAll(root, `[data-${name}]`)) node.setAttribute("aria-pressed", String(node.getAttribute(`data-${name}`) === String(value)))
}

/**
 * Find the nearest ancestor (or the node itself) that matches a selector.
 * @type {(node: EventTarget | null | undefined, selector: string) => HTMLElement | null}
 */
export const findClosest = (node, selector) => (node instanceof Element ? /** @type {HTMLElement | null} */ (node.closest(selector)) : null)

const REGION_DELAY = 100 // milliseconds until screen readers know a new live region

/**
 * Announce a text to screen readers, in a live region beside the component's root. The region stays: most screen readers
 * ignore text that is inserted together with its region.
 * @type {(root: HTMLElement, text: string, language?: string) => void}
 */
export function announceText(root, text, language = root.lang) {
  const existing = root.parentNode?.querySelector(".announced")
  const region = existing instanceof HTMLElement ? existing : make("p", { class: "unseen announced", role: "status" })
  const write = () => Object.assign(region, { lang: language, textContent: text })
  if (existing) {
    if (region.textContent !== text) write()
    return
  }
  root.after(region)
  setTimeout(() => region.textContent || write(), REGION_DELAY) // it may have a newer text
}

/**
 * Store a component's data as JSON, without the `ignored` parts that the reader may change; returns whether it is new.
 * @template {object} Data
 * @param {{ dataKey?: string }} root
 * @param {Data} data
 * @param {Partial<Data>} [ignored]
 */
export function storeData(root, data, ignored = {}) {
  const dataKey = JSON.stringify({ ...data, ...ignored })
  const isNew = root.dataKey !== dataKey
  root.dataKey = dataKey
  return isNew
}

/**
 * Return the root element of a component; create and initialise it at the first call.
 * @template {HTMLElement & { trigger?: unknown }} Root
 * @param {Pick<Mounted<unknown>, "parentElement" | "setTriggerValue">} mounted
 * @param {string} name its class
 * @param {Attributes} attributes
 * @param {(root: Root) => void} begin
 */
export function mountRoot({ parentElement, setTriggerValue }, name, attributes, begin) {
  const existing = parentElement.querySelector(`.${name}`)
  const root = /** @type {Root} */ (existing ?? /** @type {unknown} */ (make("div", { class: `component ${name}`, ...attributes })))
  root.trigger = setTriggerValue
  if (existing) return root
  parentElement.append(root)
  begin(root)
  return root
}
