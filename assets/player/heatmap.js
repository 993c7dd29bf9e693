// The picture of one sentence's translations: the running texts and the n best (texts.js), ribbons and heatmap of the one
// that is chosen (map.js), and what lights up. All data comes once; every text is set as text, never as markup.
// Positions are indices: repeated words stay apart. Readings are numbered: the n best, then the other model's.

const PARTNER_FROM = 0.05 // a word is named as a partner from here up
const SHARED_FROM = 0.2 // cells are lit for a word of another reading that looked there this much
const TOLD_AFTER = 250 // milliseconds of rest before the page is told which translation was chosen

function legend(data) {
  const { words } = data
  const drawn = data.best[0].alpha
  const rows = data.unit === "pieces" ? words.legend_pieces : words.legend
  return make("div", { class: "legend" },
    drawn && make("span", { class: "scale" }, data.scale === "root" ? words.scale_root : words.scale, make("i", {}, "0"), bar(data.scale), make("i", {}, "1")),
    drawn && make("span", {}, ...fill(rows, { model: data.name })),
    make("span", {}, make("span", { class: "sample", "aria-hidden": "true" }), " ", words.legend_chance),
    data.gloss ? make("span", {}, words.legend_gloss) : null,
    data.best.some((reading) => reading.differences.some(({ lost, repeated }) => lost.length + repeated.length))
      ? make("span", {}, words.legend_lost) : null,
    data.cut ? make("span", {}, ...fill(words.cut, { limit: String(data.cut) })) : null,
    make("span", { class: "made" }, data.made))
}

const readings = (data) => (data.beside ? [...data.best, data.beside] : data.best)

// All that stays while the reader chooses among the n best.
function build(root, data) {
  const { words } = data
  const names = { label: words.best, log: words.best_log, score: words.best_score, hint: words.best_hint }
  const title = (r) => fill(words.best_row, { rank: String(r + 1), log: data.best[r].log_probability, score: data.best[r].score,
    text: data.best[r].words.flat().join("") }).join("")
  const other = data.beside
    ? [head(data.beside.name, data.beside.notes), sentence(data.beside, data.best.length, data.beside.gloss && data.source),
       make("p", { class: "unseen" }, chances(data.beside, words))]
    : [make("p", { class: "label" }, words.plain_missing)]
  root.lang = data.language
  root.classList.toggle("glossed", data.gloss)
  root.style.setProperty("--columns", data.source.labels.length)
  root.style.setProperty("--longest", Math.max(...data.source.labels.map((label) => label.length)))
  root.replaceChildren(
    make("div", { class: "texts" }, make("section", { class: "attended" }), make("section", { class: "plain" }, ...other)),
    ...(data.best.length > 1 ? [nbest(data.best, names, title)] : []),
    make("p", { class: "readout", "aria-live": "polite" }),
    make("div", { class: "map" }),
    legend(data),
    make("p", { class: "unseen", id: "description" }))
}

// All that is the chosen translation's.
function draw(root, data, rank) {
  const reading = data.best[rank]
  root.rank = rank
  root.style.setProperty("--rows", reading.labels.length)
  const attended = root.querySelector(".attended")
  attended.replaceChildren(head(data.name, reading.notes), sentence(reading, rank, reading.gloss && data.source))
  attended.classList.toggle("without", !reading.attended)
  root.querySelectorAll(".marks").forEach((node) => node.remove())
  reading.differences.forEach((found, k) => {
    const section = root.querySelector(k ? ".plain" : ".attended")
    section.append(...marks(data, found, k ? data.best.length : rank))
  })
  const map = root.querySelector(".map")
  map.classList.toggle("none", !reading.alpha)
  map.classList.toggle("dense", reading.labels.length > 24)
  if (reading.alpha) {
    const label = fill(data.words.label, { model: data.name }).join("")
    map.replaceChildren(lane(data.source, "source", "en"), lane(reading, "target", "fr"), make("div", { class: "heat" }, table(data, reading, label)), ribbons(reading.alpha))
    stop(map, map.querySelector("tbody th"))
    place(map)
  } else {
    map.replaceChildren(make("p", {}, ...fill(data.words.no_map, { model: data.name })))
  }
  mark(root, rank)
  root.querySelector("#description").textContent = described(data, reading)
  light(root, null)
}

// What reading `r` lost and repeated, beside the other translation; nothing where there is nothing to say.
function marks(data, found, r) {
  const { words, source } = data
  const reading = readings(data)[r]
  const list = (nodes) => nodes.flatMap((node, k) => (k ? [", ", node] : [node]))
  const lost = found.lost.map((s) => make("span", { class: "word source", lang: "en", "data-source-word": s }, source.words[s][1]))
  const repeated = found.repeated.map((k) => word(reading, r, k, reading.words[k][1]))
  const said = [lost.length && fill(words.lost, { list: make("span", {}, ...list(lost)) }),
    repeated.length && fill(words.repeated, { list: make("span", { lang: "fr" }, ...list(repeated)) })].filter(Boolean)
  return said.length ? [make("p", { class: "marks" }, ...said.map((parts) => make("span", {}, ...parts)))] : []
}

