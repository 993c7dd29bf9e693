// Show a sentence's words among those of other sentences: a plane of word vectors, and the nearest neighbours of the
// selected word.

/** @import { VectorPlane, VectorSentence } from "../payloads.js" */
/** @import { Root } from "./vector.js" */
import { redraw } from "../shared/redraw.js"
import { renderGap, draw, find, findAll, make, findClosest, setText } from "../shared/dom.js"
import { formatDecimal, formatTemplate } from "../shared/format.js"
import { placeLabels, scaleToSquare, findNearestPoint } from "./plane_layout.js"

const REPORT_DELAY = 400 // milliseconds of rest before the word is reported
const REACH = 24 // pixels within which a point is hit
const DOT_RADIUS = 7 // pixels around a marked point that no label covers
const SELECTED_RADIUS = 11 // pixels around the selected point
const SHAPES = ["round", "square", "diamond", "triangle"] // for the senses of a word

/** @param {[string, string][]} text */
export const joinText = (text) => text.flat().join("").trim()

/** @type {(plane: VectorPlane, number: number) => string} */
const getWord = ({ points, sentences }, number) => sentences[points[number].sentence].text[points[number].word][1]

/**
 * Return the sentence of a point if the point is its ambiguous word, else null.
 * @type {(plane: VectorPlane, number: number) => VectorSentence | null}
 */
function findAmbiguousSentence({ points, sentences }, number) {
  const { sentence, word } = points[number]
  return sentences[sentence].marked_index === word ? sentences[sentence] : null
}

/** @type {(plane: VectorPlane, number: number) => string} */
function nameWithSense(plane, number) {
  const sense = findAmbiguousSentence(plane, number)?.sense
  return sense ? `${getWord(plane, number)} (${sense})` : getWord(plane, number)
}

/** @type {(plane: VectorPlane, number: number) => (string | Node)[]} */
function markWord({ points, sentences }, number) {
  const { sentence, word } = points[number]
  return sentences[sentence].text.flatMap(([gap, text], k) => [...renderGap(gap), k === word ? make("b", {}, text) : text])
}

/** @type {(plane: VectorPlane, number: number) => number[]} */
function findSameWords(plane, number) {
  const word = getWord(plane, number).toLowerCase()
  return plane.points.flatMap((_, p) => (getWord(plane, p).toLowerCase() === word ? [p] : []))
}

/**
 * Build the plane: one point per word. It is one tab stop; arrow keys move between words.
 * @type {(root: Root, plane: VectorPlane) => HTMLElement}
 */
export function buildPlane(root, plane) {
  const { messages, languages } = root.data
  const ownSentence = plane.sentences.length - 1
  const dots = plane.points.map(({ sentence }, number) =>
    make("span", { class: sentence === ownSentence ? "dot own" : "dot", id: `dot-${number}`, role: "option", "aria-selected": "false", "data-p": number, "aria-label": nameWithSense(plane, number) }))
  const ownWords = plane.points.flatMap(({ sentence, word }, number) => (sentence === ownSentence ? [{ word, number }] : []))
  const text = plane.sentences[ownSentence].text.flatMap(([gap, word], k) => {
    const ownPoint = ownWords.find((item) => item.word === k)
    return [...renderGap(gap), ownPoint ? make("button", { type: "button", "data-go": ownPoint.number, lang: languages[0] }, word) : word]
  })
  const meanings = plane.separations.map(({ word, same_meaning: sameMeaningCount, count, chance, first }) => make("li", {},
    make("button", { type: "button", "data-go": first, "data-word": word, lang: languages[0] }, word), ` ${formatTemplate(messages.of, { same: sameMeaningCount, count })} `,
    make("span", { class: "soft" }, formatTemplate(messages.chance, { chance: formatDecimal(chance, 1) }))))
  const share = (100 * (plane.shares[0] + plane.shares[1])).toFixed(0)
  const box = make("div", { class: "plane", role: "listbox", tabindex: 0, "aria-label": messages.plane_label },
    draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }), ...dots, make("div", { class: "names", "aria-hidden": "true" }))
  new ResizeObserver(() => placeNames(root)).observe(box)
  return make("section", { class: "among" },
    make("h3", {}, formatTemplate(messages.plane, { sentences: ownSentence })),
    make("p", { class: "choose" }, make("span", { class: "soft" }, `${messages.choose}: `), ...text),
    make("div", { class: "meanings" }, make("p", { class: "soft" }, messages.separated), make("ul", {}, ...meanings)),
    make("div", { class: "beside" },
      make("div", {}, box, make("p", { class: "soft under" }, make("button", { type: "button", class: "closer", "aria-pressed": String(root.isZoomed) }, messages.closer), make("span", {}, ` ${messages.plane_hint}`))),
      make("div", { class: "near" }, make("h3", { class: "near-title" }), make("ol", {}), make("p", { class: "description dot-description", "aria-live": "polite" }))),
    make("p", { class: "soft" }, formatTemplate(messages.shares, { points: plane.points.length, share })))
}

