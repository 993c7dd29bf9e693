// Word by word and in phrases: what was counted in translated text, and what breaks when the parts are put together.

/** @import { StoryData, StoryPart } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { find, findAll, make } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { missingScene, makePart, formatPercent, readNumber } from "./scene.js"

/**
 * A part of the sentence above what it is translated by.
 * @param {string[]} source
 * @param {StoryPart} one
 * @param {string} kind
 * @param {number} place
 * @param {[string, string]} languages
 */
function makeUnit(source, one, kind, place, languages) {
  const [{ text }] = one.translations
  const words = text.split(/(?<=['’])|\s+/)
  const said = make("span", { class: "said", lang: languages[1] })
  words.forEach((word, k) => said.append(k && !words[k - 1].endsWith("'") ? " " : "", make("b", { class: one.wrong[k] ? "wrong" : null }, word)))
  return makePart("span", "unit", { [kind]: place },
    make("span", { class: "source", lang: languages[0] }, source.slice(one.first, one.last + 1).join(" ")), said)
}

/** @param {StoryData} data @returns {Scene} */
export function makeTables({ tables: told, words, languages }) {
  if (!told) return missingScene(words, 4)
  const pairs = told.pairs.toLocaleString("en")
  const row = (/** @type {StoryPart[]} */ parts, /** @type {string} */ kind, /** @type {string} */ name) =>
    make("div", { class: `row ${kind}` }, make("p", { class: "label" }, name),
      make("div", { class: "units" }, ...parts.map((one, place) => makeUnit(told.source, one, kind, place, languages))))
  const list = make("div", { class: "table" })
  const node = make("div", { class: "tables" },
    row(told.words, "words", words.by_words),
    row(told.phrases, "phrases", words.by_phrases),
    make("div", { class: "row good" }, make("p", { class: "label" }, words.good), make("p", { class: "said", lang: languages[1] }, told.good)),
    list)

  /** @param {StoryPart} one */
  const open = (one) => {
    const name = told.source.slice(one.first, one.last + 1).join(" ")
    list.replaceChildren(make("p", { class: "label" }, formatTemplate(words.word_says, { word: name, pairs })),
      ...one.translations.map(({ text, p, count }) => {
        const bar = make("i", { class: "bar" })
        bar.style.width = `${Math.max(1, 100 * p)}%`
        return make("p", { class: "choice" }, make("span", { class: "said", lang: languages[1] }, text), make("span", { class: "track" }, bar),
          make("span", { class: "much" }, formatTemplate(words.percent, { share: formatPercent(p) }), count ? ` · ${formatTemplate(words.counted, { count })}` : ""))
      }))
  }

  return {
    node,
    lineCounts: [1, 2, 3, 4],
    showStep(step) {
      node.dataset.step = String(step)
      find(node, ".phrases").classList.toggle("hidden", step < 2)
      find(node, ".good").classList.toggle("hidden", step < 3)
      node.classList.toggle("judged", step === 1 || step === 3)
      open(step < 2 ? told.words[1] : told.phrases[1] ?? told.phrases[0])
    },
    pointAt(touched) {
      const word = readNumber(touched, "words")
      const phrase = readNumber(touched, "phrases")
      const one = word !== null ? told.words[word] : phrase !== null ? told.phrases[phrase] : null
      for (const other of findAll(node, ".unit")) other.classList.toggle("lit", other === touched)
      if (!one) return ""
      open(one)
      return one.translations.map(({ text, p }) => formatTemplate(words.share, { text, share: formatPercent(p) })).join(", ")
    },
  }
}