// The heatmap in words: for every row what it looked at most; and how sure the model was of each word.
function described(data, reading) {
  const { words, source } = data
  if (!reading.alpha) return chances(reading, words)
  const rows = reading.alpha.map((row, t) => {
    const most = row.indexOf(Math.max(...row))
    return fill(words.described_row, { target: reading.labels[t], source: source.labels[most], value: two(row[most]) }).join("")
  })
  const picture = fill(words.described, { rows: String(rows.length), columns: String(source.labels.length) }).join("")
  return `${picture} ${rows.join("; ")}. ${chances(reading, words)}`
}

function chances(reading, words) {
  return `${words.chances} ${reading.words.map(([, text], k) => `${text} ${two(reading.chance[k])}`).join("; ")}.`
}

// What lights up for target positions `ts` of reading `r` and source positions `ss`, from 0 to 1. In other readings those
// words do that looked at the same source words.
function strengths(data, { r, ts, ss }) {
  const all = readings(data)
  const only = (set) => (_, k) => Number(set.includes(k))
  const source = data.source.labels.map((_, s) =>
    ss.length ? Number(ss.includes(s)) : all[r].alpha ? Math.max(0, ...ts.map((t) => all[r].alpha[t][s])) : 0)
  const seen = (row) => (ss.length ? Math.max(...ss.map((s) => row[s])) : row.reduce((sum, value, s) => sum + value * source[s], 0))
  const target = all.map((reading, q) => (q === r && ts.length ? reading.labels.map(only(ts)) : reading.alpha?.map(seen) ?? []))
  return { source, target }
}

const NOTHING = { r: 0, ts: [], ss: [] }

// Light what is pointed at and its partners, everywhere; null puts all lights out.
function light(root, pointed) {
  const { data, rank } = root
  const { r, ts, ss } = pointed ?? NOTHING
  const here = !pointed || r === rank
  const shine = strengths(data, pointed ?? NOTHING)
  const set = (node, strength, chosen) => {
    node.style.setProperty("--lit", strength)
    node.classList.toggle("chosen", chosen)
  }
  for (const node of root.querySelectorAll("th, li")) {
    const [kind, k] = node.dataset.target != null ? ["target", Number(node.dataset.target)] : ["source", Number(node.dataset.source)]
    if (kind === "source") set(node, shine.source[k], ss.includes(k))
    else set(node, shine.target[rank][k], here && ts.includes(k))
  }
  // A word of the running texts shines as its brightest piece.
  const brightest = (side, strength) => side.word_of.reduce((best, word, k) => best.set(word, Math.max(best.get(word) ?? 0, strength[k] ?? 0)), new Map())
  const target = readings(data).map((reading, q) => brightest(reading, shine.target[q]))
  const source = brightest(data.source, shine.source)
  for (const node of root.querySelectorAll("[data-target-word]"))
    node.style.setProperty("--lit", target[node.dataset.reading].get(Number(node.dataset.targetWord)) ?? 0)
  for (const node of root.querySelectorAll("[data-source-word]"))
    node.style.setProperty("--lit", source.get(Number(node.dataset.sourceWord)) ?? 0)
  for (const node of root.querySelectorAll("td[data-target], path")) {
    const s = Number(node.dataset.source)
    const t = here && ts.includes(Number(node.dataset.target))
    node.classList.toggle("on", here ? (ts.length && ss.length ? t && ss.includes(s) : t || ss.includes(s)) : shine.source[s] >= SHARED_FROM)
  }
  root.classList.toggle("lit", ts.length + ss.length > 0)
  read(root, data, pointed ?? NOTHING)
}

// The line that says in words and numbers what is lit.
function read(root, data, { r, ts, ss }) {
  const { words, source } = data
  const reading = readings(data)[r]
  const names = (side, kind, set) => make("b", { class: kind, lang: kind === "source" ? "en" : "fr" }, set.map((k) => side.labels[k]).join(""))
  const partners = (side, kind, values) => {
    const strongest = values.map((value, k) => [value, k]).filter(([value]) => value >= PARTNER_FROM).sort((a, b) => b[0] - a[0]).slice(0, 3)
    if (!strongest.length) return [fill(words.nobody, { value: two(PARTNER_FROM) }).join("")]
    return strongest.flatMap(([value, k], n) => [n ? ", " : "", names(side, kind, [k]), ` ${two(value)}`])
  }
  const target = () => names(reading, "target", ts)
  const line = []
  if (ts.length && ss.length) {
    line.push(...fill(words.cell, { target: target(), source: names(source, "source", ss), value: two(reading.alpha[ts[0]][ss[0]]) }))
  } else if (ts.length) {
    const word = reading.word_of[ts[0]]
    const whole = word >= 0 && ts.length === reading.word_of.filter((other) => other === word).length
    const chance = fill(words.chance, { target: target(), value: two(whole ? reading.chance[word] : Math.exp(reading.log[ts[0]])) })
    if (reading.alpha) {
      // Several pieces of one word: what the word looked at is their mean (the word view of α).
      const row = source.labels.map((_, s) => ts.reduce((sum, t) => sum + reading.alpha[t][s], 0) / ts.length)
      line.push(...fill(words.row, { target: target(), list: make("span", {}, ...partners(source, "source", row)) }), " · ", ...chance)
    } else {
      line.push(target(), " · ", ...chance)
    }
  } else if (ss.length && reading.alpha) {
    const column = reading.alpha.map((row) => ss.reduce((sum, s) => sum + row[s], 0))
    line.push(...fill(words.column, { source: names(source, "source", ss), list: make("span", {}, ...partners(reading, "target", column)) }))
  } else {
    line.push(data.best[0].alpha ? words.idle : words.idle_words)
  }
  root.querySelector(".readout").replaceChildren(...line)
}

