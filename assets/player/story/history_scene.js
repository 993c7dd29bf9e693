// Scene: later developments, what attention is not, and how long these models were trained.

/** @import { StoryData } from "../payloads.js" */
/** @import { Scene } from "./scene.js" */
import { findAll, make } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { makePart, formatPercentNumber, readNumber } from "./scene.js"

const EVENTS = /** @type {const} */ (["here", "luong", "coverage", "copy", "transformer"])

/** @param {number} thousands */
const formatThousands = (thousands) => Math.round(1000 * thousands).toLocaleString("en")

/** @param {StoryData} data @returns {Scene} */
export function makeHistory({ history, messages }) {
  const line = make("ol", { class: "time" }, ...EVENTS.map((event, k) =>
    makePart("li", "event", { event: k }, make("span", { class: "year" }, messages[`year_${event}`]), make("b", {}, messages[`name_${event}`]))))
  const agreeing = make("i", { class: "part", style: `width: ${100 * (history.alignment_precision ?? 0)}%` })
  const agree = history.alignment_precision === null ? null
    : makePart("div", "agree", { agree: 0 }, make("span", { class: "whole" }, agreeing), make("p", { class: "label" }, formatTemplate(messages.agree, { share: formatPercentNumber(history.alignment_precision) })))
  const longest = Math.max(1, ...history.bars.map((bar) => bar.thousand_updates))
  const bars = make("div", { class: "bars" }, make("p", { class: "label" }, messages.updates), ...history.bars.map((bar, k) => {
    const length = make("i", { class: bar.is_published ? "published" : null, style: `width: ${Math.max(0.4, (100 * bar.thousand_updates) / longest)}%` })
    return makePart("div", "update", { bar: k }, make("span", { class: "name" }, bar.name, make("small", {}, ` ${bar.is_published ? messages.in_paper : messages.here}`)),
      make("span", { class: "track" }, length), make("span", { class: "much" }, formatThousands(bar.thousand_updates)))
  }))
  const openButton = make("button", { type: "button", class: "open", "data-open": "" }, messages.open)
  const node = make("div", { class: "afterwards" }, line, agree, bars, openButton)
  return {
    node,
    lineCounts: [1, 2, 3, 4],
    showStep(step) {
      agree?.classList.toggle("hidden", step < 1)
      bars.classList.toggle("hidden", step < 2)
      openButton.classList.toggle("hidden", step < 3)
    },
    pointAt(touchedNode) {
      for (const element of findAll(node, "[data-touch]")) element.classList.toggle("lit", element === touchedNode)
      const event = readNumber(touchedNode, "event")
      if (event !== null) return messages[`about_${EVENTS[event]}`]
      if (readNumber(touchedNode, "agree") !== null) return formatTemplate(messages.agree_is, { share: formatPercentNumber(history.alignment_precision ?? 0), pairs: history.annotated_pair_count })
      const bar = readNumber(touchedNode, "bar")
      if (bar === null) return ""
      const { name, thousand_updates: thousandUpdates, is_published: isPublished } = history.bars[bar]
      return formatTemplate(messages.bar_is, { model: `${name}, ${isPublished ? messages.in_paper : messages.here}`, updates: formatThousands(thousandUpdates) })
    },
  }
}
