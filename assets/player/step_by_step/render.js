// Draw a step: its texts once, moving parts at every frame.

/** @import { PlayerStep } from "../payloads.js" */
/** @import { Player } from "./player.js" */
/** @import { Row } from "./equations.js" */
import { find, announceText, make, setText } from "../shared/dom.js"
import { formatDecimal, formatDecimalOrDash, formatTemplate, formatShare } from "../shared/format.js"
import { computePhaseProgress } from "./clock.js"
import { moveEncoder } from "./encoder.js"
import { ROWS } from "./equations.js"
import { isAnswerHidden, isEncoding, isWaitingForGuess, quote, getShownStep } from "./player.js"
import { scrollToPiece, centerEnergies, WORD_MARK } from "./sentences.js"
import { moveStage, placeChoice, placeRibbons, placeWindow, writeStage } from "./stage.js"

const WEIGHT_FROM = 0.005 // smaller weights are a dot
const STRONG_FROM = 0.3 // α of pieces in bold
const SOME_FROM = 0.05 // α of pieces that are not faded
const GATES = /** @type {const} */ (["update", "reset", "input", "forget", "output"])

/** Return whether all weights are shown as equal. @param {number[] | null} alpha */
const isEven = (alpha) => alpha != null && alpha.length > 1 && Math.max(...alpha) - Math.min(...alpha) < WEIGHT_FROM

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)")

/**
 * Write everything of a step that does not move.
 * @param {Player} player
 */
function writeStep(player) {
  const { root, data, clock, stage, candidateRows: lines, panel } = player
  const { messages } = data
  const i = getShownStep(player)
  const step = data.steps[i]
  const isHidden = isAnswerHidden(player)
  writePieces(player, step, isHidden)
  lines.forEach((line, k) => {
    const candidate = step.candidates[k]
    line.node.style.visibility = candidate && !isHidden ? "" : "hidden" // screen readers must not reveal it
    if (!candidate) return
    line.prefix.textContent = candidate.prefix
    line.text.textContent = candidate.text
    line.bar.style.setProperty("--p", String(candidate.p))
    line.bar.style.setProperty("--copied", String(candidate.p ? candidate.copy_probability / candidate.p : 0))
    line.chance.textContent = formatShare(candidate.p)
    line.node.title = candidate.text.includes(WORD_MARK) ? messages.mark : candidate.prefix ? messages.continued : ""
  })
  player.chosenCandidate = step.candidates.findIndex((candidate) => candidate.is_chosen)
  player.isOver = data.stage?.readout === "before" && data.is_finished && i === data.steps.length - 1
  /** @param {number} k */
  const text = (k) => (k < 0 ? null : data.target[k].text)
  const pieces = { previous: text(i - 1), current: isHidden ? "?" : text(i) }
  /** @param {string | null} piece */
  const chip = (piece) => (piece == null ? messages.no_word : `E ${quote(piece)}`)
  const updateToken = data.stage?.update_token ?? "previous"
  const lastRead = text(updateToken === "current" ? i - 1 : i - 2)
  writeStage(stage, { context: data.has_attention ? String(i + 1) : "", before: String(i), after: String(i + 1) },
    { previous: chip(pieces.previous), fed: chip(pieces[updateToken]), taken: lastRead == null ? messages.start : formatTemplate(messages.after, { word: quote(lastRead) }) },
    { context: isHidden ? null : step.context, before: step.before, after: isHidden ? null : step.after },
    { data, step, stepNumber: i + 1, isAnswerHidden: isHidden, previousTokenText: chip(pieces.previous) })
  panel.write(i + 1, pieces, stepNumbers(player, step, isHidden))
  if (stage.xs.length) {
    placeRibbons(stage, step.alpha)
    placeWindow(stage, isHidden ? null : step.window)
    placeChoice(stage, isHidden ? 0 : player.chosenCandidate)
  }
  writeLegend(player, isHidden)
  player.target.forEach((node, k) => node.classList.toggle("coming", k > clock.step))
  find(root, ".count").textContent = isEncoding(player) ? messages.encoder : formatTemplate(messages.count, { step: i + 1, last: data.steps.length })
  const track = /** @type {HTMLInputElement} */ (find(root, ".track"))
  track.value = String(clock.step + 1)
  track.style.setProperty("--part", String((clock.step - clock.first) / Math.max(1, data.steps.length - 1 - clock.first)))
  if (step.alpha && !isHidden && stage.xs.length) scrollToPiece(player.view, player.pieces[step.top[0]].node, !reducedMotion.matches)
}

