// The player: one translation, step by step. What is drawn (render.js) depends only on the step and the progress within it
// (clock.js). Positions are indices, so that repeated words stay apart.

/** @import { PlayerData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Player } from "./player.js" */
import { find, findAll, findClosest, mountRoot, showPressed, storeData } from "../shared/dom.js"
import { normaliseSpaces, formatDecimalOrDash, formatTemplate } from "../shared/format.js"
import { CHOICE_WIDGETS, normaliseKey, hasModifier, isInDialog, getPageDirection, PRESSABLE, TYPING_FIELDS } from "../shared/keys.js"
import { isPresenting, registerSection } from "../shared/presentation.js"
import { offerQuestions } from "../shared/questions.js"
import { makeClock } from "./clock.js"
import { toggleGuessing } from "./guess.js"
import { answerGuess, renderGame, revealStep } from "./game.js"
import { layOut } from "./layout.js"
import { buildPlayer, isAnswerHidden, isWaitingForGuess, quote, getShownStep } from "./player.js"
import { renderPlayer, announceStep } from "./render.js"
import { listQuestions } from "./vote.js"

/**
 * @typedef {object} PlayerRootState
 * @property {Player} [player]
 * @property {string} [dataKey] the data as JSON, to detect changes
 * @property {number} [reportedStep] last step reported to the page
 * @property {ReturnType<typeof setTimeout>} [reportTimer]
 * @property {ResizeObserver} observer
 * @property {HTMLElement | null} [pinnedNode] node pinned by a tap or by keys
 * @property {(event: KeyboardEvent) => void} handleKeys
 * @property {AbortController} abortController ends the offer of questions
 * @property {Mounted<PlayerData>["setTriggerValue"]} trigger
 */
/** @typedef {HTMLElement & PlayerRootState} PlayerRoot */

const REPORT_DELAY = 400 // milliseconds of rest before the step is reported

/** @type {(root: PlayerRoot, player: Player) => void} */
function handleRest(root, player) {
  const { clock, data } = player
  renderGame(player)
  if (isWaitingForGuess(player)) announceStep(player)
  clearTimeout(root.reportTimer)
  root.reportTimer = setTimeout(() => {
    if (clock.isPlaying || root.reportedStep === clock.step) return
    root.reportedStep = clock.step
    root.trigger("step", { trace: data.trace_id, step: getShownStep(player) + 1 })
  }, REPORT_DELAY)
}

/** @type {(player: Player, node: EventTarget | null) => void} */
function highlightPart(player, node) {
  const { root, data, clock } = player
  const { messages } = data
  player.pointedNode = node
  const partNode = findClosest(node, "[data-part]")
  const part = partNode && !(player.guess.isOn && player.view.contains(partNode)) ? partNode.dataset.part : undefined
  const source = findClosest(node, "[data-source]")?.dataset.source
  root.classList.toggle("pointing", part != null)
  for (const element of findAll(root, "[data-part]")) element.classList.toggle("lit", element.dataset.part === part)
  for (const wordNode of findAll(root, "[data-source]")) wordNode.classList.toggle("pointed", source != null && wordNode.dataset.source === source)
  const { energies, alpha } = data.steps[getShownStep(player)]
  const j = Number(source)
  const piece = source != null && alpha && !isAnswerHidden(player)
    ? formatTemplate(energies ? messages.piece : messages.piece_alpha, { piece: quote(data.source[j].text), energy: formatDecimalOrDash(energies?.[j]), weight: formatDecimalOrDash(alpha[j], 3) })
    : null
  find(root, ".explain").setAttribute("aria-live", clock.isPlaying ? "off" : "polite")
  find(root, ".explain").textContent = [piece, part && (data.stage?.part_texts[part] ?? /** @type {Record<string, string>} */ ({ ...messages })[`part_${part}`])].filter(Boolean).join(" ") || messages.explain
}

/**
 * Draw the current moment, and update the description of the hovered part when the step changes.
 * @param {Player} player
 */
function renderMoment(player) {
  const { stepKey } = player
  renderPlayer(player)
  if (stepKey !== player.stepKey && player.pointedNode) highlightPart(player, player.pointedNode)
}

/** @param {Clock} clock */
const togglePlaying = (clock) => (clock.isPlaying ? clock.pause() : clock.play())

