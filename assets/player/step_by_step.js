// The player: one translation, step by step. All data comes once; what is drawn is a function of the step and of how far
// it has come (step_clock.js). Every text is set as text. Positions are indices: repeated words stay apart.

const COMMIT_AFTER = 400 // milliseconds at rest until the page's address follows
const SPEEDS = [0.5, 1, 2, 4]
const ROWS = { energies: 3, alpha: 3, context: 2, candidates: 3, update: 3 } // numbers under each equation
const STACKED = 900 // pixels; on a narrower page the equations stand below the picture
const SMALLEST = 0.74 // a long sentence is drawn that much smaller before it is scrolled

const minus = (text) => text.replace("-", "−")
const number = (value, digits = 2) => (value == null ? "–" : minus(value.toFixed(digits)))
const still = matchMedia("(prefers-reduced-motion: reduce)")

// ---- building ------------------------------------------------------------------------------------------------------

function controls({ words, attends, steps }) {
  const button = (kind, label, text, key) =>
    make("button", { class: kind, type: "button", "data-do": kind, "aria-label": label, "aria-keyshortcuts": key }, text)
  const speed = make("span", { class: "speeds", role: "group", "aria-label": words.speed },
    ...SPEEDS.map((value) => make("button", { type: "button", "data-speed": value, "aria-pressed": value === 1 }, `${value}×`)))
  const hint = (key, text) => [make("kbd", {}, key), ` ${text} `]
  return make("div", { class: "controls" },
    make("button", { class: "play", type: "button", "data-do": "play", "aria-keyshortcuts": "Space" }, `▶ ${words.play}`),
    button("back", words.back, "◀", "ArrowLeft"), button("on", words.on, "▶", "ArrowRight"),
    make("span", { class: "count" }), speed,
    attends ? make("button", { class: "guess", type: "button", "data-do": "guess", "aria-pressed": "false" }, words.guess) : null,
    make("span", { class: "hints" }, ...hint("←", ""), ...hint("→", words.key_step), ...hint("Space", words.key_play), ...hint("Home", words.key_start)),
    make("input", { class: "track", type: "range", min: 1, max: steps.length, value: 1, "aria-label": words.track }))
}

function build(root, data, kept) {
  const { words } = data
  const grouped = groups(data.source)
  const known = data.steps.flatMap((step) => rise(step.energies ?? []))
  const scale = { low: Math.min(0, ...known), high: Math.max(0, ...known) }
  const view = strip(data, grouped)
  const stage = makeStage(data.attends, data.wiring, data.source.length)
  const rows = Math.max(...data.steps.map((step) => step.candidates.length))
  const candidates = make("ol", { class: "candidates", "data-part": "candidates", lang: "fr" }, ...Array.from({ length: rows }, () =>
    make("li", {}, make("span", { class: "candidate" }, make("i", {}), make("b", {})), make("span", { class: "bar" }), make("span", { class: "chance" }), make("span", { class: "goes-on" }))))
  const label = (kind, text) => make("span", { class: `label ${kind}` }, text)
  const panel = makeEquations(data, ROWS)
  const board = make("div", { class: "board" }, view,
    label("for-source", data.attends ? words.source : words.source_plain),
    data.attends && known.length ? label("for-energies", words.energies) : null, data.attends ? label("for-alpha", words.weights) : null,
    data.attends ? null : make("p", { class: "fixed" }, make("span", {}, fill(words.fixed, { last: String(data.source.length) }).join(""))),
    make("div", { class: "space" }), make("div", { class: "chances" }, label("for-candidates", words.candidates), candidates),
    stage.svg)
  root.lang = data.language
  root.setAttribute("aria-label", fill(words.label, { model: data.model }).join(""))
  root.replaceChildren(
    make("div", { class: "film" }, make("p", { class: "game", role: "status" }), board, make("div", { class: "written" }, label("for-target", words.target), target(data)), controls(data)),
    make("aside", { "aria-label": words.equations }, ...panel.cards.map((card) => card.node), make("p", { class: "explain" }),
      make("p", { class: "made" }, data.model, make("span", {}, data.made))),
    make("p", { class: "unseen spoken", "aria-live": "polite" }))
  const table = timetable(phases(data.attends, data.wiring))
  const guess = kept?.guess ?? makeGuess()
  if (kept?.data.trace !== data.trace) guess.revealed = new Set()
  const limit = (step) => (guess.on && data.attends && !guess.revealed.has(step) ? table.span.query[1] : 1)
  const player = {
    root, data, grouped, scale, view, stage, panel, board, candidates, table, guess, limit, drawn: null,
    all: (selector) => [...root.querySelectorAll(selector)],
  }
  player.pieces = player.all(".strip .piece").map((node) => ({
    node, bar: node.querySelector(".energy i"), disc: node.querySelector(".disc i"), weight: node.querySelector(".weight"),
  }))
  player.lines = [...candidates.children]
  player.target = player.all(".target .piece")
  player.clock = makeClock(data.steps.length, table, () => render(player), () => rested(player), limit)
  player.clock.speed = kept?.clock.speed ?? 1
  return player
}

