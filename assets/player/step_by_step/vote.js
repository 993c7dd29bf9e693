// The questions that a class can vote on at a step: where the model attends, and which token comes next.

/** @import { Offer } from "../shared/questions.js" */
/** @import { Player } from "./player.js" */
/** @import { PlayerRoot } from "./step_by_step.js" */
import { MAX_OPTION_CHARACTERS, MAX_OPTIONS } from "../vote/options.js"
import { sumPerWord } from "./guess.js"
import { isEncoding, isWaitingForGuess } from "./player.js"
import { WORD_MARK } from "./sentences.js"

const CANDIDATES = 5 // that are offered

/**
 * Return whether the server takes these options.
 * @param {string[]} options
 */
const canOffer = (options) => options.length >= 2 && options.length <= MAX_OPTIONS && options.every((option) => option.trim() && option.length <= MAX_OPTION_CHARACTERS)

/**
 * Return the step that is asked about: the one that waits for a guess, else the next one; null after the last, whose answer
 * is on the screen.
 * @param {Player} player
 */
function findStep(player) {
  const { clock, data } = player
  if (isEncoding(player)) return 0
  if (isWaitingForGuess(player)) return clock.step
  return clock.step + 1 < data.steps.length ? clock.step + 1 : null
}

/** @type {(player: Player) => Offer[]} */
export function listQuestions(player) {
  const { data, wordPieces } = player
  const i = findStep(player)
  if (i === null) return []
  const { alpha, candidates } = data.steps[i]
  const common = {
    text: "", source: data.sentence, target: data.target.slice(0, i).map(({ gap, text }) => gap + text).join("").trim(), languages: data.languages, step: i + 1,
    show: () => {
      const { player: currentPlayer } = /** @type {PlayerRoot} */ (player.root) // another one, if the data has changed meanwhile
      if (currentPlayer?.data.trace_id !== data.trace_id) return
      const { clock, guess } = currentPlayer
      guess.revealedSteps.add(i)
      clock.goToStep(i)
      clock.progress = 0
      clock.play(true)
    },
  }
  /** @type {Offer[]} */
  const offers = []
  const words = wordPieces.map((pieces) => pieces.map((j) => data.source[j].text).join(""))
  if (data.has_attention && alpha && canOffer(words)) {
    const { sums, strongestIndex } = sumPerWord(wordPieces, alpha)
    offers.push({ ...common, kind: "attend", options: words, answer: { option: strongestIndex, shares: sums.map((sum) => Math.min(1, sum)) } })
  }
  // In alphabetical order, which betrays nothing.
  const offeredCandidates = candidates.filter(({ text, is_chosen: isChosen }) => isChosen || text !== WORD_MARK).filter(({ is_chosen: isChosen }, k) => isChosen || k < CANDIDATES).map(({ prefix, text, p, is_chosen: isChosen }) => ({ label: prefix + text, p, isChosen }))
    .sort((one, other) => one.label.localeCompare(other.label))
  const labels = offeredCandidates.map(({ label }) => label)
  if (canOffer(labels)) {
    offers.push({ ...common, kind: "next", options: labels,
      answer: { option: offeredCandidates.findIndex(({ isChosen }) => isChosen), shares: offeredCandidates.map(({ p }) => p) } })
  }
  return offers
}