/** @type {(root: PlayerRoot, event: KeyboardEvent, answer: (group: number) => void, game: (player: Player) => void) => void} */
function handleKey(root, event, answer, game) {
  const { player } = root
  const [target] = event.composedPath()
  const node = target instanceof Element ? target : null
  if (!player || !root.isConnected || hasModifier(event) || event.shiftKey || node?.matches(TYPING_FIELDS)) return
  const { clock, data } = player
  const last = data.steps.length - 1
  const group = root.contains(node) ? findClosest(node, "[data-group][role=button]") : null
  if (group && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    return answer(Number(group.dataset.group))
  }
  const paging = getPageDirection(event.key)
  if (paging && isPresenting()) return // the frame steps through this player
  if (!paging && node?.closest(CHOICE_WIDGETS)) return
  if (event.key === " " && node?.closest(PRESSABLE)) return
  /** @type {Record<string, () => unknown>} */
  const actions = {
    ArrowRight: () => clock.goToStep(clock.step + 1), ArrowLeft: () => clock.goToStep(clock.step - 1), Home: () => clock.goToStep(clock.first), End: () => clock.goToStep(last),
    PageDown: () => clock.goToStep(clock.step + 1), PageUp: () => clock.goToStep(clock.step - 1), " ": () => togglePlaying(clock), g: () => data.has_attention && game(player),
  }
  const key = normaliseKey(event) === "g" ? "g" : event.key
  if (!Object.hasOwn(actions, key)) return
  if (key === "g" && !isPresenting() && !root.contains(node)) return // a single letter is no command for the whole page
  event.preventDefault()
  actions[key]()
}

/** @type {(player: Player, node: Element) => void} */
function handleClick(player, node) {
  const { clock } = player
  const { step } = findClosest(node, "[data-step]")?.dataset ?? {}
  const { group } = findClosest(node, "[data-group]")?.dataset ?? {}
  const { speed } = findClosest(node, "[data-speed]")?.dataset ?? {}
  const act = findClosest(node, "[data-do]")?.dataset.do
  if (step != null) clock.goToStep(Number(step))
  if (group != null) answerGuess(player, Number(group))
  if (speed != null) {
    clock.speed = Number(speed)
    updateButtons(player)
  }
  if (act === "play") togglePlaying(clock)
  if (act === "back") clock.goToStep(clock.step - 1)
  if (act === "skip") clock.goToStep(0)
  if (act === "on") clock.goToStep(clock.step + 1)
  if (act === "guess") toggleGame(player)
}

/** @param {Player} player */
function toggleGame(player) {
  toggleGuessing(player.guess)
  updateButtons(player)
  player.clock.goToStep(player.clock.step)
}

/** @param {Player} player */
function updateButtons({ root, clock, guess }) {
  showPressed(root, "speed", clock.speed)
  for (const element of findAll(root, ".guess")) element.setAttribute("aria-pressed", String(guess.isOn))
}

/** @type {(equation: HTMLElement, direction: number) => HTMLElement} */
function moveToSymbol(equation, direction) {
  const symbols = findAll(equation, ".symbol[data-part]")
  const index = Math.max(0, Math.min(Number(equation.dataset.at ?? 0) + direction, symbols.length - 1))
  equation.dataset.at = String(index)
  return symbols[index] ?? null
}

/** @param {PlayerRoot} root */
function addListeners(root) {
  /** @param {EventTarget | null} node */
  const point = (node) => {
    if (root.player) highlightPart(root.player, node)
  }
  root.onpointerover = (event) => point(event.target)
  // In a focused equation the up and down arrows move between symbols; a tap pins its highlight.
  root.addEventListener("focusin", (event) => {
    const equation = event.target instanceof HTMLElement && event.target.matches(".equation") ? event.target : null
    if (!equation || !root.pinnedNode || !equation.contains(root.pinnedNode)) root.pinnedNode = null
    point(root.pinnedNode ?? (equation && moveToSymbol(equation, 0)))
  })
  root.onpointerleave = () => point(root.pinnedNode ?? null)
  root.onclick = (event) => {
    if (!root.player || !(event.target instanceof Element)) return
    const part = event.target.closest(".symbol[data-part], .number[data-source], .piece[data-source]")
    root.pinnedNode = part instanceof HTMLElement && part !== root.pinnedNode ? part : null
    point(root.pinnedNode ?? event.target)
    handleClick(root.player, event.target)
  }
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) root.player?.clock.goToStep(Number(event.target.value) - 1)
  }
}