// ---- drawing a step ------------------------------------------------------------------------------------------------

const quoted = (text) => `“${text}”`
const held = (player) => player.limit(player.clock.step) < 1

// Everything that belongs to a step and does not move within it.
function write(player) {
  const { data, clock, stage, pieces, lines, panel } = player
  const { words } = data
  const i = clock.step
  const step = data.steps[i]
  const hide = held(player)
  const { low, high } = player.scale
  const span = high - low || 1
  const heights = rise(step.energies ?? [])
  pieces.forEach(({ node, bar, weight }, j) => {
    const e = heights[j] ?? 0
    bar.style.height = `${(100 * Math.abs(e)) / span}%`
    bar.style.top = `${(100 * (high - Math.max(0, e))) / span}%`
    bar.style.transformOrigin = e < 0 ? "50% 0" : "50% 100%"
    bar.style.display = step.energies ? "" : "none"
    const alpha = step.alpha?.[j] ?? 0
    weight.textContent = step.alpha ? (alpha < 0.005 ? "·" : alpha.toFixed(2)) : ""
    node.classList.toggle("strong", !hide && alpha >= 0.3)
    node.classList.toggle("some", alpha >= 0.05)
  })
  lines.forEach((line, k) => {
    const one = step.candidates[k]
    line.style.visibility = one ? "" : "hidden"
    if (!one) return
    const [name, bar, chance, note] = line.children
    name.firstChild.textContent = one.before
    name.lastChild.textContent = one.text
    bar.style.setProperty("--p", one.p)
    chance.textContent = two(one.p)
    note.textContent = one.before ? words.goes_on : ""
  })
  player.chosen = step.candidates.findIndex((one) => one.chosen)
  const text = (k) => (k < 0 ? null : data.target[k].text)
  const groundhog = data.wiring === "groundhog"
  player.over = data.wiring !== "equation4" && data.finished && i === data.steps.length - 1
  const texts = { previous: text(i - 1), fed: groundhog ? (hide ? "?" : text(i)) : text(i - 1) }
  const chip = (one) => (one == null ? words.no_word : `E ${quoted(one)}`)
  const eaten = groundhog ? text(i - 1) : text(i - 2)
  writeStage(stage, { context: data.attends ? i + 1 : "", before: i, after: i + 1 },
    { previous: chip(texts.previous), fed: chip(texts.fed), said: eaten == null ? words.start : fill(words.after, { word: quoted(eaten) }).join("") },
    { context: hide ? null : step.context, before: step.before, after: hide ? null : step.after })
  panel.write(i + 1, texts, numbers(player, step, hide))
  if (stage.p) {
    placeRibbons(stage, step.alpha)
    placeChoice(stage, hide ? 0 : player.chosen)
  }
  player.target.forEach((node, k) => node.classList.toggle("coming", k > i))
  player.all(".count")[0].textContent = fill(words.count, { step: String(i + 1), last: String(data.steps.length) }).join("")
  const track = player.all(".track")[0]
  track.value = i + 1
  track.style.setProperty("--part", i / Math.max(1, data.steps.length - 1))
  if (step.alpha && !hide) follow(player, step.top[0], still.matches)
}

