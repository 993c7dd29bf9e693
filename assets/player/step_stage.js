// The stage of the player: context, states, GRU, readout and the lines between them, as one SVG over the picture. What
// each drawing stands for is its data-part, the name that the equations use for it too.

const WIDE = 620 // pixels; on a narrower stage the candidates stand below it
const RIBBON = 34 // the width of a ribbon that carries all of alpha
const FIXED = 24 // the width of the one ribbon of a network that does not look
const ROW = 23.5 // the height of a candidate, and where the first of them is
const FIRST = 35
const SEEN = 0.004 // ribbons of less are not drawn

function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value)
  node.append(...children)
  return node
}

// Where things stand on a stage of that width, measured from its upper left corner; the height is STAGE.
const STAGE = 264
function places(width) {
  const [left, middle, right, far] = width >= WIDE ? [0.09, 0.33, 0.52, 0.6] : [0.11, 0.42, 0.82, 0.94]
  const at = (share, y) => ({ x: share * width, y })
  return {
    before: at(left, 124), context: at(middle, 64), gru: at(middle, 178), after: at(right, 178),
    readout: at(right, 64), previous: at(right, 116), fed: at(middle, 244), out: at(far, width >= WIDE ? 64 : STAGE),
  }
}

// The lines of a wiring: from, to, in which phase they carry something, and whose colour they have.
function lines(wiring) {
  const fed = wiring === "groundhog" ? "choice" : "update"
  const state = wiring === "equation4" ? "after" : "before"
  return [
    ["context", "readout", "candidates", "context"], [state, "readout", "candidates", state],
    ["previous", "readout", "candidates", "previous"], ["readout", "out", "candidates", "readout"],
    ["before", "gru", "update", "before"], ["context", "gru", "update", "context"], ["fed", "gru", "update", "fed"],
    ["gru", "after", "update", "after"], ...(wiring === "groundhog" ? [["out", "fed", fed, "fed"]] : []),
  ]
}

const R = 24
const curve = (a, b, bend) => `M${a.x} ${a.y} C ${a.x + bend[0]} ${a.y + bend[1]}, ${b.x + bend[2]} ${b.y + bend[3]}, ${b.x} ${b.y}`
const shift = (p, dx, dy) => ({ x: p.x + dx, y: p.y + dy })

// The way of each line; `wide` is whether the candidates stand beside the stage.
function way(from, to, p, wide) {
  const key = `${from}-${to}`
  const span = p.readout.x - p.before.x
  return {
    "context-readout": () => curve(shift(p.context, R, 0), shift(p.readout, -30, 0), [10, 0, -10, 0]),
    "before-readout": () => curve(shift(p.before, R, -4), shift(p.readout, -26, 17), [span * 0.4, 0, -span * 0.18, 26]),
    "after-readout": () => curve(shift(p.after, 14, -R + 4), shift(p.readout, 24, 17), [22, -50, 14, 40]),
    "previous-readout": () => curve(shift(p.previous, 0, -13), shift(p.readout, 0, 17), [0, -8, 0, 8]),
    "readout-out": () => (wide
      ? curve(shift(p.readout, 30, 0), p.out, [10, 0, -10, 0])
      : curve(shift(p.readout, 14, 17), p.out, [20, 60, 0, -80])),
    "before-gru": () => curve(shift(p.before, 8, R - 1), shift(p.gru, -27, 0), [14, 34, -50, 0]),
    "context-gru": () => curve(shift(p.context, 0, R), shift(p.gru, 0, -24), [0, 20, 0, -20]),
    "fed-gru": () => curve(shift(p.fed, 0, -13), shift(p.gru, 0, 24), [0, -8, 0, 8]),
    "gru-after": () => curve(shift(p.gru, 27, 0), shift(p.after, -R, 0), [10, 0, -10, 0]),
    "out-fed": () => (wide ? "" : curve({ x: p.out.x - 20, y: STAGE }, shift(p.fed, 62, 0), [0, -22, 30, 0])),
  }[key]()
}

