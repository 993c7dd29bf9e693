// Where everything of the player goes: it is measured after the browser has laid out the texts, and the stage is drawn
// between them.

/** @import { Player } from "./player.js" */
import { keepScroll } from "../shared/redraw.js"
import { find } from "../shared/dom.js"
import { EDGE } from "../shared/presentation.js"
import { isWaitingForGuess } from "./player.js"
import { renderPlayer } from "./render.js"
import { placeChoice, placeRibbons, placeStage, placeWindow } from "./stage.js"
import { WIDE_FROM } from "./gru_layout.js"

const STACK_BELOW = 900 // pixels; on a narrower page the equations stand below the picture
const EQUATIONS_WIDTH = 340 // pixels that they take beside it
const BISECTIONS = 7 // of the room that a zoom is looked for in: to a hundredth
const MIN_FIT = 0.74 // a long sentence is drawn that much smaller before it is scrolled

/**
 * Presenting makes everything larger: as large as is asked for, but with all of the picture on the screen. Type has a
 * least size, so that the height does not grow evenly: the zoom is looked for.
 * @param {HTMLElement} root
 * @param {HTMLElement} fittedNode what is to fit: the player, or the picture alone where the equations have the next screen
 */
function zoomToFit(root, fittedNode) {
  const requested = parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1
  /** @param {number} zoom */
  const use = (zoom) => root.style.setProperty("--zoom", String(zoom))
  use(1)
  if (requested <= 1) return 1
  const room = innerHeight - 2 * EDGE // its section has the window to itself
  let [zoom, maximum] = [1, Math.max(1, Math.min(requested, root.clientWidth / (WIDE_FROM + EQUATIONS_WIDTH)))]
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (zoom + maximum) / 2
    use(middle)
    if (fittedNode.offsetHeight <= room) zoom = middle
    else maximum = middle
  }
  use(zoom)
  return zoom
}

/**
 * A long source is drawn smaller, as far as that goes.
 * @param {HTMLElement} root
 * @param {HTMLElement} view
 */
function shrinkToFit(root, view) {
  root.style.setProperty("--fit", "1")
  root.style.setProperty("--fit", String(Math.max(MIN_FIT, Math.min(1, view.clientWidth / find(view, ".strip").scrollWidth))))
}

/** @param {Player} player */
function setSizes(player) {
  const { root, board, view } = player
  root.classList.remove("stacked")
  player.zoom = zoomToFit(root, root)
  root.classList.toggle("stacked", root.clientWidth / player.zoom < STACK_BELOW)
  shrinkToFit(root, view)
  // No word is cut while presenting: a source that wants the window's width has it, the equations the next screen.
  if (root.hasAttribute("data-presented") && view.scrollWidth > view.clientWidth + 1) {
    root.classList.add("stacked")
    player.zoom = zoomToFit(root, find(root, ".film"))
    shrinkToFit(root, view)
  }
  root.classList.toggle("narrow", board.clientWidth / player.zoom < WIDE_FROM)
}

/**
 * @param {Player} player
 * @param {boolean} [fitted] whether everything has the right size already, and was only scrolled
 */
export function layOut(player, fitted = false) {
  const { root, board, view, stage, pieces, data, clock } = player
  if (!board.clientWidth) return
  if (!fitted) keepScroll(() => setSizes(player))
  const scale = player.zoom
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
    width: frame.width / scale, height: top / scale + stage.height, top: top / scale, mouth: mouth / scale, scale,
    xs: data.attends || data.stage?.reading ? xs : xs.slice(-1), base: (energy.top - frame.top + (energy.height * high) / (high - low || 1)) / scale,
  })
  placeRibbons(stage, data.steps[clock.step].alpha)
  placeWindow(stage, data.steps[clock.step].window)
  placeChoice(stage, isWaitingForGuess(player) ? 0 : player.chosenCandidate)
  player.drawnProgress = null
  renderPlayer(player)
}
