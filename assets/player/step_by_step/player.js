// Build the player of one translation: its nodes and state.

/** @import { PlayerData } from "../payloads.js" */
/** @import { Clock, Timetable } from "./clock.js" */
/** @import { Guess } from "./guess.js" */
import { find, findAll, make, makeTerm } from "../shared/dom.js"
import { formatTemplate, findLargest } from "../shared/format.js"
import { listPhases, makeTimetable } from "./clock.js"
import { makeEncoder } from "./encoder.js"
import { makeEquations } from "./equations.js"
import { groupPieces, makeGuess } from "./guess.js"
import { centerEnergies, buildSource, buildTarget } from "./sentences.js"
import { makeStage } from "./stage.js"

/** Result of a guess: its step, the strongest word and the guessed one.
 * @typedef {{ step: number, strongestIndex: number, guessedWord: number, isRight: boolean, text: string }} Verdict */
/** Nodes of a source piece.
 * @typedef {{ node: HTMLElement, bar: HTMLElement, disc: HTMLElement, weight: HTMLElement, coverageBars: HTMLElement[], blocks: HTMLElement }} PieceNodes */
/** Nodes of a candidate.
 * @typedef {{ node: HTMLElement, prefix: HTMLElement, text: HTMLElement, bar: HTMLElement, chance: HTMLElement }} CandidateNodes */
/**
 * @typedef {object} Player
 * @property {HTMLElement} root
 * @property {PlayerData} data
 * @property {number[][]} wordPieces source pieces of each word
 * @property {{ low: number, high: number }} energyRange
 * @property {number} maxCoverage largest coverage of a source piece
 * @property {HTMLElement} view the source, which may scroll
 * @property {HTMLElement} board
 * @property {ReturnType<typeof makeStage>} stage
 * @property {ReturnType<typeof makeEncoder> | null} encoder
 * @property {ReturnType<typeof makeEquations>} panel
 * @property {PieceNodes[]} pieces
 * @property {CandidateNodes[]} candidateRows
 * @property {HTMLElement[]} target
 * @property {Timetable} timetable
 * @property {Guess} guess
 * @property {Verdict | null} verdict
 * @property {(step: number) => number} pauseProgress progress at which a step waits for a guess (1: never)
 * @property {Clock} clock
 * @property {number} zoom
 * @property {number} viewWidth width of the source at the last layout
 * @property {number} chosenCandidate index of the chosen candidate
 * @property {boolean} isOver whether the sentence ends, so that no state takes in this step's piece
 * @property {string | null} stepKey step that is written, and whether it waits
 * @property {number | null} drawnProgress progress that is drawn
 * @property {boolean} [drawnPlaying] state of the button
 * @property {number} [drawnEnergies] drawn share of the energies
 * @property {string} [spokenKey] step that was announced last
 * @property {EventTarget | null} [pointedNode] hovered or focused node
 */

const SPEEDS = [0.5, 1, 2, 4]
const ENERGY_RANGE = 1 // least range of the bars: a factor e between weights; smaller differences are not blown up

/** @param {string} text */
export const quote = (text) => `“${text}”`

/** @param {Player} player */
export const isWaitingForGuess = (player) => player.pauseProgress(player.clock.step) < 1

/** @param {Player} player */
export const isEncoding = ({ clock }) => clock.step < 0

/** Return whether the step's answer is not shown yet. @param {Player} player */
export const isAnswerHidden = (player) => isWaitingForGuess(player) || isEncoding(player)

/**
 * Return the step that is shown, or step 1 while the encoder is.
 * @param {Player} player
 */
export const getShownStep = ({ clock }) => Math.max(0, clock.step)

/** @param {PlayerData} data */
function buildControls({ messages, has_attention: hasAttention, steps, encoder }) {
  /** @type {(kind: string, label: string, text: string, key: string) => HTMLElement} */
  const button = (kind, label, text, key) =>
    make("button", { class: kind, type: "button", "data-do": kind, "aria-label": label, title: `${label} (${text === "◀" ? "←" : "→"})`, "aria-keyshortcuts": key }, text)
  const speeds = SPEEDS.map((value) => make("button", { type: "button", "data-speed": value, "aria-pressed": value === 1 }, `${value}×`))
  return make("div", { class: "controls" },
    make("button", { class: "play", type: "button", "data-do": "play", "aria-keyshortcuts": "Space" }, `▶ ${messages.play}`),
    button("back", messages.back, "◀", "ArrowLeft"), button("on", messages.on, "▶", "ArrowRight"),
    make("span", { class: "count" }), make("span", { class: "speeds", role: "group", "aria-label": messages.speed }, ...speeds),
    hasAttention && make("button", { class: "guess", type: "button", "data-do": "guess", "aria-pressed": "false", "aria-keyshortcuts": "g" }, messages.guess),
    make("input", { class: "track", type: "range", min: encoder ? 0 : 1, max: steps.length, value: 1, "aria-label": messages.track }))
}

