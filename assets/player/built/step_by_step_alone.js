// shared/terms.js
var MARK = /\u2061([\w-]+)\u2063([^\u2061-\u2064]*)\u2064/;
var plain = (text) => text.includes("⁡") ? text.replaceAll(new RegExp(MARK, "g"), "$2") : text;
var parts = (text) => text.split(MARK);

// shared/dom.js
function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, plain(String(value)));
  for (const child of children) if (child != null && child !== false) node.append(child);
  return node;
}
var term = (name, text) => dressed(document.createElement("span"), { role: "button", tabindex: 0, class: "term", "data-term": name }, [text]);
function termed(child) {
  if (typeof child !== "string" || !child.includes("⁡")) return [child];
  const found = parts(child);
  return found.flatMap((part, k) => k % 3 === 1 ? [] : [k % 3 === 2 ? term(found[k - 1], part) : part]);
}
var make = (tag, attributes = {}, ...children) => dressed(document.createElement(tag), attributes, children.flatMap(termed));
var held = /* @__PURE__ */ new WeakMap();
function worded(node, text) {
  if (held.get(node) === text) return;
  held.set(node, text);
  node.replaceChildren(.../** @type {(Node | string)[]} */
  termed(text));
}
function gapNodes(gap) {
  const copied = gap.trim();
  if (!copied) return [gap];
  const at = gap.indexOf(copied);
  return [gap.slice(0, at), term("copied", copied), gap.slice(at + copied.length)];
}
var SVG = "http://www.w3.org/2000/svg";
var draw = (tag, attributes = {}, ...children) => dressed(document.createElementNS(SVG, tag), attributes, children.map((child) => typeof child === "string" ? plain(child) : child));
function find(root, selector) {
  const node = root.querySelector(selector);
  if (!node) throw new Error(`no ${selector}`);
  return (
    /** @type {HTMLElement} */
    node
  );
}
var findAll = (root, selector) => (
  /** @type {HTMLElement[]} */
  [...root.querySelectorAll(selector)]
);
var nearest = (node, selector) => node instanceof Element ? (
  /** @type {HTMLElement | null} */
  node.closest(selector)
) : null;
function readAloud(root, text, language = root.lang) {
  const line = root.parentNode?.querySelector(".announced");
  if (!(line instanceof HTMLElement)) return root.after(make("p", { class: "unseen announced", role: "status", lang: language }, text));
  if (line.textContent === text) return;
  line.lang = language;
  line.textContent = text;
}
function rooted(parent, name, attributes, begin2 = () => {
}) {
  const found = parent.querySelector(`.${name}`);
  if (found) return (
    /** @type {Root} */
    found
  );
  const root = (
    /** @type {Root} */
    /** @type {unknown} */
    make("div", { class: `component ${name}`, ...attributes })
  );
  parent.append(root);
  begin2(root);
  return root;
}

// shared/keys.js
var TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *";
var CHOOSING = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]";
var PRESSED = "button, a, summary, [role=button]";
var paged = (key) => key === "PageDown" ? 1 : key === "PageUp" ? -1 : void 0;
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;
var letter = ({ key, code }) => (/^[\u3131-\u3163]$/.test(key) && code.startsWith("Key") ? code.slice(3) : key).toLowerCase();

// shared/glossary.js
var REST = 180;
var LEAVE = 250;
var EDGE = 8;
function placeBeside(term2, box2, screen, column = { right: Infinity }) {
  const below = term2.bottom + EDGE;
  const fits = below + box2.height + EDGE <= screen.height || term2.top < screen.height - term2.bottom;
  const top = fits ? below : term2.top - EDGE - box2.height;
  return {
    left: Math.max(EDGE, Math.min(term2.left, screen.width - box2.width - EDGE, column.right - box2.width)),
    top: Math.max(EDGE, Math.min(top, screen.height - box2.height - EDGE))
  };
}
function termAt(event) {
  const [node] = event.composedPath();
  const found = node instanceof Element ? node.closest("[data-term]") : null;
  return found instanceof HTMLElement ? found : null;
}
function open(root, term2) {
  const entry = root.entries.get(term2.dataset.term ?? "");
  if (!entry || !term2.isConnected) return;
  if (root.term !== term2) close(root);
  const [name, meaning] = entry;
  root.term = term2;
  root.box.replaceChildren(make("b", {}, name), make("p", {}, meaning));
  const column = term2.closest("[data-within]")?.getBoundingClientRect();
  root.box.style.maxWidth = column ? `${column.width}px` : "";
  root.box.showPopover();
  const { left, top } = placeBeside(term2.getBoundingClientRect(), root.box.getBoundingClientRect(), { width: innerWidth, height: innerHeight }, column);
  root.box.style.left = `${left}px`;
  root.box.style.top = `${top}px`;
  term2.setAttribute("aria-expanded", "true");
}
function close(root) {
  clearTimeout(root.waits);
  root.term?.setAttribute("aria-expanded", "false");
  root.term = null;
  root.kept = false;
  root.spoken.textContent = "";
  if (root.box.matches(":popover-open")) root.box.hidePopover();
}
function pointed(root, event) {
  if (event.pointerType === "touch") return;
  const over = event.composedPath().includes(root.box) ? root.box : termAt(event);
  if (over === root.over) return;
  root.over = over;
  clearTimeout(root.waits);
  if (root.kept || over === root.box || over && over === root.term) return;
  if (over) root.waits = setTimeout(() => open(root, over), REST);
  else if (root.term) root.waits = setTimeout(() => close(root), LEAVE);
}
function toggle(root, term2) {
  if (root.kept && root.term === term2) return close(root);
  open(root, term2);
  if (!root.term) return;
  root.kept = true;
  root.spoken.textContent = root.box.textContent;
}
function clicked(root, event) {
  const term2 = termAt(event);
  if (!term2) {
    if (root.term && !event.composedPath().includes(root.box)) close(root);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  toggle(root, term2);
}
function pressed(root, event) {
  if (modified(event) || event.key === "Shift") return;
  const term2 = ["Enter", " "].includes(event.key) ? termAt(event) : null;
  if (!term2 && !root.term) return;
  if (!term2 && event.key !== "Escape") return close(root);
  event.preventDefault();
  event.stopPropagation();
  if (term2) toggle(root, term2);
  else close(root);
}
function build(root) {
  root.entries = /* @__PURE__ */ new Map();
  root.term = null;
  root.over = null;
  root.kept = false;
  root.box = make("div", { class: "explanation", popover: "manual" });
  root.spoken = make("p", { class: "unseen", "aria-live": "polite" });
  root.append(root.box, root.spoken);
  root.ends = new AbortController();
  const first = { signal: root.ends.signal, capture: true };
  for (
    const moves of
    /** @type {const} */
    ["pointerover", "pointermove"]
  ) addEventListener(moves, (event) => pointed(root, event), first);
  addEventListener("click", (event) => clicked(root, event), first);
  addEventListener("keydown", (event) => pressed(root, event), first);
  addEventListener("focusin", (event) => root.term && termAt(event) !== root.term && close(root), first);
  addEventListener("scroll", (event) => root.term && !event.composedPath().includes(root.box) && close(root), first);
  addEventListener("resize", () => root.term && close(root), first);
}
function glossary({ data: [data], parentElement }) {
  const root = rooted(parentElement, "glossary", {}, build);
  root.lang = data.language;
  root.entries = new Map(data.entries.map(([key, name, meaning]) => [key, [name, meaning]]));
  return () => root.ends.abort();
}

// shared/alone.js
var read = (id) => JSON.parse(find(document, id).textContent ?? "");
function standAlone(component) {
  const alone = { setStateValue() {
  }, setTriggerValue() {
  } };
  component({ ...alone, data: [read("#data")], parentElement: find(document, "#player") });
  glossary({ ...alone, data: [read("#terms")], parentElement: find(document, "#glossary") });
}

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var greatest = (numbers2, least) => numbers2.reduce((most, one) => Math.max(most, one), least);
var decimalOrDash = (value, digits = 2) => value == null ? "–" : decimal(value, digits);
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var fullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
var clean = (text) => text.replace(/[\u202f\s]+/g, " ").trim();

// shared/walk.js
var EDGE2 = 6;
var SECTION = "[data-section]";
var HEADING = "h1, h2, h3, h4, h5, h6, caption";
var WHOLE = `${SECTION}, ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`;
var presenting = () => document.documentElement.hasAttribute("data-presenting");
function announce(node, steps) {
  node.setAttribute("data-section", "");
  node.toggleAttribute("data-presented", presenting());
  node.steps = steps;
}

// step_by_step/clock.js
var SECONDS = { query: 0.5, energies: 0.6, alpha: 0.6, context: 0.8, candidates: 0.6, choice: 0.5, update: 0.7 };
var OTHER = 0.6;
var REST2 = 0.35;
function phases(attends, equations) {
  const named = [...new Set(equations.map(({ phase }) => phase))];
  const looking = attends ? ["alpha", "context"] : ["context"];
  const missing = looking.filter((phase) => !named.includes(phase));
  const all = [...missing, ...named, ...named.includes("candidates") ? [] : ["candidates"]];
  const first = all.findIndex((phase) => phase === "energies" || phase === "alpha");
  return all.flatMap((phase, k) => [
    ...attends && k === first ? ["query"] : [],
    phase,
    ...phase === "candidates" ? ["choice"] : []
  ]);
}
function timetable(names) {
  const lasting = names.map((name) => SECONDS[name] ?? OTHER);
  const seconds = lasting.reduce((sum, one) => sum + one, REST2);
  const span = {};
  let from = 0;
  names.forEach((name, k) => {
    span[name] = [from / seconds, (from + lasting[k]) / seconds];
    from += lasting[k];
  });
  return { names, span, seconds };
}
function done(table, name, at) {
  const span = table.span[name];
  if (!span) return at > 0 ? 1 : 0;
  const share = Math.max(0, Math.min(1, (at - span[0]) / (span[1] - span[0])));
  return share * share * (3 - 2 * share);
}
function makeClock(count, table, show2, stopped, limit) {
  let frame = 0;
  let last = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    clock.playing = clock.alone = false;
    show2();
    stopped();
  };
  const tick = (now) => {
    const passed = Math.max(0, Math.min(now - last, 100)) / 1e3 * clock.speed;
    last = now;
    clock.at += passed / table.seconds;
    const until = limit(clock.step);
    if (until < 1 && clock.at >= until) {
      clock.at = until;
      return stop();
    }
    if (clock.at >= 1) {
      if (clock.alone || clock.step === count - 1) {
        clock.at = 1;
        return stop();
      }
      clock.step += 1;
      clock.at = Math.min(clock.at - 1, limit(clock.step));
    }
    show2();
    frame = requestAnimationFrame(tick);
  };
  const clock = {
    step: 0,
    at: 1,
    playing: false,
    speed: 1,
    alone: false,
    play(alone = false) {
      if (clock.playing) return;
      if (!alone && clock.at >= Math.min(1, limit(clock.step))) {
        clock.step = clock.step === count - 1 ? 0 : clock.step + 1;
        clock.at = 0;
      }
      clock.alone = alone;
      clock.playing = true;
      last = performance.now();
      frame = requestAnimationFrame(tick);
      show2();
    },
    pause() {
      if (clock.playing) stop();
    },
    go(step) {
      cancelAnimationFrame(frame);
      clock.step = Math.max(0, Math.min(count - 1, step));
      clock.at = Math.min(1, limit(clock.step));
      stop();
    },
    end: () => cancelAnimationFrame(frame)
  };
  return clock;
}

