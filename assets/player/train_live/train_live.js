// Watch small networks learn: curves, accuracy by length, and attention at every moment. The server is asked for news of the
// run until it ends (pages/ui/frame/training.py); Streamlit is not involved.

/** @import { ExampleText, NetworkReport, TrainingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { RunNews } from "./news.js" */
import { announceText, find, findAll, findClosest, make, mountRoot, setText, storeData } from "../shared/dom.js"
import { formatPercent, measureDisplayWidth, formatDecimal, formatShare, formatTemplate, findLargest } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { redraw } from "../shared/redraw.js"
import { buildWeightTable, decodeWeights, followFocus, readPointedCell } from "../shared/weight_table.js"
import { buildChart } from "./chart.js"
import { addNews, computeAccuracy, findSnapshot, isOwnExample, listLengthScores, listMoments, listShownExamples, roundUp } from "./news.js"

/** @typedef {ReturnType<typeof buildChart>} Chart */
/**
 * @typedef {object} TrainingState
 * @property {NetworkReport[]} networks
 * @property {NetworkReport["state"]} state
 * @property {number} runsAhead runs in line before this one
 * @property {number} version of the run's snapshots
 * @property {"" | "gone" | "offline"} trouble with the server
 * @property {number} requestTime when a run was requested that has no key yet, in milliseconds; else 0
 * @property {string} [announcedState] the state of the run that was announced last
 * @property {number} momentIndex position of the slider
 * @property {boolean} isFollowing whether the slider stays at the newest moment
 * @property {string} drawnExamples the examples that have tables, as JSON
 * @property {Record<"loss" | "accuracy" | "by_length" | "norm", Chart>} charts
 * @property {ReturnType<typeof setTimeout>} [pollTimer]
 * @property {ReturnType<typeof setInterval>} [playTimer]
 * @property {AbortController} abortController ends listening to the window
 */
/** @typedef {ComponentRoot<TrainingData> & TrainingState} TrainingRoot */

const POLL_TIME = { active: 500, idle: 3000 } // milliseconds
const LOG_BOTTOM = -2 // of the axis of gradient norms, a power of 10
const REPLAY_TIME = 100 // milliseconds per moment
const REQUEST_TIME = 5000 // milliseconds in which a requested run must have its key; until then it is requested once
const NO_CLIP = 1000 // as in pages/ui/train_live/choices.py
const ACTIVE = ["waiting", "starting", "running"]
const RESTING = ["paused", "done"]

/**
 * Format a share of exact outputs; only all of them are 100 %.
 * @type {(share: number, language: string) => string}
 */
const formatAccuracy = (share, language) => (share > 0.99 && share < 1 ? formatPercent(Math.floor(1000 * share) / 1000, language, 1) : formatPercent(share, language))

/** @param {TrainingRoot} root */
const getMoment = (root) => listMoments(root.networks)[root.momentIndex] ?? 0

// ---- the server ----

/** @type {(key: string, query?: string) => URL} */
const getAddress = (key, query = "") => new URL(`training/${key}${query}`, import.meta.url)

/** @type {(root: TrainingRoot, command: { do: string } | { input: string }) => void} */
function send(root, command) {
  fetch(getAddress(root.data.key), { method: "POST", body: JSON.stringify(command) }).then(() => poll(root), () => showTrouble(root, "offline"))
}

/** @type {(root: TrainingRoot, trouble: TrainingState["trouble"]) => void} */
function showTrouble(root, trouble) {
  root.trouble = trouble
  renderStatus(root)
}

/** Ask for news, and again after a while. @param {TrainingRoot} root */
async function poll(root) {
  clearTimeout(root.pollTimer)
  const { key } = root.data
  if (!key || root.trouble === "gone") return
  const counts = root.networks.map(({ snapshots }) => snapshots.length).join(",")
  const response = await fetch(getAddress(key, `?version=${root.version}&counts=${counts}`)).catch(() => null)
  /** @type {RunNews | null} */
  const news = response?.ok ? await response.json().catch(() => null) : null
  if (root.data.key !== key) return
  if (response?.status === 404) return showTrouble(root, "gone")
  try {
    if (news) receive(root, news)
    else if (!response || response.ok) showTrouble(root, "offline")
  } finally { // an error while drawing is reported in the console, and does not end the polling
    clearTimeout(root.pollTimer)
    if (root.isConnected && root.state !== "ended" && root.data.key === key)
      root.pollTimer = setTimeout(() => poll(root), ACTIVE.includes(root.state) ? POLL_TIME.active : POLL_TIME.idle)
  }
}