// The numbers under the equations.
function numbers({ data, over }, step, hide) {
  const { words } = data
  const shown = (name, value, source) => ({ name, value: hide ? "?" : value, source: hide ? null : source })
  const looked = step.top.map((j) => [hide ? "?" : data.source[j].text, j])
  const top = step.top[0]
  const mostly = data.attends ? shown(words.mostly, data.source[top]?.text, top) : shown(words.fixed_short, "")
  const chosen = step.candidates.find((one) => one.chosen)
  const update = over ? [shown(words.over, "")] : [
    shown(words.gate_update, number(step.update)), shown(words.gate_reset, number(step.reset)), shown(words.norm_state, number(step.after?.norm))]
  return {
    energies: step.energies ? looked.map(([name, j]) => shown(name, number(step.energies[j]), j)) : [],
    alpha: looked.map(([name, j]) => shown(name, two(step.alpha[j]), j)),
    context: [mostly, shown(words.norm_context, number(step.context?.norm))],
    candidates: [shown(hide ? "?" : chosen.before + chosen.text, two(step.p)), shown(words.log_piece, number(step.log)), shown(words.log_sentence, number(step.so_far))],
    update,
  }
}

// Everything that moves within a step.
function render(player) {
  const { data, clock, table, pieces, lines, stage } = player
  const key = `${clock.step} ${held(player)}`
  if (player.drawn !== key) {
    player.drawn = key
    player.moment = null
    write(player)
  }
  const playing = clock.playing
  if (player.playing !== playing) {
    player.playing = playing
    const play = player.all(".play")[0]
    play.textContent = playing ? `❚❚ ${data.words.pause}` : `▶ ${data.words.play}`
    player.root.classList.toggle("playing", playing)
  }
  const at = still.matches && playing ? player.limit(clock.step) : clock.at
  if (player.moment === at) return
  player.moment = at
  const share = (phase) => (phase === "update" && player.over ? 0 : done(table, phase, at))
  const [energies, alpha, candidates] = ["energies", "alpha", "candidates"].map(share)
  if (player.shares?.energies !== energies) for (const { bar } of pieces) bar.style.transform = `scaleY(${energies})`
  const step = data.steps[clock.step]
  pieces.forEach(({ disc, weight }, j) => {
    if (!step.alpha) return
    disc.style.transform = `scale(${Math.max(0.06, Math.sqrt(step.alpha[j])) * alpha})`
    weight.style.setProperty("--show", alpha)
  })
  const decided = share("choice") > 0.4
  lines.forEach((line, k) => {
    line.style.setProperty("--grown", candidates)
    line.classList.toggle("chosen", decided && k === player.chosen)
  })
  player.target.forEach((node, k) => {
    node.classList.toggle("now", decided && k === clock.step)
    node.classList.toggle("awaited", !decided && k === clock.step)
  })
  moveStage(stage, share)
  stage.chips.fed.style.setProperty("--show", data.wiring === "groundhog" ? share("choice") : 1)
  const active = at < 1 ? table.names.find((name) => at >= table.span[name][0] && at < table.span[name][1]) : null
  for (const { phase, node } of player.panel.cards) node.classList.toggle("now", phase === active || (phase === "candidates" && active === "choice"))
  player.shares = { energies }
  if (decided && player.said !== key) {
    player.said = key
    speak(player)
  }
}

// The step in one sentence, for those who do not see it.
function speak({ data, clock, root, ...player }) {
  const { words } = data
  const step = data.steps[clock.step]
  const chosen = step.candidates.find((one) => one.chosen)
  const texts = { step: String(clock.step + 1), last: String(data.steps.length), text: chosen.before + chosen.text, chance: two(step.p) }
  const looked = data.attends ? { source: data.source[step.top[0]].text, weight: two(step.alpha[step.top[0]]) } : {}
  const waiting = player.limit(clock.step) < 1
  const template = waiting ? words.spoken_guess : data.attends ? words.spoken : words.spoken_plain
  root.querySelector(".spoken").textContent = fill(template, { ...texts, ...looked }).join("")
}

// The clock has come to rest: say where, ask for a guess if one is due, and let the address follow.
function rested(player) {
  const { root, clock, data } = player
  invite(player)
  if (held(player)) speak(player)
  clearTimeout(root.pending)
  root.pending = setTimeout(() => {
    if (clock.playing || root.sent === clock.step) return
    root.sent = clock.step
    root.send("step", { trace: data.trace, step: clock.step + 1 })
  }, COMMIT_AFTER)
}

// ---- guessing ------------------------------------------------------------------------------------------------------

