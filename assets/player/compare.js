// Two translations of one sentence in aligned columns, the sentence growing clause by clause, and what lights up.
// All data comes once; every text is set as text, never as markup. Positions are indices: repeated words stay apart.

const PARTNER_FROM = 0.05 // a word is named as a partner from here up
const CLAUSE = 2200 // milliseconds a clause while playing
const TOLD_AFTER = 400 // milliseconds of rest before the page is told which clause is shown
const SIGN = (model) => (model.dashed ? (model.hollow ? "□" : "■") : model.hollow ? "○" : "●")

const MARK = (words) => ({ "": "", repeated: words.mark_repeated, invented: words.mark_invented, other: words.mark_other })
const stage = (root) => root.data.stages[root.at]
const clean = (text) => text.replace(/[\u202f\s]+/g, " ").trim()

// ---- what is drawn once --------------------------------------------------------------------------------------------

function bar(data) {
  const { words } = data
  const whole = make("div", { class: "growth", role: "group", "aria-label": words.grow })
  if (data.clauses < 2) {
    whole.append(make("button", { type: "button", disabled: "" }, words.grow), make("span", { class: "hint" }, words.short))
  } else if (!data.grown) {
    whole.append(make("button", { type: "button", "data-do": "grow" }, words.grow),
      make("span", { class: "hint" }, ...fill(words.invite, { count: String(data.clauses) })))
  } else {
    const button = (act, label, text) => make("button", { type: "button", "data-do": act, "aria-label": label, title: label }, text)
    whole.append(button("play", words.play, "▶"), button("back", words.back, "◀"), button("on", words.on, "▶"),
      make("input", { type: "range", class: "track", min: 1, max: data.stages.length, step: 1, "aria-label": words.track }),
      make("span", { class: "where" }), make("span", { class: "hint keys" }, words.keys))
    whole.querySelector("[data-do=play]").classList.add("play")
  }
  return whole
}

function facts(data) {
  const { words } = data
  const head = [words.model, words.log, words.length, words.lost, words.replaced, words.repeated, words.invented, words.covered]
  const cell = (text) => make("th", { scope: "col" }, text)
  const rows = data.models.map((model) => make("tr", {}, make("th", { scope: "row" }, name(model)), ...head.slice(1).map(() => make("td", {}))))
  return make("table", { class: "facts" }, make("caption", { class: "unseen" }, words.facts),
    make("thead", {}, make("tr", {}, ...head.map(cell))), make("tbody", {}, ...rows))
}

const name = (model) => make("span", { class: model.dashed ? "name dashed" : "name" }, make("span", { "aria-hidden": "true" }, `${SIGN(model)} `), model.name)

function legend(data) {
  const { words, limits } = data
  const sample = (kind, title, text) => make("li", {}, make("span", { class: `word sample ${kind}` }, title), " ", text)
  return make("details", { class: "legend", open: "" },
    make("summary", {}, words.how),
    make("ul", {},
      sample("lost", words.mark_lost, fill(words.how_lost, { limit: two(limits.lost), looked: two(limits.looked) }).join("")),
      sample("repeated", words.mark_repeated, words.how_repeated),
      sample("invented", words.mark_invented, fill(words.how_invented, { looked: two(limits.looked) }).join("")),
      sample("other", words.mark_replaced, words.how_replaced)),
    make("p", {}, words.how_fair))
}

function build(root, data) {
  const { words } = data
  root.lang = data.language
  root.setAttribute("aria-label", words.label)
  const source = make("p", { class: "source", lang: "en" })
  data.source.forEach(([gap, text], k) => source.append(gap,
    make("span", { class: "cell" }, make("span", { class: "word", "data-source": k }, text), make("small", { lang: data.language }))))
  root.curve = lengthCurve(data.curve, data.models)
  root.replaceChildren(
    bar(data),
    make("div", { class: "sheet" },
      make("div", { class: "main" },
        make("p", { class: "label" }, words.source), source,
        make("p", { class: "label" }, words.aligned),
        make("div", { class: "pair", role: "group", "aria-label": words.aligned }),
        make("p", { class: "readout", "aria-live": "polite" }),
        make("div", { class: "gone" })),
      make("aside", {}, root.curve, facts(data)),
      legend(data)),
    make("p", { class: "made" }, data.models.length < 2 ? `${words.alone} ` : null, data.made),
    make("p", { class: "unseen told", "aria-live": "polite" }))
}

// ---- what changes with the clause ----------------------------------------------------------------------------------