// step_by_step/guess.js
var KEPT = "guesses";
var ON = "guessing";
var RECENT = 5;
function makeGuess() {
  let answers = [];
  let on = false;
  try {
    on = sessionStorage.getItem(ON) === "true";
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    if (Array.isArray(kept)) answers = kept.filter((one) => typeof one === "boolean");
  } catch {
  }
  return { on, revealed: /* @__PURE__ */ new Set(), answers };
}
function remember(guess, right) {
  guess.answers.push(right);
  keep(KEPT, guess.answers);
}
function turn(guess) {
  guess.on = !guess.on;
  guess.revealed = /* @__PURE__ */ new Set();
  keep(ON, guess.on);
}
function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
  }
}
var rights = (answers) => answers.filter(Boolean).length;
function groups(pieces) {
  const found = [];
  pieces.forEach((piece, j) => {
    if (piece.joined) found[found.length - 1].push(j);
    else found.push([j]);
  });
  return found;
}
function shares(grouped, alpha) {
  const sums = grouped.map((pieces) => pieces.reduce((sum, j) => sum + alpha[j], 0));
  return { sums, most: sums.indexOf(Math.max(...sums)) };
}

// step_by_step/equations.js
var ROWS = 3;
var MANY = ["energies", "alpha", "coverage"];
var FEW = ["mostly", "norm_context", "p", "log", "so_far", "gate_update", "gate_reset", "gate_input", "gate_forget", "gate_output", "norm_state", "p_gen"];
var indexAt = (symbol, n, last) => filled(symbol.index, { step: n, before: n - 1, last });
function embedded({ letter: letter2, word }, pieces) {
  const piece = word ? pieces[word] : null;
  return piece == null ? "0" : `${letter2} “${piece}”`;
}
function makeEquations(equations, last) {
  const writers = [];
  const shown = (token) => {
    if (typeof token === "string") return token;
    const node = make("span", { class: token.part ? `symbol ${token.part}` : "matrix", "data-part": token.part });
    if (token.word) {
      writers.push((_, pieces) => node.textContent = embedded(token, pieces));
    } else {
      const index = make("sub");
      node.append(make(token.letter.length > 1 ? "span" : "i", {}, token.letter), index);
      writers.push((n) => index.textContent = indexAt(token, n, last));
    }
    return node;
  };
  const cards = equations.map(({ phase, lines: lines2, numbers: numbers2 }) => {
    const known = numbers2.filter((name) => [...MANY, ...FEW].includes(name)).map((name) => {
      const rows = MANY.includes(name) ? ROWS : 1;
      return { name, nodes: Array.from({ length: rows }, () => make("p", { class: "number" }, make("span"), make("b"))) };
    });
    const formulas = lines2.map((tokens) => make("p", { class: "formula" }, ...tokens.map(shown)));
    const nodes = known.flatMap((one) => one.nodes);
    return { phase, numbers: known, node: make("div", { class: "equation", "data-phase": phase, tabindex: 0 }, ...formulas, ...nodes) };
  });
  const write2 = (n, pieces, rows) => {
    for (const one of writers) one(n, pieces);
    for (const { name, nodes } of cards.flatMap((card) => card.numbers)) {
      nodes.forEach((node, k) => {
        const row = rows[name]?.[k];
        const [title, value] = (
          /** @type {HTMLElement[]} */
          [...node.children]
        );
        worded(title, row?.name ?? "");
        value.textContent = row?.value ?? "";
        if (row?.source == null) delete node.dataset.source;
        else node.dataset.source = String(row.source);
      });
    }
  };
  return { cards, write: write2 };
}

// shared/sideways.js
function sideways(node) {
  const look = () => node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver(look);
  for (const one of [node, ...node.children]) sizes.observe(one);
  node.addEventListener("scroll", look, { passive: true });
  return node;
}

// step_by_step/source.js
function sourcePiece(piece, j, { annotations, source, stage }) {
  const cells = (annotations?.blocks[j] ?? []).map((shade) => {
    const cell = make("i");
    cell.style.opacity = String(0.1 + 0.85 * shade);
    return cell;
  });
  return make(
    "span",
    { class: j === source.length - 1 ? "piece last" : "piece", "data-source": j },
    make("span", { class: "text" }, piece.text),
    make("span", { class: "blocks", "data-part": "h" }, ...cells),
    make("span", { class: "energy", "data-part": "energies" }, make("i")),
    make("span", { class: "disc", "data-part": "alpha" }, make("i")),
    make("span", { class: "weight", "data-part": "alpha" }),
    stage?.covers && make("span", { class: "covered", "data-part": "coverage" }, make("i"), make("i"))
  );
}
function strip(data, grouped) {
  const nodes = grouped.map((pieces, k) => make(
    "span",
    { class: pieces.length > 1 ? "group several" : "group", "data-group": k },
    ...pieces.map((j) => sourcePiece(data.source[j], j, data))
  ));
  return sideways(make("div", { class: "view" }, make("div", { class: data.attends ? "strip" : "strip plain", lang: data.languages[0] }, ...nodes)));
}
function target(data) {
  const line = make("p", { class: "target", lang: data.languages[1] });
  data.target.forEach((piece, i) => line.append(...gapNodes(piece.gap), make("span", { class: kinds(piece), "data-step": i }, piece.text)));
  return line;
}
var kinds = ({ joined, text }) => ["piece", joined && "joined", text === "␣" && "blank"].filter(Boolean).join(" ");
function rise(energies) {
  const mean = energies.reduce((sum, e) => sum + e, 0) / (energies.length || 1);
  return energies.map((e) => e - mean);
}
var AT_EDGE = 24;
function follow(view, node, still2) {
  if (view.scrollWidth <= view.clientWidth + 1) return;
  const [piece, seen] = [node, view].map((one) => one.getBoundingClientRect());
  if (piece.left >= seen.left + AT_EDGE && piece.right <= seen.right - AT_EDGE) return;
  view.scrollTo({ left: view.scrollLeft + (piece.left + piece.right - seen.left - seen.right) / 2, behavior: still2 ? "auto" : "smooth" });
}