/** @type {(root: TrainingRoot, news: RunNews) => void} */
function receive(root, news) {
  Object.assign(root, { trouble: "", version: news.version, state: news.state, runsAhead: news.ahead, networks: addNews(root.networks, news) })
  if (root.isFollowing) root.momentIndex = Math.max(0, listMoments(root.networks).length - 1)
  render(root)
}

// ---- what is written ----

/** @type {(root: TrainingRoot) => string} */
function describeStatus(root) {
  const { key, note } = root.data
  return key ? `${describeRun(root)} ${note}` : note
}

/** @type {(root: TrainingRoot) => string} */
function describeRun(root) {
  const { messages, styles } = root.data
  if (root.trouble) return messages[root.trouble]
  const seconds = Math.floor(findLargest(listMoments(root.networks), 0))
  if (root.state === "waiting") return root.runsAhead ? formatTemplate(messages.waiting, { ahead: root.runsAhead }) : messages.next
  if (root.state === "running") return formatTemplate(messages.running, { seconds, total: Number(root.networks[0].settings.seconds) })
  const failedIndex = root.networks.findIndex(({ reason }) => reason !== "")
  if (failedIndex >= 0) return formatTemplate(messages[/** @type {keyof typeof messages} */ (`ended_${root.networks[failedIndex].reason}`)], { name: styles[failedIndex].name })
  return formatTemplate(messages[/** @type {"starting" | "paused" | "done"} */ (root.state)], { seconds })
}

/** @type {(root: TrainingRoot, k: number) => string} */
function describeResult({ data: { messages, styles, language }, networks }, k) {
  const length = networks[k].lengths.at(-1) ?? 0
  const [last, share] = [networks[k].snapshots.length - 1, computeAccuracy(networks[k], networks[k].snapshots.length - 1)]
  const longest = listLengthScores(networks[k], last).find(([testLength]) => testLength === length)?.[1]
  return share === null || longest === undefined ? "" : formatTemplate(messages.result, { name: styles[k].name, share: formatAccuracy(share, language), length, longest: formatAccuracy(longest, language) })
}

/** @type {(root: TrainingRoot) => string} */
function describeProblem({ data: { messages, input, example, key, is_export: isExport }, networks }) {
  if (!input || isExport) return ""
  if (!key) return messages.problem_waiting
  const [reason, part] = networks[0].problem
  return reason ? formatTemplate(messages[/** @type {"problem_empty" | "problem_long" | "problem_unknown"} */ (`problem_${reason}`)], { part, example }) : ""
}

// ---- building ----