function target(data, side, m, k) {
  if (k == null) return make("span", { class: "cell none", "aria-hidden": "true" }, make("span", { class: "word" }, "·"), make("small", {}))
  const mark = side.marks[k]
  const text = clean(side.words[k][1])
  const notes = [text, MARK(data.words)[mark], side.new[k] && data.words.changed].filter(Boolean)
  const node = make("span", { class: ["word", mark, side.new[k] && "new"].filter(Boolean).join(" "), role: "button", tabindex: -1, lang: "fr",
    "data-model": m, "data-target": k, "aria-label": notes.join(", "), "aria-pressed": "false" }, text)
  return make("span", { class: "cell" }, node, make("small", { "aria-hidden": "true" }, MARK(data.words)[mark]))
}

function pair(root) {
  const { data } = root
  const now = stage(root)
  const names = make("span", { class: "column names" }, ...data.models.map((model) => make("span", { class: "cell" }, name(model), make("small", {}))))
  const columns = now.columns.map((ks) => make("span", { class: "column" }, ...data.models.map((_, m) => target(data, now.sides[m], m, ks[m]))))
  const node = root.querySelector(".pair")
  node.replaceChildren(names, ...columns)
  const first = node.querySelector("[data-target]")
  if (first) first.tabIndex = 0
}

function source(root) {
  const { data } = root
  const now = stage(root)
  root.querySelectorAll("[data-source]").forEach((node, k) => {
    const [losing, replacing] = ["lost", "replaced"].map((what) => data.models.filter((_, m) => now.sides[m][what].includes(k)))
    node.classList.toggle("lost", losing.length > 0)
    node.classList.toggle("other", replacing.length > 0)
    node.classList.toggle("unfed", k >= now.fed)
    node.classList.toggle("fresh", data.grown && k >= now.old && k < now.fed)
    const note = (found, word) => (found.length ? [`${word} ${found.map(SIGN).join("")}`] : [])
    node.nextSibling.textContent = [...note(losing, data.words.mark_lost), ...note(replacing, data.words.mark_replaced)].join(" ")
  })
}

const counted = (side, mark) => side.marks.filter((one) => one === mark).length

function numbers(root) {
  const now = stage(root)
  root.querySelectorAll(".facts tbody tr").forEach((row, m) => {
    const side = now.sides[m]
    const covered = side.covered == null ? root.data.words.no_attention : `${side.covered} / ${side.of}`
    const values = [side.log, side.words.length, side.lost.length, side.replaced.length, counted(side, "repeated"), counted(side, "invented"), covered]
    row.querySelectorAll("td").forEach((cell, k) => (cell.textContent = String(values[k])))
  })
}

// What is gone since the clause before, and, for those who do not see the marks, all of them in words.
function told(root) {
  const { data } = root
  const { words } = data
  const now = stage(root)
  const list = (found) => (found.length ? found.join(", ") : words.nothing)
  const of = (side, mark) => list(side.words.filter((_, k) => side.marks[k] === mark).map(([, text]) => clean(text)))
  const english = (places) => list(places.map((k) => data.source[k][1]))
  root.querySelector(".gone").replaceChildren(...now.sides.flatMap((side, m) => {
    const line = []
    if (!side.finished) line.push(words.unfinished)
    if (root.at > 0 && side.gone.length) line.push(...fill(words.gone, { list: make("s", { lang: "fr" }, side.gone.map(clean).join(", ")) }))
    return line.length ? [make("p", {}, name(data.models[m]), ": ", ...line)] : []
  }))
  const said = now.sides.map((side, m) => fill(words.told, { model: data.models[m].name, text: side.words.flat().join(""), lost: english(side.lost),
    replaced: english(side.replaced), repeated: of(side, "repeated"), invented: of(side, "invented") }).join(""))
  if (data.grown) said.unshift(`${where(root)}.`)
  root.querySelector(".told").textContent = root.playing ? "" : said.join(" ")
}

const where = (root) => fill(root.data.words.where, { clause: String(root.at + 1), last: String(root.data.stages.length), count: String(stage(root).count) }).join("")

function draw(root) {
  const { data } = root
  pair(root)
  source(root)
  numbers(root)
  told(root)
  if (data.grown) {
    root.querySelector(".where").textContent = where(root)
    root.querySelector(".track").value = root.at + 1
    root.querySelector(".track").setAttribute("aria-valuetext", where(root))
    const button = root.querySelector("[data-do=play]")
    button.textContent = root.playing ? "❚❚" : "▶"
    button.setAttribute("aria-label", root.playing ? data.words.pause : data.words.play)
    button.title = root.playing ? data.words.pause : data.words.play
  }
  move(root.curve, stage(root).count)
  root.pinned = null
  light(root, null)
}

// The place of the largest stage is kept for all of them, so that nothing below moves while the sentence grows.
function keepHeight(root) {
  const main = root.querySelector(".main")
  main.style.minHeight = ""
  if (!root.data.grown) return
  const at = root.at
  let most = 0
  for (root.at = 0; root.at < root.data.stages.length; root.at++) {
    pair(root)
    source(root)
    told(root)
    most = Math.max(most, main.scrollHeight)
  }
  root.at = at
  main.style.minHeight = `${most}px`
}

