// The clock of the player: which step, how far into it, running or not. It knows nothing of what is drawn.

// What happens in a step, one thing after the other, in seconds at normal speed; what no network has is left out.
const SECONDS = { query: 0.5, energies: 0.6, alpha: 0.6, context: 0.8, candidates: 0.6, choice: 0.5, update: 0.7 }
const REST = 0.35 // seconds at the end of a step

// The order of the phases follows the wiring: "equation4" reads out from the new state, so its update comes first.
function phases(attends, wiring) {
  const looking = attends ? ["query", "energies", "alpha", "context"] : ["context"]
  const order = wiring === "equation4" ? ["update", "candidates", "choice"] : ["candidates", "choice", "update"]
  return [...looking, ...order]
}

// When each phase begins and ends, as shares of the step, which lasts `seconds`.
function timetable(names) {
  const seconds = names.reduce((sum, name) => sum + SECONDS[name], REST)
  const span = {}
  let from = 0
  for (const name of names) {
    span[name] = [from / seconds, (from + SECONDS[name]) / seconds]
    from += SECONDS[name]
  }
  return { names, span, seconds }
}

// How much of a phase is done at the moment `at` of the step: 0 to 1, slow at both ends.
function done(table, name, at) {
  const span = table.span[name]
  if (!span) return at > 0 ? 1 : 0
  const share = Math.max(0, Math.min(1, (at - span[0]) / (span[1] - span[0])))
  return share * share * (3 - 2 * share)
}

// `show` is called at every change, `stopped` when the clock has come to rest, `limit(step)` says from which moment on
// a step waits for the reader (1: it does not).
function makeClock(count, table, show, stopped, limit) {
  const clock = { step: 0, at: 1, playing: false, speed: 1, alone: false }
  let frame = 0
  let last = 0

  const stop = () => {
    cancelAnimationFrame(frame)
    frame = 0
    clock.playing = clock.alone = false
    show()
    stopped()
  }

  const tick = (now) => {
    const passed = (Math.max(0, Math.min(now - last, 100)) / 1000) * clock.speed
    last = now
    clock.at += passed / table.seconds
    const until = limit(clock.step)
    if (until < 1 && clock.at >= until) {
      clock.at = until
      return stop()
    }
    if (clock.at >= 1) {
      if (clock.alone || clock.step === count - 1) {
        clock.at = 1
        return stop()
      }
      clock.step += 1
      clock.at = Math.min(clock.at - 1, limit(clock.step))
    }
    show()
    frame = requestAnimationFrame(tick)
  }

  // `alone`: no further than the end of this step.
  clock.play = (alone = false) => {
    if (clock.playing) return
    if (!alone && clock.at >= Math.min(1, limit(clock.step))) {
      clock.step = clock.step === count - 1 ? 0 : clock.step + 1
      clock.at = 0
    }
    clock.alone = alone
    clock.playing = true
    last = performance.now()
    frame = requestAnimationFrame(tick)
    show()
  }

  clock.pause = () => clock.playing && stop()

  // Another step, whole at once.
  clock.go = (step) => {
    cancelAnimationFrame(frame)
    clock.step = Math.max(0, Math.min(count - 1, step))
    clock.at = Math.min(1, limit(clock.step))
    stop()
  }

  clock.end = () => cancelAnimationFrame(frame)
  return clock
}
