// Sentences as bars: one bar a sentence, sorted by any of their numbers, the worst two clicks away from its picture.
// All data comes once; sorting, paging and opening run here. Every text is set as text, never as markup.

const ROWS = 20 // sentences of the list at a time
const ORDERS = ["low", "high", "file"]

const measureOf = (root) => root.data.measures[root.state.measure]
const valuesOf = (root) => measureOf(root).series[root.state.series].values

// A number as the page writes numbers: so many decimals, a real minus sign.
const number = (value, digits) => value.toFixed(digits).replace("-", "−")

// The places of the sentences that have this number, in the order chosen; equal ones in the order of the file.
function sorted(root) {
  const values = valuesOf(root)
  const places = values.flatMap((value, place) => (value == null ? [] : [place]))
  if (root.state.order === "file") return places
  const sign = root.state.order === "low" ? 1 : -1
  return places.sort((one, other) => sign * (values[one] - values[other]) || one - other)
}

// Bars start at 0 and reach to the greatest number there is, or to a fixed one.
function reach(root) {
  const present = valuesOf(root).filter((value) => value != null)
  const low = present.reduce((least, value) => Math.min(least, value), 0)
  const high = present.reduce((most, value) => Math.max(most, value), measureOf(root).full ?? 0)
  return low === high ? [0, 1] : [low, high]
}

function choices(root, label, options, chosen, choose) {
  const list = make("select", { "aria-label": label }, ...options.map((text, k) => make("option", { value: k }, text)))
  list.value = chosen
  list.onchange = () => choose(Number(list.value))
  return make("label", {}, make("span", {}, label), list)
}

function controls(root) {
  const { data, state } = root
  const { words } = data
  const series = measureOf(root).series
  return make("div", { class: "controls" },
    choices(root, words.measure, data.measures.map((measure) => measure.label), state.measure, (k) => {
      const same = Math.min(state.series, data.measures[k].series.length - 1)
      Object.assign(state, { measure: k, series: same, start: 0, open: null })
      if (state.order !== "file") state.order = data.measures[k].worst
      draw(root)
    }),
    series.length > 1
      ? choices(root, words.of, series.map((one) => one.label), state.series, (k) => {
        Object.assign(state, { series: k, start: 0, open: null })
        draw(root)
      })
      : make("span", { class: "only" }, series[0].label),
    choices(root, words.order, [words.low, words.high, words.file], ORDERS.indexOf(state.order), (k) => {
      Object.assign(state, { order: ORDERS[k], start: 0, open: null })
      draw(root)
    }),
    files(root))
}

// How the bars leave: the strip as it is sorted, as a drawing or a picture, and the numbers behind it.
function files(root) {
  const { data: { words, file } } = root
  const save = (kind, text, help, onclick) => {
    const button = make("button", { type: "button", class: `save ${kind}`, title: help }, text)
    button.onclick = onclick
    return button
  }
  const told = make("span", { class: "unseen", role: "status" })
  return make("span", { class: "files" },
    save("svg", words.svg, words.svg_help, () => saveBlob(new Blob([drawing(root)], { type: "image/svg+xml" }), `${file}.svg`)),
    save("png", words.png, words.png_help, () =>
      savePng(drawing(root), `${file}.png`).then(() => (told.textContent = words.saved), () => (told.textContent = words.failed))),
    save("csv", words.csv, words.csv_help, () => saveBlob(new Blob([table(root)], { type: "text/csv;charset=utf-8" }), `${file}-bars.csv`)),
    told)
}

// Every number of the sentences in the strip, a line each, in its order. No text of theirs: nothing a spreadsheet runs.
function table(root) {
  const { rows, measures } = root.data
  const columns = measures.flatMap((measure) => measure.key === "length" ? [] : measure.series.map((one) => [`"${measure.key}: ${one.label}"`, one.values]))
  const head = ["line", "source words", ...columns.map(([name]) => name)]
  const lines = root.places.map((place) => [rows[place].line, rows[place].words, ...columns.map(([, values]) => values[place] ?? "")])
  return [head, ...lines].map((line) => `${line.join(",")}\n`).join("")
}

