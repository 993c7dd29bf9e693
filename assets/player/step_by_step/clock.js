// The player's clock: current step, progress within it, playing or not. It draws nothing. Step −1 is the encoder, if it is
// shown.

// Seconds of each phase at normal speed.
/** @type {Record<string, number>} */
const SECONDS = { query: 0.5, energies: 0.6, alpha: 0.6, context: 0.8, candidates: 0.6, choice: 0.5, update: 0.7 }
const DEFAULT_SECONDS = 0.6 // of a phase that only one network has
const REST_SECONDS = 0.35 // at the end of a step

/** Start and end of each phase as shares of the step, which lasts `seconds`.
 * @typedef {{ names: string[], span: Record<string, [number, number]>, seconds: number }} Timetable */

/**
 * List the phases of a step in order: the network's equations, before them the query if it attends, and at the end the
 * choice of a candidate.
 * @type {(attends: boolean, equations: { phase: string }[]) => string[]}
 */
export function listPhases(attends, equations) {
  const phases = [...new Set(equations.map(({ phase }) => phase))]
  const attentionPhases = attends ? ["alpha", "context"] : ["context"]
  const missingPhases = attentionPhases.filter((phase) => !phases.includes(phase))
  const all = [...missingPhases, ...phases, ...(phases.includes("candidates") ? [] : ["candidates"])]
  const queryIndex = all.findIndex((phase) => phase === "energies" || phase === "alpha")
  return all.flatMap((phase, k) => [
    ...(attends && k === queryIndex ? ["query"] : []), phase, ...(phase === "candidates" ? ["choice"] : []),
  ])
}

/** @type {(names: string[], secondsByName?: Record<string, number>) => Timetable} */
export function makeTimetable(names, secondsByName = {}) {
  const durations = names.map((name) => secondsByName[name] ?? SECONDS[name] ?? DEFAULT_SECONDS)
  const seconds = durations.reduce((sum, item) => sum + item, REST_SECONDS)
  /** @type {Timetable["span"]} */
  const span = {}
  let start = 0
  names.forEach((name, k) => {
    span[name] = [start / seconds, (start + durations[k]) / seconds]
    start += durations[k]
  })
  return { names, span, seconds }
}

/**
 * Return the progress of a phase, 0 to 1, with smooth ends.
 * @type {(table: Timetable, name: string, progress: number) => number}
 */
export function computePhaseProgress(table, name, progress) {
  const share = computeLinearProgress(table, name, progress)
  return share * share * (3 - 2 * share)
}

/**
 * Return the progress of a phase, 0 to 1, at constant speed.
 * @type {(table: Timetable, name: string, progress: number) => number}
 */
export function computeLinearProgress(table, name, progress) {
  const span = table.span[name]
  if (!span) return progress > 0 ? 1 : 0
  return Math.max(0, Math.min(1, (progress - span[0]) / (span[1] - span[0])))
}

/**
 * @typedef {object} Clock
 * @property {number} step from 0; −1: the encoder
 * @property {number} first the first step
 * @property {number} progress within the step, 0 to 1
 * @property {boolean} isPlaying
 * @property {number} speed
 * @property {boolean} stopsAfterStep whether it stops at the end of this step
 * @property {(stopsAfterStep?: boolean) => void} play
 * @property {() => void} pause
 * @property {(step: number) => void} goToStep shows another step, complete
 * @property {() => void} cancel
 */

/**
 * @param {number} count number of steps
 * @param {Timetable} table
 * @param {() => void} handleChange called at every change
 * @param {() => void} handleStop called when the clock stops
 * @param {(step: number) => number} pauseProgress progress at which a step waits for the reader (1: never)
 * @param {Timetable | null} [encoderTable] of the encoder, which Play runs before step 1
 * @returns {Clock}
 */
export function makeClock(count, table, handleChange, handleStop, pauseProgress, encoderTable = null) {
  let frame = 0
  let last = 0
  let hasEncoded = false // whether the encoder has been shown

  const stop = () => {
    cancelAnimationFrame(frame)
    frame = 0
    clock.isPlaying = clock.stopsAfterStep = false
    handleChange()
    handleStop()
  }

  /** @param {number} current */
  const tick = (current) => {
    const elapsedSeconds = (Math.max(0, Math.min(current - last, 100)) / 1000) * clock.speed
    last = current
    clock.progress += elapsedSeconds / (clock.step < 0 && encoderTable ? encoderTable : table).seconds
    const waitPoint = pauseProgress(clock.step)
    if (waitPoint < 1 && clock.progress >= waitPoint) {
      clock.progress = waitPoint
      return stop()
    }
    if (clock.progress >= 1) {
      if (clock.stopsAfterStep || clock.step === count - 1) {
        clock.progress = 1
        return stop()
      }
      clock.step += 1
      clock.progress = Math.min(clock.progress - 1, pauseProgress(clock.step))
    }
    handleChange()
    frame = requestAnimationFrame(tick)
  }

  /** @type {Clock} */
  const clock = {
    step: 0,
    first: encoderTable ? -1 : 0,
    progress: 1,
    isPlaying: false,
    speed: 1,
    stopsAfterStep: false,
    play(stopsAfterStep = false) {
      if (clock.isPlaying) return
      if (!stopsAfterStep && clock.progress >= Math.min(1, pauseProgress(clock.step))) {
        const isFirst = clock.step === count - 1 || (clock.step === 0 && clock.progress >= 1 && !hasEncoded)
        clock.step = isFirst && encoderTable ? -1 : clock.step === count - 1 ? 0 : clock.step + 1
        clock.progress = 0
      }
      hasEncoded ||= clock.step < 0
      clock.stopsAfterStep = stopsAfterStep
      clock.isPlaying = true
      last = performance.now()
      frame = requestAnimationFrame(tick)
      handleChange()
    },
    pause() {
      if (clock.isPlaying) stop()
    },
    goToStep(step) {
      cancelAnimationFrame(frame)
      clock.step = Math.max(clock.first, Math.min(count - 1, step))
      hasEncoded ||= clock.step < 0
      clock.progress = Math.min(1, pauseProgress(clock.step))
      stop()
    },
    cancel: () => cancelAnimationFrame(frame),
  }
  return clock
}