/**
 * Explain the marks of subwords that are on the screen.
 * @type {(player: Player, isHidden: boolean) => void}
 */
function writeLegend(player, isHidden) {
  const { data, root } = player
  const { messages, source, target } = data
  const candidates = isHidden ? [] : data.steps[getShownStep(player)].candidates
  const hasWordMark = [...source, ...target, ...candidates].some(({ text }) => text.includes(WORD_MARK))
  const texts = [hasWordMark && messages.mark, candidates.some(({ prefix }) => prefix) && messages.continued, target.some((piece) => piece.continues_word) && messages.joined]
  setText(find(root, ".legend"), texts.filter(Boolean).join(" "))
}

/** @type {(player: Player, step: PlayerStep, isHidden: boolean) => void} */
function writePieces({ pieces, energyRange: { low, high }, maxCoverage }, step, isHidden) {
  const span = high - low || 1
  const heights = centerEnergies(step.energies ?? [])
  pieces.forEach(({ node, bar, weight, coverageBars }, j) => {
    const previous = step.coverage_before?.[j] ?? 0
    const addedCoverage = Math.max(0, (step.coverage_after?.[j] ?? previous) - previous)
    coverageBars.forEach((part, k) => (part.style.height = `${(100 * (k ? addedCoverage : previous)) / maxCoverage}%`))
    const e = heights[j] ?? 0
    bar.style.height = `${(100 * Math.abs(e)) / span}%`
    bar.style.top = `${(100 * (high - Math.max(0, e))) / span}%`
    bar.style.transformOrigin = e < 0 ? "50% 0" : "50% 100%"
    bar.style.display = step.energies ? "" : "none"
    const alpha = step.alpha?.[j] ?? 0
    weight.textContent = step.alpha ? (alpha < WEIGHT_FROM ? "·" : alpha.toFixed(2)) : ""
    weight.style.visibility = isHidden ? "hidden" : ""
    node.classList.toggle("strong", !isHidden && alpha >= STRONG_FROM)
    node.classList.toggle("some", alpha >= SOME_FROM)
  })
}

/** @type {(player: Player, step: PlayerStep, isHidden: boolean) => Record<string, Row[]>} */
function stepNumbers({ data, isOver }, step, isHidden) {
  const { messages, source } = data
  const { energies, alpha, coverage_before: coverageBefore, top } = step
  /** @type {(name: string, value: string, sourceIndex?: number) => Row} */
  const row = (name, value, sourceIndex) => ({ name, value: isHidden ? "?" : value, source: isHidden ? null : sourceIndex })
  /** @type {(values: number[] | null, format: (value: number, j: number) => string) => Row[]} */
  const makePieceRows = (values, format) => (values ? top.slice(0, ROWS).map((j) => row(isHidden ? "?" : source[j].text, format(values[j], j), j)) : [])
  const chosenCandidate = step.candidates.find((candidate) => candidate.is_chosen)
  const gates = GATES.map((gate) => [`gate_${gate}`, [row(messages[`gate_${gate}`], formatDecimalOrDash(step.gates[gate]))]])
  const update = isOver ? { gate_update: [row(messages.over, "")] }
    : { ...Object.fromEntries(gates), norm_state: [row(messages.norm_state, formatDecimalOrDash(step.after?.norm))] }
  return {
    energies: makePieceRows(energies, (value) => formatDecimalOrDash(value)),
    alpha: makePieceRows(alpha, formatShare),
    coverage: makePieceRows(coverageBefore, (value, j) => [value, ...(step.coverage_after ? [step.coverage_after[j]] : [])].map((amount) => formatDecimal(amount)).join(" → ")),
    mostly: [!data.has_attention ? row(messages.fixed_short, "") : isEven(alpha) ? row(messages.mostly, messages.even) : row(messages.mostly, source[top[0]]?.text ?? "", top[0])],
    norm_context: [row(messages.norm_context, formatDecimalOrDash(step.context?.norm))],
    p_gen: [row(messages.p_gen, formatDecimalOrDash(step.p_gen))],
    p: [row(isHidden || !chosenCandidate ? "?" : chosenCandidate.prefix + chosenCandidate.text, formatShare(step.p))],
    log: [row(messages.log_piece, formatDecimalOrDash(step.log_probability))],
    so_far: [row(messages.log_sentence, formatDecimalOrDash(step.total_log_probability))],
    ...update,
  }
}

/**
 * Draw everything that moves within a step.
 * @param {Player} player
 */
