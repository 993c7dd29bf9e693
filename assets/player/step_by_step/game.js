// The guessing game on the screen: the words of the source as buttons, the verdict, the score.

/** @import { Player } from "./player.js" */
import { find, findAll, make } from "../shared/dom.js"
import { filled, two } from "../shared/format.js"
import { RECENT, remember, rights, shares } from "./guess.js"
import { held, quoted } from "./player.js"

/**
 * While a guess is due the words of the source are buttons.
 * @param {Player} player
 */
export function invite(player) {
  const { root, guess, data, clock } = player
  const due = held(player) && !clock.playing
  const on = guess.on && data.attends
  root.classList.toggle("guessing", on)
  root.classList.toggle("due", due)
  const words = findAll(root, ".group")
  for (const node of words) {
    node.classList.remove("right", "wrong", "truth")
    if (due) node.setAttribute("role", "button")
    else node.removeAttribute("role")
    node.tabIndex = due ? 0 : -1 // the word that was pressed keeps the keyboard
  }
  const verdict = !due && player.verdict?.step === clock.step && guess.on ? player.verdict : null
  if (verdict) {
    words[verdict.most].classList.add("truth")
    words[verdict.picked].classList.add(verdict.right ? "right" : "wrong")
  }
  find(root, ".game").replaceChildren(...(on ? [due ? data.words.ask : (verdict?.text ?? ""), " ", score(player)] : []))
}

/** @param {Player} player */
function score({ guess: { answers }, data: { words } }) {
  if (!answers.length) return ""
  const recent = answers.slice(-RECENT)
  const texts = { right: rights(answers), count: answers.length, lately: rights(recent), recent: recent.length }
  return make("b", {}, filled(answers.length > RECENT ? words.score_recent : words.score, texts))
}

/**
 * The reader says that the model will look at that word.
 * @param {Player} player
 * @param {number} picked
 */
export function answer(player, picked) {
  const { guess, data, clock, grouped } = player
  const { alpha } = data.steps[clock.step]
  if (!alpha || !held(player) || clock.playing) return
  const { sums, most } = shares(grouped, alpha)
  /** @param {number} k */
  const name = (k) => quoted(grouped[k].map((j) => data.source[j].text).join(""))
  const right = picked === most
  remember(guess, right)
  const texts = { truth: name(most), most: two(sums[most]), guess: name(picked), got: two(sums[picked]) }
  player.verdict = { step: clock.step, most, picked, right, text: filled(right ? data.words.right : data.words.wrong, texts) }
  reveal(player)
}

/**
 * The step that waits for a guess goes on.
 * @param {Player} player
 */
export function reveal(player) {
  const { guess, clock } = player
  guess.revealed.add(clock.step)
  clock.play(true)
  invite(player)
}
