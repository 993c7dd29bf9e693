// The questions that a class can vote on at a step: where the model attends, and which token comes next.

/** @import { Offer } from "../shared/questions.js" */
/** @import { Player } from "./player.js" */
import { sumPerWord } from "./guess.js"
import { isEncoding, isWaitingForGuess } from "./player.js"
import { WORD_MARK } from "./sentences.js"

const MAX_OPTIONS = 100 // pages/ui/backend/rooms.py
const CANDIDATES = 5 // that are offered

/**
 * Return the step that is asked about: the one that waits for a guess, else the next one.
 * @param {Player} player
 */
function findStep(player) {
  const { clock, data } = player
  if (isEncoding(player)) return 0
  return isWaitingForGuess(player) ? clock.step : Math.min(clock.step + 1, data.steps.length - 1)
}

/** @type {(player: Player) => Offer[]} */
export function listQuestions(player) {
  const { data, wordPieces, clock, guess } = player
  const i = findStep(player)
  const { alpha, candidates } = data.steps[i]
  const common = {
    text: "", source: data.sentence, target: data.target.slice(0, i).map(({ gap, text }) => gap + text).join("").trim(), languages: data.languages, step: i + 1,
    show: () => {
      guess.revealedSteps.add(i)
      clock.goToStep(i)
      clock.progress = 0
      clock.play(true)
    },
  }
  /** @type {Offer[]} */
  const offers = []
  if (data.has_attention && alpha && wordPieces.length >= 2 && wordPieces.length <= MAX_OPTIONS) {
    const { sums, strongestIndex } = sumPerWord(wordPieces, alpha)
    const options = wordPieces.map((pieces) => pieces.map((j) => data.source[j].text).join(""))
    offers.push({ ...common, kind: "attend", options, answer: { option: strongestIndex, shares: sums.map((sum) => Math.min(1, sum)) } })
  }
  // In alphabetical order, which betrays nothing.
  const offeredCandidates = candidates.filter(({ text, is_chosen: isChosen }) => isChosen || text !== WORD_MARK).filter(({ is_chosen: isChosen }, k) => isChosen || k < CANDIDATES).map(({ prefix, text, p, is_chosen: isChosen }) => ({ label: prefix + text, p, isChosen }))
    .sort((one, other) => one.label.localeCompare(other.label))
  if (offeredCandidates.length >= 2) {
    offers.push({ ...common, kind: "next", options: offeredCandidates.map(({ label }) => label),
      answer: { option: offeredCandidates.findIndex(({ isChosen }) => isChosen), shares: offeredCandidates.map(({ p }) => p) } })
  }
  return offers
}