/** @param {TrainingRoot} root */
function build(root) {
  const { messages, styles, is_export: isExport, language } = root.data
  root.lang = language
  root.setAttribute("aria-label", messages.label)
  const button = (/** @type {string} */ name, /** @type {string} */ text) => make("button", { type: "button", "data-do": name }, text)
  root.charts = {
    loss: buildChart({ title: messages.loss, xLabel: messages.seconds, formatY: (value) => formatDecimal(value, 1) }),
    accuracy: buildChart({ title: messages.accuracy, xLabel: messages.seconds, formatY: (value) => formatAccuracy(value, language) }),
    by_length: buildChart({ title: messages.by_length, xLabel: messages.by_length_unit, formatY: (value) => formatAccuracy(value, language) }),
    norm: buildChart({ title: messages.norm, xLabel: messages.seconds, formatY: (value) => String(Number((10 ** value).toPrecision(2))) }),
  }
  for (const name of /** @type {const} */ (["loss", "accuracy", "norm"])) {
    const { node, xAt } = root.charts[name]
    node.classList.add("timed")
    node.onclick = (event) => chooseMoment(root, findNearestMoment(listMoments(root.networks), xAt(event)))
  }
  const actions = isExport ? [] : [button("train", messages.train), button("pause", messages.pause), button("step", messages.step), button("examine", messages.examine)]
  const watch = make("section", {},
    make("div", { class: "bar" }, ...actions, make("p", { class: "status" })),
    make("div", { class: "results" }, ...styles.map(({ name, is_dashed: isDashed }) => make("section", { class: isDashed ? "result dashed" : "result" },
      make("h3", {}, make("i", { class: "sample" }), name), make("p", { class: "exact" }), make("p", { class: "soft count" })))),
    make("div", { class: "charts" }, ...["loss", "accuracy", "by_length", "norm"].map((name) => root.charts[/** @type {keyof typeof root.charts} */ (name)].node)),
    make("div", { class: "bar when" }, button("play", messages.play), make("input", { type: "range", class: "track", min: 0, step: 1, "aria-label": messages.moment }), make("span", { class: "moment-text" })))
  root.replaceChildren(watch,
    make("h3", { class: "heading" }, messages.examples),
    make("div", { class: "problem" }),
    make("div", { class: "maps" }),
    make("p", { class: "readout", "aria-live": "polite" }, messages.hint))
  const slider = /** @type {HTMLInputElement} */ (find(root, ".track"))
  slider.oninput = () => chooseMoment(root, Number(slider.value))
  root.drawnExamples = ""
  registerSection(watch, { go: (direction) => direction > 0 && startOnce(root) })
}

/** Start a run for a clicker, once. @param {TrainingRoot} root */
function startOnce(root) {
  if (root.data.key || root.data.is_export) return false
  act(root, "train")
  return true
}

/** @type {(root: TrainingRoot, example: ExampleText, name: string) => HTMLElement} */
function buildMap({ data: { messages } }, { source, target }, name) {
  const columns = [...source, messages.end]
  const rows = [...target, messages.end]
  const isTurned = source.some((token) => token.length > 2)
  const label = Math.max(3, ...rows.map(measureDisplayWidth)) // characters
  const table = buildWeightTable(columns, rows, { class: isTurned ? "alpha turned" : "alpha", "aria-label": name, style: `--columns: ${columns.length}; --label: ${label}` })
  findAll(table, "th.target").at(-1)?.classList.add("end")
  return table
}

/** Draw the tables of all examples anew if they are others. @param {TrainingRoot} root */
function buildMaps(root) {
  const { networks, data: { messages, styles, separators } } = root
  const shownExamples = networks.map(({ examples }) => listShownExamples(examples, root.data))
  const examplesKey = JSON.stringify(networks.map(({ snapshots }, k) => [shownExamples[k], snapshots[0]?.examples.map(({ alpha }) => alpha !== "")]))
  if (examplesKey === root.drawnExamples) return
  root.drawnExamples = examplesKey
  const sections = networks.map(({ snapshots }, k) => {
    const hasAttention = snapshots.some((snapshot) => snapshot.examples[0].alpha)
    return make("section", { class: "network", "data-network": k },
      make("h4", {}, styles[k].name, hasAttention || !snapshots.length ? null : make("span", { class: "soft" }, ` ${messages.plain}`)),
      make("div", { class: "examples" }, ...shownExamples[k].map((example, e) => make("figure", { class: "example", "data-example": e },
        make("figcaption", {}, isOwnExample(e) ? make("span", { class: "soft" }, `${messages.own}: `) : null, make("span", { class: "source" }, example.source.join(separators[0])),
          " → ", make("span", { class: "target" }, example.target.join(separators[1]))),
        hasAttention ? buildMap(root, example, styles[k].name) : null,
        make("p", { class: "output" })))))
  })
  find(root, ".maps").replaceChildren(...sections)
  for (const section of sections) registerSection(section)
}

// ---- rendering ----

/** @param {TrainingRoot} root */
function render(root) {
  buildMaps(root)
  renderStatus(root)
  renderMoment(root)
}

