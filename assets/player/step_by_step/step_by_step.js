// The player: one translation, step by step. All data comes once; what is drawn (render.js) is a function of the step and
// of how far it has come (clock.js). Every text is set as text. Positions are indices: repeated words stay apart.

/** @import { PlayerData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
/** @import { Player } from "./player.js" */
import { find, findAll, nearest, rooted } from "../shared/dom.js"
import { clean, decimalOrDash, filled } from "../shared/format.js"
import { modified } from "../shared/keys.js"
import { announce } from "../shared/walk.js"
import { makeClock } from "./clock.js"
import { turn } from "./guess.js"
import { answer, invite, reveal } from "./game.js"
import { pressed, toggle } from "./keys.js"
import { place } from "./layout.js"
import { build, held, quoted } from "./player.js"
import { render, speak } from "./render.js"

/**
 * @typedef {object} Kept
 * @property {Player} [player]
 * @property {string} [drawn] the data as it came, to know other data by
 * @property {number} [sent] which step the page knows of
 * @property {ReturnType<typeof setTimeout>} [pending]
 * @property {ResizeObserver} observer
 * @property {HTMLElement | null} [kept] what a tap or the keyboard has lit
 * @property {(event: KeyboardEvent) => void} keys
 * @property {Mounted<PlayerData>["setTriggerValue"]} send
 */
/** @typedef {HTMLElement & Kept} PlayerRoot */

const COMMIT_AFTER = 400 // milliseconds at rest until the page's address follows

/**
 * The clock has come to rest: say where, ask for a guess if one is due, and let the address follow.
 * @param {PlayerRoot} root
 * @param {Player} player
 */
function rested(root, player) {
  const { clock, data } = player
  invite(player)
  if (held(player)) speak(player)
  clearTimeout(root.pending)
  root.pending = setTimeout(() => {
    if (clock.playing || root.sent === clock.step) return
    root.sent = clock.step
    root.send("step", { trace: data.trace, step: clock.step + 1 })
  }, COMMIT_AFTER)
}

// ---- pointing: a symbol lights the part of the picture it names, and the other way round ---------------------------

/**
 * What each part of the picture is, in words.
 * @param {PlayerData["words"]} words
 * @returns {Record<string, string | undefined>}
 */
const explained = (words) => ({
  h: words.part_h, energies: words.part_energies, alpha: words.part_alpha, context: words.part_context, before: words.part_before,
  after: words.part_after, gru: words.part_gru, readout: words.part_readout, previous: words.part_previous, fed: words.part_fed,
  candidates: words.part_candidates,
})

/**
 * @param {Player} player
 * @param {EventTarget | null} node
 */
function light(player, node) {
  const { root, data, clock } = player
  const { words } = data
  player.pointed = node
  const named = nearest(node, "[data-part]")
  const part = named && !(player.guess.on && player.view.contains(named)) ? named.dataset.part : undefined
  const source = nearest(node, "[data-source]")?.dataset.source
  root.classList.toggle("pointing", part != null)
  for (const one of findAll(root, "[data-part]")) one.classList.toggle("lit", one.dataset.part === part)
  for (const one of findAll(root, "[data-source]")) one.classList.toggle("pointed", source != null && one.dataset.source === source)
  const { energies, alpha } = data.steps[clock.step]
  const j = Number(source)
  const piece = source != null && alpha && !held(player)
    ? filled(energies ? words.piece : words.piece_alpha, { piece: quoted(data.source[j].text), energy: decimalOrDash(energies?.[j]), weight: decimalOrDash(alpha[j], 3) })
    : null
  find(root, ".explain").setAttribute("aria-live", clock.playing ? "off" : "polite")
  find(root, ".explain").textContent = [piece, part && (data.stage?.explains[part] ?? explained(words)[part])].filter(Boolean).join(" ") || words.explain
}

/**
 * Draw the moment. What is said of the part that is pointed at is of the step that is shown: the pointer may rest while
 * steps go by.
 * @param {Player} player
 */
function show(player) {
  const { drawn } = player
  render(player)
  if (drawn !== player.drawn && player.pointed) light(player, player.pointed)
}

// ---- pointer -------------------------------------------------------------------------------------------------------

/**
 * @param {Player} player
 * @param {Element} node
 */
function clicked(player, node) {
  const { clock } = player
  const { step } = nearest(node, "[data-step]")?.dataset ?? {}
  const { group } = nearest(node, "[data-group]")?.dataset ?? {}
  const { speed } = nearest(node, "[data-speed]")?.dataset ?? {}
  const act = nearest(node, "[data-do]")?.dataset.do
  if (step != null) clock.go(Number(step))
  if (group != null) answer(player, Number(group))
  if (speed != null) {
    clock.speed = Number(speed)
    pressedButtons(player)
  }
  if (act === "play") toggle(clock)
  if (act === "back") clock.go(clock.step - 1)
  if (act === "on") clock.go(clock.step + 1)
  if (act === "guess") game(player)
}

/**
 * The game begins, or ends.
 * @param {Player} player
 */
function game(player) {
  turn(player.guess)
  pressedButtons(player)
  player.clock.go(player.clock.step)
}