// While a guess is due the words of the source are buttons.
function invite(player) {
  const { guess, data } = player
  const due = held(player) && !player.clock.playing
  player.root.classList.toggle("guessing", guess.on && data.attends)
  player.root.classList.toggle("due", due)
  for (const node of player.all(".group")) {
    node.classList.remove("right", "wrong", "truth")
    for (const [name, value] of [["role", "button"], ["tabindex", "0"]]) due ? node.setAttribute(name, value) : node.removeAttribute(name)
  }
  const verdict = player.verdict?.step === player.clock.step && guess.on ? player.verdict : null
  if (verdict) {
    const nodes = player.all(".group")
    nodes[verdict.most].classList.add("truth")
    nodes[verdict.picked].classList.add(verdict.right ? "right" : "wrong")
  }
  player.all(".game")[0].replaceChildren(...(guess.on && data.attends ? [due ? data.words.ask : (verdict?.text ?? ""), " ", score(player)] : []))
}

function score({ guess, data }) {
  const { answers } = guess
  if (!answers.length) return ""
  const recent = answers.slice(-RECENT)
  const template = answers.length > RECENT ? data.words.score_recent : data.words.score
  const texts = { right: rights(answers), count: answers.length, lately: rights(recent), recent: recent.length }
  return make("b", {}, fill(template, Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]))).join(""))
}

function answer(player, picked) {
  const { guess, data, clock, grouped } = player
  if (!held(player) || clock.playing) return
  const { sums, most } = shares(grouped, data.steps[clock.step].alpha)
  const name = (k) => grouped[k].map((j) => data.source[j].text).join("")
  const right = picked === most
  remember(guess, right)
  guess.revealed.add(clock.step)
  const texts = { truth: quoted(name(most)), most: two(sums[most]), guess: quoted(name(picked)), got: two(sums[picked]) }
  player.verdict = { step: clock.step, most, picked, right, text: fill(right ? data.words.right : data.words.wrong, texts).join("") }
  clock.play(true)
  invite(player)
}

// ---- layout --------------------------------------------------------------------------------------------------------

// Presenting makes everything larger: as large as is asked for, but with all of the picture on the screen.
function enlarge({ root }) {
  const most = parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1
  const film = root.querySelector(".film")
  let zoom = 1
  const use = (value) => root.style.setProperty("--zoom", (zoom = Math.max(1, Math.min(most, value))))
  use(1)
  if (most <= 1) return 1
  const room = innerHeight - Math.max(0, root.getBoundingClientRect().top) - 10
  use(Math.min(room / film.offsetHeight, root.clientWidth / (WIDE + 340)))
  if (film.offsetHeight > room) use((zoom * room) / film.offsetHeight) // larger type needs more lines
  return zoom
}

function place(player, fitted = false) {
  const { root, board, view, stage, pieces, data, clock } = player
  if (!board.clientWidth) return
  const scale = fitted ? player.zoom : (player.zoom = enlarge(player))
  root.classList.toggle("stacked", root.clientWidth / scale < STACKED)
  root.classList.toggle("narrow", board.clientWidth / scale < WIDE)
  if (!fitted) {
    root.style.setProperty("--fit", 1)
    root.style.setProperty("--fit", Math.max(SMALLEST, Math.min(1, view.clientWidth / view.firstChild.scrollWidth)))
  }
  const frame = board.getBoundingClientRect()
  const xs = pieces.map(({ node }) => {
    const box = node.getBoundingClientRect()
    return ((box.left + box.right) / 2 - frame.left) / scale
  })
  const energy = pieces[0].bar.parentNode.getBoundingClientRect()
  const { low, high } = player.scale
  const mouth = view.getBoundingClientRect().bottom - frame.top
  const top = mouth + (data.attends ? 0 : root.querySelector(".fixed").offsetHeight)
  placeStage(stage, {
    width: frame.width / scale, height: top / scale + STAGE, top: top / scale, mouth: mouth / scale, scale,
    xs: data.attends ? xs : xs.slice(-1), base: (energy.top - frame.top + (energy.height * high) / (high - low || 1)) / scale,
  })
  placeRibbons(stage, data.steps[clock.step].alpha)
  placeChoice(stage, held(player) ? 0 : player.chosen)
  player.moment = null
  render(player)
}

// ---- pointing: a symbol lights the part of the picture it names, and the other way round ---------------------------