// step_by_step/geometry.js
var CIRCLE = 20;
var SUM = 9;
var SWITCH = { rx: 7, ry: 30 };
var OUTWARD = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] };
var textWidth = (text) => [...text].reduce((sum, sign) => sum + (fullWidth(sign) ? 13 : 7.2), 0);
function standing(box2, width, wide) {
  const x = width * (wide ? box2.x : box2.narrow);
  const size2 = {
    circle: { rx: CIRCLE, ry: CIRCLE },
    sum: { rx: SUM, ry: SUM },
    switch: SWITCH,
    box: { rx: Math.max(27, textWidth(box2.text) / 2 + 9), ry: 19 },
    chip: { rx: 40, ry: 12 },
    label: { rx: textWidth(box2.text) / 2, ry: 9 }
  }[box2.shape];
  const middle = box2.shape === "label" && box2.x < 0.1 ? x + size2.rx : x;
  return { ...size2, x: Math.max(size2.rx + 1, Math.min(width - size2.rx - 1, middle)), y: box2.y };
}
function route(from, leaves, to, enters, most = Infinity) {
  const [ox, oy] = OUTWARD[leaves];
  const [ix, iy] = OUTWARD[enters];
  const a = { x: from.x + ox * from.rx, y: from.y + oy * from.ry };
  const b = { x: to.x + ix * to.rx, y: to.y + iy * to.ry };
  const reach = Math.min(most, 0.45 * Math.hypot(b.x - a.x, b.y - a.y));
  return `M${a.x} ${a.y} C ${a.x + ox * reach} ${a.y + oy * reach}, ${b.x + ix * reach} ${b.y + iy * reach}, ${b.x} ${b.y}`;
}
function readingOrder(count, backwards) {
  const words = Array.from({ length: count - 1 }, (_, k) => k);
  return [...backwards ? words.reverse() : words, count - 1];
}
var within = (middle, reach, count) => [Math.max(0, Math.ceil(middle - reach) - 1), Math.min(count, Math.floor(middle + reach)) - 1];
function between(xs, place2) {
  const at = Math.max(0, Math.min(xs.length - 1, place2 - 1));
  const low = Math.floor(at);
  return xs[low] + (at - low) * ((xs[low + 1] ?? xs[low]) - xs[low]);
}
function roomFor(xs, widths, weights) {
  const shown = [];
  for (const k of [...xs.keys()].sort((a, b) => weights[b] - weights[a] || b - a)) {
    if (shown.every((other) => Math.abs(xs[k] - xs[other]) >= (widths[k] + widths[other]) / 2 + 8)) shown.push(k);
  }
  return xs.map((_, k) => shown.includes(k));
}

// step_by_step/glyph.js
function glyphAt(part) {
  const cells = Array.from({ length: 12 }, (_, k) => draw("rect", { x: k < 6 ? 0 : 9, y: k % 6 * 4.5, width: 8, height: 3.6, rx: 1 }));
  return draw("g", { class: "blocks", "data-part": part }, ...cells);
}
function shadeGlyph(group, shades) {
  group.style.display = shades ? "" : "none";
  if (!shades) return;
  [.../** @type {HTMLCollectionOf<SVGElement>} */
  group.children].forEach((cell, k) => {
    cell.style.opacity = String(k < shades.length ? 0.1 + 0.85 * shades[k] : 0);
  });
}
var HEADS = ["context", "readout", "decoder", "h"];
var LIKE = { alpha: "context", own: "context", pipe: "h" };
var headOf = (part) => `url(#head-${HEADS.includes(part) ? part : LIKE[part] ?? "decoder"})`;
var head = (name) => draw("marker", {
  id: `head-${name}`,
  class: `head ${name}`,
  viewBox: "0 0 10 10",
  refX: 8,
  refY: 5,
  markerWidth: 9,
  markerHeight: 9,
  markerUnits: "userSpaceOnUse",
  orient: "auto"
}, draw("path", { d: "M0 0.8 L9.5 5 L0 9.2 Z" }));
var ARRIVED = 0.97;
function drawn(flow, part, tip) {
  flow.style.setProperty("stroke-dashoffset", String(1 - part));
  if (tip) flow.setAttribute("marker-end", part > ARRIVED ? tip : "none");
}

// step_by_step/written.js
var RIBBON = 34;
var SEEN = 4e-3;
var LEFT = 14;
var NOTHING = "∅";
function makeWritten({ y, by }, data) {
  const node = draw("g", { class: "written-row" });
  let layout = null;
  let shown = null;
  let ways = [];
  let at = 0;
  const make2 = () => {
    if (!layout || !shown) return;
    const { p, top } = layout;
    const { number, step, hide } = shown;
    const weights = hide ? [] : step.back ?? [];
    const current = p.previous;
    const end = current.x - current.rx - 34;
    const row = top + y;
    const texts = Array.from({ length: number }, (_, k) => k ? data.target[k - 1].text : NOTHING);
    const pitch = number > 1 ? Math.min(62, (end - LEFT - 10) / (number - 1)) : 0;
    const xs = texts.map((_, k) => k === number - 1 ? current.x : end - (number - 2 - k) * pitch);
    const widths = texts.map((text, k) => k === number - 1 ? 2 * current.rx : textWidth(text));
    const room = roomFor(xs, widths, texts.map((_, k) => k === number - 1 ? 2 : weights[k] ?? 0));
    const looks = p[by];
    const whole = weights.reduce((sum, one) => sum + one, 0) || 1;
    let from = looks.x - RIBBON / 2;
    ways = weights.map((weight, k) => {
      const wide = RIBBON * weight / whole;
      const x = from + wide / 2;
      from += wide;
      const path = draw("path", {
        class: "ribbon",
        "data-part": "own",
        "data-column": k,
        pathLength: 1,
        d: `M${xs[k]} ${row - 14} C ${xs[k]} ${row - 44}, ${x} ${looks.y + looks.ry + 34}, ${x} ${looks.y + looks.ry}`
      });
      path.style.setProperty("--width", `${Math.max(1.1, wide)}px`);
      path.style.setProperty("--weight", String(weight));
      path.style.display = weight < SEEN ? "none" : "";
      return path;
    });
    const pieces = texts.slice(0, -1).map((text, k) => draw("text", { class: "chip", x: xs[k], y: row + 5, "data-part": "own" }, room[k] ? text : "·", !room[k] && draw("title", {}, text)));
    const places2 = texts.map((_, k) => draw("text", { class: "place", x: xs[k], y: row + 23, "data-part": "position" }, room[k] ? String(k + 1) : ""));
    node.replaceChildren(...ways, ...pieces, ...places2);
    for (const path of ways) drawn(path, at);
  };
  return {
    node,
    /** @param {NonNullable<typeof layout>} given */
    place(given) {
      layout = given;
      make2();
    },
    /** @param {Shown} given */
    write(given) {
      shown = given;
      make2();
    },
    /** @param {number} share */
    move(share) {
      at = share;
      for (const path of ways) drawn(path, at);
    }
  };
}

