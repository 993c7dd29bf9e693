// The picture of one translation: two sentences, ribbons between the words, and the heatmap of α.
// All data comes once; every text is set as text, never as markup. Positions are indices: repeated words stay apart.

const RIBBON_FROM = 0.04 // thinner ribbons than this are not drawn
const NUMBER_FROM = 0.3 // a cell shows its number at rest from here up
const PARTNER_FROM = 0.05 // a word is named as a partner from here up

function sentence(spaced, kind) {
  const line = make("p", { class: "sentence", lang: "fr" })
  spaced.forEach(([gap, text], k) => line.append(gap, make("span", { class: `word ${kind}`, [`data-${kind}-word`]: k }, text)))
  return line
}

function head(name, notes) {
  return make("p", { class: "label" }, make("b", {}, name), ...notes.map((note) => make("span", {}, note)))
}

function lane(labels, kind, language) {
  const item = (label, k) =>
    make("li", { class: classes(label), [`data-${kind}`]: k }, make("span", { class: `word ${kind}` }, label.text))
  return make("ol", { class: `lane ${kind}`, lang: language }, ...labels.map(item))
}

const classes = (label) => [label.word < 0 && "end", label.joined && "joined", label.bound && "bound"].filter(Boolean).join(" ")

function table(data) {
  const { words } = data
  const corner = make("td", { class: "corner", "aria-hidden": "true" })
  const columns = data.source.labels.map((label, s) =>
    make("th", { scope: "col", class: classes(label), "data-source": s, tabindex: -1, lang: label.word < 0 ? null : "en" },
      make("span", { class: "word source" }, label.text)))
  const rows = data.target.labels.map((label, t) => {
    const header = make("th", { scope: "row", class: classes(label), "data-target": t, tabindex: -1, lang: label.word < 0 ? null : "fr" },
      make("span", { class: "word target" }, label.text))
    const cells = data.alpha[t].map((value, s) => {
      const shade = data.shade[t][s]
      const deep = data.scale === "grey" ? value < 0.45 : shade >= 0.75
      const kinds = [classes(data.source.labels[s]), deep ? "deep" : null, value >= NUMBER_FROM ? "big" : value >= 0.005 ? "some" : null]
      const cell = make("td", { class: kinds.filter(Boolean).join(" "), "data-target": t, "data-source": s, tabindex: -1 },
        value >= 0.005 ? short(value) : "")
      cell.style.setProperty("--shade", shade)
      return cell
    })
    return make("tr", { class: classes(label) }, header, ...cells)
  })
  return make("table", { role: "grid", "aria-label": words.label, "aria-describedby": "description", class: data.scale },
    make("thead", {}, make("tr", {}, corner, ...columns)), make("tbody", {}, ...rows))
}

// The scale as a bar from 0 to 1, coloured by the same rule as the cells.
function bar(scale) {
  const stops = Array.from({ length: 21 }, (_, k) => {
    const shade = scale === "root" ? Math.sqrt(k / 20) : k / 20
    const colour = scale === "grey"
      ? `rgb(${255 * shade} ${255 * shade} ${255 * shade})`
      : `color-mix(in srgb, var(--att) ${4 + 96 * shade}%, var(--page))`
    return `${colour} ${5 * k}%`
  })
  const node = make("span", { class: "bar", "aria-hidden": "true" })
  node.style.background = `linear-gradient(to right, ${stops.join(", ")})`
  return node
}

function legend(data) {
  const { words } = data
  return make("div", { class: "legend" },
    make("span", { class: "scale" }, data.scale === "root" ? words.scale_root : words.scale, make("i", {}, "0"), bar(data.scale), make("i", {}, "1")),
    make("span", {}, data.unit === "pieces" ? words.legend_pieces : words.legend),
    data.cut ? make("span", { class: "cut" }, ...fill(words.cut, { limit: String(data.cut) })) : null,
    make("span", { class: "made" }, data.made))
}