/**
 * Which speed is chosen, and whether the reader guesses.
 * @param {Player} player
 */
function pressedButtons({ root, clock, guess }) {
  for (const one of findAll(root, "[data-speed]")) one.setAttribute("aria-pressed", String(Number(one.dataset.speed) === clock.speed))
  for (const one of findAll(root, ".guess")) one.setAttribute("aria-pressed", String(guess.on))
}

/**
 * The symbol that the keyboard is at in an equation, or the one so many further on.
 * @param {HTMLElement} equation
 * @param {number} by
 */
function symbolOf(equation, by) {
  const symbols = findAll(equation, ".symbol[data-part]")
  const at = Math.max(0, Math.min(Number(equation.dataset.at ?? 0) + by, symbols.length - 1))
  equation.dataset.at = String(at)
  return symbols[at] ?? null
}

/** @param {PlayerRoot} root */
function listen(root) {
  /** @param {EventTarget | null} node */
  const point = (node) => {
    if (root.player) light(root.player, node)
  }
  root.onpointerover = (event) => point(event.target)
  // Of an equation that has the keyboard the arrows up and down walk the symbols; a tap keeps what it has lit.
  root.addEventListener("focusin", (event) => {
    const equation = event.target instanceof HTMLElement && event.target.matches(".equation") ? event.target : null
    if (!equation || !root.kept || !equation.contains(root.kept)) root.kept = null
    point(root.kept ?? (equation && symbolOf(equation, 0)))
  })
  root.onpointerleave = () => point(root.kept ?? null)
  root.onclick = (event) => {
    if (!root.player || !(event.target instanceof Element)) return
    const part = event.target.closest(".symbol[data-part], .number[data-source], .piece[data-source]")
    root.kept = part instanceof HTMLElement && part !== root.kept ? part : null
    point(root.kept ?? event.target)
    clicked(root.player, event.target)
  }
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) root.player?.clock.go(Number(event.target.value) - 1)
  }
}

/**
 * A press of the clicker: the answer, where a guess is awaited, else the next step.
 * @param {Player} player
 * @param {1 | -1} by
 */
function walked(player, by) {
  const { clock, data } = player
  if (by > 0 && held(player)) {
    if (clock.playing) clock.pause()
    reveal(player)
  } else if (clock.step + by < 0 || clock.step + by >= data.steps.length) return false
  else clock.go(clock.step + by)
  return true
}

/** @param {PlayerRoot} root */
function begin(root) {
  listen(root)
  announce(root)
  root.keys = (event) => {
    const equation = nearest(event.composedPath()[0], ".equation")
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by && equation && root.player && root.contains(equation) && !modified(event)) {
      event.preventDefault()
      root.kept = symbolOf(equation, by)
      return light(root.player, root.kept)
    }
    pressed(root, event, (group) => root.player && answer(root.player, group), game)
  }
  // Before the frame, which turns pages with the keys that nobody has taken.
  document.addEventListener("keydown", root.keys, true)
  const again = () => root.player && place(root.player)
  root.observer = new ResizeObserver(again)
  for (const node of [root, document.documentElement]) root.observer.observe(node)
  document.fonts.ready.then(again)
}

/**
 * Who asked for this sentence, or for this model, wants to play it next: the keys go to the player, unless they are
 * typing on.
 * @param {PlayerRoot} root
 * @param {PlayerData} data
 */
function take(root, data) {
  const active = document.activeElement
  const asked = active instanceof HTMLTextAreaElement && active.closest(".st-key-sentence") && clean(active.value) === data.sentence
  const live = new URL(location.href).searchParams.get("live") === "on" // nobody has asked: they are typing on
  const chose = active?.matches(".st-key-model [role=combobox]:not([aria-expanded=true])")
  if ((asked && !live) || chose) root.focus({ preventScroll: true })
}

/** @param {Mounted<PlayerData>} mounted */
export default function stepByStep({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "player", { role: "group", tabindex: -1 }, begin)
  root.send = setTriggerValue
  const drawn = JSON.stringify({ ...data, step: 0 })
  if (root.drawn !== drawn) {
    root.drawn = drawn
    const kept = root.player ?? null
    const same = kept?.data.trace === data.trace
    kept?.clock.end()
    if (kept && !same) take(root, data)
    const step = kept && same ? kept.clock.step : data.step - 1
    root.sent = step
    const made = build(root, data, kept)
    /** @type {Player} */
    const player = Object.assign(made, {
      clock: makeClock(data.steps.length, made.table, () => show(player), () => rested(root, player), made.limit),
    })
    root.player = player
    announce(find(root, ".film"), {
      go: (by) => walked(player, by),
      rest() {
        player.clock.go(Infinity)
        return true
      },
    })
    player.clock.speed = kept?.clock.speed ?? 1
    player.view.onscroll = () => place(player, true)
    pressedButtons(player)
    player.clock.go(step)
    place(player)
    root.kept = null
    light(player, null)
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true)
    root.observer.disconnect()
    clearTimeout(root.pending)
    root.player?.clock.end()
  }
}
