// Scene: the whole sentence in one vector. Its words flow into a few cells, and the translation comes from these alone. The
// sentence grows; the vector does not.

/** @import { StoryData } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { draw, find, findAll, make, makeTerm } from "../shared/dom.js"
import { fillTemplate, formatTemplate } from "../shared/format.js"
import { makeMissingScene, makeCells, makePart, readNumber, makeWords, countKept } from "./scene.js"

/** @param {StoryData} data @returns {Scene} */
export function makeVector({ growth, messages, languages }) {
  if (!growth) return makeMissingScene(messages, 4)
  const { prefixes, unit_count: unitCount } = growth
  const cellCount = prefixes[0].cells.length
  const source = makeWords(growth.source, "source", languages[0])
  const pipe = draw("svg", { class: "pipe", "aria-hidden": "true" })
  const box = makePart("div", "vector", { vector: 0 }, makeCells(prefixes[0].cells, "source"))
  const translations = prefixes.map((stage) => makeWords(stage.target, "target", languages[1]))
  const target = make("div", { class: "stack" }, ...translations) // one upon another, so that nothing moves
  const score = make("p", { class: "score" })
  const node = make("div", { class: "one-vector" },
    make("p", { class: "label" }, messages.reads), source,
    make("div", { class: "between" }, pipe, box, make("p", { class: "label name" }, formatTemplate(messages.vector, { numbers: unitCount, cells: cellCount }))),
    make("p", { class: "label" }, messages.writes), target, score, make("p", { class: "label" }, ...fillTemplate(messages.full, { model: makeTerm(`model:${growth.model}`, growth.model) })))
  let currentStep = 0

  // The first stage is read, then written; each further step adds a clause.
  const getStage = (/** @type {number} */ step) => Math.max(0, step - 1)

  function drawPipe() {
    const width = pipe.clientWidth
    const height = pipe.clientHeight
    if (!width) return
    const pipeLeft = pipe.getBoundingClientRect().left
    const middle = width / 2
    const edge = box.offsetHeight / 2
    const readWords = findAll(source, ".word:not(.unfed)")
    const incomingLines = readWords.map((word) => {
      const wordBox = word.getBoundingClientRect()
      const x = (wordBox.left + wordBox.right) / 2 - pipeLeft
      return draw("path", { class: "in", d: `M${x} 0 C${x} ${height * 0.3} ${middle} ${height * 0.1} ${middle} ${height / 2 - edge}` })
    })
    const outgoingLines = [-1, -0.5, 0, 0.5, 1].map((side) => {
      const x = middle + side * middle * 0.8
      return draw("path", { class: "out", d: `M${middle} ${height / 2 + edge} C${middle} ${height * 0.9} ${x} ${height * 0.7} ${x} ${height}` })
    })
    pipe.replaceChildren(...incomingLines, ...(currentStep > 0 ? outgoingLines : []))
  }

  const gloss = (/** @type {string} */ word, /** @type {string | undefined} */ means) => (means ? formatTemplate(messages.gloss, { word, gloss: means }) : "")

  return {
    node,
    lineCounts: [1, 2, ...prefixes.slice(1).map((_, k) => (k + 2 < prefixes.length ? 3 : 4))],
    showStep(step) {
      currentStep = step
      const stage = prefixes[getStage(step)]
      findAll(source, ".word").forEach((word, place) => {
        const isRead = place < stage.word_count
        word.classList.toggle("unfed", !isRead)
        word.classList.toggle("fresh", isRead && step > 1 && place >= prefixes[getStage(step) - 1].word_count)
        word.classList.toggle("lost", isRead && step > 0 && stage.omissions.includes(place))
        word.tabIndex = isRead ? 0 : -1
      })
      find(box, ".cells").replaceWith(makeCells(stage.cells, "source"))
      translations.forEach((translation, k) => translation.classList.toggle("hidden", step === 0 || k !== getStage(step)))
      const all = stage.content.length
      score.classList.toggle("hidden", step === 0)
      score.textContent = formatTemplate(messages.kept, { kept: countKept(stage.content, stage.omissions), all })
      drawPipe()
    },
    pointAt(touchedNode) {
      const stage = prefixes[getStage(currentStep)]
      const place = readNumber(touchedNode, "source")
      for (const word of findAll(node, ".word, .vector")) word.classList.toggle("lit", word === touchedNode)
      if (readNumber(touchedNode, "vector") !== null) {
        return formatTemplate(messages.vector_is, { numbers: unitCount, words: stage.word_count, cells: cellCount })
      }
      const targetIndex = readNumber(touchedNode, "target")
      if (targetIndex !== null) return gloss(stage.target[targetIndex][1], stage.glosses?.[targetIndex])
      if (place === null || place >= stage.word_count || !currentStep) return ""
      const word = growth.source[place][1]
      if (stage.omissions.includes(place)) return formatTemplate(messages.lost, { word })
      return formatTemplate(stage.content.includes(place) ? messages.survives : messages.function, { word })
    },
    resize: drawPipe,
  }
}
