// shared/terms.js
var MARK = /\u2061([\w-]+)\u2063([^\u2061-\u2064]*)\u2064/;
var plain = (text2) => text2.includes("⁡") ? text2.replaceAll(new RegExp(MARK, "g"), "$2") : text2;
var parts = (text2) => text2.split(MARK);

// shared/dom.js
function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, plain(String(value)));
  for (const child of children) if (child != null && child !== false) node.append(child);
  return node;
}
var term = (name, text2) => dressed(document.createElement("span"), { role: "button", tabindex: 0, class: "term", "data-term": name }, [text2]);
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
function rooted(parent, name, attributes, begin = () => {
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
  begin(root);
  return root;
}

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

// shared/format.js
function decimal(value, digits = 2) {
  const text2 = value.toFixed(digits);
  if (!text2.startsWith("-")) return text2;
  return Number(text2) === 0 ? text2.slice(1) : `−${text2.slice(1)}`;
}
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var filled = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
var clean = (text2) => text2.replace(/[\u202f\s]+/g, " ").trim();

// laboratory/columns.js
var CLEAR = 5e-3;
var HALVED = Math.log(2);
var nats = (value, signed) => value == null ? " " : Math.abs(value) < CLEAR ? "0" : `${signed && value > 0 ? "+" : ""}${decimal(value, 2)}`;
var text = (side, word, data) => word == null ? "–" : word < 0 ? data.words.end : side.words[word][1].trim();
function column(data, { before, after, flipped, gained, moved }) {
  const { words, languages } = data;
  const [was, now] = [text(data.before, before, data), data.after ? text(data.after, after, data) : " "];
  const told = data.after ? filled(words.column, { was: clean(was), now: clean(now), gained: nats(gained, true), moved: nats(moved, false) }) : null;
  return make(
    "li",
    { class: flipped ? "column flipped" : "column", title: told },
    make("span", { class: before == null ? "was" : "was word", lang: before != null && before < 0 ? null : languages[1] }, was),
    make("span", { class: "now", lang: after != null && after < 0 ? null : languages[1] }, now),
    make("span", { class: gained != null && gained < -HALVED ? "number lost" : "number" }, nats(gained, true)),
    make("span", { class: "number" }, nats(moved, false))
  );
}
function columns(data) {
  const { words } = data;
  const head = make(
    "p",
    { class: "label" },
    make("b", {}, data.name),
    data.after ? make("span", {}, data.kept) : make("span", {}, words.idle),
    make("span", {}, data.after ? filled(words.logs, { before: data.before.log_probability, after: data.after.log_probability }) : filled(words.log, { before: data.before.log_probability }))
  );
  const names = make("li", { class: "column names" }, make("span", {}, words.before), make("span", {}, words.after), make("span", {}, words.gained), make("span", {}, words.moved));
  return [head, make("ol", { class: data.after ? "columns" : "columns idle", "aria-label": words.columns }, names, ...data.columns.map((one) => column(data, one)))];
}

// laboratory/share.js
var current = (data) => data.after ?? data.before;
function giveWay(row, place, weight) {
  const given = Math.min(1, Math.max(0, weight));
  const rest = row.reduce((sum, value, k) => k === place ? sum : sum + value, 0);
  if (row.length === 1) return [1];
  return row.map((value, k) => k === place ? given : rest > 0 ? value / rest * (1 - given) : (1 - given) / (row.length - 1));
}
function written(map, step, row) {
  const parts2 = row.map((value) => Math.round(value * 1e6));
  const most = parts2.indexOf(Math.max(...parts2));
  parts2[most] += 1e6 - parts2.reduce((sum, part) => sum + part, 0);
  return `${map}@${step}=${parts2.map((part) => String(part / 1e6)).join(",")}`;
}
function holds(change2) {
  const found = /^([a-z0-9-]+)@(?:(\*)|(\d+)(?:-(\d+|\*))?)([:=])/.exec(change2);
  if (!found) return null;
  const [, map, all, from, to, sign] = found;
  const first = all ? 1 : Number(from);
  const last = all || to === "*" ? Infinity : Number(to ?? from);
  return { map, first, last, row: sign === "=" };
}
var where = ({ kind, step, from, to }) => kind === "all" ? "*" : kind === "step" || from === to ? String(kind === "step" ? step : from) : `${Math.min(from, to)}-${Math.max(from, to)}`;

// laboratory/controls.js
var SCOPES = ["step", "range", "all"];
var ways = (words) => [
  ["uniform", words.do_uniform, words.help_uniform],
  ["max", words.do_max, words.help_max],
  ["others", words.do_others, words.help_others],
  ["before", words.do_before, words.help_before],
  ["diagonal", words.do_diagonal, words.help_diagonal],
  ["shuffled", words.do_shuffled, words.help_shuffled],
  ["temperature", words.do_temperature, words.help_temperature],
  ["never", words.do_never, words.help_never],
  ["only", words.do_only, words.help_only]
];
var typed = (name, value, label, limits = {}) => make("input", { type: "number", name, value, "aria-label": label, title: label, inputmode: "decimal", ...limits });
function controls(root) {
  const { data, scope, range, numbers } = root;
  const { words } = data;
  const last = current(data).pieces.length;
  const names = { step: words.scope_step, range: words.scope_range, all: words.scope_all };
  const scopes = SCOPES.map((kind) => make("button", { type: "button", role: "radio", "data-scope": kind, "aria-checked": String(kind === scope), tabindex: kind === scope ? 0 : -1 }, names[kind]));
  const ends = make(
    "span",
    { class: "ends", hidden: scope === "range" ? null : "" },
    typed("from", Math.min(range[0], last), words.from, { min: 1, max: last }),
    "–",
    typed("to", Math.min(range[1], last), words.to, { min: 1, max: last })
  );
  const asked = {
    shuffled: () => typed("seed", numbers.seed, words.seed, { min: 0, max: 999999, step: 1 }),
    temperature: () => typed("temperature", numbers.temperature, words.temperature, { min: 0.05, max: 20, step: 0.05 })
  };
  const rules = ways(words).map(([way, name, help]) => make("span", { class: "rule" }, make("button", { type: "button", class: "way", "data-way": way, title: help }, name), asked[way]?.()));
  const chips = data.changes.map(({ written: written2, said }) => make("span", { class: "chip" }, make("span", {}, said), make("button", { type: "button", "data-less": written2, "aria-label": filled(words.less, { change: said }), title: filled(words.less, { change: said }) }, "×")));
  const none = make("button", { type: "button", class: "none", disabled: data.changes.length ? null : "" }, words.none);
  return make(
    "div",
    { class: "controls" },
    make("div", { class: "line" }, make("span", { class: "at" }, words.at), make("span", { class: "scopes", role: "radiogroup", "aria-label": words.at }, ...scopes), ends, ...rules),
    make("div", { class: "line chips" }, none, ...chips.length ? chips : [make("span", { class: "soft" }, words.own)])
  );
}
function labels(root) {
  const { data, place } = root;
  const word = wordAt(root).map((k) => data.source[k].text).join("");
  for (const way of ["never", "only"]) find(root, `[data-way=${way}]`).textContent = filled(data.words[way === "never" ? "do_never" : "do_only"], { word: word || data.source[place].text });
  find(root, "[data-scope=step]").textContent = filled(data.words.scope_step, { step: root.step + 1, word: current(data).pieces[root.step].text });
}
function wordAt({ data, place }) {
  const { word } = data.source[place];
  return word < 0 ? [place] : data.source.flatMap((piece, k) => piece.word === word ? [k] : []);
}
function ask(root, way) {
  const { data, numbers, step, range } = root;
  const what = { shuffled: `=${numbers.seed}`, temperature: `=${numbers.temperature}`, never: `=${places(root)}`, only: `=${places(root)}` };
  const steps = where({ kind: root.scope, step: step + 1, from: range[0], to: range[1] });
  root.draft = null;
  root.tell({ more: `${data.map}@${steps}:${way}${Object.hasOwn(what, way) ? what[
    /** @type {keyof typeof what} */
    way
  ] : ""}` });
}
var places = (root) => wordAt(root).map((k) => k + 1).join(".");
function choose(root, kind) {
  root.scope = kind;
  for (const node of findAll(root, "[data-scope]")) {
    const on = node.dataset.scope === kind;
    node.setAttribute("aria-checked", String(on));
    node.tabIndex = on ? 0 : -1;
  }
  find(root, ".ends").hidden = kind !== "range";
}
function listenToControls(root) {
  root.addEventListener("click", (event) => {
    const scope = nearest(event.target, "[data-scope]");
    const way = nearest(event.target, "[data-way]");
    const less = nearest(event.target, "[data-less]");
    if (scope) choose(
      root,
      /** @type {"step"} */
      scope.dataset.scope
    );
    else if (way) ask(root, way.dataset.way ?? "");
    else if (less) root.tell({ less: less.dataset.less });
    else if (nearest(event.target, ".none")) root.tell({ none: true });
  });
  root.addEventListener("keydown", (event) => {
    const scope = nearest(event.target, "[data-scope]");
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!scope || !by) return;
    event.preventDefault();
    choose(root, SCOPES[(SCOPES.indexOf(root.scope) + by + SCOPES.length) % SCOPES.length]);
    find(root, `[data-scope=${root.scope}]`).focus();
  });
  root.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !Number.isFinite(input.valueAsNumber)) return;
    const [least, most] = [Number(input.min), Number(input.max)];
    const value = Math.min(most, Math.max(least, input.valueAsNumber));
    if (input.name === "from") root.range[0] = Math.round(value);
    else if (input.name === "to") root.range[1] = Math.round(value);
    else if (input.name === "seed") root.numbers.seed = Math.round(value);
    else if (input.name === "temperature") root.numbers.temperature = value;
    else return;
    input.value = String(input.name === "temperature" ? value : Math.round(value));
  });
}

