// Alignment being born: the moments of the training diaries on one slider that plays, the models side by side. All data
// comes once.

/** @import { BirthData, BornModel } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { draw, find, findAll, make, nearest, rooted } from "../shared/dom.js"
import { decimal, filled, two } from "../shared/format.js"
import { modified } from "../shared/keys.js"
import { sign } from "../shared/markers.js"
import { announce } from "../shared/walk.js"
import { amount, placeOf, stopsOf, unpacked } from "./born.js"

/**
 * @typedef {object} Kept
 * @property {BirthData} data
 * @property {string} [drawn]
 * @property {number} probe from 0
 * @property {number} at the place on the slider, from 0
 * @property {number[][][][]} weights of each model (none without attention) at each of its moments: rows of weights
 * @property {Element | null} pointed what the pointer is over, or has the keyboard
 * @property {Told} [sent] which place the page knows of
 * @property {ReturnType<typeof setInterval>} [clock]
 * @property {ReturnType<typeof setTimeout>} [telling]
 * @property {Mounted<BirthData>["setTriggerValue"]} send
 */
/** A probe and a moment as the page names them: from 1 on, moment 0 the last.
 * @typedef {{ probe: number, moment: number }} Told */
/** @typedef {HTMLElement & Kept} Birth */

const PACE = 380 // milliseconds a moment while playing
const TOLD_AFTER = 500 // milliseconds of rest before the page is told which moment is shown

/** @param {Birth} root */
const last = (root) => root.data.ticks.length - 1

/**
 * α as a table, its cells filled later.
 * @param {BirthData} data
 * @param {number} probe
 * @param {string} label whose it is
 */
function grid({ probes, words, languages }, probe, label) {
  const { source, target } = probes[probe]
  const columns = [...source.map(([, text]) => text), words.end]
  const head = make("tr", {}, make("td"), ...columns.map((text, j) =>
    make("th", { scope: "col", class: j < source.length ? "source" : "end", lang: languages[0] }, make("span", {}, text))))
  const rows = target.map(([, text], i) => make("tr", {},
    make("th", { scope: "row", class: "target", lang: languages[1], tabindex: i ? -1 : 0, "data-row": i }, text),
    ...columns.map((_, j) => make("td", { class: "cell", "data-row": i, "data-column": j }))))
  return make("table", { class: "alpha", "aria-label": label }, make("thead", {}, head), make("tbody", {}, ...rows))
}

/**
 * BLEU over the moments, and a dot at the one that is shown.
 * @param {BornModel} model
 * @param {number} top
 */
function line(model, top) {
  const x = (/** @type {number} */ place) => 4 + (place / Math.max(1, model.at.length - 1)) * 192
  const y = (/** @type {number} */ bleu) => 40 - (bleu / top) * 36
  const path = model.at.map((moment, place) => `${x(place).toFixed(1)} ${y(model.bleu[moment]).toFixed(1)}`).join(" L")
  const picture = draw("svg", { viewBox: "0 0 200 44", class: "bleu", "aria-hidden": "true", preserveAspectRatio: "none" },
    draw("path", { d: "M0 40 L200 40", class: "rule" }), draw("path", { d: `M${path}`, class: model.dashed ? "line dashed" : "line" }))
  const dot = make("i", { class: "dot" })
  const move = (/** @type {number} */ place) => {
    dot.style.left = `${x(place) / 2}%`
    dot.style.top = `${(100 * y(model.bleu[model.at[place]])) / 44}%`
  }
  return { node: make("div", { class: "course" }, picture, dot), move }
}

/** @param {Birth} root */
function build(root) {
  const { data } = root
  const { words, probes, models, ticks, languages } = data
  root.lang = data.language
  root.setAttribute("aria-label", words.label)
  const choose = make("select", { class: "choose", "aria-label": words.probe },
    ...probes.map(({ source }, k) => make("option", { value: k, lang: languages[0] }, source.map(([gap, word]) => gap + word).join("").trim())))
  const slider = make("input", { type: "range", class: "track", min: 0, max: ticks.length - 1, step: 1, "aria-label": words.moment })
  const top = Math.max(5, ...models.flatMap(({ bleu }) => bleu))
  const sides = models.map((model) => {
    const course = line(model, top)
    const side = make("section", { class: "side" },
      make("h3", {}, `${sign(model)} ${model.name}`),
      make("div", { class: "map" }), make("p", { class: "label" }, words.wrote), make("p", { class: "wrote", lang: languages[1] }),
      course.node, make("p", { class: "label score" }))
    return { side, move: course.move }
  })
  root.replaceChildren(
    make("div", { class: "controls" }, choose),
    make("div", { class: "controls" }, make("button", { type: "button", class: "play" }, words.play),
      make("div", { class: "slide" }, make("div", { class: "marks" }), slider), make("span", { class: "count", "aria-live": "polite" })),
    make("div", { class: "sides" }, ...sides.map(({ side }) => side)),
    make("p", { class: "readout", "aria-live": "polite" }, words.hint))
  choose.onchange = () => pick(root, Number(choose.value))
  slider.oninput = () => pause(root, Number(slider.value))
  find(root, ".play").onclick = () => (root.clock ? pause(root) : play(root))
  moves.set(root, sides.map(({ move }) => move))
}

