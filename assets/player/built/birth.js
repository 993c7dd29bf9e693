// shared/leaving.js
var LEAVES = 3e3;
function leaving() {
  const [since, from] = (document.documentElement.dataset.leaving ?? "").split(" ");
  return from === location.pathname && Date.now() - Number(since) < LEAVES;
}

// shared/latest.js
var KEPT = 4;
function latest(component) {
  const drawn = /* @__PURE__ */ new WeakMap();
  return (given) => {
    const { parentElement, setStateValue, setTriggerValue } = given;
    const mounted = {
      ...given,
      setStateValue: (name, value) => leaving() || setStateValue(name, value),
      setTriggerValue: (name, value) => leaving() || setTriggerValue(name, value)
    };
    drawn.set(parentElement, [...drawn.get(parentElement) ?? [], mounted].slice(-KEPT));
    const leave = component(mounted);
    return () => {
      if (!parentElement.isConnected) return leave?.();
      const calls = drawn.get(parentElement) ?? [];
      const rest = calls.filter((call) => call !== mounted);
      drawn.set(parentElement, rest);
      if (rest.length && calls.at(-1) === mounted) component(rest[rest.length - 1]);
    };
  };
}

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

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

// shared/keys.js
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/markers.js
var SIGNS = {
  circle: ["●", "○"],
  square: ["■", "□"],
  diamond: ["◆", "◇"],
  "triangle-up": ["▲", "△"],
  "triangle-down": ["▼", "▽"],
  pentagon: ["⬟", "⬠"],
  star: ["★", "☆"],
  hexagon: ["⬢", "⬡"]
};
var sign = ({ marker, hollow }) => SIGNS[marker][hollow ? 1 : 0];

// shared/walk.js
var SECTION = "[data-section]";
var HEADING = "h1, h2, h3, h4, h5, h6, caption";
var WHOLE = `${SECTION}, ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`;
var presenting = () => document.documentElement.hasAttribute("data-presenting");
function announce(node, steps) {
  node.setAttribute("data-section", "");
  node.toggleAttribute("data-presented", presenting());
  node.steps = steps;
}

// length_and_bleu/born.js
function unpacked(packed, rows) {
  const bytes = [...atob(packed)].map((letter) => letter.charCodeAt(0) / 255);
  const columns = bytes.length / rows;
  return Array.from({ length: rows }, (_, i) => bytes.slice(i * columns, (i + 1) * columns));
}
function placeOf(at, moment) {
  if (moment === null) return null;
  const place = at.findIndex((one) => one >= moment);
  return place < 0 ? null : place;
}
function stopsOf(models, probe, last2) {
  const marks2 = models.flatMap(({ at, probes }) => [placeOf(at, probes[probe].diagonal), placeOf(at, probes[probe].turning)]);
  return [.../* @__PURE__ */ new Set([0, ...marks2.filter((mark) => mark !== null), last2])].sort((a, b) => a - b);
}
var amount = (pieces, language) => new Intl.NumberFormat(language, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: pieces < 1e7 ? 2 : 3 }).format(pieces);