// ---- light ---------------------------------------------------------------------------------------------------------

function light(root, node) {
  const { data } = root
  const { words } = data
  const now = stage(root)
  const word = node?.closest("[data-target]")
  const from = node?.closest("[data-source]")
  const lit = new Map()
  const line = []
  const english = (k) => (k < 0 ? words.end : data.source[k][1])
  const bold = (text, kind, lang) => make("b", { class: kind, lang }, text)
  if (word) {
    const [m, k] = [Number(word.dataset.model), Number(word.dataset.target)]
    const side = now.sides[m]
    const text = () => bold(clean(side.words[k][1]), "target", "fr")
    const column = now.columns.find((ks) => ks[m] === k)
    const across = column.findIndex((place, other) => other !== m && place != null)
    const looking = side.looks ? [m, k] : across >= 0 && now.sides[across].looks ? [across, column[across]] : null
    const looks = looking ? now.sides[looking[0]].looks[looking[1]] : []
    for (const [place, value] of looks) if (place >= 0) lit.set(place, value)
    const best = looks.filter(([, value]) => value >= PARTNER_FROM).sort((a, b) => b[1] - a[1]).slice(0, 3)
    const list = make("span", {}, ...(best.length ? best.flatMap(([place, value], n) => [n ? ", " : "", bold(english(place), "source", "en"), ` ${two(value)}`]) : [words.nothing]))
    if (side.looks) line.push(...fill(words.looked, { target: text(), list }))
    else if (looking) line.push(...fill(words.beside, { target: text(), other: bold(clean(now.sides[across].words[column[across]][1]), "target", "fr"), model: data.models[across].name, list }))
    else line.push(...fill(words.blind, { target: text(), model: data.models[m].name }))
    const mark = side.marks[k]
    if (mark) line.push(" · ", MARK(words)[mark])
  } else if (from) {
    const place = Number(from.dataset.source)
    lit.set(place, 1)
    const found = now.sides.flatMap((side, m) => (side.looks ?? []).flatMap((row, k) => row.filter(([at]) => at === place).map(([, value]) => [m, k, value])))
    const best = found.filter(([, , value]) => value >= PARTNER_FROM).sort((a, b) => b[2] - a[2]).slice(0, 4)
    const list = make("span", {}, ...(best.length ? best.flatMap(([m, k, value], n) => [n ? ", " : "", bold(clean(now.sides[m].words[k][1]), "target", "fr"), ` ${two(value)}`]) : [words.nothing]))
    line.push(...fill(words.seen, { source: bold(english(place), "source", "en"), list }))
    data.models.forEach((model, m) => {
      if (now.sides[m].lost.includes(place)) line.push(" · ", ...fill(words.lost_by, { model: model.name }))
      if (now.sides[m].replaced.includes(place)) line.push(" · ", ...fill(words.replaced_by, { model: model.name }))
    })
    for (const one of root.querySelectorAll("[data-target]")) {
      const hit = found.find(([m, k]) => m === Number(one.dataset.model) && k === Number(one.dataset.target))
      one.style.setProperty("--lit", hit ? hit[2] : 0)
    }
  } else {
    line.push(words.idle)
  }
  if (!from) for (const one of root.querySelectorAll("[data-target]")) one.style.setProperty("--lit", one === word ? 1 : 0)
  for (const one of root.querySelectorAll("[data-source]")) one.style.setProperty("--lit", lit.get(Number(one.dataset.source)) ?? 0)
  for (const one of root.querySelectorAll("[data-target]")) one.setAttribute("aria-pressed", String(one === root.pinned))
  root.querySelector(".readout").replaceChildren(...line)
}

// ---- growing -------------------------------------------------------------------------------------------------------

function go(root, at) {
  const last = root.data.stages.length - 1
  root.at = Math.max(0, Math.min(last, at))
  draw(root)
  tell(root)
}

function tell(root) {
  clearTimeout(root.telling)
  if (!root.data.grown || root.playing || root.sent === root.at) return
  root.telling = setTimeout(() => {
    root.sent = root.at
    root.send("clause", { text: root.data.text, clause: root.at + 1 })
  }, TOLD_AFTER)
}

function play(root) {
  root.playing = true
  if (root.at === root.data.stages.length - 1) root.at = 0
  draw(root)
  root.clock = setInterval(() => {
    if (root.at + 1 >= root.data.stages.length - 1) pause(root, root.at + 1)
    else go(root, root.at + 1)
  }, CLAUSE)
}

function pause(root, at = root.at) {
  clearInterval(root.clock)
  root.playing = false
  go(root, at)
}

// ---- pointer and keys ----------------------------------------------------------------------------------------------

const TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *"
const CHOOSING = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]"