function build(root, data) {
  const { words } = data
  const cell = Math.max(24, Math.min(40, Math.round(620 / data.source.labels.length)))
  const longest = Math.max(...data.source.labels.map((label) => label.text.length))
  root.style.setProperty("--cell", `${cell}px`)
  root.style.setProperty("--row", `${data.target.labels.length > 24 ? 25 : 29}px`)
  root.style.setProperty("--head", `${Math.min(24 + longest * 5.4, 150)}px`)
  root.lang = data.language
  const plain = data.plain
    ? make("section", { class: "plain" }, head(data.plain.name, data.plain.notes), sentence(data.plain.words, "plain"))
    : make("section", { class: "plain" }, make("p", { class: "label" }, words.plain_missing))
  root.replaceChildren(
    make("div", { class: "texts" },
      make("section", { class: "attended" }, head(data.attended.name, data.attended.notes), sentence(data.target.words, "target")),
      plain),
    make("p", { class: "readout", "aria-live": "polite" }),
    make("div", { class: "map" },
      lane(data.source.labels, "source", "en"),
      lane(data.target.labels, "target", "fr"),
      make("div", { class: "heat" }, table(data)),
      document.createElementNS(SVG, "svg")),
    legend(data),
    make("p", { class: "unseen", id: "description" }, data.description))
  const ribbons = root.querySelector("svg")
  ribbons.setAttribute("aria-hidden", "true")
  data.alpha.forEach((row, t) => row.forEach((value, s) => {
    if (value < RIBBON_FROM) return
    const path = document.createElementNS(SVG, "path")
    path.dataset.target = t
    path.dataset.source = s
    path.style.setProperty("--alpha", value)
    ribbons.append(path)
  }))
}

// Ribbons run from the right edge of a source word to the left edge of a target word, wherever the layout put them.
function place(root) {
  const map = root.querySelector(".map")
  const frame = map.getBoundingClientRect()
  const shown = root.querySelector(".lane.target").getClientRects().length > 0
  const side = (selector) => [...map.querySelectorAll(selector)].map((node) => node.getBoundingClientRect())
  const from = side(".lane.source .word").map((box) => [box.right + 8 - frame.left, (box.top + box.bottom) / 2 - frame.top])
  const to = side(shown ? ".lane.target .word" : "tbody th .word").map((box) => [box.left - 8 - frame.left, (box.top + box.bottom) / 2 - frame.top])
  for (const path of map.querySelectorAll("path")) {
    const [x1, y1] = from[path.dataset.source]
    const [x2, y2] = to[path.dataset.target]
    const middle = (Math.max(...from.map(([x]) => x)) + Math.min(...to.map(([x]) => x))) / 2
    path.setAttribute("d", `M${x1} ${y1} C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`)
  }
}

// Light what belongs to the target positions `ts` and source positions `ss`; both empty puts all lights out.
function light(root, data, ts, ss) {
  const within = (set, k) => set.includes(k)
  const strength = {
    target: data.alpha.map((row, t) => (ts.length ? Number(within(ts, t)) : ss.length ? Math.max(...ss.map((s) => row[s])) : 0)),
    source: data.source.labels.map((_, s) => (ss.length ? Number(within(ss, s)) : ts.length ? Math.max(...ts.map((t) => data.alpha[t][s])) : 0)),
  }
  for (const kind of ["target", "source"]) {
    const chosen = kind === "target" ? ts : ss
    const set = (node, k) => {
      node.style.setProperty("--lit", strength[kind][k])
      node.classList.toggle("chosen", within(chosen, k))
    }
    root.querySelectorAll(`th[data-${kind}], li[data-${kind}]`).forEach((node) => set(node, Number(node.dataset[kind])))
  }
  // A word of the running text shines as its brightest piece.
  root.querySelectorAll("[data-target-word]").forEach((node) => {
    const own = strength.target.filter((_, t) => data.target.labels[t].word === Number(node.dataset.targetWord))
    node.style.setProperty("--lit", Math.max(0, ...own))
  })
  for (const node of root.querySelectorAll("td[data-target], path")) {
    const t = within(ts, Number(node.dataset.target))
    const s = within(ss, Number(node.dataset.source))
    node.classList.toggle("on", ts.length && ss.length ? t && s : t || s)
  }
  root.classList.toggle("lit", ts.length + ss.length > 0)
  read(root, data, ts, ss)
}