/** What moves the dots of a root. @type {WeakMap<Birth, ((place: number) => void)[]>} */
const moves = new WeakMap()

/**
 * @param {Birth} root
 * @param {number} probe
 */
function pick(root, probe) {
  const { data } = root
  root.probe = probe
  const rows = data.probes[probe].target.length
  root.weights = data.models.map(({ probes }) => (probes[probe].alpha ?? []).map((packed) => unpacked(packed, rows)))
  find(root, ".choose").querySelectorAll("option")[probe].selected = true
  findAll(root, ".side").forEach((side, m) => {
    find(side, ".map").replaceChildren(root.weights[m].length ? grid(data, probe, data.models[m].name) : make("p", { class: "plain" }, data.words.plain))
  })
  marks(root)
  show(root)
}

/** @param {Birth} root */
function marks(root) {
  const { data, probe } = root
  const { words, models, ticks } = data
  const places = /** @type {["diagonal" | "turning", string, string][]} */ ([["diagonal", "◇", words.diagonal], ["turning", "↺", words.turning]])
  const found = models.flatMap((model, m) => places.flatMap(([kind, symbol, what]) => {
    const moment = model.probes[probe][kind]
    const place = placeOf(model.at, moment)
    if (place === null || moment === null) return []
    const title = filled(words.mark, { model: model.name, what, amount: amount(model.pieces[moment], data.language) })
    const node = make("button", { type: "button", class: `mark ${kind} row-${m}`, "data-place": place, title, "aria-label": title },
      make("small", {}, sign(model)), symbol)
    node.style.left = `${(100 * place) / Math.max(1, ticks.length - 1)}%`
    return [node]
  }))
  find(root, ".marks").replaceChildren(...found)
}

/** @param {Birth} root */
function show(root) {
  const { data, at, probe, weights } = root
  const { words, models, ticks } = data
  const slider = /** @type {HTMLInputElement} */ (find(root, ".track"))
  slider.value = String(at)
  slider.setAttribute("aria-valuetext", filled(words.seen, { amount: amount(ticks[at], data.language) }))
  find(root, ".count").textContent = filled(words.seen, { amount: amount(ticks[at], data.language) })
  find(root, ".play").textContent = root.clock ? words.pause : words.play
  // Read aloud is where it comes to rest, not every moment that goes by.
  for (const spoken of findAll(root, "[aria-live]")) spoken.setAttribute("aria-live", root.clock ? "off" : "polite")
  findAll(root, ".side").forEach((side, m) => {
    const model = models[m]
    const moment = model.at[at]
    const rows = weights[m][moment]
    if (rows) {
      for (const cell of findAll(side, ".cell")) {
        const weight = rows[Number(cell.dataset.row)][Number(cell.dataset.column)]
        cell.style.setProperty("--weight", weight.toFixed(3))
        cell.setAttribute("aria-label", two(weight))
      }
    }
    find(side, ".wrote").textContent = model.probes[probe].translations[moment].trim() || words.nothing
    find(side, ".score").textContent = filled(words.bleu, { amount: amount(model.pieces[moment], data.language), bleu: decimal(model.bleu[moment], 1) })
    side.classList.toggle("straight", reached(model.probes[probe].diagonal, moment))
    side.classList.toggle("turned", reached(model.probes[probe].turning, moment))
  })
  for (const move of moves.get(root) ?? []) move(at)
  for (const mark of findAll(root, ".mark")) mark.classList.toggle("passed", Number(mark.dataset.place) <= at)
  if (root.pointed) touch(root, root.pointed.isConnected ? root.pointed : null) // what was said of it was of another moment
  tell(root)
}

/** @param {number | null} mark @param {number} moment */
const reached = (mark, moment) => mark !== null && moment >= mark

/** @param {Birth} root */
function tell(root) {
  clearTimeout(root.telling)
  if (root.clock) return
  const now = { probe: root.probe + 1, moment: root.at === last(root) ? 0 : root.at + 1 }
  if (now.probe === root.sent?.probe && now.moment === root.sent.moment) return
  root.telling = setTimeout(() => {
    root.sent = now
    root.send("place", now)
  }, TOLD_AFTER)
}

