// Drawing a step: everything that belongs to it is written once, everything that moves within it at every moment.

/** @import { PlayerStep } from "../payloads.js" */
/** @import { Player } from "./player.js" */
/** @import { Row } from "./equations.js" */
import { find, readAloud } from "../shared/dom.js"
import { decimal, decimalOrDash, filled, two } from "../shared/format.js"
import { done } from "./clock.js"
import { ROWS } from "./equations.js"
import { held, quoted } from "./player.js"
import { follow, rise } from "./source.js"
import { moveStage, placeChoice, placeRibbons, placeWindow, writeStage } from "./stage.js"

const SHOWN = 0.005 // smaller weights are a dot
const STRONG = 0.3 // pieces with that much of α are set in strong letters, and those with
const SOME = 0.05 // that much are not pale

const still = matchMedia("(prefers-reduced-motion: reduce)")

/**
 * Everything that belongs to a step and does not move within it.
 * @param {Player} player
 */
function write(player) {
  const { root, data, clock, stage, lines, panel } = player
  const { words } = data
  const i = clock.step
  const step = data.steps[i]
  const hide = held(player)
  writePieces(player, step, hide)
  lines.forEach((line, k) => {
    const one = step.candidates[k]
    line.node.style.visibility = one && !hide ? "" : "hidden" // what is not to be seen yet is not read aloud either
    if (!one) return
    line.before.textContent = one.before
    line.text.textContent = one.text
    line.bar.style.setProperty("--p", String(one.p))
    line.bar.style.setProperty("--copied", String(one.p ? one.copied / one.p : 0))
    line.chance.textContent = two(one.p)
    line.note.textContent = one.before ? words.goes_on : ""
  })
  player.chosen = step.candidates.findIndex((one) => one.chosen)
  player.over = data.stage?.readout === "before" && data.finished && i === data.steps.length - 1
  /** @param {number} k */
  const text = (k) => (k < 0 ? null : data.target[k].text)
  const pieces = { previous: text(i - 1), current: hide ? "?" : text(i) }
  /** @param {string | null} piece */
  const chip = (piece) => (piece == null ? words.no_word : `E ${quoted(piece)}`)
  const takes = data.stage?.takes ?? "previous"
  const eaten = text(takes === "current" ? i - 1 : i - 2)
  writeStage(stage, { context: data.attends ? String(i + 1) : "", before: String(i), after: String(i + 1) },
    { previous: chip(pieces.previous), fed: chip(pieces[takes]), said: eaten == null ? words.start : filled(words.after, { word: quoted(eaten) }) },
    { context: hide ? null : step.context, before: step.before, after: hide ? null : step.after },
    { data, step, number: i + 1, hide, previous: chip(pieces.previous) })
  panel.write(i + 1, pieces, numbers(player, step, hide))
  if (stage.xs.length) {
    placeRibbons(stage, step.alpha)
    placeWindow(stage, hide ? null : step.window)
    placeChoice(stage, hide ? 0 : player.chosen)
  }
  player.target.forEach((node, k) => node.classList.toggle("coming", k > i))
  find(root, ".count").textContent = filled(words.count, { step: i + 1, last: data.steps.length })
  const track = /** @type {HTMLInputElement} */ (find(root, ".track"))
  track.value = String(i + 1)
  track.style.setProperty("--part", String(i / Math.max(1, data.steps.length - 1)))
  if (step.alpha && !hide) follow(player.view, player.pieces[step.top[0]].node, still.matches)
}

/**
 * The energy and the weight of each source piece.
 * @param {Player} player
 * @param {PlayerStep} step
 * @param {boolean} hide
 */
function writePieces({ pieces, scale: { low, high }, most }, step, hide) {
  const span = high - low || 1
  const heights = rise(step.energies ?? [])
  pieces.forEach(({ node, bar, weight, covered }, j) => {
    const before = step.covered?.[j] ?? 0
    const added = Math.max(0, (step.covered_after?.[j] ?? before) - before)
    covered.forEach((one, k) => (one.style.height = `${(100 * (k ? added : before)) / most}%`))
    const e = heights[j] ?? 0
    bar.style.height = `${(100 * Math.abs(e)) / span}%`
    bar.style.top = `${(100 * (high - Math.max(0, e))) / span}%`
    bar.style.transformOrigin = e < 0 ? "50% 0" : "50% 100%"
    bar.style.display = step.energies ? "" : "none"
    const alpha = step.alpha?.[j] ?? 0
    weight.textContent = step.alpha ? (alpha < SHOWN ? "·" : alpha.toFixed(2)) : ""
    weight.style.visibility = hide ? "hidden" : ""
    node.classList.toggle("strong", !hide && alpha >= STRONG)
    node.classList.toggle("some", alpha >= SOME)
  })
}

/**
 * The numbers that can stand under the equations, by their names.
 * @param {Player} player
 * @param {PlayerStep} step
 * @param {boolean} hide
 * @returns {Record<string, Row[]>}
 */
