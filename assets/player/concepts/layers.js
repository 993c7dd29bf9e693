// Show the residual stream of one token through the layers: the norm of what each sublayer adds, the norm of the sum, and the
// share of each in the last state; above it pre-norm and post-norm as boxes.

/** @import { LayersData, StreamData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { draw, find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { listTarget } from "../shared/focus.js"
import { argmax, formatDecimal, formatShare, formatTemplate, findLargest } from "../shared/format.js"
import { hasModifier } from "../shared/keys.js"
import { registerSection } from "../shared/presentation.js"
import { scaleLinear } from "../shared/scale.js"
import { drawCurve, drawRule, drawTick } from "./axes.js"
import { reserveHeight } from "./reserve.js"
import { handleTokenKey, makeTokenButtons } from "./token_buttons.js"

/** @typedef {ComponentRoot<LayersData> & { stack: number, token: number, step: number }} Root */

const [WIDTH, HEIGHT, SHARES] = [960, 190, 110] // of the two charts, in their own units
const EDGE = { left: 44, right: 8, top: 8, bottom: 38 }

/** @param {Root} root */
const getCurrentStream = (root) => root.data.streams[root.stack]

/**
 * Draw LayerNorm and sublayer as boxes on and beside the residual path.
 * @type {(data: LayersData, norm: "pre" | "post") => HTMLElement}
 */
function drawNorm({ messages, model, norm: modelNorm }, norm) {
  /** @type {(x: number, y: number, width: number, text: string, kind: string) => SVGGElement} */
  const box = (x, y, width, text, kind) => draw("g", { class: `box ${kind}` }, draw("rect", { x, y: y - 15, width, height: 30, rx: 7 }),
    draw("text", { x: x + width / 2, y: y + 5, "text-anchor": "middle" }, text))
  /** @type {(d: string) => SVGPathElement} */
  const arrow = (d) => draw("path", { class: "arrow", d })
  const isPre = norm === "pre"
  const plus = isPre ? 330 : 255
  const picture = draw("svg", { viewBox: "0 0 400 104", role: "img", "aria-label": messages[`formula_${norm}`] },
    draw("text", { x: 10, y: 81 }, "x"), arrow(`M24 76 H${plus - 11}`), arrow(`M45 76 V28 H${isPre ? 62 : 95}`),
    ...(isPre ? [box(64, 28, 92, "LayerNorm", "norm"), arrow("M156 28 H184"), box(186, 28, 92, messages.sublayer, "sublayer")]
      : [box(97, 28, 92, messages.sublayer, "sublayer")]),
    arrow(`M${isPre ? 278 : 189} 28 H${plus} V64`),
    draw("circle", { class: "plus", cx: plus, cy: 76, r: 10 }), draw("text", { x: plus, y: 81, "text-anchor": "middle" }, "+"),
    ...(isPre ? [arrow("M341 76 H390")] : [arrow("M266 76 H282"), box(284, 76, 84, "LayerNorm", "norm"), arrow("M368 76 H392")]))
  return make("figure", { class: norm === modelNorm ? "norm shipped" : "norm" },
    make("figcaption", {}, make("b", {}, messages[`norm_${norm}`]), ` ${messages[`formula_${norm}`]}`, make("span", { class: "whose" }, norm === "post" ? messages.paper : "", norm === modelNorm ? formatTemplate(messages.shipped, { model }) : "")), picture)
}

/** @type {(messages: LayersData["messages"], stream: StreamData, step: number) => string} */
const nameStep = (messages, { layers, kinds }, step) => (step ? formatTemplate(messages.step, { layer: layers[step - 1], kind: messages[`kind_${kinds[step - 1]}`] }) : messages.embedding)

