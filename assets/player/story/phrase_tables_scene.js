// Scene: word and phrase tables counted from parallel text, and what goes wrong when parts are combined.

/** @import { StoryData, StoryPart } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { find, findAll, make } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { makeMissingScene, makePart, formatPercentNumber, readNumber } from "./scene.js"

/** @type {(source: string[], phrase: StoryPart, kind: string, place: number, languages: [string, string]) => HTMLDivElement | HTMLLIElement | HTMLSpanElement} */
function makeUnit(source, phrase, kind, place, languages) {
  const [{ text }] = phrase.translations
  const words = text.split(/(?<=['’])|\s+/)
  const line = make("span", { class: "translation", lang: languages[1] })
  words.forEach((word, k) => line.append(k && !/['’]$/.test(words[k - 1]) ? " " : "", make("b", { class: phrase.is_wrong[k] ? "wrong" : null }, word)))
  return makePart("span", "unit", { [kind]: place },
    make("span", { class: "source", lang: languages[0] }, source.slice(phrase.first, phrase.last + 1).join(" ")), line)
}

/** @param {StoryData} data @returns {Scene} */
export function makeTables({ tables, messages, languages }) {
  if (!tables) return makeMissingScene(messages, 4)
  const pairs = tables.pair_count.toLocaleString("en")
  const row = (/** @type {StoryPart[]} */ parts, /** @type {string} */ kind, /** @type {string} */ name) =>
    make("div", { class: `row ${kind}` }, make("p", { class: "label" }, name),
      make("div", { class: "units" }, ...parts.map((phrase, place) => makeUnit(tables.source, phrase, kind, place, languages))))
  const list = make("div", { class: "table" })
  const node = make("div", { class: "tables" },
    row(tables.words, "words", messages.by_words),
    row(tables.phrases, "phrases", messages.by_phrases),
    make("div", { class: "row good" }, make("p", { class: "label" }, messages.good), make("p", { class: "translation", lang: languages[1] }, tables.good)),
    list)

  /** @param {StoryPart} phrase */
  const showTranslations = (phrase) => {
    const name = tables.source.slice(phrase.first, phrase.last + 1).join(" ")
    list.replaceChildren(make("p", { class: "label" }, formatTemplate(messages.word_says, { word: name, pairs })),
      ...phrase.translations.map(({ text, p, count }) =>
        make("p", { class: "choice" }, make("span", { class: "translation", lang: languages[1] }, text),
          make("span", { class: "track" }, make("i", { class: "bar", style: `width: ${Math.max(1, 100 * p)}%` })),
          make("span", { class: "much" }, formatTemplate(messages.percent, { share: formatPercentNumber(p) }), count ? ` · ${formatTemplate(messages.counted, { count })}` : ""))))
  }

  return {
    node,
    lineCounts: [1, 2, 3, 4],
    showStep(step) {
      node.dataset.step = String(step)
      find(node, ".phrases").classList.toggle("hidden", step < 2)
      find(node, ".good").classList.toggle("hidden", step < 3)
      node.classList.toggle("judged", step === 1 || step === 3)
      showTranslations(step < 2 ? tables.words[1] : tables.phrases[1] ?? tables.phrases[0])
    },
    pointAt(touchedNode) {
      const word = readNumber(touchedNode, "words")
      const phrase = readNumber(touchedNode, "phrases")
      const part = word !== null ? tables.words[word] : phrase !== null ? tables.phrases[phrase] : null
      for (const unit of findAll(node, ".unit")) unit.classList.toggle("lit", unit === touchedNode)
      if (!part) return ""
      showTranslations(part)
      return part.translations.map(({ text, p }) => formatTemplate(messages.share, { text, share: formatPercentNumber(p) })).join(", ")
    },
  }
}