function numbers({ data, over }, step, hide) {
  const { words, source } = data
  const { energies, alpha, covered, top } = step
  /** @type {(name: string, value: string, of?: number) => Row} */
  const row = (name, value, of) => ({ name, value: hide ? "?" : value, source: hide ? null : of })
  /** @type {(values: number[] | null, told: (value: number, j: number) => string) => Row[]} */
  const looked = (values, told) => (values ? top.slice(0, ROWS).map((j) => row(hide ? "?" : source[j].text, told(values[j], j), j)) : [])
  const chosen = step.candidates.find((one) => one.chosen)
  /** @type {Record<string, Row[]>} */
  const update = over ? { gate_update: [row(words.over, "")] } : {
    gate_update: [row(words.gate_update, decimalOrDash(step.gates.update))],
    gate_reset: [row(words.gate_reset, decimalOrDash(step.gates.reset))],
    gate_input: [row(words.gate_input, decimalOrDash(step.gates.input))],
    gate_forget: [row(words.gate_forget, decimalOrDash(step.gates.forget))],
    gate_output: [row(words.gate_output, decimalOrDash(step.gates.output))],
    norm_state: [row(words.norm_state, decimalOrDash(step.after?.norm))],
  }
  return {
    energies: looked(energies, (value) => decimalOrDash(value)),
    alpha: looked(alpha, two),
    coverage: looked(covered, (value, j) => [value, ...(step.covered_after ? [step.covered_after[j]] : [])].map((one) => decimal(one)).join(" → ")),
    mostly: [data.attends ? row(words.mostly, source[top[0]]?.text ?? "", top[0]) : row(words.fixed_short, "")],
    norm_context: [row(words.norm_context, decimalOrDash(step.context?.norm))],
    p_gen: [row(words.p_gen, decimalOrDash(step.p_gen))],
    p: [row(hide || !chosen ? "?" : chosen.before + chosen.text, two(step.p))],
    log: [row(words.log_piece, decimalOrDash(step.log))],
    so_far: [row(words.log_sentence, decimalOrDash(step.so_far))],
    ...update,
  }
}

/**
 * Everything that moves within a step.
 * @param {Player} player
 */
export function render(player) {
  const { root, data, clock, table, pieces, lines, stage } = player
  const key = `${clock.step} ${held(player)}`
  if (player.drawn !== key) {
    player.drawn = key
    player.moment = null
    write(player)
  }
  const { playing } = clock
  if (player.playing !== playing) {
    player.playing = playing
    find(root, ".play").textContent = playing ? `❚❚ ${data.words.pause}` : `▶ ${data.words.play}`
    root.classList.toggle("playing", playing)
  }
  const at = still.matches && playing ? player.limit(clock.step) : clock.at
  if (player.moment === at) return
  player.moment = at
  /** @param {string} phase */
  const share = (phase) => (phase === "update" && player.over ? 0 : done(table, phase, at))
  const [energies, alpha, candidates] = ["energies", "alpha", "candidates"].map(share)
  if (player.grown !== energies) for (const { bar } of pieces) bar.style.transform = `scaleY(${energies})`
  player.grown = energies
  const weights = data.steps[clock.step].alpha
  if (weights) {
    pieces.forEach(({ disc, weight }, j) => {
      disc.style.transform = `scale(${Math.max(0.06, Math.sqrt(weights[j])) * alpha})`
      weight.style.setProperty("--show", String(alpha))
    })
  }
  if (data.stage?.covers) root.style.setProperty("--covering", String(share("coverage")))
  const decided = share("choice") > 0.4
  lines.forEach(({ node }, k) => {
    node.style.setProperty("--grown", String(candidates))
    node.classList.toggle("chosen", decided && k === player.chosen)
  })
  player.target.forEach((node, k) => {
    node.classList.toggle("now", decided && k === clock.step)
    node.classList.toggle("awaited", !decided && k === clock.step)
  })
  moveStage(stage, share, clock.step)
  stage.chips.fed?.style.setProperty("--show", String(data.stage?.takes === "current" ? share("choice") : 1))
  const active = at < 1 ? table.names.find((name) => at >= table.span[name][0] && at < table.span[name][1]) : undefined
  for (const { phase, node } of player.panel.cards) {
    node.classList.toggle("now", phase === active || (phase === "candidates" && active === "choice"))
  }
  if (decided && player.said !== key) {
    player.said = key
    speak(player)
  }
}

/**
 * The step in one sentence, for those who do not see it.
 * @param {Player} player
 */
export function speak(player) {
  const { data, clock, root } = player
  const { words, source } = data
  const step = data.steps[clock.step]
  const chosen = step.candidates.find((one) => one.chosen)
  const most = step.top[0]
  const texts = {
    step: clock.step + 1, last: data.steps.length, text: chosen ? chosen.before + chosen.text : "", chance: two(step.p),
    ...(step.alpha ? { source: source[most].text, weight: two(step.alpha[most]) } : {}),
  }
  const template = held(player) ? words.spoken_guess : data.attends ? words.spoken : words.spoken_plain
  readAloud(root, filled(template, texts))
}
