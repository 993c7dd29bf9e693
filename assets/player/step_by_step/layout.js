// Where everything of the player goes: it is measured after the browser has laid out the texts, and the stage is drawn
// between them.

/** @import { Player } from "./player.js" */
import { find } from "../shared/dom.js"
import { held } from "./player.js"
import { render } from "./render.js"
import { placeChoice, placeRibbons, placeStage, STAGE, WIDE } from "./stage.js"

const STACKED = 900 // pixels; on a narrower page the equations stand below the picture
const ASIDE = 340 // pixels that they take beside it
const SMALLEST = 0.74 // a long sentence is drawn that much smaller before it is scrolled

/**
 * Presenting makes everything larger: as large as is asked for, but with all of the picture on the screen.
 * @param {HTMLElement} root
 */
function enlarge(root) {
  const most = parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1
  const film = find(root, ".film")
  let zoom = 1
  /** @param {number} value */
  const use = (value) => {
    zoom = Math.max(1, Math.min(most, value))
    root.style.setProperty("--zoom", String(zoom))
  }
  use(1)
  if (most <= 1) return 1
  const room = innerHeight - Math.max(0, root.getBoundingClientRect().top) - 10
  use(Math.min(room / film.offsetHeight, root.clientWidth / (WIDE + ASIDE)))
  if (film.offsetHeight > room) use((zoom * room) / film.offsetHeight) // larger type needs more lines
  return zoom
}

/**
 * @param {Player} player
 * @param {boolean} [fitted] whether everything has the right size already, and was only scrolled
 */
export function place(player, fitted = false) {
  const { root, board, view, stage, pieces, data, clock } = player
  if (!board.clientWidth) return
  if (!fitted) player.zoom = enlarge(root)
  const scale = player.zoom
  root.classList.toggle("stacked", root.clientWidth / scale < STACKED)
  root.classList.toggle("narrow", board.clientWidth / scale < WIDE)
  if (!fitted) {
    root.style.setProperty("--fit", "1")
    root.style.setProperty("--fit", String(Math.max(SMALLEST, Math.min(1, view.clientWidth / find(view, ".strip").scrollWidth))))
  }
  const frame = board.getBoundingClientRect()
  const xs = pieces.map(({ node }) => {
    const box = node.getBoundingClientRect()
    return ((box.left + box.right) / 2 - frame.left) / scale
  })
  const energy = find(pieces[0].node, ".energy").getBoundingClientRect()
  const { low, high } = player.scale
  const mouth = view.getBoundingClientRect().bottom - frame.top
  const top = mouth + (data.attends ? 0 : find(root, ".fixed").offsetHeight)
  placeStage(stage, {
    width: frame.width / scale, height: top / scale + STAGE, top: top / scale, mouth: mouth / scale, scale,
    xs: data.attends ? xs : xs.slice(-1), base: (energy.top - frame.top + (energy.height * high) / (high - low || 1)) / scale,
  })
  placeRibbons(stage, data.steps[clock.step].alpha)
  placeChoice(stage, held(player) ? 0 : player.chosen)
  player.moment = null
  render(player)
}