// shared/keys.js
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var depth = (shade2, [deep, deepest] = ATTENTION) => shade2 >= deepest ? "deepest" : shade2 >= deep ? "deep" : "";

// laboratory/rows.js
var NUMBER_FROM = 0.3;
var SEEN_FROM = 0.01;
var classes = ({ word, joined }) => word < 0 ? "end" : joined ? "joined" : "";
var weights = (root, step) => root.draft && step === root.step ? root.draft : current(root.data).alpha[step].map((part) => part / root.data.parts);
function shade(cell, value) {
  cell.style.setProperty("--shade", value.toFixed(3));
  for (const name of ["deep", "deepest"]) cell.classList.toggle(name, depth(value) === name);
  cell.textContent = value >= NUMBER_FROM ? short(value) : "";
}
function rows(root) {
  const { data } = root;
  const { words, languages, source } = data;
  const side = current(data);
  const held = data.changes.flatMap(({ written: written2 }) => holds(written2) ?? []).filter(({ map }) => map === data.map);
  const heads = source.map((piece, k) => make("th", { scope: "col", class: classes(piece), "data-place": k, lang: piece.word < 0 ? null : languages[0] }, make("span", { class: "word source" }, piece.text)));
  const bars = source.map((_, k) => make(
    "td",
    { class: "bar", role: "slider", tabindex: -1, "data-place": k, "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical" },
    make("i", {}),
    make("span", {})
  ));
  const body = side.alpha.map((_, t) => {
    const changed = held.some(({ first, last }) => first <= t + 1 && t + 1 <= last);
    const label = make(
      "th",
      { scope: "row", class: `step ${classes(side.pieces[t])}`, "data-step": t, tabindex: -1, lang: side.pieces[t].word < 0 ? null : languages[1] },
      make("span", { class: "word target" }, side.pieces[t].text)
    );
    const cells = weights(root, t).map((value, k) => {
      const cell = make("td", { "data-step": t, "data-place": k });
      shade(cell, value);
      return cell;
    });
    return make("tr", { class: changed ? "changed" : null, "data-row": t }, label, ...cells);
  });
  const table = make(
    "table",
    { "aria-label": filled(words.map, { model: data.name }) },
    make("thead", {}, make("tr", {}, make("td", { class: "corner" }), ...heads)),
    make("tbody", { class: "editor" }, make("tr", {}, make("th", { scope: "row", class: "which" }), ...bars)),
    make("tbody", {}, ...body)
  );
  return make(
    "div",
    { class: "main" },
    make("div", { class: "scroll" }, table),
    make(
      "p",
      { class: "readout", "aria-live": "polite" },
      make("span", { class: "said" }),
      make("label", {}, make("span", { class: "weight-of" }), make("input", { type: "number", class: "weight", min: 0, max: 1, step: 0.05, inputmode: "decimal" }))
    )
  );
}
function small(values, width, name) {
  const drawing = draw(
    "svg",
    { viewBox: `0 0 ${width} ${values.length}`, role: "img", "aria-label": name, preserveAspectRatio: "none" },
    draw("rect", { class: "ground", width, height: values.length })
  );
  values.forEach((row, y) => {
    if (!row) drawing.append(draw("rect", { class: "none", x: 0, y: y + 0.4, width, height: 0.2 }));
    row?.forEach((value, x) => {
      if (Math.abs(value) < SEEN_FROM) return;
      drawing.append(draw("rect", { class: value < 0 ? "less" : "more", x, y, width: 1, height: 1, "fill-opacity": Math.min(1, Math.abs(value)).toFixed(3) }));
    });
  });
  return drawing;
}
function maps(data) {
  const { words, parts: parts2 } = data;
  const shares = (row) => row.map((part) => part / parts2);
  const width = data.source.length;
  const differences = data.columns.map(({ difference }) => difference && shares(difference));
  const most = Math.max(0, ...differences.flatMap((row) => row?.map(Math.abs) ?? []));
  const figure = (name, values, told) => {
    const drawing = small(values, width, told);
    drawing.style.setProperty("--high", String(values.length));
    return make("figure", {}, make("figcaption", {}, name), drawing);
  };
  return make(
    "div",
    { class: "small" },
    figure(words.small_before, data.before.alpha.map(shares), filled(words.map_before, { model: data.name })),
    figure(
      words.small_difference,
      data.after ? differences : data.columns.map(() => new Array(width).fill(0)),
      filled(words.map_difference, { most: two(most) })
    )
  );
}