/**
 * @param {Birth} root
 * @param {number} [at]
 */
function pause(root, at = root.at) {
  clearInterval(root.clock)
  root.clock = undefined
  root.at = Math.max(0, Math.min(last(root), at))
  show(root)
}

/** @param {Birth} root */
function play(root) {
  if (root.at >= last(root)) root.at = 0
  root.clock = setInterval(() => {
    if (root.at + 1 >= last(root)) return pause(root, root.at + 1)
    root.at += 1
    show(root)
  }, PACE)
  show(root)
}

/**
 * A press of the clicker: to the next mark, and from the last place on to what follows.
 * @param {Birth} root
 * @param {1 | -1} by
 */
function walked(root, by) {
  if (!root.data) return false
  const stops = stopsOf(root.data.models, root.probe, last(root))
  const to = by > 0 ? stops.find((stop) => stop > root.at) : stops.findLast((stop) => stop < root.at)
  if (to === undefined) return false
  pause(root, to)
  return true
}

/**
 * @param {Birth} root
 * @param {EventTarget | null} target
 */
function touch(root, target) {
  const { data, probe, at, weights } = root
  root.pointed = target instanceof Element ? target : null
  const node = nearest(target, "[data-row]")
  const side = nearest(node, ".side")
  const m = side ? findAll(root, ".side").indexOf(side) : -1
  for (const cell of findAll(root, ".cell")) cell.classList.toggle("lit", node !== null && cell.dataset.row === node.dataset.row)
  const rows = m < 0 ? undefined : weights[m][data.models[m].at[at]]
  if (!node || !rows) return void (find(root, ".readout").textContent = data.words.hint)
  const i = Number(node.dataset.row)
  const most = rows[i].indexOf(Math.max(...rows[i]))
  const j = node.dataset.column === undefined ? most : Number(node.dataset.column)
  const { source, target: words } = data.probes[probe]
  const texts = { model: data.models[m].name, target: words[i][1], source: source[j]?.[1] ?? data.words.end, weight: two(rows[i][j]) }
  find(root, ".readout").textContent = filled(node.dataset.column === undefined ? data.words.looks : data.words.cell, texts)
}

/** What moves the keyboard from row to row, one stop for the Tab key a map.
 * @type {Record<string, (row: number, end: number) => number>} */
const STEPS = {
  ArrowDown: (row, end) => Math.min(row + 1, end), ArrowUp: (row) => Math.max(row - 1, 0), Home: () => 0, End: (_, end) => end,
}

/** @param {KeyboardEvent} event */
function stepped(event) {
  const head = nearest(event.target, "th.target")
  const step = STEPS[event.key]
  if (!head || !step || modified(event)) return
  event.preventDefault()
  const heads = findAll(/** @type {HTMLElement} */ (head.closest("table")), "th.target")
  heads[step(heads.indexOf(head), heads.length - 1)].focus()
}

/** @param {Birth} root */
function begin(root) {
  root.pointed = null
  root.onpointerover = (event) => touch(root, event.target)
  root.onpointerleave = () => touch(root, null)
  root.addEventListener("focusin", (event) => {
    const head = nearest(event.target, "th.target")
    if (head) for (const one of findAll(/** @type {HTMLElement} */ (head.closest("table")), "th.target")) one.tabIndex = one === head ? 0 : -1
    touch(root, event.target)
  })
  root.addEventListener("keydown", stepped)
  root.onclick = (event) => {
    const mark = nearest(event.target, ".mark")
    if (mark) pause(root, Number(mark.dataset.place))
    else touch(root, event.target)
  }
  announce(root, {
    go: (by) => walked(root, by),
    rest() {
      if (!root.data || root.at === last(root)) return false
      pause(root, last(root))
      return true
    },
  })
}

/** @param {Mounted<BirthData>} mounted */
export default function birth({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "birth", { role: "group" }, begin)
  root.send = setTriggerValue
  const drawn = JSON.stringify({ ...data, probe: 0, moment: 0 })
  if (root.drawn !== drawn) {
    clearInterval(root.clock)
    root.clock = undefined
    const same = root.data?.of === data.of
    root.drawn = drawn
    root.data = data
    root.sent = { probe: data.probe, moment: data.moment }
    if (!same) {
      root.probe = data.probe - 1
      root.at = data.moment ? data.moment - 1 : data.ticks.length - 1
    }
    build(root)
    pick(root, root.probe)
  }
  return () => {
    clearInterval(root.clock)
    clearTimeout(root.telling)
  }
}