// What a node stands for: a cell has a position on both sides; a word of a running text has all its pieces.
function positions(root, node) {
  const { reading, target, source, targetWord, sourceWord } = node.dataset
  const pieces = (side, word) => side.word_of.flatMap((other, k) => (other === Number(word) ? [k] : []))
  const r = reading == null ? root.rank : Number(reading)
  if (targetWord != null) return { r, ts: pieces(readings(root.data)[r], targetWord), ss: [] }
  if (sourceWord != null) return { r, ts: [], ss: pieces(root.data.source, sourceWord) }
  return { r, ts: target == null ? [] : [Number(target)], ss: source == null ? [] : [Number(source)] }
}

const POINTED = "[data-target], [data-source], [data-target-word], [data-source-word]"

// Where the arrow keys lead to from a cell of the table.
function neighbour(root, cell, key) {
  const row = cell.parentNode
  const next = {
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
    ArrowUp: () => (row.previousElementSibling ?? (row.parentNode.tagName === "TBODY" ? root.querySelector("thead tr") : null))?.children[cell.cellIndex],
    ArrowDown: () => (row.parentNode.tagName === "THEAD" ? root.querySelector("tbody tr") : row.nextElementSibling)?.children[cell.cellIndex],
    Home: () => row.querySelector("[data-target], [data-source]"),
    End: () => row.lastElementChild,
  }[key]
  const node = next?.()
  return next && { node: node?.classList.contains("corner") ? null : node }
}

// One stop for the Tab key: the cell the arrows came to last.
function stop(map, node) {
  map.querySelectorAll('table [tabindex="0"]').forEach((other) => (other.tabIndex = -1))
  node.tabIndex = 0
  return node
}

function choose(root, rank) {
  draw(root, root.data, rank)
  root.querySelector(`[data-rank="${rank}"]`).focus({ preventScroll: true })
  clearTimeout(root.telling)
  root.telling = setTimeout(() => root.tell("chosen", { of: root.data.of, rank }), TOLD_AFTER)
}

function listen(root) {
  const show = (node) => light(root, node && node.closest(POINTED) ? positions(root, node.closest(POINTED)) : null)
  root.onpointerover = (event) => show(event.target)
  root.onpointerleave = () => show(root.querySelector("table :focus-visible"))
  root.addEventListener("focusin", (event) => show(event.target))
  root.addEventListener("focusout", () => show(null))
  root.onclick = (event) => {
    const row = event.target.closest("[role=radio]")
    if (row && Number(row.dataset.rank) !== root.rank) choose(root, Number(row.dataset.rank))
  }
  root.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.target.closest("[role=radio]")) {
      const rank = ranked(event.key, root.rank, root.data.best.length)
      if (rank === undefined) return
      event.preventDefault()
      choose(root, rank)
    } else if (event.target.closest("th, td[data-target]")) {
      const found = neighbour(root, event.target.closest("th, td[data-target]"), event.key)
      if (!found) return
      event.preventDefault()
      if (found.node) stop(root, found.node).focus()
    }
  }
}

// Weights travel as whole numbers of parts.
function decoded(data) {
  for (const reading of readings(data)) if (reading.alpha) reading.alpha = reading.alpha.map((row) => row.map((value) => value / data.parts))
  return data
}

export default function ({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".picture")
  if (!root) {
    root = make("div", { class: "component picture" })
    parentElement.append(root)
    listen(root)
    root.observer = new ResizeObserver(() => place(root.querySelector(".map")))
    document.fonts.ready.then(() => root.data && place(root.querySelector(".map")))
    ready(data.focus)
  }
  root.tell = setStateValue
  // Which one is chosen is known here first: what the page says of it counts for other translations only.
  const { chosen, ...rest } = data
  const drawn = JSON.stringify(rest)
  if (root.drawn !== drawn) {
    const rank = root.data?.of === data.of ? root.rank : chosen
    root.drawn = drawn
    root.data = decoded(structuredClone(rest))
    build(root, root.data)
    draw(root, root.data, rank)
    root.observer.observe(root)
  }
  return () => {
    clearTimeout(root.telling)
    root.observer.disconnect()
  }
}