// length_and_bleu/birth.js
var PACE = 380;
var TOLD_AFTER = 500;
var last = (root) => root.data.ticks.length - 1;
function grid({ probes, words, languages }, probe, label) {
  const { source, target } = probes[probe];
  const columns = [...source.map(([, text]) => text), words.end];
  const head = make("tr", {}, make("td"), ...columns.map((text, j) => make("th", { scope: "col", class: j < source.length ? "source" : "end", lang: languages[0] }, make("span", {}, text))));
  const rows = target.map(([, text], i) => make(
    "tr",
    {},
    make("th", { scope: "row", class: "target", lang: languages[1], tabindex: i ? -1 : 0, "data-row": i }, text),
    ...columns.map((_, j) => make("td", { class: "cell", "data-row": i, "data-column": j }))
  ));
  return make("table", { class: "alpha", "aria-label": label }, make("thead", {}, head), make("tbody", {}, ...rows));
}
function line(model, top) {
  const x = (place) => 4 + place / Math.max(1, model.at.length - 1) * 192;
  const y = (bleu) => 40 - bleu / top * 36;
  const path = model.at.map((moment, place) => `${x(place).toFixed(1)} ${y(model.bleu[moment]).toFixed(1)}`).join(" L");
  const picture = draw(
    "svg",
    { viewBox: "0 0 200 44", class: "bleu", "aria-hidden": "true", preserveAspectRatio: "none" },
    draw("path", { d: "M0 40 L200 40", class: "rule" }),
    draw("path", { d: `M${path}`, class: model.dashed ? "line dashed" : "line" })
  );
  const dot = make("i", { class: "dot" });
  const move = (place) => {
    dot.style.left = `${x(place) / 2}%`;
    dot.style.top = `${100 * y(model.bleu[model.at[place]]) / 44}%`;
  };
  return { node: make("div", { class: "course" }, picture, dot), move };
}
function build(root) {
  const { data } = root;
  const { words, probes, models, ticks, languages } = data;
  root.lang = data.language;
  root.setAttribute("aria-label", words.label);
  const choose = make(
    "select",
    { class: "choose", "aria-label": words.probe },
    ...probes.map(({ source }, k) => make("option", { value: k, lang: languages[0] }, source.map(([gap, word]) => gap + word).join("").trim()))
  );
  const slider = make("input", { type: "range", class: "track", min: 0, max: ticks.length - 1, step: 1, "aria-label": words.moment });
  const top = Math.max(5, ...models.flatMap(({ bleu }) => bleu));
  const sides = models.map((model) => {
    const course = line(model, top);
    const side = make(
      "section",
      { class: "side" },
      make("h3", {}, `${sign(model)} ${model.name}`),
      make("div", { class: "map" }),
      make("p", { class: "label" }, words.wrote),
      make("p", { class: "wrote", lang: languages[1] }),
      course.node,
      make("p", { class: "label score" })
    );
    return { side, move: course.move };
  });
  root.replaceChildren(
    make("div", { class: "controls" }, choose),
    make(
      "div",
      { class: "controls" },
      make("button", { type: "button", class: "play" }, words.play),
      make("div", { class: "slide" }, make("div", { class: "marks" }), slider),
      make("span", { class: "count", "aria-live": "polite" })
    ),
    make("div", { class: "sides" }, ...sides.map(({ side }) => side)),
    make("p", { class: "readout", "aria-live": "polite" }, words.hint)
  );
  choose.onchange = () => pick(root, Number(choose.value));
  slider.oninput = () => pause(root, Number(slider.value));
  find(root, ".play").onclick = () => root.clock ? pause(root) : play(root);
  moves.set(root, sides.map(({ move }) => move));
}
var moves = /* @__PURE__ */ new WeakMap();
function pick(root, probe) {
  const { data } = root;
  root.probe = probe;
  const rows = data.probes[probe].target.length;
  root.weights = data.models.map(({ probes }) => (probes[probe].alpha ?? []).map((packed) => unpacked(packed, rows)));
  find(root, ".choose").querySelectorAll("option")[probe].selected = true;
  findAll(root, ".side").forEach((side, m) => {
    find(side, ".map").replaceChildren(root.weights[m].length ? grid(data, probe, data.models[m].name) : make("p", { class: "plain" }, data.words.plain));
  });
  marks(root);
  show(root);
}
function marks(root) {
  const { data, probe } = root;
  const { words, models, ticks } = data;
  const places = (
    /** @type {["diagonal" | "turning", string, string][]} */
    [["diagonal", "◇", words.diagonal], ["turning", "↺", words.turning]]
  );
  const found = models.flatMap((model, m) => places.flatMap(([kind, symbol, what]) => {
    const moment = model.probes[probe][kind];
    const place = placeOf(model.at, moment);
    if (place === null || moment === null) return [];
    const title = filled(words.mark, { model: model.name, what, amount: amount(model.pieces[moment], data.language) });
    const node = make(
      "button",
      { type: "button", class: `mark ${kind} row-${m}`, "data-place": place, title, "aria-label": title },
      make("small", {}, sign(model)),
      symbol
    );
    node.style.left = `${100 * place / Math.max(1, ticks.length - 1)}%`;
    return [node];
  }));
  find(root, ".marks").replaceChildren(...found);
}
function show(root) {
  const { data, at, probe, weights } = root;
  const { words, models, ticks } = data;
  const slider = (
    /** @type {HTMLInputElement} */
    find(root, ".track")
  );
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", filled(words.seen, { amount: amount(ticks[at], data.language) }));
  find(root, ".count").textContent = filled(words.seen, { amount: amount(ticks[at], data.language) });
  find(root, ".play").textContent = root.clock ? words.pause : words.play;
  for (const spoken of findAll(root, "[aria-live]")) spoken.setAttribute("aria-live", root.clock ? "off" : "polite");
  findAll(root, ".side").forEach((side, m) => {
    const model = models[m];
    const moment = model.at[at];
    const rows = weights[m][moment];
    if (rows) {
      for (const cell of findAll(side, ".cell")) {
        const weight = rows[Number(cell.dataset.row)][Number(cell.dataset.column)];
        cell.style.setProperty("--weight", weight.toFixed(3));
        cell.setAttribute("aria-label", two(weight));
      }
    }
    find(side, ".wrote").textContent = model.probes[probe].translations[moment].trim() || words.nothing;
    find(side, ".score").textContent = filled(words.bleu, { amount: amount(model.pieces[moment], data.language), bleu: decimal(model.bleu[moment], 1) });
    side.classList.toggle("straight", reached(model.probes[probe].diagonal, moment));
    side.classList.toggle("turned", reached(model.probes[probe].turning, moment));
  });
  for (const move of moves.get(root) ?? []) move(at);
  for (const mark of findAll(root, ".mark")) mark.classList.toggle("passed", Number(mark.dataset.place) <= at);
  if (root.pointed) touch(root, root.pointed.isConnected ? root.pointed : null);
  tell(root);
}
var reached = (mark, moment) => mark !== null && moment >= mark;
function tell(root) {
  clearTimeout(root.telling);
  if (root.clock) return;
  const now = { probe: root.probe + 1, moment: root.at === last(root) ? 0 : root.at + 1 };
  if (now.probe === root.sent?.probe && now.moment === root.sent.moment) return;
  root.telling = setTimeout(() => {
    root.sent = now;
    root.send("place", now);
  }, TOLD_AFTER);
}
function pause(root, at = root.at) {
  clearInterval(root.clock);
  root.clock = void 0;
  root.at = Math.max(0, Math.min(last(root), at));
  show(root);
}
function play(root) {
  if (root.at >= last(root)) root.at = 0;
  root.clock = setInterval(() => {
    if (root.at + 1 >= last(root)) return pause(root, root.at + 1);
    root.at += 1;
    show(root);
  }, PACE);
  show(root);
}
function walked(root, by) {
  if (!root.data) return false;
  const stops = stopsOf(root.data.models, root.probe, last(root));
  const to = by > 0 ? stops.find((stop) => stop > root.at) : stops.findLast((stop) => stop < root.at);
  if (to === void 0) return false;
  pause(root, to);
  return true;
}
function touch(root, target) {
  const { data, probe, at, weights } = root;
  root.pointed = target instanceof Element ? target : null;
  const node = nearest(target, "[data-row]");
  const side = nearest(node, ".side");
  const m = side ? findAll(root, ".side").indexOf(side) : -1;
  for (const cell of findAll(root, ".cell")) cell.classList.toggle("lit", node !== null && cell.dataset.row === node.dataset.row);
  const rows = m < 0 ? void 0 : weights[m][data.models[m].at[at]];
  if (!node || !rows) return void (find(root, ".readout").textContent = data.words.hint);
  const i = Number(node.dataset.row);
  const most = rows[i].indexOf(Math.max(...rows[i]));
  const j = node.dataset.column === void 0 ? most : Number(node.dataset.column);
  const { source, target: words } = data.probes[probe];
  const texts = { model: data.models[m].name, target: words[i][1], source: source[j]?.[1] ?? data.words.end, weight: two(rows[i][j]) };
  find(root, ".readout").textContent = filled(node.dataset.column === void 0 ? data.words.looks : data.words.cell, texts);
}
var STEPS = {
  ArrowDown: (row, end) => Math.min(row + 1, end),
  ArrowUp: (row) => Math.max(row - 1, 0),
  Home: () => 0,
  End: (_, end) => end
};
function stepped(event) {
  const head = nearest(event.target, "th.target");
  const step = STEPS[event.key];
  if (!head || !step || modified(event)) return;
  event.preventDefault();
  const heads = findAll(
    /** @type {HTMLElement} */
    head.closest("table"),
    "th.target"
  );
  heads[step(heads.indexOf(head), heads.length - 1)].focus();
}
function begin(root) {
  root.pointed = null;
  root.onpointerover = (event) => touch(root, event.target);
  root.onpointerleave = () => touch(root, null);
  root.addEventListener("focusin", (event) => {
    const head = nearest(event.target, "th.target");
    if (head) for (const one of findAll(
      /** @type {HTMLElement} */
      head.closest("table"),
      "th.target"
    )) one.tabIndex = one === head ? 0 : -1;
    touch(root, event.target);
  });
  root.addEventListener("keydown", stepped);
  root.onclick = (event) => {
    const mark = nearest(event.target, ".mark");
    if (mark) pause(root, Number(mark.dataset.place));
    else touch(root, event.target);
  };
  announce(root, {
    go: (by) => walked(root, by),
    rest() {
      if (!root.data || root.at === last(root)) return false;
      pause(root, last(root));
      return true;
    }
  });
}
function birth({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "birth", { role: "group" }, begin);
  root.send = setTriggerValue;
  const drawn = JSON.stringify({ ...data, probe: 0, moment: 0 });
  if (root.drawn !== drawn) {
    clearInterval(root.clock);
    root.clock = void 0;
    const same = root.data?.of === data.of;
    root.drawn = drawn;
    root.data = data;
    root.sent = { probe: data.probe, moment: data.moment };
    if (!same) {
      root.probe = data.probe - 1;
      root.at = data.moment ? data.moment - 1 : data.ticks.length - 1;
    }
    build(root);
    pick(root, root.probe);
  }
  return () => {
    clearInterval(root.clock);
    clearTimeout(root.telling);
  };
}

// latest:length_and_bleu/birth
var birth_default = latest(birth);
export {
  birth_default as default
};