/** @param {Root} root */
function drawStream(root) {
  const { data: { messages }, token } = root
  const stream = getCurrentStream(root)
  const count = stream.update_norms.length
  const slot = (WIDTH - EDGE.left - EDGE.right) / count
  const maximum = findLargest([...stream.stream_norms, ...stream.update_norms].map((row) => row[token]), 1)
  const y = scaleLinear([0, maximum], [HEIGHT - EDGE.bottom, EDGE.top])
  const shares = stream.shares.map((row) => row[token])
  const yShare = scaleLinear([Math.min(-0.1, ...shares), Math.max(0.4, ...shares)], [HEIGHT + SHARES - 6, HEIGHT + 16])
  /** @param {number} step */
  const x = (step) => EDGE.left + slot * (step + 0.5)
  /** @param {number} step */
  const column = (step) => {
    const kind = step ? stream.kinds[step - 1] : /** @type {const} */ ("embedding")
    const [updateNorm, share] = [stream.update_norms[step][token], shares[step]]
    return draw("g", { class: `column ${kind}`, "data-step": step, tabindex: step === root.step ? 0 : -1, role: "img", "aria-label": describeStep(root, step) },
      draw("rect", { class: "catch", x: x(step) - slot / 2, y: 0, width: slot, height: HEIGHT + SHARES }),
      draw("rect", { class: "bar", x: x(step) - slot * 0.3, width: slot * 0.6, y: y(updateNorm), height: y(0) - y(updateNorm) }),
      draw("rect", { class: "bar", x: x(step) - slot * 0.3, width: slot * 0.6, y: Math.min(yShare(share), yShare(0)), height: Math.abs(yShare(share) - yShare(0)) }),
      drawTick(x(step), HEIGHT - 22, "middle", messages[`short_${kind}`]))
  }
  const layerLabels = stream.layers.flatMap((layer, k) => (stream.layers[k - 1] === layer ? [] : [drawTick(x(k + 1) - slot * 0.4, HEIGHT - 5, "start", formatTemplate(messages.layer, { layer }))]))
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + SHARES}`, role: "group", "aria-label": messages.stream },
    ...[0, maximum].map((value) => drawTick(EDGE.left - 6, y(value) + 5, "end", formatDecimal(value, 0))),
    drawRule(EDGE.left, WIDTH, y(0)), drawRule(EDGE.left, WIDTH, yShare(0)), drawTick(EDGE.left - 6, yShare(0) + 5, "end", "0"),
    ...Array.from({ length: count }, (_, step) => column(step)), ...layerLabels,
    drawCurve(stream.stream_norms.map((row) => row[token]), "sum", x, y),
    ...stream.stream_norms.map((row, step) => draw("circle", { class: "sum-point", cx: x(step), cy: y(row[token]), r: 3.5 })))
}

/** @type {(root: Root, step: number) => string} */
function describeStep(root, step) {
  const { data: { messages }, token } = root
  const stream = getCurrentStream(root)
  const values = { step: nameStep(messages, stream, step), added: formatDecimal(stream.update_norms[step][token], 1), sum: formatDecimal(stream.stream_norms[step][token], 1), share: formatDecimal(stream.shares[step][token]) }
  const text = formatTemplate(messages.description_step, values)
  if (!step || stream.kinds[step - 1] !== "feed_forward") return text
  const active = stream.active[stream.kinds.slice(0, step - 1).filter((kind) => kind === "feed_forward").length][token]
  return `${text} ${formatTemplate(messages.description_active, { active: Math.round(active * root.data.inner_size), inner: root.data.inner_size, share: formatShare(active) })}`
}

/** @param {Root} root */
function renderStep(root) {
  for (const node of /** @type {Iterable<SVGElement>} */ (root.querySelectorAll(".column"))) {
    const isChosen = Number(node.dataset.step) === root.step
    node.classList.toggle("here", isChosen)
    node.setAttribute("tabindex", isChosen ? "0" : "-1")
  }
  setText(find(root, ".description"), describeStep(root, root.step))
}

/** @type {(data: LayersData, stream: StreamData, token: number) => string} */
function summarise({ messages }, stream, token) {
  const shares = stream.shares.map((row) => row[token])
  const top = 1 + argmax(shares.slice(1))
  return formatTemplate(messages.summary, { token: stream.tokens[token], first: formatDecimal(stream.stream_norms[0][token], 1), last: formatDecimal(stream.stream_norms[stream.stream_norms.length - 1][token], 1),
    kept: formatDecimal(shares[0]), step: nameStep(messages, stream, top), share: formatDecimal(shares[top]) })
}

/** @param {Root} root */
function renderStream(root) {
  const { data, token } = root
  const stream = getCurrentStream(root)
  const last = stream.stream_norms.length - 1
  root.step = Math.min(root.step, last)
  find(root, ".chart").replaceChildren(drawStream(root))
  showPressed(root, "k", token)
  setText(find(root, ".summary"), summarise(data, stream, token))
  renderStep(root)
}

/** @param {Root} root */
function buildTokens(root) {
  const { tokens, token_language: tokenLanguage } = getCurrentStream(root)
  root.token = Math.min(root.token, tokens.length - 1)
  root.dataset.stack = ["encoder", "decoder"][root.stack]
  showPressed(root, "stack-choice", root.stack)
  find(root, ".tokens").replaceChildren(...makeTokenButtons(tokens, tokenLanguage, root.token))
  renderStream(root)
}

/** @param {Root} root */
function buildLayers(root) {
  const { data } = root
  const { messages, language } = data
  root.lang = language
  const norms = make("div", { class: "norms" }, drawNorm(data, "post"), drawNorm(data, "pre"), make("p", {}, messages.norms))
  const stacks = make("span", { class: "stacks" }, .../** @type {const} */ (["encoder", "decoder"]).map((stack, k) => make("button", { type: "button", "data-stack-choice": k, "aria-pressed": "false" }, messages[`stack_${stack}`])))
  root.replaceChildren(norms)
  registerSection(norms)
  if (!data.streams.length) return
  const figure = make("figure", { class: "stream" }, make("figcaption", {}, messages.stream), make("div", { class: "chart" }), make("p", { class: "soft" }, messages.shares))
  norms.before(make("h2", {}, formatTemplate(messages.heading, { model: data.model })),
    make("div", { class: "choices" }, stacks, make("p", { class: "tokens", role: "group", "aria-label": messages.tokens })), figure,
    make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "summary" }), make("p", { class: "soft" }, messages.feed_forward))
  registerSection(figure)
  reserveHeight(find(root, ".tokens"), () => data.streams.map(({ tokens, token_language: tokenLanguage }) => makeTokenButtons(tokens, tokenLanguage, 0)))
  reserveHeight(find(root, ".description"), () => data.streams.flatMap(({ update_norms: updateNorms }, stack) => updateNorms.map((_, step) => [describeStep({ ...root, stack, token: 0 }, step)])))
  reserveHeight(find(root, ".summary"), () => data.streams.flatMap((stream) => stream.tokens.map((_, token) => [summarise(data, stream, token)])))
  buildTokens(root)
}

/** @param {Root} root */
function setUp(root) {
  root.stack = root.token = root.step = 0
  /** @param {Event} event */
  const point = (event) => {
    const column = event.target instanceof Element ? /** @type {SVGElement | null} */ (event.target.closest(".column")) : null
    if (!column) return
    root.step = Number(column.dataset.step)
    renderStep(root)
  }
  root.onpointerover = point
  root.addEventListener("focusin", point)
  root.onclick = (event) => {
    const stack = findClosest(event.target, "[data-stack-choice]")
    const word = findClosest(event.target, ".word")
    if (stack) {
      root.stack = Number(stack.dataset.stackChoice)
      buildTokens(root)
    } else if (word) {
      root.token = Number(word.dataset.k)
      renderStream(root)
    }
  }
  root.onkeydown = (event) => {
    if (hasModifier(event)) return
    const word = findClosest(event.target, ".word")
    const column = findClosest(event.target, ".column")
    if (word) {
      if (!handleTokenKey(word, event.key)) return
    } else if (column) {
      const target = listTarget(findAll(root, ".column"), column, event.key)
      if (target === null) return
      target?.focus()
    } else return
    event.preventDefault()
  }
}

/** @param {Mounted<LayersData>} mounted */
export default function mountResidualStream({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "layers", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildLayers(root)
}
