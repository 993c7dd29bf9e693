// The guessing game's display: source words as buttons, verdict and score.

/** @import { Player } from "./player.js" */
import { find, findAll, make } from "../shared/dom.js"
import { formatTemplate, formatShare } from "../shared/format.js"
import { RECENT, recordAnswer, countRight, sumPerWord } from "./guess.js"
import { isWaitingForGuess, quote } from "./player.js"

/** @param {Player} player */
export function renderGame(player) {
  const { root, guess, data, clock } = player
  const isDue = isWaitingForGuess(player) && !clock.isPlaying
  const isOn = guess.isOn && data.has_attention
  root.classList.toggle("guessing", isOn)
  root.classList.toggle("due", isDue)
  const words = findAll(root, ".group")
  for (const node of words) {
    node.classList.remove("right", "wrong", "truth")
    if (isDue) node.setAttribute("role", "button")
    else node.removeAttribute("role")
    node.tabIndex = isDue ? 0 : -1 // the pressed word keeps the focus
  }
  const verdict = !isDue && player.verdict?.step === clock.step && guess.isOn ? player.verdict : null
  if (verdict) {
    words[verdict.strongestIndex].classList.add("truth")
    words[verdict.guessedWord].classList.add(verdict.isRight ? "right" : "wrong")
  }
  find(root, ".game").replaceChildren(...(isOn ? [isDue ? data.messages.ask : (verdict?.text ?? ""), " ", buildScore(player)] : []))
}

/** @param {Player} player */
function buildScore({ guess: { answers }, data: { messages } }) {
  if (!answers.length) return ""
  const recent = answers.slice(-RECENT)
  const texts = { right: countRight(answers), count: answers.length, lately: countRight(recent), recent: recent.length }
  return make("b", {}, formatTemplate(answers.length > RECENT ? messages.score_recent : messages.score, texts))
}

/** @type {(player: Player, guessedWord: number) => void} */
export function answerGuess(player, guessedWord) {
  const { guess, data, clock, wordPieces } = player
  const { alpha } = data.steps[clock.step]
  if (!alpha || !isWaitingForGuess(player) || clock.isPlaying) return
  const { sums, strongestIndex } = sumPerWord(wordPieces, alpha)
  /** @param {number} k */
  const name = (k) => quote(wordPieces[k].map((j) => data.source[j].text).join(""))
  const isRight = guessedWord === strongestIndex
  recordAnswer(guess, isRight)
  const texts = { truth: name(strongestIndex), most: formatShare(sums[strongestIndex]), guess: name(guessedWord), got: formatShare(sums[guessedWord]) }
  player.verdict = { step: clock.step, strongestIndex, guessedWord, isRight, text: formatTemplate(isRight ? data.messages.right : data.messages.wrong, texts) }
  revealStep(player)
}

/** @param {Player} player */
export function revealStep(player) {
  const { guess, clock } = player
  guess.revealedSteps.add(clock.step)
  clock.play(true)
  renderGame(player)
}