/**
 * Describe the hovered word, or else the selected one.
 * @type {(root: Root, number: number) => void}
 */
export function hoverPoint(root, number) {
  const { plane, messages } = root.data
  if (!plane) return
  for (const node of findAll(root, ".over")) node.classList.remove("over")
  const point = number < 0 ? root.selectedPoint : number
  find(root, `#dot-${point}`).classList.add("over")
  for (const element of findAll(root, `.near [data-go="${point}"]`)) element.classList.add("over")
  setText(find(root, ".dot-description"), formatTemplate(messages.point, { word: nameWithSense(plane, point), text: joinText(plane.sentences[plane.points[point].sentence].text) }))
}

/**
 * Position the points: all, or when zoomed only those related to the selected one.
 * @type {(root: Root, plane: VectorPlane) => void}
 */
function placePoints(root, plane) {
  const { selectedPoint, isZoomed } = root
  const framedPoints = isZoomed ? [selectedPoint, ...findSameWords(plane, selectedPoint), ...plane.neighbours[selectedPoint].map(([neighbour]) => neighbour)].map((p) => plane.points[p]) : plane.points
  root.spots = scaleToSquare(plane.points, framedPoints, isZoomed ? 0.1 : 0.04)
  for (const dot of findAll(root, ".dot")) {
    const { x, y } = root.spots[Number(dot.dataset.p)]
    dot.style.left = `${(100 * x).toFixed(2)}%`
    dot.style.top = `${(100 * y).toFixed(2)}%`
  }
}

/**
 * Place labels beside marked points, the most important first, without overlap; a line connects a distant label to its
 * point.
 * @param {Root} root
 */
function placeNames(root) {
  const { plane } = root.data
  if (!plane) return
  const box = find(root, ".plane")
  const [width, height] = [box.clientWidth, box.clientHeight]
  const ownSentence = plane.sentences.length - 1
  const neighbours = plane.neighbours[root.selectedPoint].map(([neighbour]) => neighbour)
  const sameWords = findSameWords(plane, root.selectedPoint)
  const ownPoints = plane.points.flatMap(({ sentence }, p) => (sentence === ownSentence ? [p] : []))
  const labelledPoints = [...new Set([root.selectedPoint, ...sameWords, ...neighbours, ...ownPoints])]
  const texts = labelledPoints.map((p) => make("span", { class: p === root.selectedPoint ? "at" : neighbours.includes(p) || sameWords.includes(p) ? null : "aside", "data-name": p }, (sameWords.includes(p) && findAmbiguousSentence(plane, p)?.sense) || getWord(plane, p)))
  find(box, ".names").replaceChildren(...texts)
  const spots = labelledPoints.map((p) => ({ x: root.spots[p].x * width, y: root.spots[p].y * height }))
  const labels = placeLabels(spots, texts.map(({ offsetWidth, offsetHeight }) => ({ width: offsetWidth, height: offsetHeight })), { width, height }, labelledPoints.map((p) => (p === root.selectedPoint ? SELECTED_RADIUS : DOT_RADIUS)))
  const leaders = labels.flatMap((item, k) => {
    texts[k].hidden = !item
    if (!item) return []
    texts[k].style.left = `${item.x.toFixed(1)}px`
    texts[k].style.top = `${item.y.toFixed(1)}px`
    return item.isFar ? [draw("line", { class: "leader", x1: (100 * spots[k].x) / width, y1: (100 * spots[k].y) / height, x2: (100 * item.lineEnd.x) / width, y2: (100 * item.lineEnd.y) / height })] : []
  })
  const selectedSpot = root.spots[root.selectedPoint]
  find(box, "svg").replaceChildren(...neighbours.map((neighbour) =>
    draw("line", { class: "link", x1: 100 * selectedSpot.x, y1: 100 * selectedSpot.y, x2: 100 * root.spots[neighbour].x, y2: 100 * root.spots[neighbour].y })), ...leaders)
}