// step_by_step/boxes.js
var FIRST_ROW = 14;
var ROW = 20;
var CELL = 6;
var BEHIND = 3;
var SET_OFF = 5;
var TURN = 26;
function boxNode(box2) {
  const index = box2.shape === "circle" ? draw("text", { class: "index", y: 11 }) : null;
  const [long, double] = [box2.text.length > 1, box2.index.includes(",")];
  const shape = {
    circle: () => [draw("circle", { r: CIRCLE }), draw("text", { class: long ? "letter several" : "letter", x: long ? -3 : double ? -8 : -3, y: 6 }, box2.text)],
    box: () => [draw("rect", { rx: 9 }), draw("text", { class: "name", y: 5 }, box2.text)],
    chip: () => [draw("text", { class: "chip", y: 5 })],
    sum: () => [draw("circle", { r: 9 }), draw("text", { class: "plus", y: 5 }, "+")],
    switch: () => [
      draw("rect", { class: "copies", rx: 2 }),
      draw("rect", { class: "writes", rx: 2 }),
      draw("text", { class: "share copied", x: -12, y: -38 }),
      draw("text", { class: "share", y: 44 })
    ],
    label: () => [draw("text", { class: "aside", y: 4 }, box2.text)]
  }[box2.shape];
  index?.setAttribute("x", String(long ? 7 : double ? -3 : 5));
  const node = draw("g", { class: `node own-box ${box2.shape} ${box2.part}`, "data-part": box2.part, "data-box": box2.name }, ...shape(), index);
  return { box: box2, node, index };
}
function makeBoxes(stage, data) {
  const boxes = stage.boxes.map(boxNode);
  const glyphs = stage.boxes.filter((box2) => ["before", "after", "context"].includes(box2.holds)).map((box2) => ({ box: box2, node: glyphAt(box2.part), holds: (
    /** @type {"before" | "after" | "context"} */
    box2.holds
  ) }));
  const arrows = stage.arrows.map((arrow) => ({
    arrow,
    head: headOf(arrow.part),
    base: draw("path", { class: "base", "marker-end": "url(#head-base)" }),
    flow: draw("path", { class: `flow ${arrow.part}`, "data-part": arrow.part, "data-arrow": `${arrow.start} ${arrow.end}`, pathLength: 1 })
  }));
  const reading = draw("g", { class: "reading" });
  const pipe = {
    base: draw("path", { class: "pipe", "data-part": "pipe" }),
    flow: draw("path", { class: "pipe flow", "data-part": "pipe", "data-arrow": "pipe", pathLength: 1 }),
    said: draw("text", { class: "aside" })
  };
  const frames = stage.frame ? Array.from({ length: Math.min(BEHIND, stage.frame.behind) + 1 }, () => draw("rect", { class: "frame", rx: 12 })) : [];
  const told = draw("text", { class: "aside" }, stage.frame?.said ?? "");
  const written = stage.written ? makeWritten(stage.written, data) : null;
  return {
    stage,
    boxes,
    glyphs,
    arrows,
    reading,
    pipe,
    frames,
    told,
    written,
    p: (
      /** @type {Record<string, Standing>} */
      {}
    ),
    /** From the bottom up. */
    under: [...frames, told, ...stage.reading ? [reading, pipe.base, pipe.flow, pipe.said] : [], ...arrows.map((one) => one.base)],
    over: [...written ? [written.node] : [], ...arrows.map((one) => one.flow), ...glyphs.map((one) => one.node), ...boxes.map((one) => one.node)]
  };
}
function placeBoxes(made, { width, top, wide, xs, others }) {
  const { stage, p } = made;
  for (const [name, { x, y }] of Object.entries(others)) p[name] = name === "out" ? { x, y, rx: 0, ry: 0 } : { x, y, rx: CIRCLE + 4, ry: CIRCLE + 4 };
  for (const { box: box2, node } of made.boxes) {
    const at = standing(box2, width, wide);
    p[box2.name] = { ...at, y: at.y + top };
    node.setAttribute("transform", `translate(${at.x} ${at.y + top})`);
    if (box2.shape === "box") sized(
      /** @type {SVGRectElement} */
      node.firstElementChild,
      -at.rx,
      -at.ry,
      2 * at.rx,
      2 * at.ry
    );
  }
  for (const { box: box2, node } of made.glyphs) {
    const { x, y, rx } = p[box2.name];
    const [dx, dy] = box2.holds === "after" ? [rx + 5, -13] : [-rx - 22, -13];
    node.setAttribute("transform", `translate(${x + dx} ${y + dy})`);
  }
  for (const { arrow, base, flow } of made.arrows) {
    const below = arrow.end === "out" && !wide;
    const d = route(p[arrow.start], arrow.leaves, p[arrow.end], below ? "top" : arrow.enters, below ? TURN : void 0);
    for (const path of [base, flow]) path.setAttribute("d", d);
  }
  if (stage.frame) {
    const { left, right, top: high, bottom } = stage.frame;
    made.frames.forEach((node, k) => {
      const off = SET_OFF * (made.frames.length - 1 - k);
      sized(node, left * width + off, top + high - off, Math.min(width - 2, (wide ? right : 0.985) * width) - left * width - SET_OFF * BEHIND, bottom - high);
    });
    made.told.setAttribute("x", String(left * width + 12));
    made.told.setAttribute("y", String(top + bottom - 8));
    made.told.style.textAnchor = "start";
  }
  if (stage.reading) placeReading(made, top, xs, p[stage.reading.pipe]);
  made.written?.place({ width, top, p });
}
function sized(node, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height })) node.setAttribute(name, String(Math.max(name === "x" || name === "y" ? value : 0, value)));
}
function placeReading({ stage, reading, pipe }, top, xs, end) {
  if (!stage.reading) return;
  const { layers, backwards } = stage.reading;
  const order = readingOrder(xs.length, backwards);
  const rows = Array.from({ length: layers }, (_, k) => top + FIRST_ROW + k * ROW);
  const lines2 = rows.flatMap((y) => order.slice(1).map((to, k) => {
    const [a, b] = [xs[order[k]], xs[to]];
    const near = Math.abs(to - order[k]) === 1;
    const side = Math.sign(b - a);
    return draw("path", {
      class: "read",
      "marker-end": "url(#head-h)",
      "data-from": order[k],
      "data-to": to,
      d: near ? `M${a + side * CELL} ${y} H ${b - side * (CELL + 1)}` : `M${a} ${y + CELL} v 3.5 H ${b} v -2`
    });
  }));
  const up = xs.map((x) => draw("path", { class: "read", d: `M${x} ${rows[0] - CELL} v ${CELL - FIRST_ROW + 1} M${x} ${rows[0]} V ${rows[layers - 1]}` }));
  const cells = rows.flatMap((y) => xs.map((x) => draw("rect", { class: "read-cell", x: x - CELL, y: y - CELL, width: 2 * CELL, height: 2 * CELL, rx: 3 })));
  reading.replaceChildren(...up, ...lines2, ...cells);
  const last = xs[xs.length - 1];
  const low = rows[layers - 1] + 24;
  const way2 = `M${last} ${rows[layers - 1] + CELL} V ${low - 8} Q ${last} ${low} ${last - 8} ${low} H ${end.x + 8} Q ${end.x} ${low} ${end.x} ${low + 8} V ${end.y - end.ry}`;
  for (const path of [pipe.base, pipe.flow]) path.setAttribute("d", way2);
  pipe.said.setAttribute("x", String(end.x + 20));
  pipe.said.setAttribute("y", String(low + 20));
  pipe.said.style.textAnchor = "start";
}
function writeBoxes(made, shown) {
  const { step, number, hide, previous, data } = shown;
  const values = { step: number, before: number - 1, last: data.source.length };
  for (const { box: box2, node, index } of made.boxes) {
    if (index) index.textContent = filled(box2.index, values);
    if (box2.shape === "chip") node.firstElementChild.textContent = previous;
    if (box2.shape === "switch") writeSwitch(node, hide ? null : step.p_gen, data.words);
  }
  for (const { holds, node } of made.glyphs) shadeGlyph(node, hide && holds !== "before" ? void 0 : step[holds]?.blocks);
  made.written?.write(shown);
  if (made.stage.reading) made.pipe.said.textContent = number > 1 ? data.words.stage_pipe_past : data.words.stage_pipe;
  made.pipe.base.classList.toggle("past", number > 1);
}
function writeSwitch(node, share, words) {
  const [copies, writes] = (
    /** @type {SVGRectElement[]} */
    [...node.querySelectorAll("rect")]
  );
  const cut = -30 + 60 * (1 - (share ?? 1));
  sized(copies, -7, -30, 14, cut + 30);
  sized(writes, -7, cut, 14, 30 - cut);
  const [copied, written] = node.querySelectorAll(".share");
  copied.textContent = share == null ? "" : filled(words.stage_copies, { share: two(1 - share) });
  written.textContent = share == null ? "" : filled(words.stage_writes, { share: two(share) });
}
function moveBoxes(made, share, step) {
  for (const { arrow, flow, head: head2 } of made.arrows) {
    const carries = arrow.steps === "all" || arrow.steps === "first" === (step === 0);
    drawn(flow, carries ? share(arrow.phase) : 0, head2);
  }
  for (const { box: box2, node } of made.boxes) node.classList.toggle("on", !box2.phase || share(box2.phase) > 0.9);
  for (const { box: box2, node } of made.glyphs) node.style.setProperty("--show", String(box2.phase ? share(box2.phase) : 1));
  if (made.stage.reading) drawn(made.pipe.flow, step === 0 ? share("pipe") : 0);
  made.written?.move(share("own"));
}

// step_by_step/ways.js
var WIDE = 620;
var STAGE = 264;
var R = 24;
function places(width) {
  const [left, middle, right, far] = width >= WIDE ? [0.09, 0.33, 0.52, 0.6] : [0.11, 0.42, 0.82, 0.94];
  const at = (share, y) => ({ x: share * width, y });
  return {
    before: at(left, 124),
    context: at(middle, 64),
    gru: at(middle, 178),
    after: at(right, 178),
    readout: at(right, 64),
    previous: at(right, 116),
    fed: at(middle, 244),
    out: at(far, width >= WIDE ? 64 : STAGE)
  };
}
function lines(known) {
  if (!known) return [["context", "out", "candidates", "context"]];
  const { readout, takes } = known;
  if (readout == null) return [];
  const chosen = takes === "current" ? [["out", "fed", "choice", "fed"]] : [];
  return [
    ["context", "readout", "candidates", "context"],
    [readout, "readout", "candidates", readout],
    ["previous", "readout", "candidates", "previous"],
    ["readout", "out", "candidates", "readout"],
    ["before", "gru", "update", "before"],
    ["context", "gru", "update", "context"],
    ["fed", "gru", "update", "fed"],
    ["gru", "after", "update", "after"],
    ...chosen
  ];
}
var curve = (a, b, bend) => `M${a.x} ${a.y} C ${a.x + bend[0]} ${a.y + bend[1]}, ${b.x + bend[2]} ${b.y + bend[3]}, ${b.x} ${b.y}`;
var shift = (p, dx, dy) => ({ x: p.x + dx, y: p.y + dy });
function way(from, to, p, wide) {
  const span = p.readout.x - p.before.x;
  const ways = {
    "context-readout": () => curve(shift(p.context, R, 0), shift(p.readout, -30, 0), [10, 0, -10, 0]),
    "before-readout": () => curve(shift(p.before, R, -4), shift(p.readout, -26, 17), [span * 0.4, 0, -span * 0.18, 26]),
    "after-readout": () => curve(shift(p.after, 14, -R + 4), shift(p.readout, 24, 17), [22, -50, 14, 40]),
    "previous-readout": () => curve(shift(p.previous, 0, -13), shift(p.readout, 0, 17), [0, -8, 0, 8]),
    "readout-out": () => wide ? curve(shift(p.readout, 30, 0), p.out, [10, 0, -10, 0]) : curve(shift(p.readout, 14, 17), p.out, [20, 60, 0, -80]),
    "context-out": () => wide ? curve(shift(p.context, R, 0), p.out, [10, 0, -10, 0]) : curve(shift(p.context, 14, R - 5), p.out, [20, 60, 0, -80]),
    "before-gru": () => curve(shift(p.before, 8, R - 1), shift(p.gru, -27, 0), [14, 34, -50, 0]),
    "context-gru": () => curve(shift(p.context, 0, R), shift(p.gru, 0, -24), [0, 20, 0, -20]),
    "fed-gru": () => curve(shift(p.fed, 0, -13), shift(p.gru, 0, 24), [0, -8, 0, 8]),
    "gru-after": () => curve(shift(p.gru, 27, 0), shift(p.after, -R, 0), [10, 0, -10, 0]),
    "out-fed": () => wide ? "" : curve({ x: p.out.x - 20, y: STAGE }, shift(p.fed, 62, 0), [0, -22, 30, 0])
  };
  return ways[`${from}-${to}`]();
}