/** @param {TrainingRoot} root */
function renderStatus(root) {
  const { messages, key, is_export: isExport } = root.data
  const status = describeStatus(root)
  setText(find(root, ".status"), status)
  announceState(root, status)
  const [problemNode, problem] = [find(root, ".problem"), describeProblem(root)]
  if (problemNode.textContent !== problem) problemNode.replaceChildren(...(problem ? [make("p", { role: "alert" }, problem)] : []))
  if (isExport) return
  const isOver = !key || root.state === "ended" || root.trouble === "gone"
  const buttons = Object.fromEntries(findAll(root, "[data-do]").map((node) => [node.dataset.do, /** @type {HTMLButtonElement} */ (node)]))
  buttons.train.textContent = key ? messages.again : messages.train
  buttons.pause.textContent = RESTING.includes(root.state) ? messages.go : messages.pause
  buttons.pause.disabled = isOver || !["running", ...RESTING].includes(root.state)
  buttons.step.disabled = isOver || root.state !== "paused"
  buttons.examine.disabled = isOver || !["running", ...RESTING].includes(root.state)
}

/**
 * Announce a new state of a run, not its seconds.
 * @type {(root: TrainingRoot, status: string) => void}
 */
function announceState(root, status) {
  const { key } = root.data
  const runState = `${key} ${root.state} ${root.trouble}`
  if (!key || runState === root.announcedState) return
  root.announcedState = runState
  const results = root.state === "done" ? root.networks.map((_, k) => describeResult(root, k)) : []
  announceText(root, [status, ...results].join(" "))
}

/** @param {TrainingRoot} root */
function renderMoment(root) {
  const { networks, momentIndex, data: { messages, styles } } = root
  const moments = listMoments(networks)
  const seconds = moments[momentIndex] ?? 0
  const slider = /** @type {HTMLInputElement} */ (find(root, ".track"))
  slider.max = String(Math.max(0, moments.length - 1))
  slider.value = String(momentIndex)
  const text = formatTemplate(messages.moment_text, { seconds: formatDecimal(seconds, 0) })
  slider.setAttribute("aria-valuetext", text)
  find(root, ".moment-text").textContent = text
  const play = find(root, "[data-do=play]")
  play.textContent = root.playTimer ? messages.stop_play : messages.play
  const indices = networks.map((network) => findSnapshot(network, seconds))
  renderResults(root, indices)
  renderCharts(root, indices, seconds)
  findAll(root, ".network").forEach((section, k) => renderOutputs(root, section, k, indices[k]))
  for (const liveRegion of findAll(root, ".readout")) liveRegion.setAttribute("aria-live", root.playTimer || root.state === "running" ? "off" : "polite")
  find(root, ".charts").setAttribute("aria-label", styles.map(({ name }) => name).join(", "))
}

/** @type {(root: TrainingRoot, indices: number[]) => void} */
function renderResults(root, indices) {
  const { networks, data: { messages, language } } = root
  const format = (/** @type {number} */ count) => count.toLocaleString(language)
  findAll(root, ".result").forEach((node, k) => {
    const snapshot = networks[k].snapshots[indices[k]]
    const share = computeAccuracy(networks[k], indices[k])
    find(node, ".exact").textContent = share === null ? "–" : formatTemplate(messages.exact, { share: formatAccuracy(share, language) })
    const count = formatTemplate(messages.count, { updates: format(snapshot?.updates ?? 0), pairs: format(snapshot?.pairs ?? 0) })
    find(node, ".count").textContent = `${count} · ${formatTemplate(messages.parameters, { count: format(networks[k].parameters) })}`
  })
}

