// The length curves of the models, small, and on each the dot of a sentence of so many words.

const WIDE = 330
const HIGH = 190
const EDGE = { left: 30, right: 10, top: 10, bottom: 34 }
const FARTHEST = 70 // words

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value)
  node.append(...children)
  return node
}

const across = (words) => EDGE.left + (Math.min(words, FARTHEST) / FARTHEST) * (WIDE - EDGE.left - EDGE.right)
const upward = (bleu, top) => HIGH - EDGE.bottom - (bleu / top) * (HIGH - EDGE.top - EDGE.bottom)

// The height of a line at so many words: straight between its points, level beyond them.
function heightAt(line, words) {
  const after = line.findIndex((point) => point.words >= words)
  if (after < 0) return line[line.length - 1].bleu
  if (after === 0) return line[0].bleu
  const [a, b] = [line[after - 1], line[after]]
  return a.bleu + ((words - a.words) / (b.words - a.words)) * (b.bleu - a.bleu)
}

// The point whose bin a length falls into.
const binOf = (line, words) => line.find((point) => words >= point.first && (point.last == null || words <= point.last))

function mark(model, x, y, size, names) {
  const shape = model.dashed
    ? svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, class: names })
    : svg("circle", { cx: x, cy: y, r: size * 1.15, class: names })
  shape.classList.toggle("hollow", model.hollow)
  shape.classList.toggle("dashed", model.dashed)
  return shape
}

function curves(set, models, words) {
  const top = Math.max(10, 5 * Math.ceil(Math.max(...set.lines.flatMap((line) => (line ?? []).map((point) => point.bleu))) / 5))
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", class: "curve" })
  for (let value = 0; value <= top; value += top > 30 ? 20 : top > 15 ? 10 : 5) {
    const y = upward(value, top)
    picture.append(svg("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: y, y2: y, class: "rule" }),
      svg("text", { x: EDGE.left - 6, y: y + 4, class: "tick", "text-anchor": "end" }, String(value)))
  }
  for (let value = 10; value <= 60; value += 10)
    picture.append(svg("text", { x: across(value), y: HIGH - EDGE.bottom + 15, class: "tick", "text-anchor": "middle" }, String(value)))
  picture.append(svg("text", { x: WIDE - EDGE.right, y: HIGH - 4, class: "tick", "text-anchor": "end" }, words.across),
    svg("text", { x: 0, y: HIGH - 4, class: "tick" }, words.upward))
  picture.append(svg("line", { x1: 0, x2: 0, y1: EDGE.top, y2: HIGH - EDGE.bottom, class: "here" }))
  set.lines.forEach((line, m) => {
    if (!line) return
    const path = line.map((point) => `${across(point.words).toFixed(1)} ${upward(point.bleu, top).toFixed(1)}`).join(" L")
    const names = ["line", models[m].dashed && "dashed"].filter(Boolean).join(" ")
    picture.append(svg("path", { d: `M${path}`, class: names }))
    for (const point of line) picture.append(mark(models[m], across(point.words), upward(point.bleu, top), 2.6, "point"))
  })
  set.lines.forEach((line, m) => line && picture.append(svg("g", { class: "dot", "data-model": m }, mark(models[m], 0, 0, 5.2, "point"))))
  picture.top = top
  return picture
}

// The figure of all test sets; `move(figure, count)` brings the dots to so many words.
function lengthCurve(data, models) {
  const { sets, words } = data
  const figure = make("figure", { class: "lengths" })
  const missing = models.filter((_, m) => sets.every((set) => !set.lines[m])).map((model) => model.name)
  const notice = missing.length ? make("p", { class: "missing" }, ...fill(words.missing, { models: missing.join(", ") })) : null
  if (!sets.length) {
    figure.append(make("figcaption", {}, notice))
    return figure
  }
  const choose = make("select", { "aria-label": words.set }, ...sets.map((set, k) => make("option", { value: k }, set.name)))
  const place = make("div", {})
  figure.append(make("p", { class: "heading" }, make("span", {}, words.title), choose), place,
    make("figcaption", {}, make("p", { class: "reading" }), make("p", { class: "hint" }, words.hint), notice))
  figure.sets = sets
  figure.models = models
  figure.words = words
  figure.place = place
  figure.set = 0
  choose.onchange = () => {
    figure.set = Number(choose.value)
    redraw(figure)
  }
  redraw(figure)
  return figure
}

function redraw(figure) {
  figure.place.replaceChildren(curves(figure.sets[figure.set], figure.models, figure.words))
  if (figure.count) move(figure, figure.count)
}

function move(figure, count) {
  if (!figure.sets) return
  figure.count = count
  const set = figure.sets[figure.set]
  const picture = figure.place.firstChild
  const x = across(count)
  picture.querySelector(".here").style.transform = `translateX(${x}px)`
  for (const dot of picture.querySelectorAll(".dot")) {
    const y = upward(heightAt(set.lines[dot.dataset.model], count), picture.top)
    dot.style.transform = `translate(${x}px, ${y}px)`
  }
  // All models were measured on the same sentences, so that their bins are the same.
  const scores = set.lines.flatMap((line, m) => {
    const bin = line && binOf(line, count)
    return bin ? [{ bin, text: fill(figure.words.score, { model: figure.models[m].name, bleu: bin.bleu.toFixed(1) }).join("") }] : []
  })
  const span = ({ first, last }) => (last == null ? `${first}+` : `${first}–${last}`)
  const said = scores.length
    ? fill(figure.words.at, { count: String(count), span: span(scores[0].bin), sentences: scores[0].bin.sentences.toLocaleString("en"), list: scores.map(({ text }) => text).join(", ") })
    : fill(figure.words.none, { count: String(count) })
  figure.querySelector(".reading").textContent = said.join("")
}