function pressed(root, event) {
  const node = event.composedPath()[0]
  if (!root.data || !root.isConnected || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || node.matches?.(TYPING)) return
  const word = root.contains(node) && node.closest(".pair [data-target]")
  if (word && walk(root, word, event.key)) return event.preventDefault()
  if (!root.data.grown) return
  const last = root.data.stages.length - 1
  const paging = { PageDown: 1, PageUp: -1 }[event.key]
  // A clicker goes on to the next page from the last clause, back from the first: then the key is left to the frame.
  if (paging && (root.at + paging < 0 || root.at + paging > last)) return
  if (!paging && node.closest?.(CHOOSING)) return
  if (event.key === " " && node.closest?.("button, a, summary, [role=button]")) return
  const to = { ArrowRight: root.at + 1, ArrowUp: node.matches?.(".track") ? root.at + 1 : undefined, ArrowLeft: root.at - 1,
    ArrowDown: node.matches?.(".track") ? root.at - 1 : undefined, Home: 0, End: last, PageDown: root.at + 1, PageUp: root.at - 1 }[event.key]
  if (event.key === " ") toggle(root)
  else if (to !== undefined) pause(root, to)
  else return
  event.preventDefault()
}

// Among the words of the translations the arrows walk; Enter or Space keeps a word's light on.
function walk(root, word, key) {
  if (key === "Enter" || key === " ") {
    pin(root, word)
    return true
  }
  const cells = [...root.querySelectorAll(`.pair [data-model="${word.dataset.model}"]`)]
  const place = cells.indexOf(word)
  const column = word.closest(".column")
  const next = { ArrowLeft: cells[place - 1], ArrowRight: cells[place + 1], Home: cells[0], End: cells[cells.length - 1],
    ArrowUp: column.children[0].querySelector("[data-target]"), ArrowDown: column.lastChild.querySelector("[data-target]") }
  if (!(key in next)) return false
  if (next[key]) {
    for (const one of root.querySelectorAll('.pair [tabindex="0"]')) one.tabIndex = -1
    next[key].tabIndex = 0
    next[key].focus()
  }
  return true
}

const toggle = (root) => (root.playing ? pause(root) : play(root))

function pin(root, node) {
  root.pinned = root.pinned === node ? null : node
  light(root, node)
}

function listen(root) {
  root.onpointerover = (event) => root.pinned || light(root, event.target)
  root.onpointerleave = () => light(root, root.pinned)
  root.addEventListener("focusin", (event) => event.target.matches("[data-target]") && !root.pinned && light(root, event.target))
  root.onclick = (event) => {
    const act = event.target.closest("[data-do]")?.dataset.do
    const word = event.target.closest("[data-target], [data-source]")
    if (act === "grow") {
      event.target.closest("button").disabled = true
      root.trigger("grow", root.data.text)
    } else if (act === "play") toggle(root)
    else if (act === "back") pause(root, root.at - 1)
    else if (act === "on") pause(root, root.at + 1)
    else if (word) pin(root, word)
    else if (root.pinned) {
      root.pinned = null
      light(root, null)
    }
  }
  root.oninput = (event) => event.target.matches(".track") && pause(root, Number(event.target.value) - 1)
}

export default function compare({ data, parentElement, setStateValue, setTriggerValue }) {
  let root = parentElement.querySelector(".compare")
  if (!root) {
    root = make("div", { class: "component compare", role: "group", tabindex: -1 })
    parentElement.append(root)
    listen(root)
    root.keys = (event) => pressed(root, event)
    // Before the frame, which turns pages with the keys that nobody has taken.
    document.addEventListener("keydown", root.keys, true)
    root.observer = new ResizeObserver(([entry]) => {
      if (!root.data || entry.contentRect.width === root.wide) return
      root.wide = entry.contentRect.width
      keepHeight(root)
      draw(root)
    })
    root.observer.observe(root)
  }
  root.send = setStateValue
  root.trigger = setTriggerValue
  const drawn = JSON.stringify({ ...data, clause: 0, runs: 0 })
  const begun = data.grown && root.runs !== undefined && data.runs !== root.runs
  if (data.grown || root.runs === undefined) root.runs = data.runs
  if (root.drawn !== drawn || begun) {
    clearInterval(root.clock)
    clearTimeout(root.telling)
    root.playing = false
    const same = root.data?.grown && root.data.text === data.text && !begun
    root.drawn = drawn
    root.data = data
    root.at = Math.min(same ? root.at : data.grown ? data.clause - 1 : 0, data.stages.length - 1)
    root.sent = root.at
    build(root, data)
    keepHeight(root)
    draw(root)
    if (begun) {
      root.querySelector(".track").focus({ preventScroll: true })
      play(root)
    }
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true)
    root.observer.disconnect()
    clearInterval(root.clock)
    clearTimeout(root.telling)
  }
}