/** @type {(root: TrainingRoot, indices: number[], moment: number) => void} */
function renderCharts(root, indices, moment) {
  const { networks, charts, data: { messages, styles, language } } = root
  const settings = networks[0].settings
  const last = Math.max(findLargest(networks.flatMap(({ snapshots }) => snapshots.map(({ seconds }) => seconds)), 0), settings.seconds)
  const xRange = /** @type {[number, number]} */ ([0, last])
  /** @type {(name: "loss" | "accuracy" | "norm", unit: string, rule: import("./chart.js").ChartState["rule"], top?: number) => void} */
  const draw = (name, unit, rule, top) => {
    const isLog = name === "norm"
    const lines = networks.map(({ snapshots }) => /** @type {[number, number][]} */ (snapshots.filter((snapshot) => snapshot[name] !== null).map((snapshot) => [snapshot.seconds, snapshot[name]])))
    const highest = findLargest(lines.flat().map(([, value]) => value), 1)
    const drawnLines = isLog ? lines.map((points) => points.map(([time, value]) => /** @type {[number, number]} */ ([time, Math.log10(Math.max(value, 1e-9))]))) : lines
    const values = lines.map((points) => points.findLast(([time]) => time <= moment + settings.interval / 2)?.[1])
    const valueTexts = values.map((value, k) => `${styles[k].name} ${value === undefined ? "–" : name === "accuracy" ? formatAccuracy(value, language) : formatDecimal(value)}`)
    charts[name].render({ unit, lines: drawnLines, xRange, bottom: isLog ? LOG_BOTTOM : 0, top: top ?? (isLog ? (highest > 100 ? 4 : 2) : roundUp(highest)), moment, rule, hasPoints: false },
      formatTemplate(messages.chart_description, { title: messages[name], values: valueTexts.join(", ") }))
  }
  draw("loss", messages.loss_unit, null)
  draw("accuracy", messages.accuracy_unit, null, 1)
  const { clip } = settings
  const isClipped = clip < NO_CLIP
  draw("norm", isClipped ? formatTemplate(messages.clip_at, { clip }) : messages.norm_unit, isClipped ? { y: Math.log10(clip) } : null)
  const lines = networks.map((network, k) => listLengthScores(network, indices[k]))
  const { lengths, longer } = networks[0]
  const limit = lengths.at(-1) ?? 1
  const scoreTexts = lines.map((points, k) => `${styles[k].name} ${points.map(([length, share]) => `${length}: ${formatAccuracy(share, language)}`).join(" ")}`)
  const unit = longer.length ? formatTemplate(messages.trained_to, { limit }) : ""
  charts.by_length.render({ unit, lines, xRange: [lengths[0] ?? 1, longer.at(-1) ?? limit + 1], top: 1, moment: null, hasPoints: true,
    rule: longer.length ? { x: limit } : null },
  formatTemplate(messages.chart_description, { title: messages.by_length, values: scoreTexts.join("; ") }))
}

/** @type {(root: TrainingRoot, section: HTMLElement, k: number, index: number) => void} */
function renderOutputs(root, section, k, index) {
  const { messages, separators } = root.data
  const snapshot = root.networks[k].snapshots[index]
  for (const figure of findAll(section, ".example")) {
    const e = Number(figure.dataset.example)
    const view = snapshot?.examples[e]
    const { target } = root.networks[k].examples[e]
    if (view?.alpha) {
      const rows = decodeWeights(view.alpha, target.length + 1)
      for (const cell of findAll(figure, ".cell")) {
        const weight = rows[Number(cell.dataset.row)][Number(cell.dataset.column)]
        cell.style.setProperty("--weight", weight.toFixed(3))
        cell.setAttribute("aria-label", formatShare(weight))
      }
    }
    const output = view?.output ?? []
    const isRight = output.length === target.length && output.every((token, i) => token === target[i])
    const tokens = output.flatMap((token, i) => [i ? separators[1] : "", make("span", { class: token === target[i] ? "" : "off" }, token)])
    find(figure, ".output").replaceChildren(make("span", { class: "soft" }, `${messages.wrote}: `), make("span", { class: "target" }, ...(tokens.length ? tokens : [messages.nothing])),
      " ", make("b", { class: isRight ? "mark right" : "mark", role: "img", "aria-label": isRight ? messages.right : messages.wrong, title: isRight ? messages.right : messages.wrong }, isRight ? "✓" : "✗"))
  }
}

// ---- what the reader does ----

/** @type {(moments: number[], seconds: number) => number} */
const findNearestMoment = (moments, seconds) => moments.reduce((best, moment, k) => (Math.abs(moment - seconds) < Math.abs(moments[best] - seconds) ? k : best), 0)