// laboratory/draft.js
var REST = 600;
var FAR = 140;
var BEGINS = 4;
function select(root, step, place) {
  if (step !== root.step) root.draft = null;
  root.step = step;
  root.place = place;
  for (const row of findAll(root, "[data-row]")) row.classList.toggle("selected", Number(row.dataset.row) === step);
  for (const node of findAll(root, ".step")) node.tabIndex = Number(node.dataset.step) === step ? 0 : -1;
  for (const node of findAll(root, "[data-place]")) node.classList.toggle("here", Number(node.dataset.place) === place);
  show(root);
  labels(root);
}
function show(root) {
  const { data, step, place } = root;
  const { words } = data;
  const row = weights(root, step);
  const target = current(data).pieces[step].text;
  for (const [k, bar] of findAll(root, ".bar").entries()) {
    bar.style.setProperty("--share", row[k].toFixed(4));
    bar.tabIndex = k === place ? 0 : -1;
    bar.setAttribute("aria-valuenow", row[k].toFixed(2));
    bar.setAttribute("aria-label", filled(words.cell, { target, source: data.source[k].text }));
    find(bar, "span").textContent = row[k] >= 5e-3 ? two(row[k]) : "";
  }
  for (const [k, cell] of findAll(root, `td[data-step="${step}"]`).entries()) shade(cell, row[k]);
  find(root, ".which").textContent = filled(words.which, { step: step + 1 });
  find(root, ".said").textContent = filled(words.said_cell, { target, source: data.source[place].text });
  find(root, ".weight-of").textContent = words.weight;
  const input = (
    /** @type {HTMLInputElement} */
    find(root, ".weight")
  );
  if (!input.matches(":focus")) input.value = row[place].toFixed(2);
}
function change(root, place, weight) {
  if (root.data.alone) return;
  root.place = place;
  root.draft = giveWay(weights(root, root.step), place, weight);
  select(root, root.step, place);
}
function letGo(root) {
  clearTimeout(root.rests);
  if (!root.draft) return;
  root.tell({ more: written(root.data.map, root.step + 1, root.draft) });
}
function giveBack(root) {
  clearTimeout(root.rests);
  if (root.draft) {
    root.draft = null;
    show(root);
    return true;
  }
  if (root.data.alone) return false;
  const byHand = root.data.changes.find(({ written: one }) => one.startsWith(`${root.data.map}@${root.step + 1}=`));
  if (byHand) root.tell({ less: byHand.written });
  return byHand !== void 0;
}
var room = (root) => 15 * (parseFloat(getComputedStyle(root).getPropertyValue("--enlarge")) || 1);
function drag(root, event) {
  const bar = nearest(event.target, ".bar");
  const cell = bar ? null : nearest(event.target, "td[data-step]");
  const node = bar ?? cell;
  if (!node || event.button > 0) return;
  const place = Number(node.dataset.place);
  if (cell) select(root, Number(cell.dataset.step), place);
  else select(root, root.step, place);
  if (root.data.alone) return;
  if (cell && event.pointerType === "touch") return;
  event.preventDefault();
  find(root, `[role=slider][data-place="${place}"]`).focus({ preventScroll: true });
  const [x, y, from] = [event.clientX, event.clientY, weights(root, root.step)[place]];
  const box = node.getBoundingClientRect();
  let begun = false;
  const move = (now) => {
    begun ||= bar !== null || Math.hypot(now.clientX - x, now.clientY - y) > BEGINS;
    if (begun) change(root, place, bar ? (box.bottom - now.clientY) / (box.height - room(root)) : from + (y - now.clientY) / FAR);
  };
  const done = new AbortController();
  const { signal } = done;
  addEventListener("pointermove", (now) => now.pointerId === event.pointerId && move(now), { signal });
  addEventListener("pointerup", (now) => {
    if (now.pointerId !== event.pointerId) return;
    done.abort();
    if (begun) letGo(root);
  }, { signal });
  addEventListener("pointercancel", () => {
    done.abort();
    root.draft = null;
    show(root);
  }, { signal });
  addEventListener("keydown", (key) => {
    if (key.key !== "Escape") return;
    key.preventDefault();
    done.abort();
    root.draft = null;
    show(root);
  }, { signal, capture: true });
  if (bar) move(event);
}
function pressed(root, event) {
  const { data, step, place } = root;
  const last = data.source.length - 1;
  const bar = nearest(event.target, ".bar");
  const head = nearest(event.target, ".step");
  if (modified(event) || !bar && !head) return;
  const by = event.shiftKey ? 0.01 : 0.05;
  const value = weights(root, step)[place];
  const keys = bar ? {
    ArrowUp: () => change(root, place, value + by),
    ArrowDown: () => change(root, place, value - by),
    Home: () => change(root, place, 0),
    End: () => change(root, place, 1),
    ArrowLeft: () => select(root, step, Math.max(0, place - 1)),
    ArrowRight: () => select(root, step, Math.min(last, place + 1)),
    Enter: () => letGo(root)
  } : {
    ArrowUp: () => select(root, Math.max(0, step - 1), place),
    ArrowDown: () => select(root, Math.min(current(data).pieces.length - 1, step + 1), place),
    Home: () => select(root, 0, place),
    End: () => select(root, current(data).pieces.length - 1, place)
  };
  if (event.key === "Escape") {
    if (giveBack(root)) event.preventDefault();
    return;
  }
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
  clearTimeout(root.rests);
  if (!bar) return find(root, `.step[data-step="${root.step}"]`).focus();
  find(root, `[role=slider][data-place="${root.place}"]`).focus({ preventScroll: true });
  if (root.draft && event.key !== "Enter") root.rests = setTimeout(() => letGo(root), REST);
}
function listenToRows(root) {
  root.addEventListener("pointerdown", (event) => drag(root, event));
  root.addEventListener("keydown", (event) => pressed(root, event));
  root.addEventListener("click", (event) => {
    const head = nearest(event.target, ".step, th[data-place]");
    if (!head) return;
    select(root, Number(head.dataset.step ?? root.step), Number(head.dataset.place ?? root.place));
  });
  root.addEventListener("focusin", (event) => {
    const at = nearest(event.target, ".bar, .step");
    if (!at) return;
    const [step, place] = [Number(at.dataset.step ?? root.step), Number(at.dataset.place ?? root.place)];
    if (step !== root.step || place !== root.place) select(root, step, place);
  });
  root.addEventListener("change", (event) => {
    const input = (
      /** @type {HTMLInputElement | null} */
      nearest(event.target, ".weight")
    );
    if (!input || input.value === "" || !Number.isFinite(input.valueAsNumber)) return;
    change(root, root.place, input.valueAsNumber);
    letGo(root);
  });
}