/** @type {(kind: string, text: string) => HTMLElement} */
const makeLabel = (kind, text) => make("span", { class: `label ${kind}` }, text)

/** @returns {CandidateNodes} */
function makeCandidate() {
  const [prefix, text] = [make("i"), make("b")]
  const [bar, chance] = ["bar", "chance"].map((name) => make("span", { class: name }))
  const node = make("li", {}, make("span", { class: "candidate" }, prefix, text), bar, chance)
  return { node, prefix, text, bar, chance }
}

/** @type {(root: HTMLElement, data: PlayerData, previous: Player | null) => Omit<Player, "clock">} */
export function buildPlayer(root, data, previous) {
  const { messages, has_attention: hasAttention } = data
  const last = data.source.length
  const wordPieces = groupPieces(data.source)
  const energies = data.steps.flatMap((step) => centerEnergies(step.energies ?? []))
  const view = buildSource(data, wordPieces)
  const stage = makeStage(data)
  const encoder = data.encoder && makeEncoder(data)
  root.style.setProperty("--stage", String(stage.height))
  const lines = Array.from({ length: Math.max(...data.steps.map((step) => step.candidates.length)) }, makeCandidate)
  const candidates = make("ol", { class: "candidates", "data-part": "candidates", lang: data.languages[1] }, ...lines.map((line) => line.node))
  const equations = data.equations.map((item) => (energies.length ? item : { ...item, numbers: item.numbers.filter((name) => name !== "energies") }))
  const panel = makeEquations(equations, data.encoder?.lines ?? [], last)
  const board = make("div", { class: "board" }, view,
    makeLabel("for-source", hasAttention ? messages.source : messages.source_plain),
    hasAttention && energies.length > 0 && makeLabel("for-energies", messages.energies), hasAttention && makeLabel("for-alpha", messages.weights),
    data.stage?.has_coverage && makeLabel("for-covered", messages.covered),
    !hasAttention && make("p", { class: data.stage?.encoder ? "fixed piped" : "fixed" },
      make("span", {}, data.stage?.fixed_context_text ?? formatTemplate(messages.fixed_last, { last }))),
    make("div", { class: "space" }), make("div", { class: "chances" }, makeLabel("for-candidates", messages.candidates), candidates),
    stage.svg, encoder?.svg,
    data.encoder && make("div", { class: "encoder-note" }, make("p", {}, data.encoder.explanation),
      make("button", { type: "button", "data-do": "skip" }, messages.encoder_skip)))
  root.classList.toggle("unscored", hasAttention && !energies.length)
  root.lang = data.language
  root.setAttribute("aria-label", formatTemplate(messages.label, { model: data.model }))
  root.replaceChildren(
    make("div", { class: "film" }, make("p", { class: "game", role: "status" }), board,
      make("div", { class: "dock" },
        make("div", { class: "written" }, makeLabel("for-target", messages.target), make("span", { class: "legend" }), buildTarget(data)), buildControls(data))),
    make("aside", { "aria-label": messages.equations }, ...panel.cards.map((card) => card.node), panel.encoder, make("p", { class: "explain" }),
      data.stage && make("p", { class: "terms" }, data.stage.terms_text),
      ...data.unknown_notes.map((note) => make("p", { class: "footnote" }, note)),
      make("p", { class: "footnote" }, makeTerm(`model:${data.model}`, data.model), make("span", {}, data.provenance))))
  const table = makeTimetable(data.stage?.phase_order.length ? data.stage.phase_order : listPhases(hasAttention, data.equations))
  const guess = previous?.guess ?? makeGuess()
  if (previous?.data.trace_id !== data.trace_id) guess.revealedSteps = new Set()
  return {
    root, data, wordPieces, view, board, stage, encoder, panel, candidateRows: lines, timetable: table, guess,
    energyRange: { low: -findLargest(energies.map((item) => -item), ENERGY_RANGE), high: findLargest(energies, ENERGY_RANGE) },
    maxCoverage: findLargest(data.steps.flatMap((step) => step.coverage_after ?? step.coverage_before ?? []), 1),
    pieces: findAll(view, ".piece").map((node) => ({
      node, bar: find(node, ".energy i"), disc: find(node, ".disc i"), weight: find(node, ".weight"),
      coverageBars: findAll(node, ".covered i"), blocks: find(node, ".blocks"),
    })),
    target: findAll(root, ".target .piece"),
    pauseProgress: (step) => (guess.isOn && step >= 0 && hasAttention && !guess.revealedSteps.has(step) ? table.span.query[1] : 1),
    verdict: null, zoom: 1, viewWidth: 0, chosenCandidate: 0, isOver: false, stepKey: null, drawnProgress: null,
  }
}