const NAMED = (words) => ({
  h: words.part_h, energies: words.part_energies, alpha: words.part_alpha, context: words.part_context, before: words.part_before,
  after: words.part_after, gru: words.part_gru, readout: words.part_readout, previous: words.part_previous, fed: words.part_fed,
  candidates: words.part_candidates,
})

function light(player, node) {
  const { data, clock } = player
  const { words } = data
  const named = node?.closest("[data-part]")
  const part = named && !(player.guess.on && player.view.contains(named)) ? named.dataset.part : null
  const source = node?.closest("[data-source]")?.dataset.source ?? null
  player.root.classList.toggle("pointing", part != null)
  for (const one of player.all("[data-part]")) one.classList.toggle("lit", one.dataset.part === part)
  for (const one of player.all("[data-source]")) one.classList.toggle("pointed", source != null && one.dataset.source === source)
  const step = data.steps[clock.step]
  const known = source != null && data.attends && !held(player)
  const piece = known ? fill(words.piece, {
    piece: quoted(data.source[source].text), energy: number(step.energies?.[source]), weight: number(step.alpha[source], 3),
  }).join("") : null
  player.all(".explain")[0].textContent = [piece, part ? NAMED(words)[part] : null].filter(Boolean).join(" ") || words.explain
}

// ---- pointer ----------------------------------------------------------------------------------------------

function listen(root) {
  root.onpointerover = (event) => root.player && light(root.player, event.target)
  root.addEventListener("focusin", (event) => root.player && light(root.player, event.target.querySelector?.(":scope > .formula > .symbol")))
  root.onpointerleave = () => root.player && light(root.player, null)
  root.onclick = (event) => {
    const { player } = root
    const { clock, guess } = player
    const node = event.target
    const step = node.closest("[data-step]")
    const group = node.closest("[data-group]")
    const speed = node.closest("[data-speed]")
    const act = node.closest("[data-do]")?.dataset.do
    if (step) clock.go(Number(step.dataset.step))
    if (group) answer(player, Number(group.dataset.group))
    if (speed) {
      clock.speed = Number(speed.dataset.speed)
      for (const one of player.all("[data-speed]")) one.setAttribute("aria-pressed", one === speed)
    }
    if (act === "play") toggle(player)
    if (act === "back") clock.go(clock.step - 1)
    if (act === "on") clock.go(clock.step + 1)
    if (act === "guess") {
      guess.on = !guess.on
      guess.revealed = new Set()
      node.setAttribute("aria-pressed", guess.on)
      clock.go(clock.step)
    }
  }
  root.oninput = (event) => event.target.classList.contains("track") && root.player.clock.go(Number(event.target.value) - 1)
}

// Who asked for this sentence wants to play it next: the keys go to the player, unless they are typing on.
function take(root, data) {
  const active = document.activeElement
  if (active?.closest?.(".st-key-sentence") && active.value?.trim() === data.sentence) root.focus({ preventScroll: true })
}

export default function player({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".player")
  if (!root) {
    root = make("div", { class: "component player", role: "group", tabindex: -1 })
    parentElement.append(root)
    listen(root)
    root.keys = (event) => pressed(root, event)
    // Before the frame, which turns pages with the keys that nobody has taken.
    document.addEventListener("keydown", root.keys, true)
    root.observer = new ResizeObserver(() => root.player && place(root.player))
    for (const node of [root, document.documentElement]) root.observer.observe(node)
    document.fonts.ready.then(() => root.player && place(root.player))
  }
  root.send = setStateValue
  const drawn = JSON.stringify({ ...data, step: 0 })
  if (root.drawn !== drawn) {
    root.drawn = drawn
    const kept = root.player
    const same = kept?.data.trace === data.trace
    kept?.clock.end()
    if (kept && !same) take(root, data)
    const step = same ? kept.clock.step : data.step - 1
    root.sent = step
    root.player = build(root, data, kept)
    root.player.view.onscroll = () => place(root.player, true)
    for (const one of root.player.all("[data-speed]")) one.setAttribute("aria-pressed", Number(one.dataset.speed) === root.player.clock.speed)
    for (const one of root.player.all(".guess")) one.setAttribute("aria-pressed", root.player.guess.on)
    root.player.clock.go(step)
    place(root.player)
    light(root.player, null)
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true)
    root.observer.disconnect()
    clearTimeout(root.pending)
    root.player?.clock.end()
  }
}
