// Scene: one row of attention. The state is the query, every piece has a key, energies become weights that mix the values.
// Then the reader guesses where the model attends.

/** @import { StoryData } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { find, findAll, make } from "../shared/dom.js"
import { argmax, formatDecimal, formatTemplate, formatShare } from "../shared/format.js"
import { makeMissingScene, makeCells, makePart, readNumber, scaleEnergies } from "./scene.js"

const READING_STEPS = 4 // steps before the guessing

/** @param {number} weight */
const makeDisc = (weight) => make("i", { class: "disc", style: `--weight: ${weight.toFixed(4)}` })

/** @param {StoryData} data @returns {Scene} */
export function makeLookup({ lookup, map, messages, map_languages: languages }) {
  if (!lookup || !map) return makeMissingScene(messages, 5)
  const { source, target, rows } = map
  const height = scaleEnergies(lookup.energies)
  const columns = lookup.pieces.map((piece, j) => makePart("div", "column", { piece: j },
    make("span", { class: "text", lang: languages[0] }, piece || messages.end),
    make("span", { class: "keys" }, makeCells(lookup.keys[j], "source")),
    make("span", { class: "well" }, make("i", { class: "energy", style: `height: ${Math.round(100 * height[j])}%` })),
    make("span", { class: "share" }, makeDisc(lookup.weights[j]), make("small", {}, lookup.weights[j] >= 0.005 ? formatShare(lookup.weights[j]) : ""))))
  const writtenText = target.slice(0, lookup.target_index).map(([gap, word]) => gap + word).join("")
  const read = make("div", { class: "read" },
    make("div", { class: "asks" }, makePart("div", "query", { query: 0 }, makeCells(lookup.query, "target"), make("span", { class: "label" }, messages.query)),
      make("p", { class: "so-far", lang: languages[1] }, `${writtenText} …`), make("p", { class: "label drawn" }, formatTemplate(messages.cells, { cells: lookup.query.length }))),
    make("div", { class: "strip" },
      make("div", { class: "names" }, make("span", { class: "text" }), make("span", { class: "keys label" }, messages.keys_are),
        make("span", { class: "well label" }, messages.energies), make("span", { class: "share label" }, messages.weights)),
      make("div", { class: "columns" }, ...columns)),
    make("div", { class: "mixed" }, makePart("div", "context", { context: 0 }, makeCells(lookup.context, "source"), make("span", { class: "label" }, messages.context)),
      make("p", { class: "written", lang: languages[1] }, formatTemplate(messages.written, { word: lookup.text, p: formatShare(lookup.p) }))))

  const verdict = make("p", { class: "verdict", role: "status" }) // it stays, so that it is announced
  const game = make("div", { class: "game" }, verdict)
  const node = make("div", { class: "lookup" }, read, game)
  /** @type {(number | null)[]} */
  const guesses = lookup.words_to_guess.map(() => null)
  let currentStep = -1
  let round = 0
  let isGuessPending = false

  function renderRound() {
    const word = lookup?.words_to_guess[round] ?? 0
    const row = rows[word]
    const truth = argmax(row.slice(0, source.length))
    const guess = guesses[round]
    const name = (/** @type {number} */ place) => source[place][1]
    const texts = { truth: name(truth), most: formatShare(row[truth]), guess: guess === null ? "" : name(guess), got: formatShare(guess === null ? 0 : row[guess]) }
    verdict.textContent = isGuessPending ? formatTemplate(messages.ask, { word: target[word][1] })
      : formatTemplate(guess === null ? messages.shown : guess === truth ? messages.right : messages.other, texts)
    const choices = source.map(([, text], j) => {
      const kind = ["choice", !isGuessPending && j === truth && "truth", !isGuessPending && j === guess && j !== truth && "wrong"].filter(Boolean).join(" ")
      return make("button", { type: "button", class: kind, "data-guess": j, lang: languages[0], disabled: isGuessPending ? null : "" },
        text, makeDisc(isGuessPending ? 0 : row[j]), make("small", {}, !isGuessPending && row[j] >= 0.005 ? formatShare(row[j]) : ""))
    })
    const prefix = target.slice(0, word).map(([gap, text]) => gap + text).join("")
    for (const element of findAll(game, ".so-far, .choices")) element.remove()
    verdict.before(make("p", { class: "so-far", lang: languages[1] }, `${prefix} `, make("b", {}, target[word][1])), make("div", { class: "choices" }, ...choices))
  }

  return {
    node,
    lineCounts: [1, 2, 3, 4, ...lookup.words_to_guess.flatMap(() => [5, 5])],
    showStep(step, isMeasuring = false) {
      const isNewStep = !isMeasuring && step !== currentStep
      if (!isMeasuring) currentStep = step
      node.dataset.step = String(Math.min(step, READING_STEPS))
      node.classList.toggle("playing", step >= READING_STEPS)
      if (step < READING_STEPS) {
        findAll(read, ".keys, .well").forEach((item) => item.classList.toggle("hidden", step < 1))
        findAll(read, ".share").forEach((item) => item.classList.toggle("hidden", step < 2))
        find(read, ".mixed").classList.toggle("hidden", step < 3)
        return
      }
      round = Math.floor((step - READING_STEPS) / 2)
      isGuessPending = (step - READING_STEPS) % 2 === 0
      if (isGuessPending && isNewStep) guesses[round] = null
      renderRound()
    },
    pointAt(touchedNode) {
      for (const element of findAll(node, ".column, .query, .context")) element.classList.toggle("lit", element === touchedNode)
      if (readNumber(touchedNode, "query") !== null) return formatTemplate(messages.query_is, { word: lookup.text })
      if (readNumber(touchedNode, "context") !== null) return messages.context_is
      const j = readNumber(touchedNode, "piece")
      if (j === null) return ""
      return formatTemplate(messages.piece_is, { word: lookup.pieces[j] || messages.end, energy: formatDecimal(lookup.energies[j]), weight: formatShare(lookup.weights[j]) })
    },
    pressButton(button) {
      const guess = readNumber(button, "guess")
      if (guess === null || !isGuessPending) return null
      guesses[round] = guess
      return READING_STEPS + 2 * round + 1
    },
  }
}