/**
 * Select a word: mark the same word elsewhere with one shape per sense, and list and link its nearest neighbours.
 * @type {(root: Root, number: number) => void}
 */
export function selectPoint(root, number) {
  const { plane, messages, languages } = root.data
  if (!plane) return
  root.selectedPoint = number
  const box = find(root, ".plane")
  box.setAttribute("aria-activedescendant", `dot-${number}`)
  const word = getWord(plane, number).toLowerCase()
  const senses = [...new Set(plane.sentences.filter((item) => item.marked_word === word).map(({ sense }) => sense))]
  const neighbours = new Set(plane.neighbours[number].map(([neighbour]) => neighbour))
  const sameWords = new Set(findSameWords(plane, number))
  for (const dot of findAll(box, ".dot")) {
    const p = Number(dot.dataset.p)
    const sense = sameWords.has(p) ? findAmbiguousSentence(plane, p)?.sense : undefined
    dot.classList.toggle("same", sameWords.has(p))
    dot.classList.toggle("near-one", neighbours.has(p))
    dot.classList.toggle("at", p === number)
    SHAPES.forEach((shape, k) => dot.classList.toggle(shape, sameWords.has(p) && k === Math.max(0, senses.indexOf(sense ?? "")) % SHAPES.length))
    dot.setAttribute("aria-selected", String(p === number))
  }
  placePoints(root, plane)
  placeNames(root)
  setText(find(root, ".near-title"), formatTemplate(messages.nearest, { word: nameWithSense(plane, number) }))
  const list = find(root, ".near ol")
  redraw(list, () => list.replaceChildren(...plane.neighbours[number].map(([neighbour, cosine]) => make("li", {},
    make("button", { type: "button", "data-go": neighbour }, make("span", { class: "cosine" }, formatDecimal(cosine)),
      make("span", { lang: languages[0] }, ...markWord(plane, neighbour)), findAmbiguousSentence(plane, neighbour) && make("span", { class: "soft" }, ` ${findAmbiguousSentence(plane, neighbour)?.sense}`))))), "button")
  for (const node of findAll(root, ":is(.choose, .meanings) button")) {
    node.setAttribute("aria-pressed", String(Number(node.dataset.go) === number || node.dataset.word === word))
  }
  hoverPoint(root, -1)
}

/** @type {(root: Root, number: number) => void} */
export function choosePoint(root, number) {
  selectPoint(root, number)
  clearTimeout(root.reportTimer)
  root.reportTimer = setTimeout(() => root.trigger("point", number), REPORT_DELAY)
}

/** @param {Root} root */
export function toggleZoom(root) {
  root.isZoomed = !root.isZoomed
  find(root, ".closer").setAttribute("aria-pressed", String(root.isZoomed))
  selectPoint(root, root.selectedPoint)
}

/** @type {(root: Root, event: MouseEvent) => number} */
export function pointUnderPointer(root, event) {
  const box = findClosest(event.target, ".plane")
  if (!box) return -1
  const { left, top, width, height } = box.getBoundingClientRect()
  const spots = root.spots.map(({ x, y }) => ({ x: x * width, y: y * height }))
  return findNearestPoint(spots, { x: event.clientX - left, y: event.clientY - top }, REACH)
}