/** @type {(root: TrainingRoot, momentIndex: number) => void} */
function chooseMoment(root, momentIndex) {
  clearInterval(root.playTimer)
  root.playTimer = undefined
  root.momentIndex = momentIndex
  root.isFollowing = momentIndex >= listMoments(root.networks).length - 1
  renderMoment(root)
}

/** @param {TrainingRoot} root */
function togglePlay(root) {
  const getLast = () => Math.max(0, listMoments(root.networks).length - 1)
  if (root.playTimer) return chooseMoment(root, root.momentIndex)
  root.isFollowing = false
  if (root.momentIndex >= getLast()) root.momentIndex = 0
  root.playTimer = setInterval(() => {
    if (root.momentIndex + 1 >= getLast()) return chooseMoment(root, getLast())
    root.momentIndex += 1
    renderMoment(root)
  }, REPLAY_TIME)
  renderMoment(root)
}

/** @type {(root: TrainingRoot, name: string) => void} */
function act(root, name) {
  if (name === "play") togglePlay(root)
  else if (name === "train") requestRun(root)
  else if (name === "pause") send(root, { do: RESTING.includes(root.state) ? "go" : "pause" })
  else send(root, { do: name })
}

/** Request a run, unless one is on its way: a double press starts one. @param {TrainingRoot} root */
function requestRun(root) {
  const time = Date.now()
  if (time - root.requestTime < REQUEST_TIME) return
  root.requestTime = time
  root.trigger("train", time)
}

/** @type {(root: TrainingRoot, target: EventTarget | null) => void} */
function pointAt(root, target) {
  const { messages, styles } = root.data
  const node = findClosest(target, "[data-row]")
  const [figure, section] = [findClosest(node, ".example"), findClosest(node, ".network")]
  for (const cell of findAll(root, ".cell")) cell.classList.toggle("lit", node !== null && figure !== null && figure.contains(cell) && cell.dataset.row === node.dataset.row)
  if (!node || !figure || !section) return void (find(root, ".readout").textContent = messages.hint)
  const k = Number(section.dataset.network)
  const network = root.networks[k]
  const e = Number(figure.dataset.example)
  const alpha = network.snapshots[findSnapshot(network, getMoment(root))]?.examples[e]?.alpha
  if (!alpha) return
  const { source, target: targets } = network.examples[e]
  const { i, j, isCell, weight } = readPointedCell(node, decodeWeights(alpha, targets.length + 1))
  const texts = { name: styles[k].name, target: targets[i] ?? messages.end, source: source[j] ?? messages.end, weight: formatShare(weight) }
  find(root, ".readout").textContent = formatTemplate(isCell ? messages.cell : messages.most, texts)
}

/** @param {TrainingRoot} root */
function setUp(root) {
  followFocus(root, pointAt)
  root.onclick = (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (findClosest(event.target, "[data-do]"))
    if (button) act(root, button.dataset.do ?? "")
    else pointAt(root, event.target)
  }
  root.abortController = new AbortController()
  const leave = () => root.data.key && navigator.sendBeacon(getAddress(root.data.key), JSON.stringify({ do: "leave" }))
  addEventListener("pagehide", leave, { signal: root.abortController.signal })
}

/** @param {Mounted<TrainingData>} mounted */
export default function mountTrainLive({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "training", { role: "group" }, setUp)
  if (storeData(root, data, { networks: [], version: 0 })) {
    const isSameRun = root.data?.key === data.key && data.key !== ""
    const isOtherInput = root.data?.input !== data.input
    root.data = data
    if (!isSameRun) {
      clearInterval(root.playTimer)
      Object.assign(root, { playTimer: undefined, networks: data.networks, version: data.version, trouble: "", isFollowing: true, runsAhead: 0, requestTime: 0, state: data.key ? "starting" : "ended" })
      root.momentIndex = Math.max(0, listMoments(data.networks).length - 1)
    }
    redraw(root, () => {
      build(root)
      render(root)
    })
    if (data.key && data.input && (isOtherInput || !isSameRun)) send(root, { input: data.input })
  }
  poll(root)
  return () => {
    clearTimeout(root.pollTimer)
    clearInterval(root.playTimer)
    root.abortController.abort()
  }
}