// laboratory/console.js
function build(root) {
  const { data } = root;
  const typing = root.contains(focused(root)) && focused(root)?.getAttribute("role") === "slider";
  root.lang = data.language;
  root.classList.toggle("alone", data.alone === true);
  root.style.setProperty("--columns", String(data.source.length));
  root.style.setProperty("--rows", String(current(data).pieces.length));
  root.style.setProperty("--longest", String(Math.max(...data.source.map(({ text: text2 }) => text2.length))));
  const texts = make("section", { class: "texts" }, ...columns(data));
  const bench = make(
    "section",
    { class: "bench" },
    controls(root),
    make("div", { class: "maps" }, rows(root), maps(data)),
    make("p", { class: "legend" }, make("span", {}, data.alone ? data.words.legend_alone : data.words.legend), make("span", { class: "made" }, data.made))
  );
  root.replaceChildren(texts, bench, make("p", { class: "unseen", role: "status" }, data.after ? `${data.kept}. ${data.after.words.flat().join("")}` : ""));
  for (const section of [texts, bench]) announce(section);
  select(root, root.step, root.place);
  if (typing) find(root, `[role=slider][data-place="${root.place}"]`).focus({ preventScroll: true });
}
var focused = (root) => {
  const of = root.getRootNode();
  return of instanceof ShadowRoot || of instanceof Document ? of.activeElement : null;
};
function attention({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "console", {}, (made) => {
    Object.assign(made, { step: 0, place: 0, scope: "step", range: [1, 1], numbers: { seed: 1, temperature: 0.5 }, draft: null });
    listenToControls(made);
    listenToRows(made);
  });
  root.tell = (asked) => setTriggerValue("edit", { ...asked, of: root.data.of });
  const drawn = JSON.stringify(data);
  if (root.drawn !== drawn) {
    const other = root.data?.source.map(({ text: text2 }) => text2).join() !== data.source.map(({ text: text2 }) => text2).join();
    root.drawn = drawn;
    root.data = data;
    root.draft = null;
    const { pieces, alpha } = current(data);
    if (other) Object.assign(root, { step: 0, place: alpha[0].indexOf(Math.max(...alpha[0])), range: [1, pieces.length] });
    root.step = Math.min(root.step, pieces.length - 1);
    build(root);
  }
  return () => clearTimeout(root.rests);
}
export {
  attention as default
};
