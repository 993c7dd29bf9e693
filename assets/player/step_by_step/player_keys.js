// Handle the player's keys. They work everywhere, except where somebody types or chooses.

/** @import { PlayerRoot } from "./step_by_step.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Player } from "./player.js" */
import { findClosest } from "../shared/dom.js"
import { CHOICE_WIDGETS, normalizeKey, hasModifier, pageDirection, PRESSABLE, TYPING_FIELDS } from "../shared/keys.js"
import { isPresenting } from "../shared/presentation.js"

/** @param {Clock} clock */
export const togglePlaying = (clock) => (clock.isPlaying ? clock.pause() : clock.play())

/**
 * @param {PlayerRoot} root
 * @param {KeyboardEvent} event
 * @param {(group: number) => void} answer called with the guessed word
 * @param {(player: Player) => void} game toggles the game
 */
export function handleKey(root, event, answer, game) {
  const { player } = root
  const [index] = event.composedPath()
  const node = index instanceof Element ? index : null
  if (!player || !root.isConnected || hasModifier(event) || event.shiftKey || node?.matches(TYPING_FIELDS)) return
  const { clock, data } = player
  const last = data.steps.length - 1
  const group = root.contains(node) ? findClosest(node, "[data-group][role=button]") : null
  if (group && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    return answer(Number(group.dataset.group))
  }
  const paging = pageDirection(event.key)
  if (paging && isPresenting()) return // the frame steps through this player
  if (!paging && node?.closest(CHOICE_WIDGETS)) return
  if (event.key === " " && node?.closest(PRESSABLE)) return
  /** @type {Record<string, () => unknown>} */
  const actions = {
    ArrowRight: () => clock.goToStep(clock.step + 1), ArrowLeft: () => clock.goToStep(clock.step - 1), Home: () => clock.goToStep(0), End: () => clock.goToStep(last),
    PageDown: () => clock.goToStep(clock.step + 1), PageUp: () => clock.goToStep(clock.step - 1), " ": () => togglePlaying(clock), g: () => data.attends && game(player),
  }
  const key = normalizeKey(event) === "g" ? "g" : event.key
  if (!Object.hasOwn(actions, key)) return
  if (key === "g" && !isPresenting() && !root.contains(node)) return // a single letter is no command for the whole page
  event.preventDefault()
  actions[key]()
}