function read(root, data, ts, ss) {
  const { words } = data
  const names = (kind, set) => make("b", { class: kind }, set.map((k) => data[kind].labels[k].text).join(""))
  const partners = (kind, values) => {
    const strongest = values.map((value, k) => [value, k]).filter(([value]) => value >= PARTNER_FROM).sort((a, b) => b[0] - a[0]).slice(0, 3)
    if (!strongest.length) return [fill(words.nobody, { value: two(PARTNER_FROM) }).join("")]
    return strongest.flatMap(([value, k], n) => [n ? ", " : "", names(kind, [k]), ` ${two(value)}`])
  }
  const line = []
  if (ts.length && ss.length) {
    line.push(...fill(words.cell, { target: names("target", ts), source: names("source", ss), value: two(data.alpha[ts[0]][ss[0]]) }))
  } else if (ts.length) {
    // Several pieces of one word: what the word looked at is their mean (the word view of α).
    const row = data.source.labels.map((_, s) => ts.reduce((sum, t) => sum + data.alpha[t][s], 0) / ts.length)
    const chance = Math.exp(ts.reduce((sum, t) => sum + data.log[t], 0))
    line.push(...fill(words.row, { target: names("target", ts), list: make("span", {}, ...partners("source", row)) }))
    line.push(" · ", ...fill(words.chance, { target: names("target", ts), value: two(chance) }))
  } else if (ss.length) {
    const column = data.alpha.map((row) => ss.reduce((sum, s) => sum + row[s], 0))
    line.push(...fill(words.column, { source: names("source", ss), list: make("span", {}, ...partners("target", column)) }))
  } else {
    line.push(words.idle)
  }
  root.querySelector(".readout").replaceChildren(...line)
}

// The positions a node stands for: a cell has both, a word one; a word of the running text has all its pieces.
function positions(node, data) {
  const of = (kind) => {
    if (node.dataset[kind] != null) return [Number(node.dataset[kind])]
    const word = node.dataset[`${kind}Word`]
    return word == null ? [] : data[kind].labels.flatMap((label, k) => (label.word === Number(word) ? [k] : []))
  }
  return [of("target"), of("source")]
}

const POINTED = "[data-target], [data-source], [data-target-word]"

function listen(root) {
  const show = (node) => light(root, root.data, ...(node ? positions(node, root.data) : [[], []]))
  root.onpointerover = (event) => show(event.target.closest(POINTED))
  root.onpointerleave = () => show(root.querySelector("table :focus-visible"))
  root.addEventListener("focusin", (event) => show(event.target.closest(POINTED)))
  root.addEventListener("focusout", () => show(null))
  root.onkeydown = (event) => {
    const cell = event.target.closest("th, td[data-target]")
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return
    const row = cell.parentNode
    const next = {
      ArrowLeft: () => cell.previousElementSibling,
      ArrowRight: () => cell.nextElementSibling,
      ArrowUp: () => (row.previousElementSibling ?? (row.parentNode.tagName === "TBODY" ? root.querySelector("thead tr") : null))?.children[cell.cellIndex],
      ArrowDown: () => (row.parentNode.tagName === "THEAD" ? root.querySelector("tbody tr") : row.nextElementSibling)?.children[cell.cellIndex],
      Home: () => row.querySelector("[data-target], [data-source]"),
      End: () => row.lastElementChild,
    }[event.key]
    if (!next) return
    event.preventDefault()
    const node = next()
    if (node && !node.classList.contains("corner")) stop(root, node).focus()
  }
}

// One stop for the Tab key: the cell the arrows came to last.
function stop(root, node) {
  root.querySelectorAll('table [tabindex="0"]').forEach((other) => (other.tabIndex = -1))
  node.tabIndex = 0
  return node
}

// The box is ready when the page opens (it may be drawn after the picture): focused, its text selected. Not on a touch
// screen, whose keyboard would cover the picture, and never taking the keyboard from something else.
function ready(key, attempts = 100) {
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return
  const box = document.querySelector(`.st-key-${key} input`)
  if (box) {
    box.focus({ preventScroll: true })
    box.select()
  } else if (attempts > 0) {
    setTimeout(ready, 50, key, attempts - 1)
  }
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".picture")
  if (!root) {
    root = make("div", { class: "component picture" })
    parentElement.append(root)
    listen(root)
    root.observer = new ResizeObserver(() => place(root))
    root.observer.observe(root)
    document.fonts.ready.then(() => root.data && place(root))
    ready(data.focus)
  }
  const drawn = JSON.stringify(data)
  if (root.drawn !== drawn) {
    root.drawn = drawn
    root.data = data
    build(root, data)
    stop(root, root.querySelector("tbody th"))
    place(root)
    light(root, data, [], [])
  }
  return () => root.observer.disconnect()
}