/**
 * Handle a press of the clicker: reveal a due guess, or go to the next step.
 * @type {(player: Player, direction: 1 | -1) => boolean}
 */
function advanceStep(player, direction) {
  const { clock, data } = player
  if (direction > 0 && isWaitingForGuess(player)) {
    if (clock.isPlaying) clock.pause()
    revealStep(player)
  } else if (clock.step + direction < clock.first || clock.step + direction >= data.steps.length) return false
  else clock.goToStep(clock.step + direction)
  return true
}

/** @param {PlayerRoot} root */
function setUp(root) {
  addListeners(root)
  registerSection(root)
  root.handleKeys = (event) => {
    if (isInDialog(event)) return
    const equation = findClosest(event.composedPath()[0], ".equation")
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (direction && equation && root.player && root.contains(equation) && !hasModifier(event)) {
      event.preventDefault()
      root.pinnedNode = moveToSymbol(equation, direction)
      return highlightPart(root.player, root.pinnedNode)
    }
    handleKey(root, event, (group) => root.player && answerGuess(root.player, group), toggleGame)
  }
  root.abortController = new AbortController()
  offerQuestions(() => (root.player ? listQuestions(root.player) : []), root.abortController.signal)
  // Before the frame, which suppresses scrolling by unhandled keys.
  document.addEventListener("keydown", root.handleKeys, true)
  const layOutAgain = () => root.player && layOut(root.player)
  root.observer = new ResizeObserver(layOutAgain)
  for (const node of [root, document.documentElement]) root.observer.observe(node)
  document.fonts.ready.then(layOutAgain)
}

/**
 * Focus the player after the reader submitted a sentence or chose a model, unless they are typing.
 * @type {(root: PlayerRoot, data: PlayerData) => void}
 */
function takeFocus(root, data) {
  const active = document.activeElement
  const hasSubmitted = active instanceof HTMLTextAreaElement && active.closest(".st-key-sentence") && normaliseSpaces(active.value) === data.sentence
  const live = new URL(location.href).searchParams.get("live") === "on" // in live mode they are still typing
  const chose = active?.matches(".st-key-model [role=combobox]:not([aria-expanded=true])")
  if ((hasSubmitted && !live) || chose) root.focus({ preventScroll: true })
}

/** @param {Mounted<PlayerData>} mounted */
export default function mountStepByStep({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "player", { role: "group", tabindex: -1 }, setUp)
  if (storeData(root, data, { step: 0 })) {
    const previous = root.player ?? null
    const isSameTrace = previous?.data.trace_id === data.trace_id
    previous?.clock.cancel()
    if (previous && !isSameTrace) takeFocus(root, data)
    const step = previous && isSameTrace ? previous.clock.step : data.step - 1
    root.reportedStep = step
    const newPlayer = buildPlayer(root, data, previous)
    /** @type {Player} */
    const player = Object.assign(newPlayer, {
      clock: makeClock(data.steps.length, newPlayer.timetable, () => renderMoment(player), () => handleRest(root, player), newPlayer.pauseProgress, newPlayer.encoder?.table),
    })
    root.player = player
    registerSection(find(root, ".film"), {
      go: (direction) => advanceStep(player, direction),
      skipRest() {
        const isDone = player.clock.step === data.steps.length - 1
        player.clock.goToStep(Infinity)
        return !isDone
      },
      goToStart() {
        if (player.clock.step > 0 || !player.encoder) return // a link may open another step
        player.clock.goToStep(player.clock.first)
        player.clock.progress = 0
        player.clock.play(true)
      },
      goToEnd: () => player.clock.goToStep(Infinity),
    })
    player.clock.speed = previous?.clock.speed ?? 1
    player.view.onscroll = () => layOut(player, true)
    updateButtons(player)
    player.clock.goToStep(step)
    layOut(player)
    root.pinnedNode = null
    highlightPart(player, null)
  }
  return () => {
    document.removeEventListener("keydown", root.handleKeys, true)
    root.observer.disconnect()
    root.abortController.abort()
    clearTimeout(root.reportTimer)
    root.player?.clock.cancel()
  }
}
