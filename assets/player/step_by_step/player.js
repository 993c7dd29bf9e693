// Build the player of one translation: its nodes and state.

/** @import { PlayerData } from "../payloads.js" */
/** @import { Clock, Timetable } from "./clock.js" */
/** @import { Guess } from "./guess.js" */
import { find, findAll, make, makeTerm } from "../shared/dom.js"
import { formatTemplate, maxOf } from "../shared/format.js"
import { listPhases, makeTimetable } from "./clock.js"
import { makeEquations } from "./equations.js"
import { groupPieces, makeGuess } from "./guess.js"
import { centerEnergies, buildSource, buildTarget } from "./sentences.js"
import { makeStage } from "./stage.js"

/** Result of a guess: its step, the strongest word and the guessed one.
 * @typedef {{ step: number, most: number, picked: number, right: boolean, text: string }} Verdict */
/** Nodes of a source piece.
 * @typedef {{ node: HTMLElement, bar: HTMLElement, disc: HTMLElement, weight: HTMLElement, covered: HTMLElement[] }} PieceNodes */
/** Nodes of a candidate.
 * @typedef {{ node: HTMLElement, before: HTMLElement, text: HTMLElement, bar: HTMLElement, chance: HTMLElement, note: HTMLElement }} CandidateNodes */
/**
 * @typedef {object} Player
 * @property {HTMLElement} root
 * @property {PlayerData} data
 * @property {number[][]} grouped source pieces of each word
 * @property {{ low: number, high: number }} scale of the energies
 * @property {number} most largest coverage of a source piece
 * @property {HTMLElement} view the source, which may scroll
 * @property {HTMLElement} board
 * @property {ReturnType<typeof makeStage>} stage
 * @property {ReturnType<typeof makeEquations>} panel
 * @property {PieceNodes[]} pieces
 * @property {CandidateNodes[]} lines
 * @property {HTMLElement[]} target
 * @property {Timetable} timetable
 * @property {Guess} guess
 * @property {Verdict | null} verdict
 * @property {(step: number) => number} waitAt progress at which a step waits for a guess (1: never)
 * @property {Clock} clock
 * @property {number} zoom
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

/** @param {string} text */
export const quote = (text) => `“${text}”`

/** @param {Player} player */
export const isWaitingForGuess = (player) => player.waitAt(player.clock.step) < 1

/** @param {PlayerData} data */
function buildControls({ words, attends, steps }) {
  /** @type {(kind: string, label: string, text: string, key: string) => HTMLElement} */
  const button = (kind, label, text, key) =>
    make("button", { class: kind, type: "button", "data-do": kind, "aria-label": label, "aria-keyshortcuts": key }, text)
  const speeds = SPEEDS.map((value) => make("button", { type: "button", "data-speed": value, "aria-pressed": value === 1 }, `${value}×`))
  /** @type {(key: string, text: string) => (string | Node)[]} */
  const hint = (key, text) => [make("kbd", {}, key), ` ${text} `]
  return make("div", { class: "controls" },
    make("button", { class: "play", type: "button", "data-do": "play", "aria-keyshortcuts": "Space" }, `▶ ${words.play}`),
    button("back", words.back, "◀", "ArrowLeft"), button("on", words.on, "▶", "ArrowRight"),
    make("span", { class: "count" }), make("span", { class: "speeds", role: "group", "aria-label": words.speed }, ...speeds),
    attends && make("button", { class: "guess", type: "button", "data-do": "guess", "aria-pressed": "false", "aria-keyshortcuts": "g" }, words.guess),
    make("span", { class: "hints" },
      ...hint("←", ""), ...hint("→", words.key_step), ...hint("Space", words.key_play), ...hint("Home", words.key_start)),
    make("input", { class: "track", type: "range", min: 1, max: steps.length, value: 1, "aria-label": words.track }))
}

/** @type {(kind: string, text: string) => HTMLElement} */
const makeLabel = (kind, text) => make("span", { class: `label ${kind}` }, text)

/** @returns {CandidateNodes} */
function makeCandidate() {
  const [previous, text] = [make("i"), make("b")]
  const [bar, chance, note] = ["bar", "chance", "goes-on"].map((name) => make("span", { class: name }))
  const node = make("li", {}, make("span", { class: "candidate" }, previous, text), bar, chance, note)
  return { node, before: previous, text, bar, chance, note }
}

/** @type {(root: HTMLElement, data: PlayerData, previous: Player | null) => Omit<Player, "clock">} */
export function buildPlayer(root, data, previous) {
  const { words, attends } = data
  const last = data.source.length
  const grouped = groupPieces(data.source)
  const energies = data.steps.flatMap((step) => centerEnergies(step.energies ?? []))
  const view = buildSource(data, grouped)
  const stage = makeStage(data)
  root.style.setProperty("--stage", String(stage.height))
  const lines = Array.from({ length: Math.max(...data.steps.map((step) => step.candidates.length)) }, makeCandidate)
  const candidates = make("ol", { class: "candidates", "data-part": "candidates", lang: data.languages[1] }, ...lines.map((line) => line.node))
  const equations = data.equations.map((item) => (energies.length ? item : { ...item, numbers: item.numbers.filter((name) => name !== "energies") }))
  const panel = makeEquations(equations, last)
  const board = make("div", { class: "board" }, view,
    makeLabel("for-source", attends ? words.source : words.source_plain),
    attends && energies.length > 0 && makeLabel("for-energies", words.energies), attends && makeLabel("for-alpha", words.weights),
    data.stage?.covers && makeLabel("for-covered", words.covered),
    !attends && make("p", { class: data.stage?.reading ? "fixed piped" : "fixed" },
      make("span", {}, data.stage?.fixed ?? formatTemplate(words.fixed_last, { last }))),
    make("div", { class: "space" }), make("div", { class: "chances" }, makeLabel("for-candidates", words.candidates), candidates),
    stage.svg)
  root.classList.toggle("unscored", attends && !energies.length)
  root.lang = data.language
  root.setAttribute("aria-label", formatTemplate(words.label, { model: data.model }))
  root.replaceChildren(
    make("div", { class: "film" }, make("p", { class: "game", role: "status" }), board,
      make("div", { class: "written" }, makeLabel("for-target", words.target), buildTarget(data)), buildControls(data)),
    make("aside", { "aria-label": words.equations }, ...panel.cards.map((card) => card.node), make("p", { class: "explain" }),
      data.stage && make("p", { class: "terms" }, data.stage.terms),
      make("p", { class: "made" }, makeTerm(`model:${data.model}`, data.model), make("span", {}, data.made))))
  const table = makeTimetable(data.stage?.order.length ? data.stage.order : listPhases(attends, data.equations))
  const guess = previous?.guess ?? makeGuess()
  if (previous?.data.trace !== data.trace) guess.revealedSteps = new Set()
  return {
    root, data, grouped, view, board, stage, panel, lines, timetable: table, guess,
    scale: { low: -maxOf(energies.map((item) => -item), 0), high: maxOf(energies, 0) },
    most: maxOf(data.steps.flatMap((step) => step.covered_after ?? step.covered ?? []), 1),
    pieces: findAll(view, ".piece").map((node) => ({
      node, bar: find(node, ".energy i"), disc: find(node, ".disc i"), weight: find(node, ".weight"),
      covered: findAll(node, ".covered i"),
    })),
    target: findAll(root, ".target .piece"),
    waitAt: (step) => (guess.isOn && attends && !guess.revealedSteps.has(step) ? table.span.query[1] : 1),
    verdict: null, zoom: 1, chosenCandidate: 0, isOver: false, stepKey: null, drawnProgress: null,
  }
}