export function renderPlayer(player) {
  const { root, data, clock, timetable: table, pieces, candidateRows: lines, stage } = player
  const key = `${clock.step} ${isWaitingForGuess(player)}`
  const isEncoderShown = isEncoding(player)
  if (player.stepKey !== key) {
    player.stepKey = key
    player.drawnProgress = null
    writeStep(player)
  }
  const { isPlaying } = clock
  if (player.drawnPlaying !== isPlaying) {
    player.drawnPlaying = isPlaying
    const name = isPlaying ? data.messages.pause : data.messages.play
    const button = find(root, ".play")
    button.replaceChildren(isPlaying ? "❚❚" : "▶", make("span", { class: "name" }, ` ${name}`)) // a phone shows the sign only
    button.setAttribute("aria-label", name)
    root.classList.toggle("playing", isPlaying)
  }
  const progress = reducedMotion.matches && isPlaying ? player.pauseProgress(clock.step) : clock.progress
  if (player.drawnProgress === progress) return
  player.drawnProgress = progress
  /** @param {string} phase */
  const share = (phase) => (isEncoderShown || (phase === "update" && player.isOver) ? 0 : computePhaseProgress(table, phase, progress))
  const [energies, alpha, candidates] = ["energies", "alpha", "candidates"].map(share)
  if (player.drawnEnergies !== energies) for (const { bar } of pieces) bar.style.transform = `scaleY(${energies})`
  player.drawnEnergies = energies
  const weights = data.steps[getShownStep(player)].alpha
  if (weights) {
    pieces.forEach(({ disc, weight }, j) => {
      disc.style.transform = `scale(${Math.max(0.06, Math.sqrt(weights[j])) * alpha})`
      weight.style.setProperty("--show", String(alpha))
    })
  }
  if (data.stage?.has_coverage) root.style.setProperty("--covering", String(share("coverage")))
  const isChoiceShown = share("choice") > 0.4
  lines.forEach(({ node }, k) => {
    node.style.setProperty("--grown", String(candidates))
    node.classList.toggle("chosen", isChoiceShown && k === player.chosenCandidate)
  })
  player.target.forEach((node, k) => {
    node.classList.toggle("now", isChoiceShown && k === clock.step)
    node.classList.toggle("awaited", !isChoiceShown && k === clock.step)
  })
  moveStage(stage, share, getShownStep(player))
  root.classList.toggle("encoding", isEncoderShown)
  const joinShare = isEncoderShown && player.encoder ? moveEncoder(player.encoder, progress) : 1
  for (const { blocks } of pieces) blocks.style.setProperty("--show", String(joinShare))
  stage.chips.fed?.style.setProperty("--show", String(data.stage?.update_token === "current" ? share("choice") : 1))
  const active = progress < 1 && !isEncoderShown ? table.names.find((name) => progress >= table.span[name][0] && progress < table.span[name][1]) : undefined
  for (const { phase, node } of player.panel.cards) {
    const isActive = phase === active || (phase === "candidates" && active === "choice")
    if (isActive && isPlaying && !node.classList.contains("now")) followCard(node)
    node.classList.toggle("now", isActive)
  }
  if ((isChoiceShown || isEncoderShown) && player.spokenKey !== key) {
    player.spokenKey = key
    announceStep(player)
  }
}

/**
 * Scroll the equations beside the picture to the active one.
 * @param {HTMLElement} card
 */
function followCard(card) {
  const sidePanel = /** @type {HTMLElement} */ (card.parentElement)
  if (sidePanel.scrollHeight > sidePanel.clientHeight + 1) sidePanel.scrollTop = card.offsetTop - (sidePanel.clientHeight - card.offsetHeight) / 3
}

/** @param {Player} player */
export function announceStep(player) {
  const { data, clock, root } = player
  const { messages, source } = data
  if (isEncoding(player)) return announceText(root, messages.spoken_encoder)
  const step = data.steps[clock.step]
  const chosenCandidate = step.candidates.find((candidate) => candidate.is_chosen)
  const strongest = step.top[0]
  const texts = {
    step: clock.step + 1, last: data.steps.length, text: chosenCandidate ? chosenCandidate.prefix + chosenCandidate.text : "", chance: formatShare(step.p),
    ...(step.alpha ? { source: source[strongest].text, weight: formatShare(step.alpha[strongest]) } : {}),
  }
  const template = isWaitingForGuess(player) ? messages.spoken_guess : data.has_attention && !isEven(step.alpha) ? messages.spoken : messages.spoken_plain
  announceText(root, formatTemplate(template, texts))
}