// A vector in small: the shades of its blocks, six in a column.
function glyphAt(part) {
  const cells = Array.from({ length: 12 }, (_, k) =>
    draw("rect", { x: k < 6 ? 0 : 9, y: (k % 6) * 4.5, width: 8, height: 3.6, rx: 1 }))
  return draw("g", { class: "blocks", "data-part": part }, ...cells)
}

function circle(part, letter) {
  const name = draw("text", { class: "letter", x: -3, y: 6 }, letter)
  const index = draw("text", { class: "index", x: 5, y: 11 })
  return draw("g", { class: `node ${part}`, "data-part": part }, draw("circle", { r: R }), name, index)
}

function box(part, text, half) {
  return draw("g", { class: `node ${part}`, "data-part": part },
    draw("rect", { x: -half, y: part === "gru" ? -24 : -17, width: 2 * half, height: part === "gru" ? 48 : 34, rx: 9 }),
    draw("text", { class: "name", y: 5 }, text))
}

// The stage itself, for a source of so many pieces.
function makeStage(attends, wiring, sources) {
  const ways = lines(wiring).map(([from, to, phase, part]) => ({
    from, to, phase,
    base: draw("path", { class: "base" }),
    flow: draw("path", { class: `flow ${part}`, "data-part": part, pathLength: 1 }),
  }))
  const ribbons = Array.from({ length: attends ? sources : 1 }, (_, j) =>
    draw("path", { class: "ribbon", "data-part": attends ? "alpha" : "context", "data-source": attends ? j : null, pathLength: 1 }))
  const query = draw("path", { class: "query", "data-part": "before" })
  const nodes = {
    context: circle("context", "c"), before: circle("before", "s"), after: circle("after", "s"),
    gru: box("gru", "GRU", 27), readout: box("readout", "maxout", 30),
  }
  const chips = Object.fromEntries(["previous", "fed"].map((name) =>
    [name, draw("text", { class: `chip ${name}`, "data-part": name === "fed" && wiring !== "groundhog" ? "previous" : name })]))
  const blocks = { context: glyphAt("context"), before: glyphAt("before"), after: glyphAt("after") }
  const said = draw("text", { class: "said", "data-part": "before" })
  const svg = draw("svg", { class: "stage", "aria-hidden": "true" },
    ...ways.map((one) => one.base), query, ...ribbons, ...ways.map((one) => one.flow),
    ...Object.values(blocks), ...Object.values(nodes), ...Object.values(chips), said)
  return { svg, attends, ways, ribbons, query, nodes, chips, blocks, said, length: 0 }
}

// Put everything in its place: a picture of `width` by `height` pixels (at scale 1), the stage from `top` down. `xs` are
// the middles of the source pieces, `mouth` where ribbons leave them, `base` the height of the energies' line.
function placeStage(stage, { width, height, top, mouth, xs, base, scale }) {
  const { svg } = stage
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.style.height = `${height * scale}px`
  const p = Object.fromEntries(Object.entries(places(width)).map(([name, at]) => [name, shift(at, 0, top)]))
  const wide = width >= WIDE
  stage.p = p
  stage.xs = xs.map((x) => Math.max(-20, Math.min(width + 20, x)))
  Object.assign(stage, { top, mouth, wide })
  for (const { from, to, base: under, flow } of stage.ways) {
    const d = way(from, to, places(width), wide)
    for (const path of [under, flow]) {
      path.setAttribute("d", d)
      path.setAttribute("transform", `translate(0 ${top})`)
    }
  }
  for (const [name, node] of Object.entries(stage.nodes)) node.setAttribute("transform", `translate(${p[name].x} ${p[name].y})`)
  for (const [name, chip] of Object.entries(stage.chips)) {
    chip.setAttribute("x", p[name].x)
    chip.setAttribute("y", p[name].y + 5)
  }
  const beside = { context: [-48, -13], before: [-8, 30], after: wide ? [R + 6, -13] : [-8, 30] }
  for (const [name, [dx, dy]] of Object.entries(beside)) {
    stage.blocks[name].setAttribute("transform", `translate(${p[name].x + dx} ${p[name].y + dy})`)
  }
  stage.said.setAttribute("x", Math.max(4, p.before.x - R))
  stage.said.setAttribute("y", p.before.y + 74)
  stage.query.style.display = stage.attends ? "" : "none"
  stage.query.setAttribute("d", `M${p.before.x - 4} ${p.before.y - R} C ${p.before.x - 4} ${p.before.y - 80}, 3 ${top + 20}, 3 ${base} H ${Math.min(width, Math.max(...xs))}`)
  stage.length = stage.query.getTotalLength()
}