// How many bars the strip has room for: few sentences get bars of a fitting width, not a whole strip.
const across = (root) => Math.max(40, root.places.length)

// The outline of all bars as one path, in units of one sentence across and of the numbers down.
function outline(root, low, high) {
  const values = valuesOf(root)
  const wide = root.places.length > 300 ? 1 : 0.82
  return root.places.map((place, k) => {
    const top = (100 * (high - Math.max(0, values[place]))) / (high - low)
    const bottom = (100 * (high - Math.min(0, values[place]))) / (high - low)
    const least = values[place] < 0 ? [top, Math.max(bottom, top + 0.6)] : [Math.min(top, bottom - 0.6), bottom]
    return `M${k} ${least[0].toFixed(2)}h${wide}V${least[1].toFixed(2)}h${-wide}z`
  }).join("")
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  return node
}

function strip(root) {
  const [low, high] = reach(root)
  const digits = measureOf(root).digits
  const zero = (100 * high) / (high - low)
  const wide = across(root)
  const picture = shape("svg", { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", "aria-hidden": "true" })
  if (root.places.length > ROWS) picture.append(shape("rect", { class: "window", x: root.state.start, y: 0, width: ROWS, height: 100 }))
  const opened = root.places.indexOf(root.state.open)
  if (opened >= 0) picture.append(shape("rect", { class: "opened", x: opened, y: 0, width: Math.max(0.82, wide / 600), height: 100 }))
  picture.append(
    shape("path", { class: "all", d: outline(root, low, high) }),
    shape("line", { class: "zero", x1: 0, x2: wide, y1: zero, y2: zero, "vector-effect": "non-scaling-stroke" }))
  const at = (event) => {
    const box = picture.getBoundingClientRect()
    return Math.max(0, Math.min(root.places.length - 1, Math.floor(((event.clientX - box.left) / box.width) * across(root))))
  }
  picture.onpointermove = (event) => root.places.length && say(root, root.places[at(event)])
  picture.onpointerleave = () => say(root, null)
  picture.onclick = (event) => {
    if (!root.places.length) return
    const k = at(event)
    Object.assign(root.state, { start: Math.min(k, last(root)), open: root.places[k] })
    draw(root)
    focus(root, k)
  }
  return make("div", { class: `strip${measureOf(root).attention ? " attention" : ""}` },
    make("div", { class: "axis", "aria-hidden": "true" },
      make("span", {}, number(high, digits)),
      low < 0 && high > 0 ? make("span", { style: `top: ${zero}%` }, "0") : null,
      make("span", { style: "top: 100%" }, number(low, digits))),
    picture)
}

// One line about a sentence: its number, its length, its value, how it begins.
function say(root, place) {
  const { words, rows } = root.data
  const line = root.querySelector(".readout")
  if (place == null) {
    line.replaceChildren(rows[0]?.source == null ? words.hint_numbers : words.hint)
    return
  }
  const row = rows[place]
  line.replaceChildren(
    make("b", {}, ...fill(words.row, { line: String(row.line), words: String(row.words) })),
    ` ${number(valuesOf(root)[place], measureOf(root).digits)} `, make("span", { lang: "en" }, row.source ?? ""))
}

const last = (root) => Math.max(0, root.places.length - ROWS)

function list(root) {
  const [low, high] = reach(root)
  const shown = root.places.slice(root.state.start, root.state.start + ROWS)
  return make("ol", { class: "list", start: root.state.start + 1, "aria-label": root.data.words.list },
    ...shown.map((place) => item(root, place, low, high)))
}

function item(root, place, low, high) {
  const { rows, words } = root.data
  const row = rows[place]
  const value = valuesOf(root)[place]
  const open = root.state.open === place
  const from = (100 * (Math.min(0, value) - low)) / (high - low)
  const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("i", { style: `left: ${from}%; width: ${Math.max(0.5, (100 * Math.abs(value)) / (high - low))}%` }))
  const button = make("button", { type: "button", class: "row", "aria-expanded": String(open), "data-place": place },
    make("span", { class: "number" }, String(row.line)),
    meter,
    make("span", { class: "value" }, number(value, measureOf(root).digits)),
    row.source == null
      ? make("span", { class: "text" }, ...fill(words.length, { words: String(row.words) }))
      : make("span", { class: "text", lang: "en" }, row.source))
  button.onclick = () => {
    root.state.open = open ? null : place
    draw(root)
    focus(root, root.places.indexOf(place))
  }
  return make("li", { class: open ? "open" : null }, button, open ? details(root, place) : null)
}

function details(root, place) {
  const { data } = root
  const { words } = data
  const row = data.rows[place]
  const text = (name, kind, language, content) =>
    make("div", { class: kind }, make("dt", {}, name), make("dd", { lang: language }, content))
  const texts = row.source == null
    ? null
    : make("dl", {},
      text(words.source, "source", "en", row.source),
      row.reference == null ? null : text(words.reference, "reference", "fr", row.reference),
      ...data.models.map((model, k) => {
        const output = row.outputs[k]
        return text(model.shown, "target", output.problem ? data.language : "fr", output.problem ?? (output.text || words.nothing))
      }))
  return make("div", { class: "details" }, texts, numbers(root, place), row.source == null ? null : links(root, place))
}

// Every number of one sentence: those of single models in a table, a line a measure and a column a model; before it
// those of pairs of models, and of the sentence itself. A model that has no such number has a dash in its column.
function numbers(root, place) {
  const { measures, models } = root.data
  const names = models.map((model) => model.shown)
  const told = (measure, one) => one?.values[place] == null ? "–" : number(one.values[place], measure.digits)
  const isOwn = (measure) => measure.series.some((one) => names.includes(one.label))
  const single = measures.filter((measure) => !isOwn(measure)).flatMap((measure) => measure.series.map((one) =>
    make("span", {}, measure.key === "length" ? `${measure.label} ` : `${measure.label}, ${one.label} `, make("b", {}, told(measure, one)))))
  const lines = measures.filter(isOwn).map((measure) => make("tr", {}, make("th", { scope: "row" }, measure.label),
    ...names.map((name) => make("td", {}, told(measure, measure.series.find((one) => one.label === name))))))
  return make("div", { class: "numbers" },
    make("p", { class: "single" }, ...single),
    make("table", {},
      make("thead", {}, make("tr", {}, make("td", {}), ...names.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...lines)))
}

function links(root, place) {
  const { data } = root
  const { words } = data
  const anchor = (page, model, beside, text) => {
    const query = new URLSearchParams({ sentence: data.rows[place].source, model, ...(beside ? { beside } : {}), ...data.carried })
    const link = make("a", { href: `${page}?${query}`, "data-page": page }, text)
    link.onclick = (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault() // within the app, so that nothing of the session is lost
      root.trigger("open", { page, place, model, beside: beside ?? null })
    }
    return link
  }
  const [one, other] = data.models
  const open = data.pages.flatMap((page) =>
    page.each
      ? data.models.map((model) => anchor(page.url, model.name, null, `${page.title}: ${model.shown}`))
      : page.url === "compare" && !other ? [] : [anchor(page.url, one.name, other?.name, page.title)])
  return make("p", { class: "links" }, make("span", {}, words.open), ...open)
}

function pager(root) {
  const { words } = root.data
  const { start } = root.state
  const total = root.places.length
  const step = (by, text, off) => {
    const button = make("button", { type: "button", class: "step" }, text)
    button.disabled = off
    button.onclick = () => turn(root, start + by)
    return button
  }
  const none = root.data.rows.length - total
  return make("div", { class: "pager" },
    step(-ROWS, words.before, start === 0),
    make("span", { "aria-live": "polite" }, ...fill(words.span, { first: String(total ? start + 1 : 0), last: String(Math.min(total, start + ROWS)), total: String(total) })),
    step(ROWS, words.after, start >= last(root)),
    none ? make("span", {}, ...fill(words.without, { count: String(none) })) : null)
}

function turn(root, start) {
  root.state.start = Math.max(0, Math.min(start, last(root)))
  root.state.open = null
  draw(root)
}

// Give the keyboard to the sentence at a place of the order.
function focus(root, k) {
  const place = root.places[k]
  if (k < root.state.start || k >= root.state.start + ROWS) {
    root.state.start = Math.max(0, Math.min(k < root.state.start ? k : k - ROWS + 1, last(root)))
    draw(root)
  }
  root.querySelector(`.row[data-place="${place}"]`)?.focus({ preventScroll: false })
}

function draw(root) {
  const { data, state } = root
  const { words } = data
  state.measure = Math.min(state.measure, data.measures.length - 1)
  state.series = Math.min(state.series, measureOf(root).series.length - 1)
  root.places = sorted(root)
  state.start = Math.min(state.start, last(root))
  root.lang = data.language
  const kept = root.querySelector(":focus")?.closest("label, button")?.className
  root.replaceChildren(
    controls(root),
    make("p", { class: "about" }, measureOf(root).about),
    strip(root),
    make("p", { class: "readout" }),
    list(root),
    pager(root),
    make("p", { class: "unseen" }, data.description))
  say(root, null)
  if (kept === "step") root.querySelector(".step:not(:disabled)")?.focus()
}

// The strip as an SVG of its own: on white, sorted as it is on the screen, with what it shows and its numbers' ends.
function drawing(root) {
  const [low, high] = reach(root)
  const { digits, label } = measureOf(root)
  const picture = shape("svg", { xmlns: SVG, width: 900, height: 280, viewBox: "0 0 900 280", role: "img", "font-family": "Source Sans 3, Source Sans Pro, Arial, Liberation Sans, Noto Sans CJK KR, sans-serif", "font-size": 14, fill: "#1d2433" })
  const text = (content, attributes) => {
    const node = shape("text", attributes)
    node.textContent = content
    return node
  }
  const title = shape("title", {})
  const series = measureOf(root).series[root.state.series].label
  title.textContent = `${label}, ${series}`
  const bars = shape("svg", { x: 64, y: 20, width: 820, height: 210, viewBox: `0 0 ${across(root)} 100`, preserveAspectRatio: "none" })
  bars.append(shape("path", { d: outline(root, low, high), fill: measureOf(root).attention ? "#6d4bc3" : "#6b7385" }))
  const zero = 20 + (210 * high) / (high - low)
  picture.append(title, shape("rect", { width: 900, height: 280, fill: "#ffffff" }), bars,
    shape("line", { x1: 64, x2: 884, y1: zero, y2: zero, stroke: "#1d2433", "stroke-width": 1 }),
    text(number(high, digits), { x: 56, y: 25, "text-anchor": "end" }),
    text(number(low, digits), { x: 56, y: 234, "text-anchor": "end" }),
    text(`${label}, ${series} (${root.data.title}, n = ${root.places.length})`, { x: 64, y: 260 }))
  if (low < 0 && high > 0) picture.append(text("0", { x: 56, y: zero + 5, "text-anchor": "end" }))
  return new XMLSerializer().serializeToString(picture)
}

function listen(root) {
  root.addEventListener("keydown", (event) => {
    const row = event.target.closest(".row")
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return
    const k = root.places.indexOf(Number(row.dataset.place))
    const next = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: root.places.length - 1 }[event.key]
    if (next == null) return
    event.preventDefault()
    if (next >= 0 && next < root.places.length) focus(root, next)
  })
}

export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".bars")
  if (!root) {
    root = make("div", { class: "component bars" })
    parentElement.append(root)
    listen(root)
  }
  root.trigger = setTriggerValue
  const drawn = JSON.stringify(data)
  if (root.drawn === drawn) return
  if (root.data?.title !== data.title) {
    root.state = { measure: data.first, series: 0, order: data.measures[data.first].worst, start: 0, open: null }
  }
  root.drawn = drawn
  root.data = data
  draw(root)
}