// step_by_step/stage.js
var RIBBON2 = 34;
var FIXED = 24;
var ROW2 = 23.5;
var FIRST = 35;
var SEEN2 = 4e-3;
function circle(part, letter2) {
  const index = draw("text", { class: "index", x: 5, y: 11 });
  const node = draw(
    "g",
    { class: `node ${part}`, "data-part": part },
    draw("circle", { r: R }),
    draw("text", { class: "letter", x: -3, y: 6 }, letter2),
    index
  );
  return { node, index };
}
var box = (part, text, half, high) => ({
  index: null,
  node: draw(
    "g",
    { class: `node ${part}`, "data-part": part },
    draw("rect", { x: -half, y: -high / 2, width: 2 * half, height: high, rx: 9 }),
    draw("text", { class: "name", y: 5 }, text)
  )
});
function makeStage(data) {
  const { attends, stage: known } = data;
  const boxes = known?.boxes.length ? makeBoxes(known, data) : null;
  const gru = known?.readout != null;
  const ways = lines(known).map(([from, to, phase, part]) => ({
    from,
    to,
    phase,
    head: headOf(part),
    base: draw("path", { class: "base", "marker-end": "url(#head-base)" }),
    flow: draw("path", { class: `flow ${part}`, "data-part": part, pathLength: 1 })
  }));
  const ribbons = Array.from({ length: attends ? data.source.length : known?.reading ? 0 : 1 }, (_, j) => draw("path", { class: "ribbon", "data-part": attends ? "alpha" : "context", "data-source": attends ? j : null, pathLength: 1 }));
  const asking = known?.boxes.find((one) => one.name === known.asks)?.part ?? "before";
  const query = draw("path", { class: "query", "data-part": known?.explains.query ? "query" : asking });
  const nodes = gru ? {
    context: circle("context", "c"),
    before: circle("before", "s"),
    after: circle("after", "s"),
    gru: box("gru", "GRU", 27, 48),
    readout: box("readout", "maxout", 30, 34)
  } : known ? {} : { context: circle("context", "") };
  const chips = gru ? {
    previous: draw("text", { class: "chip previous", "data-part": "previous" }),
    fed: draw("text", { class: "chip fed", "data-part": known?.takes === "current" ? "fed" : "previous" })
  } : {};
  const blocks = gru ? { context: glyphAt("context"), before: glyphAt("before"), after: glyphAt("after") } : known ? {} : { context: glyphAt("context") };
  const window = draw("path", { class: "window", "data-part": "alpha" });
  const said = draw("text", { class: "said", "data-part": "before" });
  const svg = draw(
    "svg",
    { class: "stage", "aria-hidden": "true" },
    draw("defs", {}, ...["base", ...HEADS].map(head)),
    ...boxes?.under ?? [],
    ...ways.map((one) => one.base),
    query,
    window,
    ...ribbons,
    ...ways.map((one) => one.flow),
    ...boxes?.over ?? [],
    ...Object.values(blocks),
    ...Object.values(nodes).map((one) => one.node),
    ...Object.values(chips),
    said
  );
  return {
    svg,
    known: gru,
    boxes,
    asks: attends && known != null,
    from: known?.asks ?? "before",
    height: known?.height ?? STAGE,
    ways,
    ribbons,
    query,
    window,
    nodes,
    chips,
    blocks,
    said,
    length: 0,
    p: (
      /** @type {Record<string, Point>} */
      places(WIDE)
    ),
    xs: (
      /** @type {number[]} */
      []
    ),
    top: 0,
    mouth: 0,
    wide: true
  };
}
function placeStage(stage, { width, height, top, mouth, xs, base, scale }) {
  const { svg } = stage;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height * scale}px`;
  const flat = places(width);
  const wide = width >= WIDE;
  flat.out = { x: flat.out.x, y: flat.out.y + stage.height - STAGE };
  const p = Object.fromEntries(Object.entries(flat).map(([name, at]) => [name, shift(at, 0, top)]));
  Object.assign(stage, { p, top, mouth, wide, xs: xs.map((x) => Math.max(-20, Math.min(width + 20, x))) });
  if (stage.boxes) {
    placeBoxes(stage.boxes, { width, top, wide, xs: stage.xs, others: stage.known ? p : { out: p.out } });
    Object.assign(p, stage.boxes.p);
  }
  for (const { from, to, base: under, flow } of stage.ways) {
    const d = way(from, to, flat, wide);
    for (const path of [under, flow]) {
      path.setAttribute("d", d);
      path.setAttribute("transform", `translate(0 ${top})`);
    }
  }
  for (const [name, { node }] of entries(stage.nodes)) node.setAttribute("transform", `translate(${p[name].x} ${p[name].y})`);
  for (const [name, chip] of entries(stage.chips)) {
    chip.setAttribute("x", String(p[name].x));
    chip.setAttribute("y", String(p[name].y + 5));
  }
  const beside = { context: [-48, -13], before: [-8, 30], after: wide ? [R + 6, -13] : [-8, 30] };
  for (const [name, group] of entries(stage.blocks)) {
    const [dx, dy] = beside[name];
    group.setAttribute("transform", `translate(${p[name].x + dx} ${p[name].y + dy})`);
  }
  stage.said.setAttribute("x", String(Math.max(4, p.before.x - R)));
  stage.said.setAttribute("y", String(p.before.y + 74));
  stage.query.style.display = stage.asks ? "" : "none";
  const end = Math.min(width, Math.max(...xs));
  stage.query.setAttribute("d", stage.known ? `M${p.before.x - 4} ${p.before.y - R} C ${p.before.x - 4} ${p.before.y - 80}, 3 ${top + 20}, 3 ${base} H ${end}` : asked(stage.boxes?.p[stage.from], base, end));
  stage.length = stage.query.getTotalLength();
}
function asked(asking, base, end) {
  if (!asking) return "";
  const lane = asking.y - asking.ry - 15;
  return `M${asking.x - 4} ${asking.y - asking.ry} Q ${asking.x - 6} ${lane}, ${asking.x - 30} ${lane} H 60 C 20 ${lane}, 3 ${lane - 40}, 3 ${base} H ${end}`;
}
var entries = (of) => (
  /** @type {[Key, Value][]} */
  Object.entries(of)
);
function placeRibbons(stage, alpha) {
  const { p, xs, top, mouth } = stage;
  if (!stage.ribbons.length) return;
  const whole = alpha ? RIBBON2 : FIXED;
  let from = p.context.x - whole / 2;
  const weights = alpha ?? [1];
  stage.ribbons.forEach((path, j) => {
    const width = weights[j] * whole;
    const x = from + width / 2;
    from += width;
    path.style.display = weights[j] < SEEN2 ? "none" : "";
    path.style.setProperty("--width", `${Math.max(1.1, width)}px`);
    path.style.setProperty("--weight", String(weights[j]));
    path.setAttribute("d", alpha ? `M${xs[j]} ${top - 4} C ${xs[j]} ${top + 34}, ${x} ${top + 6}, ${x} ${p.context.y - 16}` : `M${xs[j]} ${mouth} C ${xs[j]} ${mouth + 60}, ${x} ${mouth - 6}, ${x} ${p.context.y - 16}`);
  });
}
function placeChoice(stage, k) {
  const line = stage.ways.find(({ from: from2, to }) => from2 === "out" && to === "fed");
  if (!line || !stage.wide) return;
  const { fed, out } = stage.p;
  const from = { x: out.x + 14, y: stage.top + FIRST + ROW2 * k };
  const d = `M${from.x} ${from.y} C ${out.x - 4} ${from.y}, ${out.x} ${fed.y}, ${out.x - 60} ${fed.y} L ${fed.x + 62} ${fed.y}`;
  for (const path of [line.base, line.flow]) {
    path.setAttribute("d", d);
    path.removeAttribute("transform");
  }
}
function writeStage(stage, indices, texts, vectors, shown) {
  if (stage.boxes) writeBoxes(stage.boxes, shown);
  for (
    const name of
    /** @type {const} */
    ["context", "before", "after"]
  ) {
    const index = stage.nodes[name]?.index;
    if (index && stage.known) index.textContent = indices[name];
  }
  for (
    const name of
    /** @type {const} */
    ["previous", "fed"]
  ) {
    const chip = stage.chips[name];
    if (chip) chip.textContent = texts[name];
  }
  if (stage.known) stage.said.textContent = texts.said;
  for (const [name, group] of entries(stage.blocks)) {
    shadeGlyph(group, vectors[name]?.blocks);
  }
}
function placeWindow({ window: path, xs, mouth }, window) {
  path.style.display = window ? "" : "none";
  if (!window) return;
  const [first, last] = within(window.middle, window.reach, xs.length);
  const middle = between(xs, window.middle);
  path.setAttribute("d", `M${xs[first] - 12} ${mouth - 4} v 6 H ${xs[last] + 12} v -6 M${middle - 5} ${mouth + 8} L ${middle} ${mouth + 2} L ${middle + 5} ${mouth + 8}`);
}
function moveStage(stage, share, step) {
  if (stage.boxes) moveBoxes(stage.boxes, share, step);
  for (const { phase, flow, head: tip } of stage.ways) drawn(flow, share(phase), tip);
  const looked = share("context");
  for (const path of stage.ribbons) if (path.style.display !== "none") drawn(path, looked);
  const dashes = Math.floor(share("query") * stage.length / 9);
  stage.query.style.strokeDasharray = dashes ? `${"5 4 ".repeat(dashes)}0 9999` : "0 9999";
  const updated = share("update");
  const { context, readout, gru, after } = stage.nodes;
  context?.node.classList.toggle("on", looked > 0.9);
  readout?.node.classList.toggle("on", share("candidates") > 0.05);
  gru?.node.classList.toggle("on", updated > 0.3);
  after?.node.classList.toggle("on", updated > 0.9);
  stage.blocks.context?.style.setProperty("--show", String(looked));
  stage.blocks.after?.style.setProperty("--show", String(updated));
}

// step_by_step/player.js
var SPEEDS = [0.5, 1, 2, 4];
var quoted = (text) => `“${text}”`;
var held2 = (player) => player.limit(player.clock.step) < 1;
function controls({ words, attends, steps }) {
  const button = (kind, label2, text, key) => make("button", { class: kind, type: "button", "data-do": kind, "aria-label": label2, "aria-keyshortcuts": key }, text);
  const speeds = SPEEDS.map((value) => make("button", { type: "button", "data-speed": value, "aria-pressed": value === 1 }, `${value}×`));
  const hint = (key, text) => [make("kbd", {}, key), ` ${text} `];
  return make(
    "div",
    { class: "controls" },
    make("button", { class: "play", type: "button", "data-do": "play", "aria-keyshortcuts": "Space" }, `▶ ${words.play}`),
    button("back", words.back, "◀", "ArrowLeft"),
    button("on", words.on, "▶", "ArrowRight"),
    make("span", { class: "count" }),
    make("span", { class: "speeds", role: "group", "aria-label": words.speed }, ...speeds),
    attends && make("button", { class: "guess", type: "button", "data-do": "guess", "aria-pressed": "false", "aria-keyshortcuts": "g" }, words.guess),
    make(
      "span",
      { class: "hints" },
      ...hint("←", ""),
      ...hint("→", words.key_step),
      ...hint("Space", words.key_play),
      ...hint("Home", words.key_start)
    ),
    make("input", { class: "track", type: "range", min: 1, max: steps.length, value: 1, "aria-label": words.track })
  );
}
var label = (kind, text) => make("span", { class: `label ${kind}` }, text);
function candidate() {
  const [before, text] = [make("i"), make("b")];
  const [bar, chance, note] = ["bar", "chance", "goes-on"].map((name) => make("span", { class: name }));
  const node = make("li", {}, make("span", { class: "candidate" }, before, text), bar, chance, note);
  return { node, before, text, bar, chance, note };
}
function build2(root, data, kept) {
  const { words, attends } = data;
  const last = data.source.length;
  const grouped = groups(data.source);
  const known = data.steps.flatMap((step) => rise(step.energies ?? []));
  const view = strip(data, grouped);
  const stage = makeStage(data);
  root.style.setProperty("--stage", String(stage.height));
  const lines2 = Array.from({ length: Math.max(...data.steps.map((step) => step.candidates.length)) }, candidate);
  const candidates = make("ol", { class: "candidates", "data-part": "candidates", lang: data.languages[1] }, ...lines2.map((line) => line.node));
  const told = data.equations.map((one) => known.length ? one : { ...one, numbers: one.numbers.filter((name) => name !== "energies") });
  const panel = makeEquations(told, last);
  const board = make(
    "div",
    { class: "board" },
    view,
    label("for-source", attends ? words.source : words.source_plain),
    attends && known.length > 0 && label("for-energies", words.energies),
    attends && label("for-alpha", words.weights),
    data.stage?.covers && label("for-covered", words.covered),
    !attends && make(
      "p",
      { class: data.stage?.reading ? "fixed piped" : "fixed" },
      make("span", {}, data.stage?.fixed ?? filled(words.fixed_last, { last }))
    ),
    make("div", { class: "space" }),
    make("div", { class: "chances" }, label("for-candidates", words.candidates), candidates),
    stage.svg
  );
  root.classList.toggle("unscored", attends && !known.length);
  root.lang = data.language;
  root.setAttribute("aria-label", filled(words.label, { model: data.model }));
  root.replaceChildren(
    make(
      "div",
      { class: "film" },
      make("p", { class: "game", role: "status" }),
      board,
      make("div", { class: "written" }, label("for-target", words.target), target(data)),
      controls(data)
    ),
    make(
      "aside",
      { "aria-label": words.equations },
      ...panel.cards.map((card) => card.node),
      make("p", { class: "explain" }),
      data.stage && make("p", { class: "terms" }, data.stage.terms),
      make("p", { class: "made" }, term(`model:${data.model}`, data.model), make("span", {}, data.made))
    )
  );
  const table = timetable(data.stage?.order.length ? data.stage.order : phases(attends, data.equations));
  const guess = kept?.guess ?? makeGuess();
  if (kept?.data.trace !== data.trace) guess.revealed = /* @__PURE__ */ new Set();
  return {
    root,
    data,
    grouped,
    view,
    board,
    stage,
    panel,
    lines: lines2,
    table,
    guess,
    scale: { low: -greatest(known.map((one) => -one), 0), high: greatest(known, 0) },
    most: greatest(data.steps.flatMap((step) => step.covered_after ?? step.covered ?? []), 1),
    pieces: findAll(view, ".piece").map((node) => ({
      node,
      bar: find(node, ".energy i"),
      disc: find(node, ".disc i"),
      weight: find(node, ".weight"),
      covered: findAll(node, ".covered i")
    })),
    target: findAll(root, ".target .piece"),
    limit: (step) => guess.on && attends && !guess.revealed.has(step) ? table.span.query[1] : 1,
    verdict: null,
    zoom: 1,
    chosen: 0,
    over: false,
    drawn: null,
    moment: null
  };
}

// step_by_step/game.js
function invite(player) {
  const { root, guess, data, clock } = player;
  const due = held2(player) && !clock.playing;
  const on = guess.on && data.attends;
  root.classList.toggle("guessing", on);
  root.classList.toggle("due", due);
  const words = findAll(root, ".group");
  for (const node of words) {
    node.classList.remove("right", "wrong", "truth");
    if (due) node.setAttribute("role", "button");
    else node.removeAttribute("role");
    node.tabIndex = due ? 0 : -1;
  }
  const verdict = !due && player.verdict?.step === clock.step && guess.on ? player.verdict : null;
  if (verdict) {
    words[verdict.most].classList.add("truth");
    words[verdict.picked].classList.add(verdict.right ? "right" : "wrong");
  }
  find(root, ".game").replaceChildren(...on ? [due ? data.words.ask : verdict?.text ?? "", " ", score(player)] : []);
}
function score({ guess: { answers }, data: { words } }) {
  if (!answers.length) return "";
  const recent = answers.slice(-RECENT);
  const texts = { right: rights(answers), count: answers.length, lately: rights(recent), recent: recent.length };
  return make("b", {}, filled(answers.length > RECENT ? words.score_recent : words.score, texts));
}
function answer(player, picked) {
  const { guess, data, clock, grouped } = player;
  const { alpha } = data.steps[clock.step];
  if (!alpha || !held2(player) || clock.playing) return;
  const { sums, most } = shares(grouped, alpha);
  const name = (k) => quoted(grouped[k].map((j) => data.source[j].text).join(""));
  const right = picked === most;
  remember(guess, right);
  const texts = { truth: name(most), most: two(sums[most]), guess: name(picked), got: two(sums[picked]) };
  player.verdict = { step: clock.step, most, picked, right, text: filled(right ? data.words.right : data.words.wrong, texts) };
  reveal(player);
}
function reveal(player) {
  const { guess, clock } = player;
  guess.revealed.add(clock.step);
  clock.play(true);
  invite(player);
}

// step_by_step/keys.js
var toggle2 = (clock) => clock.playing ? clock.pause() : clock.play();
function pressed2(root, event, answer2, game2) {
  const { player } = root;
  const [at] = event.composedPath();
  const node = at instanceof Element ? at : null;
  if (!player || !root.isConnected || modified(event) || event.shiftKey || node?.matches(TYPING)) return;
  const { clock, data } = player;
  const last = data.steps.length - 1;
  const group = root.contains(node) ? nearest(node, "[data-group][role=button]") : null;
  if (group && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return answer2(Number(group.dataset.group));
  }
  const paging = paged(event.key);
  if (paging && presenting()) return;
  if (!paging && node?.closest(CHOOSING)) return;
  if (event.key === " " && node?.closest(PRESSED)) return;
  const actions = {
    ArrowRight: () => clock.go(clock.step + 1),
    ArrowLeft: () => clock.go(clock.step - 1),
    Home: () => clock.go(0),
    End: () => clock.go(last),
    PageDown: () => clock.go(clock.step + 1),
    PageUp: () => clock.go(clock.step - 1),
    " ": () => toggle2(clock),
    g: () => data.attends && game2(player)
  };
  const key = letter(event) === "g" ? "g" : event.key;
  if (!Object.hasOwn(actions, key)) return;
  if (key === "g" && !presenting() && !root.contains(node)) return;
  event.preventDefault();
  actions[key]();
}

// shared/anew.js
function unmoved(draw2) {
  const page = document.querySelector(".stMain") ?? document.documentElement;
  const at = page.scrollTop;
  draw2();
  if (page.scrollTop !== at) page.scrollTop = at;
}

// step_by_step/render.js
var SHOWN = 5e-3;
var STRONG = 0.3;
var SOME = 0.05;
var still = matchMedia("(prefers-reduced-motion: reduce)");
function write(player) {
  const { root, data, clock, stage, lines: lines2, panel } = player;
  const { words } = data;
  const i = clock.step;
  const step = data.steps[i];
  const hide = held2(player);
  writePieces(player, step, hide);
  lines2.forEach((line, k) => {
    const one = step.candidates[k];
    line.node.style.visibility = one && !hide ? "" : "hidden";
    if (!one) return;
    line.before.textContent = one.before;
    line.text.textContent = one.text;
    line.bar.style.setProperty("--p", String(one.p));
    line.bar.style.setProperty("--copied", String(one.p ? one.copied / one.p : 0));
    line.chance.textContent = two(one.p);
    line.note.textContent = one.before ? words.goes_on : "";
  });
  player.chosen = step.candidates.findIndex((one) => one.chosen);
  player.over = data.stage?.readout === "before" && data.finished && i === data.steps.length - 1;
  const text = (k) => k < 0 ? null : data.target[k].text;
  const pieces = { previous: text(i - 1), current: hide ? "?" : text(i) };
  const chip = (piece) => piece == null ? words.no_word : `E ${quoted(piece)}`;
  const takes = data.stage?.takes ?? "previous";
  const eaten = text(takes === "current" ? i - 1 : i - 2);
  writeStage(
    stage,
    { context: data.attends ? String(i + 1) : "", before: String(i), after: String(i + 1) },
    { previous: chip(pieces.previous), fed: chip(pieces[takes]), said: eaten == null ? words.start : filled(words.after, { word: quoted(eaten) }) },
    { context: hide ? null : step.context, before: step.before, after: hide ? null : step.after },
    { data, step, number: i + 1, hide, previous: chip(pieces.previous) }
  );
  panel.write(i + 1, pieces, numbers(player, step, hide));
  if (stage.xs.length) {
    placeRibbons(stage, step.alpha);
    placeWindow(stage, hide ? null : step.window);
    placeChoice(stage, hide ? 0 : player.chosen);
  }
  player.target.forEach((node, k) => node.classList.toggle("coming", k > i));
  find(root, ".count").textContent = filled(words.count, { step: i + 1, last: data.steps.length });
  const track = (
    /** @type {HTMLInputElement} */
    find(root, ".track")
  );
  track.value = String(i + 1);
  track.style.setProperty("--part", String(i / Math.max(1, data.steps.length - 1)));
  if (step.alpha && !hide) follow(player.view, player.pieces[step.top[0]].node, still.matches);
}
function writePieces({ pieces, scale: { low, high }, most }, step, hide) {
  const span = high - low || 1;
  const heights = rise(step.energies ?? []);
  pieces.forEach(({ node, bar, weight, covered }, j) => {
    const before = step.covered?.[j] ?? 0;
    const added = Math.max(0, (step.covered_after?.[j] ?? before) - before);
    covered.forEach((one, k) => one.style.height = `${100 * (k ? added : before) / most}%`);
    const e = heights[j] ?? 0;
    bar.style.height = `${100 * Math.abs(e) / span}%`;
    bar.style.top = `${100 * (high - Math.max(0, e)) / span}%`;
    bar.style.transformOrigin = e < 0 ? "50% 0" : "50% 100%";
    bar.style.display = step.energies ? "" : "none";
    const alpha = step.alpha?.[j] ?? 0;
    weight.textContent = step.alpha ? alpha < SHOWN ? "·" : alpha.toFixed(2) : "";
    weight.style.visibility = hide ? "hidden" : "";
    node.classList.toggle("strong", !hide && alpha >= STRONG);
    node.classList.toggle("some", alpha >= SOME);
  });
}
function numbers({ data, over }, step, hide) {
  const { words, source } = data;
  const { energies, alpha, covered, top } = step;
  const row = (name, value, of) => ({ name, value: hide ? "?" : value, source: hide ? null : of });
  const looked = (values, told) => values ? top.slice(0, ROWS).map((j) => row(hide ? "?" : source[j].text, told(values[j], j), j)) : [];
  const chosen = step.candidates.find((one) => one.chosen);
  const update = over ? { gate_update: [row(words.over, "")] } : {
    gate_update: [row(words.gate_update, decimalOrDash(step.gates.update))],
    gate_reset: [row(words.gate_reset, decimalOrDash(step.gates.reset))],
    gate_input: [row(words.gate_input, decimalOrDash(step.gates.input))],
    gate_forget: [row(words.gate_forget, decimalOrDash(step.gates.forget))],
    gate_output: [row(words.gate_output, decimalOrDash(step.gates.output))],
    norm_state: [row(words.norm_state, decimalOrDash(step.after?.norm))]
  };
  return {
    energies: looked(energies, (value) => decimalOrDash(value)),
    alpha: looked(alpha, two),
    coverage: looked(covered, (value, j) => [value, ...step.covered_after ? [step.covered_after[j]] : []].map((one) => decimal(one)).join(" → ")),
    mostly: [data.attends ? row(words.mostly, source[top[0]]?.text ?? "", top[0]) : row(words.fixed_short, "")],
    norm_context: [row(words.norm_context, decimalOrDash(step.context?.norm))],
    p_gen: [row(words.p_gen, decimalOrDash(step.p_gen))],
    p: [row(hide || !chosen ? "?" : chosen.before + chosen.text, two(step.p))],
    log: [row(words.log_piece, decimalOrDash(step.log))],
    so_far: [row(words.log_sentence, decimalOrDash(step.so_far))],
    ...update
  };
}
function render(player) {
  const { root, data, clock, table, pieces, lines: lines2, stage } = player;
  const key = `${clock.step} ${held2(player)}`;
  if (player.drawn !== key) {
    player.drawn = key;
    player.moment = null;
    write(player);
  }
  const { playing } = clock;
  if (player.playing !== playing) {
    player.playing = playing;
    find(root, ".play").textContent = playing ? `❚❚ ${data.words.pause}` : `▶ ${data.words.play}`;
    root.classList.toggle("playing", playing);
  }
  const at = still.matches && playing ? player.limit(clock.step) : clock.at;
  if (player.moment === at) return;
  player.moment = at;
  const share = (phase) => phase === "update" && player.over ? 0 : done(table, phase, at);
  const [energies, alpha, candidates] = ["energies", "alpha", "candidates"].map(share);
  if (player.grown !== energies) for (const { bar } of pieces) bar.style.transform = `scaleY(${energies})`;
  player.grown = energies;
  const weights = data.steps[clock.step].alpha;
  if (weights) {
    pieces.forEach(({ disc, weight }, j) => {
      disc.style.transform = `scale(${Math.max(0.06, Math.sqrt(weights[j])) * alpha})`;
      weight.style.setProperty("--show", String(alpha));
    });
  }
  if (data.stage?.covers) root.style.setProperty("--covering", String(share("coverage")));
  const decided = share("choice") > 0.4;
  lines2.forEach(({ node }, k) => {
    node.style.setProperty("--grown", String(candidates));
    node.classList.toggle("chosen", decided && k === player.chosen);
  });
  player.target.forEach((node, k) => {
    node.classList.toggle("now", decided && k === clock.step);
    node.classList.toggle("awaited", !decided && k === clock.step);
  });
  moveStage(stage, share, clock.step);
  stage.chips.fed?.style.setProperty("--show", String(data.stage?.takes === "current" ? share("choice") : 1));
  const active = at < 1 ? table.names.find((name) => at >= table.span[name][0] && at < table.span[name][1]) : void 0;
  for (const { phase, node } of player.panel.cards) {
    node.classList.toggle("now", phase === active || phase === "candidates" && active === "choice");
  }
  if (decided && player.said !== key) {
    player.said = key;
    speak(player);
  }
}
function speak(player) {
  const { data, clock, root } = player;
  const { words, source } = data;
  const step = data.steps[clock.step];
  const chosen = step.candidates.find((one) => one.chosen);
  const most = step.top[0];
  const texts = {
    step: clock.step + 1,
    last: data.steps.length,
    text: chosen ? chosen.before + chosen.text : "",
    chance: two(step.p),
    ...step.alpha ? { source: source[most].text, weight: two(step.alpha[most]) } : {}
  };
  const template = held2(player) ? words.spoken_guess : data.attends ? words.spoken : words.spoken_plain;
  readAloud(root, filled(template, texts));
}

// step_by_step/layout.js
var STACKED = 900;
var ASIDE = 340;
var HALVINGS = 7;
var SMALLEST = 0.74;
function enlarge(root, whole) {
  const asked2 = parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1;
  const use = (zoom2) => root.style.setProperty("--zoom", String(zoom2));
  use(1);
  if (asked2 <= 1) return 1;
  const room = innerHeight - 2 * EDGE2;
  let [zoom, most] = [1, Math.max(1, Math.min(asked2, root.clientWidth / (WIDE + ASIDE)))];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (zoom + most) / 2;
    use(middle);
    if (whole.offsetHeight <= room) zoom = middle;
    else most = middle;
  }
  use(zoom);
  return zoom;
}
function fit(root, view) {
  root.style.setProperty("--fit", "1");
  root.style.setProperty("--fit", String(Math.max(SMALLEST, Math.min(1, view.clientWidth / find(view, ".strip").scrollWidth))));
}
function size(player) {
  const { root, board, view } = player;
  root.classList.remove("stacked");
  player.zoom = enlarge(root, root);
  root.classList.toggle("stacked", root.clientWidth / player.zoom < STACKED);
  fit(root, view);
  if (root.hasAttribute("data-presented") && view.scrollWidth > view.clientWidth + 1) {
    root.classList.add("stacked");
    player.zoom = enlarge(root, find(root, ".film"));
    fit(root, view);
  }
  root.classList.toggle("narrow", board.clientWidth / player.zoom < WIDE);
}
function place(player, fitted = false) {
  const { root, board, view, stage, pieces, data, clock } = player;
  if (!board.clientWidth) return;
  if (!fitted) unmoved(() => size(player));
  const scale = player.zoom;
  const frame = board.getBoundingClientRect();
  const xs = pieces.map(({ node }) => {
    const box2 = node.getBoundingClientRect();
    return ((box2.left + box2.right) / 2 - frame.left) / scale;
  });
  const energy = find(pieces[0].node, ".energy").getBoundingClientRect();
  const { low, high } = player.scale;
  const mouth = view.getBoundingClientRect().bottom - frame.top;
  const top = mouth + (data.attends ? 0 : find(root, ".fixed").offsetHeight);
  placeStage(stage, {
    width: frame.width / scale,
    height: top / scale + stage.height,
    top: top / scale,
    mouth: mouth / scale,
    scale,
    xs: data.attends || data.stage?.reading ? xs : xs.slice(-1),
    base: (energy.top - frame.top + energy.height * high / (high - low || 1)) / scale
  });
  placeRibbons(stage, data.steps[clock.step].alpha);
  placeWindow(stage, data.steps[clock.step].window);
  placeChoice(stage, held2(player) ? 0 : player.chosen);
  player.moment = null;
  render(player);
}

// step_by_step/step_by_step.js
var COMMIT_AFTER = 400;
function rested(root, player) {
  const { clock, data } = player;
  invite(player);
  if (held2(player)) speak(player);
  clearTimeout(root.pending);
  root.pending = setTimeout(() => {
    if (clock.playing || root.sent === clock.step) return;
    root.sent = clock.step;
    root.send("step", { trace: data.trace, step: clock.step + 1 });
  }, COMMIT_AFTER);
}
var explained = (words) => ({
  h: words.part_h,
  energies: words.part_energies,
  alpha: words.part_alpha,
  context: words.part_context,
  before: words.part_before,
  after: words.part_after,
  gru: words.part_gru,
  readout: words.part_readout,
  previous: words.part_previous,
  fed: words.part_fed,
  candidates: words.part_candidates
});
function light(player, node) {
  const { root, data, clock } = player;
  const { words } = data;
  player.pointed = node;
  const named = nearest(node, "[data-part]");
  const part = named && !(player.guess.on && player.view.contains(named)) ? named.dataset.part : void 0;
  const source = nearest(node, "[data-source]")?.dataset.source;
  root.classList.toggle("pointing", part != null);
  for (const one of findAll(root, "[data-part]")) one.classList.toggle("lit", one.dataset.part === part);
  for (const one of findAll(root, "[data-source]")) one.classList.toggle("pointed", source != null && one.dataset.source === source);
  const { energies, alpha } = data.steps[clock.step];
  const j = Number(source);
  const piece = source != null && alpha && !held2(player) ? filled(energies ? words.piece : words.piece_alpha, { piece: quoted(data.source[j].text), energy: decimalOrDash(energies?.[j]), weight: decimalOrDash(alpha[j], 3) }) : null;
  find(root, ".explain").setAttribute("aria-live", clock.playing ? "off" : "polite");
  find(root, ".explain").textContent = [piece, part && (data.stage?.explains[part] ?? explained(words)[part])].filter(Boolean).join(" ") || words.explain;
}
function show(player) {
  const { drawn: drawn2 } = player;
  render(player);
  if (drawn2 !== player.drawn && player.pointed) light(player, player.pointed);
}
function clicked2(player, node) {
  const { clock } = player;
  const { step } = nearest(node, "[data-step]")?.dataset ?? {};
  const { group } = nearest(node, "[data-group]")?.dataset ?? {};
  const { speed } = nearest(node, "[data-speed]")?.dataset ?? {};
  const act = nearest(node, "[data-do]")?.dataset.do;
  if (step != null) clock.go(Number(step));
  if (group != null) answer(player, Number(group));
  if (speed != null) {
    clock.speed = Number(speed);
    pressedButtons(player);
  }
  if (act === "play") toggle2(clock);
  if (act === "back") clock.go(clock.step - 1);
  if (act === "on") clock.go(clock.step + 1);
  if (act === "guess") game(player);
}
function game(player) {
  turn(player.guess);
  pressedButtons(player);
  player.clock.go(player.clock.step);
}
function pressedButtons({ root, clock, guess }) {
  for (const one of findAll(root, "[data-speed]")) one.setAttribute("aria-pressed", String(Number(one.dataset.speed) === clock.speed));
  for (const one of findAll(root, ".guess")) one.setAttribute("aria-pressed", String(guess.on));
}
function symbolOf(equation, by) {
  const symbols = findAll(equation, ".symbol[data-part]");
  const at = Math.max(0, Math.min(Number(equation.dataset.at ?? 0) + by, symbols.length - 1));
  equation.dataset.at = String(at);
  return symbols[at] ?? null;
}
function listen(root) {
  const point = (node) => {
    if (root.player) light(root.player, node);
  };
  root.onpointerover = (event) => point(event.target);
  root.addEventListener("focusin", (event) => {
    const equation = event.target instanceof HTMLElement && event.target.matches(".equation") ? event.target : null;
    if (!equation || !root.kept || !equation.contains(root.kept)) root.kept = null;
    point(root.kept ?? (equation && symbolOf(equation, 0)));
  });
  root.onpointerleave = () => point(root.kept ?? null);
  root.onclick = (event) => {
    if (!root.player || !(event.target instanceof Element)) return;
    const part = event.target.closest(".symbol[data-part], .number[data-source], .piece[data-source]");
    root.kept = part instanceof HTMLElement && part !== root.kept ? part : null;
    point(root.kept ?? event.target);
    clicked2(root.player, event.target);
  };
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) root.player?.clock.go(Number(event.target.value) - 1);
  };
}
function walked(player, by) {
  const { clock, data } = player;
  if (by > 0 && held2(player)) {
    if (clock.playing) clock.pause();
    reveal(player);
  } else if (clock.step + by < 0 || clock.step + by >= data.steps.length) return false;
  else clock.go(clock.step + by);
  return true;
}
function begin(root) {
  listen(root);
  announce(root);
  root.keys = (event) => {
    const equation = nearest(event.composedPath()[0], ".equation");
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && equation && root.player && root.contains(equation) && !modified(event)) {
      event.preventDefault();
      root.kept = symbolOf(equation, by);
      return light(root.player, root.kept);
    }
    pressed2(root, event, (group) => root.player && answer(root.player, group), game);
  };
  document.addEventListener("keydown", root.keys, true);
  const again = () => root.player && place(root.player);
  root.observer = new ResizeObserver(again);
  for (const node of [root, document.documentElement]) root.observer.observe(node);
  document.fonts.ready.then(again);
}
function take(root, data) {
  const active = document.activeElement;
  const asked2 = active instanceof HTMLTextAreaElement && active.closest(".st-key-sentence") && clean(active.value) === data.sentence;
  const live = new URL(location.href).searchParams.get("live") === "on";
  const chose = active?.matches(".st-key-model [role=combobox]:not([aria-expanded=true])");
  if (asked2 && !live || chose) root.focus({ preventScroll: true });
}
function stepByStep({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "player", { role: "group", tabindex: -1 }, begin);
  root.send = setTriggerValue;
  const drawn2 = JSON.stringify({ ...data, step: 0 });
  if (root.drawn !== drawn2) {
    root.drawn = drawn2;
    const kept = root.player ?? null;
    const same = kept?.data.trace === data.trace;
    kept?.clock.end();
    if (kept && !same) take(root, data);
    const step = kept && same ? kept.clock.step : data.step - 1;
    root.sent = step;
    const made = build2(root, data, kept);
    const player = Object.assign(made, {
      clock: makeClock(data.steps.length, made.table, () => show(player), () => rested(root, player), made.limit)
    });
    root.player = player;
    announce(find(root, ".film"), {
      go: (by) => walked(player, by),
      rest() {
        player.clock.go(Infinity);
        return true;
      }
    });
    player.clock.speed = kept?.clock.speed ?? 1;
    player.view.onscroll = () => place(player, true);
    pressedButtons(player);
    player.clock.go(step);
    place(player);
    root.kept = null;
    light(player, null);
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true);
    root.observer.disconnect();
    clearTimeout(root.pending);
    root.player?.clock.end();
  };
}

// alone:step_by_step/step_by_step
standAlone(stepByStep);