// Ribbons: as wide as alpha, side by side where they meet, so that all of them together are as wide as 1.
function placeRibbons(stage, alpha) {
  const { p, xs, top, mouth } = stage
  const whole = alpha ? RIBBON : FIXED
  let from = p.context.x - whole / 2
  const weights = alpha ?? [1]
  stage.ribbons.forEach((path, j) => {
    const width = weights[j] * whole
    const x = from + width / 2
    from += width
    path.style.display = weights[j] < SEEN ? "none" : ""
    path.style.setProperty("--width", `${Math.max(1.1, width)}px`)
    path.style.setProperty("--weight", weights[j])
    path.setAttribute("d", alpha
      ? `M${xs[j]} ${top - 4} C ${xs[j]} ${top + 34}, ${x} ${top + 6}, ${x} ${p.context.y - 16}`
      : `M${xs[j]} ${mouth} C ${xs[j]} ${mouth + 60}, ${x} ${mouth - 6}, ${x} ${p.context.y - 16}`)
  })
}

// The line from the chosen candidate, the k-th, to where the new state takes it in.
function placeChoice(stage, k) {
  const line = stage.ways.find(({ from, to }) => from === "out" && to === "fed")
  if (!line || !stage.wide) return
  const { fed, out } = stage.p
  const from = { x: out.x + 14, y: stage.top + FIRST + ROW * k }
  const d = `M${from.x} ${from.y} C ${out.x - 4} ${from.y}, ${out.x} ${fed.y}, ${out.x - 60} ${fed.y} L ${fed.x + 62} ${fed.y}`
  for (const path of [line.base, line.flow]) {
    path.setAttribute("d", d)
    path.removeAttribute("transform")
  }
}

// What is said at the nodes of a step; `indices` and `texts` by node.
function writeStage(stage, indices, texts, vectors) {
  for (const [name, index] of Object.entries(indices)) stage.nodes[name].querySelector(".index").textContent = index
  for (const [name, text] of Object.entries(texts)) (stage.chips[name] ?? stage[name]).textContent = text
  for (const [name, group] of Object.entries(stage.blocks)) {
    const shades = vectors[name]?.blocks
    group.style.display = shades ? "" : "none"
    if (shades) [...group.children].forEach((cell, k) => (cell.style.opacity = k < shades.length ? 0.1 + 0.85 * shades[k] : 0))
  }
}

// How far the step has come: `share(phase)` from 0 to 1.
function moveStage(stage, share) {
  const dash = (path, part) => (path.style.strokeDashoffset = 1 - part)
  for (const { phase, flow } of stage.ways) dash(flow, share(phase))
  const drawn = share("context")
  for (const path of stage.ribbons) if (path.style.display !== "none") dash(path, drawn)
  const reach = share("query") * stage.length
  const dashes = Math.floor(reach / 9)
  stage.query.style.strokeDasharray = dashes ? `${"5 4 ".repeat(dashes)}0 9999` : "0 9999"
  stage.nodes.context.classList.toggle("on", drawn > 0.9)
  stage.blocks.context.style.setProperty("--show", drawn)
  stage.nodes.readout.classList.toggle("on", share("candidates") > 0.05)
  const updated = share("update")
  stage.nodes.gru.classList.toggle("on", updated > 0.3)
  stage.nodes.after.classList.toggle("on", updated > 0.9)
  stage.blocks.after.style.setProperty("--show", updated)
  return updated
}
