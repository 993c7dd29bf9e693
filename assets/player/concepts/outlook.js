// Show where attention went after translation: one picture of simple boxes for each idea, chosen by a button.

/** @import { OutlookData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { draw, find, findClosest, make, mountRoot, showPressed, storeData } from "../shared/dom.js"
import { formatShare, formatTemplate } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawRule, drawTick } from "./axes.js"
import { reserveHeight } from "./reserve.js"

/** @typedef {ComponentRoot<OutlookData> & { topic: typeof TOPICS[number], region: number }} Root */

const TOPICS = /** @type {const} */ (["results", "it", "summary", "dialogue", "pointer", "parsing", "image"])
const BRACKETS = "(S (NP Det N) (VP V))" // the tree as a sequence
const REGIONS = [[9, 10], [5, 6], [0, 1, 2, 3], [12, 13, 14, 15]] // cells of a 4 × 4 picture for each word of its caption
// BLEU and training cost (FLOPs) of English-German, as published: Vaswani et al. (2017), Table 2.
const RESULTS = /** @type {const} */ ([["GNMT + RL", 24.6, 2.3e19], ["ConvS2S", 25.16, 9.6e18], ["MoE", 26.03, 2e19], ["GNMT + RL, ensemble", 26.3, 1.8e20], ["ConvS2S, ensemble", 26.36, 7.7e19],
  ["Transformer, base", 27.3, 3.3e18], ["Transformer, big", 28.4, 2.3e19]])
const [WIDTH, HEIGHT] = [760, 300] // in the picture's own units

/** @type {(text: string, kind: string, language?: string) => HTMLElement} */
const makeBox = (text, kind, language) => make("span", { class: `box ${kind}`, lang: language }, text)
const makeArrow = () => make("span", { class: "arrow", "aria-hidden": "true" }, "→")

/** @param {OutlookData} data */
function drawResults({ messages }) {
  const x = scaleLinear([18, 20.6], [50, WIDTH - 150])
  const y = scaleLinear([24, 29], [HEIGHT - 36, 12])
  return make("figure", {}, make("figcaption", {}, messages.results_axis), make("div", { class: "scroll" }, draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, style: "min-width: 560px", role: "img", "aria-label": RESULTS.map(([name, bleu, flops]) => `${name}: ${bleu}, ${flops.toExponential(1)}`).join("; ") },
    ...[24, 26, 28].flatMap((bleu) => [drawRule(50, WIDTH, y(bleu)), drawTick(42, y(bleu) + 5, "end", String(bleu))]),
    ...[["10¹⁸", 18], ["10¹⁹", 19], ["10²⁰", 20]].map(([text, power]) => drawTick(x(Number(power)), HEIGHT - 12, "middle", String(text))),
    ...RESULTS.map(([name, bleu, flops]) => draw("g", { class: name.startsWith("Transformer") ? "result ours" : "result" },
      draw("circle", { cx: x(Math.log10(flops)), cy: y(bleu), r: 5 }), draw("text", { x: x(Math.log10(flops)) + (name.startsWith("ConvS2S,") ? -10 : 10), y: y(bleu) + 5, "text-anchor": name.startsWith("ConvS2S,") ? "end" : "start" }, `${name} ${bleu}`))))))
}

/** @param {OutlookData} data */
function drawIt({ messages, coreference }) {
  if (!coreference) return make("p", {}, messages.it_missing)
  const { sentence, layer, head, weight, changed_sentence: changedSentence, changed_weight: changedWeight } = coreference
  /** @type {(text: string, value: number) => HTMLElement} */
  const row = (text, value) => make("p", { class: "sentence" }, make("span", { lang: "en" }, text), make("span", { class: "bar", style: `--share: ${value}` }), make("b", {}, formatShare(value)))
  return make("div", {}, row(sentence, weight), row(changedSentence, changedWeight),
    make("p", {}, make("button", { type: "button", class: "open", "data-open": "" }, formatTemplate(messages.it_link, { layer, head }))))
}

/** @type {(data: OutlookData, topic: "summary" | "dialogue") => HTMLElement} */
const drawTask = ({ messages }, topic) => make("p", { class: "flow" }, makeBox(messages[`from_${topic}`], "source"), makeArrow(), makeBox(messages.encoder, "source plain"), makeArrow(), makeBox(messages.attention, "attention plain"), makeArrow(), makeBox(messages.decoder, "target plain"), makeArrow(), makeBox(messages[`to_${topic}`], "target"))

