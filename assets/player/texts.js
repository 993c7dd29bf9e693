// The running texts of the heatmap's picture: a translation's words, each with its probability and its gloss, and the
// list of the n best. A reading is one translation; every word knows its reading and its place there.

// `r` is the reading's number; with `source` every word has the source word it looked at most under it.
function sentence(reading, r, source) {
  const line = make("p", { class: "sentence", lang: "fr" })
  reading.words.forEach(([gap, text], k) => line.append(gap, source ? glossed(reading, r, k, text, source) : word(reading, r, k, text)))
  return line
}

function word(reading, r, k, text) {
  const node = make("span", { class: "word target", "data-reading": r, "data-target-word": k }, text)
  node.style.setProperty("--chance", reading.chance[k])
  return node
}

const ENDLESS = 40 // letters of a word that may be broken

// Ruby text keeps line breaking and copying what they are without it.
function glossed(reading, r, k, text, source) {
  const s = reading.gloss[k]
  const said = s < 0 ? make("rt", {}, "–") : make("rt", { lang: "en" }, make("span", { class: "word source", "data-source-word": s }, source.words[s][1]))
  return make("ruby", { class: text.length > ENDLESS ? "endless" : null }, word(reading, r, k, text), said)
}

function head(name, notes) {
  return make("p", { class: "label" }, make("b", {}, name), ...notes.map((note) => make("span", {}, note)))
}

// The places of `b` that no longest common subsequence with `a` needs: the words in which b is another translation.
function changed(a, b) {
  const length = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1])
  const others = new Set()
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) { i++; j++ }
    else if (i < a.length && length[i + 1][j] >= length[i][j + 1]) i++
    else others.add(j++)
  }
  return others
}

// The n best as radio buttons, one of them chosen; `names` are its name and columns, `title(k)` says one in words.
function nbest(readings, names, title) {
  const first = readings[0].words.map(([, text]) => text)
  const rows = readings.map((reading, r) => {
    const others = changed(first, reading.words.map(([, text]) => text))
    const text = make("span", { class: "hypothesis", lang: "fr" })
    reading.words.forEach(([gap, shown], k) => {
      const node = word(reading, r, k, shown)
      node.classList.toggle("other", others.has(k))
      text.append(gap, node)
    })
    return make("div", { role: "radio", "data-rank": r, tabindex: -1, "aria-label": title(r) },
      make("span", { class: "number rank" }, String(r + 1)),
      make("span", { class: "number" }, reading.log_probability),
      make("span", { class: "number" }, reading.score),
      text)
  })
  return make("div", { class: "best" },
    make("p", { class: "columns", "aria-hidden": "true" }, make("span", {}), make("span", { class: "number" }, names.log), make("span", { class: "number" }, names.score), make("span", { class: "hint" }, names.hint)),
    make("div", { class: "rows", role: "radiogroup", "aria-label": names.label }, ...rows))
}

// Mark the chosen one; it is the group's one stop for the Tab key.
function mark(root, rank) {
  for (const row of root.querySelectorAll("[role=radio]")) {
    const on = Number(row.dataset.rank) === rank
    row.setAttribute("aria-checked", String(on))
    row.tabIndex = on ? 0 : -1
  }
}

// The place among `count` that a key leads to from `rank`; undefined for other keys.
function ranked(key, rank, count) {
  const to = { ArrowUp: rank - 1, ArrowLeft: rank - 1, ArrowDown: rank + 1, ArrowRight: rank + 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? undefined : (to + count) % count
}
