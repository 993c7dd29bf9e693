// Lay out the player: measure the texts after the browser has laid them out, then place the stage between them.

/** @import { Player } from "./player.js" */
import { keepScroll } from "../shared/redraw.js"
import { find } from "../shared/dom.js"
import { EDGE } from "../shared/presentation.js"
import { placeEncoder } from "./encoder.js"
import { isAnswerHidden, getShownStep } from "./player.js"
import { renderPlayer } from "./render.js"
import { scrollToPiece } from "./sentences.js"
import { placeChoice, placeRibbons, placeStage, placeWindow } from "./stage.js"
import { WIDE_FROM } from "./gru_layout.js"

const STACK_BELOW = 900 // pixels; below it the equations are under the picture
const EQUATIONS_WIDTH = 340 // pixels beside the picture
const BISECTIONS = 7 // precise to a hundredth
const MIN_ZOOM = 0.7 // on a desk
const MIN_ROOM = 440 // pixels; a lower window is scrolled
const DESK_TYPE = 12 // pixels, smallest type of a picture made smaller
const MIN_FIT = 0.74 // scale of a long sentence before it is scrolled

/**
 * Return the height that the player may have: the window, or on a desk what the page's head leaves of it.
 * @param {HTMLElement} root
 */
function measureAvailableHeight(root) {
  if (root.hasAttribute("data-presented")) return innerHeight - 2 * EDGE // its section fills the window
  const scrollTop = document.querySelector(".stMain")?.scrollTop ?? scrollY
  return Math.max(MIN_ROOM, innerHeight - root.getBoundingClientRect().top - scrollTop - EDGE)
}

/**
 * Find the largest zoom, up to the requested one, at which the picture fits the screen. Type has a minimum size, so height
 * is not proportional to zoom. On a desk the picture is made smaller if its controls would be out of sight.
 * @param {HTMLElement} root
 * @param {HTMLElement} fittedNode the player, or the picture alone if the equations are on the next screen
 */
function zoomToFit(root, fittedNode) {
  const requested = parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1
  /** @param {number} zoom */
  const use = (zoom) => {
    root.style.setProperty("--zoom", String(zoom))
    if (zoom < 1) root.style.setProperty("--least", `${DESK_TYPE}px`)
    else root.style.removeProperty("--least")
  }
  use(1)
  const isDesk = requested <= 1
  if (isDesk && root.clientWidth < STACK_BELOW) return 1
  const room = measureAvailableHeight(root)
  if (isDesk && fittedNode.offsetHeight <= room) return 1
  let [zoom, maximum] = isDesk ? [MIN_ZOOM, 1] : [1, Math.max(1, Math.min(requested, root.clientWidth / (WIDE_FROM + EQUATIONS_WIDTH)))]
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (zoom + maximum) / 2
    use(middle)
    if (fittedNode.offsetHeight <= room) zoom = middle
    else maximum = middle
  }
  use(zoom)
  return zoom
}

/** @type {(root: HTMLElement, view: HTMLElement) => void} */
function shrinkToFit(root, view) {
  root.style.setProperty("--fit", "1")
  root.style.setProperty("--fit", String(Math.max(MIN_FIT, Math.min(1, view.clientWidth / find(view, ".strip").scrollWidth))))
}

/** @param {Player} player */
function setSizes(player) {
  const { root, board, view } = player
  root.classList.remove("stacked")
  const isPresented = root.hasAttribute("data-presented")
  const film = find(root, ".film")
  player.zoom = zoomToFit(root, isPresented ? root : film)
  root.style.setProperty("--aside", `${Math.max(film.offsetHeight, measureAvailableHeight(root))}px`) // beside the picture
  root.classList.toggle("stacked", root.clientWidth / player.zoom < STACK_BELOW)
  shrinkToFit(root, view)
  // While presenting no word is cut: a wide source gets the whole width, and the equations the next screen.
  if (isPresented && view.scrollWidth > view.clientWidth + 1) {
    root.classList.add("stacked")
    player.zoom = zoomToFit(root, film)
    shrinkToFit(root, view)
  }
  root.classList.toggle("narrow", board.clientWidth / player.zoom < WIDE_FROM)
}

/**
 * @param {Player} player
 * @param {boolean} [isFitted] whether sizes are current and only the scroll position changed
 */
export function layOut(player, isFitted = false) {
  const { root, board, view, stage, pieces, data } = player
  if (!board.clientWidth) return
  const step = data.steps[getShownStep(player)]
  const isHidden = isAnswerHidden(player)
  if (!isFitted) {
    keepScroll(() => setSizes(player))
    // Not when only the height changes: the reader may have scrolled.
    if (step.alpha && !isHidden && view.clientWidth !== player.viewWidth) scrollToPiece(view, pieces[step.top[0]].node, false)
    player.viewWidth = view.clientWidth
  }
  const { zoom, energyRange: { low, high } } = player
  const frame = board.getBoundingClientRect()
  const xs = pieces.map(({ node }) => {
    const box = node.getBoundingClientRect()
    return ((box.left + box.right) / 2 - frame.left) / zoom
  })
  const energy = find(pieces[0].node, ".energy").getBoundingClientRect()
  const mouth = view.getBoundingClientRect().bottom - frame.top
  const top = mouth + (data.has_attention ? 0 : find(root, ".fixed").offsetHeight)
  placeStage(stage, {
    width: frame.width / zoom, height: top / zoom + stage.height, top: top / zoom, mouth: mouth / zoom, zoom,
    xs: data.has_attention || data.stage?.encoder ? xs : xs.slice(-1), base: (energy.top - frame.top + (energy.height * high) / (high - low || 1)) / zoom,
  })
  placeRibbons(stage, step.alpha)
  placeWindow(stage, isHidden ? null : step.window)
  placeChoice(stage, isHidden ? 0 : player.chosenCandidate)
  if (player.encoder) {
    const height = top / zoom + stage.height
    placeEncoder(player.encoder, {
      width: frame.width / zoom, height, zoom, xs: xs.map((x) => Math.max(-20, Math.min(frame.width / zoom + 20, x))),
      top: (find(pieces[0].node, ".blocks").getBoundingClientRect().bottom - frame.top) / zoom,
      bottom: height - find(root, ".encoder-note").offsetHeight / zoom - 10,
    })
  }
  player.drawnProgress = null
  renderPlayer(player)
}