/** @param {OutlookData} data */
function drawPointer({ messages, tokens, token_language: tokenLanguage }) {
  const order = tokens.map((token, j) => ({ token, j })).sort((a, b) => a.token.localeCompare(b.token, tokenLanguage))
  const slot = Math.max(64, WIDTH / Math.max(1, tokens.length))
  /** @param {number} k */
  const x = (k) => slot * (k + 0.5)
  return make("div", { class: "scroll" }, draw("svg", { viewBox: `0 0 ${slot * tokens.length} 190`, style: `min-width: ${slot * tokens.length * 0.7}px`, role: "img", "aria-label": `${messages.pointer_caption} ${order.map(({ token }) => token).join(" ")}` },
    ...tokens.map((token, j) => draw("text", { class: "input", x: x(j), y: 26, "text-anchor": "middle", lang: tokenLanguage }, token)),
    ...tokens.map((_, j) => drawTick(x(j), 44, "middle", String(j + 1))),
    ...order.map(({ j }, k) => draw("path", { class: "pointer", d: `M${x(k)} 146 C${x(k)} 96, ${x(j)} 100, ${x(j)} 50` })),
    ...order.map(({ j }, k) => drawTick(x(k), 166, "middle", String(j + 1), "output"))))
}

function drawParsing() {
  /** @type {(x: number, y: number, text: string, kind?: string) => SVGTextElement} */
  const node = (x, y, text, kind = "node") => drawTick(x, y, "middle", text, kind)
  /** @type {(d: string) => SVGPathElement} */
  const edge = (d) => draw("path", { class: "edge", d })
  return make("figure", {}, draw("svg", { viewBox: "0 0 420 190", class: "tree", role: "img", "aria-label": BRACKETS },
    edge("M200 28 L130 64 M200 28 L290 64 M130 82 L80 118 M130 82 L180 118 M290 82 L290 118 M80 136 V158 M180 136 V158 M290 136 V158"),
    node(200, 22, "S"), node(130, 78, "NP"), node(290, 78, "VP"), node(80, 132, "Det"), node(180, 132, "N"), node(290, 132, "V"),
    node(80, 176, "the", "input"), node(180, 176, "cat", "input"), node(290, 176, "sleeps", "input")), make("p", { class: "flow" }, makeBox("the cat sleeps", "source", "en"), makeArrow(), makeBox(BRACKETS, "target")))
}

/** @param {Root} root */
function drawImage(root) {
  const { messages, language } = root.data
  const caption = messages.image_words.split("|")
  return make("div", { class: "image" }, make("div", { class: "grid", role: "img", "aria-label": messages.image_label },
    ...Array.from({ length: 16 }, (_, cell) => make("i", { class: REGIONS[root.region].includes(cell) ? "chosen" : null, "data-part": REGIONS.findIndex((cells) => cells.includes(cell)) }))),
  make("p", {}, ...caption.flatMap((word, k) => [make("button", { type: "button", class: "caption", "data-region": k, lang: language, "aria-pressed": String(k === root.region) }, word), " "])))
}

/** @type {(root: Root, topic: Root["topic"]) => HTMLElement} */
function makeTopic(root, topic) {
  const { data } = root
  const { messages } = data
  const pictures = { results: () => drawResults(data), it: () => drawIt(data), summary: () => drawTask(data, "summary"), dialogue: () => drawTask(data, "dialogue"),
    pointer: () => drawPointer(data), parsing: () => drawParsing(), image: () => drawImage(root) }
  return make("section", {}, make("p", {}, messages[`about_${topic}`]), pictures[topic](), make("p", { class: "soft" }, messages[`source_${topic}`]))
}

/** @param {Root} root */
function renderTopic(root) {
  const { topic } = root
  showPressed(root, "topic", topic)
  const section = makeTopic(root, topic)
  find(root, ".topic").replaceChildren(section)
  registerSection(section)
}

/** @param {Root} root */
function buildOutlook(root) {
  const { messages, language } = root.data
  root.lang = language
  root.replaceChildren(make("p", { class: "topics" }, ...TOPICS.map((topic) => make("button", { type: "button", "data-topic": topic }, messages[`topic_${topic}`]))), make("div", { class: "topic" }))
  reserveHeight(find(root, ".topic"), () => TOPICS.map((topic) => [makeTopic(root, topic)]))
  renderTopic(root)
}

/** @param {Root} root */
function setUp(root) {
  root.topic = TOPICS[0]
  root.region = 0
  root.onclick = (event) => {
    const button = findClosest(event.target, "button")
    if (!button) return
    if (button.dataset.open != null) return root.trigger("open", true)
    if (button.dataset.topic) root.topic = TOPICS.find((topic) => topic === button.dataset.topic) ?? root.topic
    else root.region = Number(button.dataset.region)
    renderTopic(root)
    if (button.dataset.region) find(root, `[data-region="${root.region}"]`).focus()
  }
}

/** @param {Mounted<OutlookData>} mounted */
export default function mountOutlook({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "outlook", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildOutlook(root)
}
