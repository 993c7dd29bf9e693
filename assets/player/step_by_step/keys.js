// The keys of the player. They work wherever the keyboard is, but where somebody types or chooses with them.

/** @import { PlayerRoot } from "./step_by_step.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Player } from "./player.js" */
import { nearest } from "../shared/dom.js"
import { CHOOSING, letter, modified, paged, PRESSED, TYPING } from "../shared/keys.js"
import { presenting } from "../shared/walk.js"

/** @param {Clock} clock */
export const toggle = (clock) => (clock.playing ? clock.pause() : clock.play())

/**
 * @param {PlayerRoot} root
 * @param {KeyboardEvent} event
 * @param {(group: number) => void} answer called with the word that the reader guesses
 * @param {(player: Player) => void} game called to begin or end the game
 */
export function pressed(root, event, answer, game) {
  const { player } = root
  const [at] = event.composedPath()
  const node = at instanceof Element ? at : null
  if (!player || !root.isConnected || modified(event) || event.shiftKey || node?.matches(TYPING)) return
  const { clock, data } = player
  const last = data.steps.length - 1
  const group = root.contains(node) ? nearest(node, "[data-group][role=button]") : null
  if (group && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    return answer(Number(group.dataset.group))
  }
  const paging = paged(event.key)
  if (paging && presenting()) return // the frame walks the page, this player with it
  if (!paging && node?.closest(CHOOSING)) return
  if (event.key === " " && node?.closest(PRESSED)) return
  /** @type {Record<string, () => unknown>} */
  const actions = {
    ArrowRight: () => clock.go(clock.step + 1), ArrowLeft: () => clock.go(clock.step - 1), Home: () => clock.go(0), End: () => clock.go(last),
    PageDown: () => clock.go(clock.step + 1), PageUp: () => clock.go(clock.step - 1), " ": () => toggle(clock), g: () => data.attends && game(player),
  }
  const key = letter(event) === "g" ? "g" : event.key
  if (!Object.hasOwn(actions, key)) return
  if (key === "g" && !presenting() && !root.contains(node)) return // a letter alone is no command to the whole page
  event.preventDefault()
  actions[key]()
}
