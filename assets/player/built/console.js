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
function readAloud(root, text2, language = root.lang) {
  const line = root.parentNode?.querySelector(".announced");
  if (!(line instanceof HTMLElement)) return root.after(make("p", { class: "unseen announced", role: "status", lang: language }, text2));
  if (line.textContent === text2) return;
  line.lang = language;
  line.textContent = text2;
}
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

// shared/keys.js
var TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *";
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/anew.js
function known(node) {
  const marks = [...node.attributes].filter(({ name }) => name === "name" || name.startsWith("data-")).map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`);
  return node.localName + (marks.length ? marks : [...node.classList].map((name) => `.${CSS.escape(name)}`)).join("");
}
function focused(root) {
  const of = root.getRootNode();
  const active = of instanceof ShadowRoot || of instanceof Document ? of.activeElement : null;
  return active !== root && root.contains(active) ? active : null;
}
function anew(root, build2, ...otherwise) {
  const had = focused(root);
  const selector = had ? known(had) : "";
  const number = had ? findAll(root, selector).indexOf(
    /** @type {HTMLElement} */
    had
  ) : -1;
  const scrolled = findAll(root, ".scroll").map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const opened = [...root.querySelectorAll("details")].map(({ open }) => open);
  unmoved(() => {
    build2();
    root.querySelectorAll("details").forEach((node, k) => node.open = opened[k] ?? node.open);
  });
  for (const [k, node] of findAll(root, ".scroll").entries()) [node.scrollLeft, node.scrollTop] = scrolled[k] ?? [0, 0];
  if (!had || root.contains(had)) return;
  const ready = (one) => findAll(root, one).filter((node) => !node.matches(":disabled") && node.checkVisibility());
  const same = ready(selector);
  const next = same[Math.min(number, same.length - 1)] ?? otherwise.flatMap(ready)[0];
  if (next instanceof HTMLInputElement && had instanceof HTMLInputElement && had.matches(TYPING)) next.value = had.value;
  next?.focus({ preventScroll: true });
}
function unmoved(draw2) {
  const page = document.querySelector(".stMain") ?? document.documentElement;
  const at = page.scrollTop;
  draw2();
  if (page.scrollTop !== at) page.scrollTop = at;
}

// shared/format.js
function decimal(value, digits = 2) {
  const text2 = value.toFixed(digits);
  if (!text2.startsWith("-")) return text2;
  return Number(text2) === 0 ? text2.slice(1) : `−${text2.slice(1)}`;
}
var greatest = (numbers, least) => numbers.reduce((most, one) => Math.max(most, one), least);
var signed = (value, digits = 2) => Number(value.toFixed(digits)) > 0 ? `+${decimal(value, digits)}` : decimal(value, digits);
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var fullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign);
var letters = (text2) => [...text2].reduce((sum, sign) => sum + (fullWidth(sign) ? 2 : 1), 0);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part]
  ] : part ? [part] : []);
}
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
var clean = (text2) => text2.replace(/[\u202f\s]+/g, " ").trim();

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

// laboratory/columns.js
var CLEAR = 5e-3;
var HALVED = Math.log(2);
var nats = (value, plus) => value == null ? " " : Math.abs(value) < CLEAR ? "0" : plus ? signed(value) : decimal(value);
var text = (side, word, data) => word == null ? "–" : word < 0 ? data.words.end : side.words[word][1].trim();
function told(data, { before, after, gained, moved, log }) {
  const { words } = data;
  if (!data.after) return null;
  const numbers = { gained: nats(gained, true), moved: nats(moved, false), log: nats(log, false) };
  const pair = { was: clean(text(data.before, before, data)), now: clean(text(data.after, after, data)) };
  return filled(before == null ? words.column_new : after == null ? words.column_gone : words.column, { ...pair, ...numbers });
}
function column(data, one) {
  const { before, after, flipped, gained, moved, log } = one;
  const { languages } = data;
  const said = told(data, one);
  const all = make(
    "li",
    { class: flipped ? "column flipped" : "column", title: said },
    make("span", { class: before == null ? "was" : "was word", lang: before != null && before < 0 ? null : languages[1] }, text(data.before, before, data)),
    make("span", { class: gained != null && gained < -HALVED ? "number lost" : "number" }, nats(gained, true)),
    make("span", { class: "number" }, nats(moved, false)),
    make("span", { class: "now", lang: after != null && after < 0 ? null : languages[1] }, data.after ? text(data.after, after, data) : " "),
    make("span", { class: "number" }, nats(log, false))
  );
  if (said) {
    for (const part of all.children) part.setAttribute("aria-hidden", "true");
    all.append(make("span", { class: "unseen", lang: data.language }, said));
  }
  return all;
}
function columns(data) {
  const { words, before, after } = data;
  const logs = after ? [filled(words.logs, { before: before.log_probability, after: after.log_probability }), data.sum && filled(words.sum, { sum: data.sum })] : [filled(words.log, { before: before.log_probability })];
  const head = make(
    "p",
    { class: "label" },
    make("b", {}, data.name),
    data.told && make("span", { class: "told" }, data.told),
    make("span", {}, after ? data.kept : words.idle),
    ...logs.map((one) => one && make("span", {}, one)),
    data.back && !data.alone ? make("button", { type: "button", class: "back" }, words.back) : null
  );
  const names = make("div", { class: "column names" }, ...[words.before, words.gained, words.moved, words.after, words.log_name].map((name) => make("span", {}, name)));
  const list = make("ol", { class: "columns", "aria-label": words.columns }, ...data.columns.map((one) => column(data, one)), after ? null : make("li", { class: "soon" }, words.soon));
  const beside = make("div", { class: "beside" }, names);
  if (after) repeated(beside, names, list);
  return [head, make("div", { class: after ? "aligned" : "aligned idle" }, beside, list)];
}
function repeated(beside, names, list) {
  const texts = [...names.children].map((name) => name.textContent);
  new ResizeObserver(() => {
    const tops = [...new Set(findAll(list, ".column").map((one) => one.offsetTop))].slice(1);
    beside.replaceChildren(names, ...tops.map((top) => {
      const again = make("div", { class: "column names again", "aria-hidden": "true" }, ...texts.map((name) => make("span", {}, name)));
      again.style.top = `${top}px`;
      return again;
    }));
  }).observe(list);
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
  const parts2 = row.map((value) => Math.floor(value * 1e6));
  const left = 1e6 - parts2.reduce((sum, part) => sum + part, 0);
  const most = parts2.map((_, k) => k).sort((a, b) => row[b] * 1e6 - parts2[b] - (row[a] * 1e6 - parts2[a]));
  for (const k of most.slice(0, left)) parts2[k] += 1;
  return `${map}@${step}=${parts2.map((part) => String(part / 1e6)).join(",")}`;
}
function holds(change3) {
  const found = /^([a-z0-9-]+)@(?:(\*)|(\d+)(?:-(\d+|\*))?)([:=])/.exec(change3);
  if (!found) return null;
  const [, map, all, from, to, sign] = found;
  const first = all ? 1 : Number(from);
  const last = all || to === "*" ? Infinity : Number(to ?? from);
  return { map, first, last, row: sign === "=" };
}
function ruled(change3) {
  const found = /^([a-z0-9-]+)@([\d*-]+):([a-z]+)(?:=(.*))?$/.exec(change3);
  return found && { map: found[1], where: found[2], way: found[3], value: found[4] ?? "" };
}
function scopeOf(changes, map, last) {
  const held2 = changes.flatMap((change3) => holds(change3) ?? []).filter((one) => one.map === map).at(-1);
  if (!held2) return null;
  const [from, to] = [Math.min(held2.first, last), Math.min(held2.last, last)];
  return { kind: held2.first === 1 && held2.last === Infinity ? "all" : held2.first === held2.last ? "step" : "range", step: from, from, to };
}
var where = ({ kind, step, from, to }) => kind === "all" ? "*" : kind === "step" || from === to ? String(kind === "step" ? step : from) : `${Math.min(from, to)}-${Math.max(from, to)}`;
function ruling(changes, map, first, last) {
  const over = changes.filter((change3) => {
    const held3 = holds(change3);
    return held3 && held3.map === map && held3.first <= last && first <= held3.last;
  });
  const held2 = holds(over.at(-1) ?? "");
  return held2 && !held2.row && held2.first <= first && last <= held2.last ? over.at(-1) : void 0;
}

// laboratory/controls.js
var SCOPES = ["step", "range", "all"];
var NUMBERED = { shuffled: { min: 0, max: 999999, step: 1 }, temperature: { min: 0.05, max: 20, step: 0.05 } };
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
  const rules = ways(words).map(([way, name, help]) => make("button", { type: "button", class: "way", "data-way": way, "aria-pressed": false, title: help }, name));
  const number = (way, label, hint) => make("label", { class: "number-of", "data-of": way, hidden: "" }, label, typed(way, numbers[way], label, NUMBERED[way]), make("span", { class: "soft" }, hint));
  const chips = data.changes.map(({ written: written2, said }) => make("span", { class: "chip" }, make("span", {}, said), make("button", { type: "button", "data-less": written2, "aria-label": filled(words.less, { change: said }), title: filled(words.less, { change: said }) }, "×")));
  const none = make("button", { type: "button", class: "none" }, words.none);
  const line = (kind, name, ...parts2) => make("div", { class: `line ${kind}` }, make("span", { class: "at" }, name), make("div", { class: "parts" }, ...parts2));
  return make(
    "div",
    { class: "controls" },
    line("where", words.at, make("span", { class: "scopes", role: "radiogroup", "aria-label": words.at }, ...scopes), ends),
    line("rules", words.look, ...rules, number("shuffled", words.seed, words.seed_hint), number("temperature", words.temperature, words.temperature_hint)),
    make("p", { class: "soft help" }, root.helped),
    line("chips", words.changed, ...chips.length ? [...chips, none] : [make("span", { class: "soft" }, words.own)])
  );
}
function adopt(root) {
  const { data } = root;
  const changes = data.changes.map(({ written: written2 }) => written2);
  const scope = scopeOf(changes, data.map, current(data).pieces.length);
  if (!scope) return;
  root.scope = scope.kind;
  if (scope.kind === "step") root.step = scope.step - 1;
  if (scope.kind === "range") root.range = [scope.from, scope.to];
  for (const rule of changes.flatMap((one) => ruled(one) ?? [])) {
    if (rule.way === "shuffled" || rule.way === "temperature") root.numbers[rule.way] = Number(rule.value);
  }
}
function labels(root) {
  const { data, place } = root;
  const word = wordAt(root).map((k) => data.source[k].text).join("");
  const { words, languages } = data;
  for (const [way, name, help] of [["never", words.do_never, words.help_never], ["only", words.do_only, words.help_only]]) {
    const button = find(root, `[data-way=${way}]`);
    button.replaceChildren(...fill(name, { word: make("u", { lang: data.source[place].word < 0 ? null : languages[0] }, word) }));
    button.title = filled(help, { word });
  }
  find(root, "[data-scope=step]").textContent = filled(data.words.scope_step, { step: root.step + 1, word: current(data).pieces[root.step].text });
  const now = ruled(ruling(data.changes.map(({ written: written2 }) => written2), data.map, ...spanned(root)) ?? "");
  for (const button of findAll(root, "[data-way]")) {
    const way = button.dataset.way ?? "";
    const value = ruled(change(root, way))?.value;
    button.setAttribute("aria-pressed", String(now?.way === way && (Object.hasOwn(NUMBERED, way) || now.value === value)));
  }
  for (const label of findAll(root, ".number-of")) {
    const holding = held(root, label.dataset.of ?? "");
    label.hidden = holding === void 0;
    const input = (
      /** @type {HTMLInputElement} */
      find(label, "input")
    );
    if (holding !== void 0 && !input.matches(":focus")) input.value = ruled(holding)?.value ?? "";
  }
}
function wordAt({ data, place }) {
  const { word } = data.source[place];
  return word < 0 ? [place] : data.source.flatMap((piece, k) => piece.word === word ? [k] : []);
}
var chosen = ({ data, scope, step, range }) => {
  const last = current(data).pieces.length;
  return where({ kind: scope, step: step + 1, from: Math.min(range[0], last), to: Math.min(range[1], last) });
};
function spanned({ data, scope, step, range }) {
  if (scope === "all") return [1, Infinity];
  const last = current(data).pieces.length;
  return scope === "step" ? [step + 1, step + 1] : [Math.min(...range, last), Math.min(Math.max(...range), last)];
}
function change(root, way) {
  const { data, numbers } = root;
  const what = way === "shuffled" || way === "temperature" ? `=${numbers[way]}` : way === "never" || way === "only" ? `=${wordAt(root).map((k) => k + 1).join(".")}` : "";
  return `${data.map}@${chosen(root)}:${way}${what}`;
}
function held(root, way) {
  const asked = change(root, way);
  const numbered = Object.hasOwn(NUMBERED, way) ? asked.slice(0, asked.indexOf("=") + 1) : null;
  return root.data.changes.find(({ written: written2 }) => numbered ? written2.startsWith(numbered) : written2 === asked)?.written;
}
function ask(root, way) {
  const wider = () => ruling(root.data.changes.map(({ written: written2 }) => written2), root.data.map, ...spanned(root));
  const holding = held(root, way) ?? (find(root, `[data-way=${way}]`).getAttribute("aria-pressed") === "true" ? wider() : void 0);
  root.draft = null;
  root.tell(holding === void 0 ? { more: change(root, way) } : { less: holding });
}
function choose(root, kind) {
  root.scope = kind;
  for (const node of findAll(root, "[data-scope]")) {
    const on = node.dataset.scope === kind;
    node.setAttribute("aria-checked", String(on));
    node.tabIndex = on ? 0 : -1;
  }
  find(root, ".ends").hidden = kind !== "range";
  labels(root);
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
  const help = (event) => {
    const way = nearest(event.target, "[data-way]");
    if (way) find(root, ".help").textContent = root.helped = way.title;
  };
  root.addEventListener("focusin", help);
  root.addEventListener("pointerover", help);
  root.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !Number.isFinite(input.valueAsNumber)) return;
    const [least, most] = [Number(input.min), Number(input.max)];
    const value = Math.min(most, Math.max(least, input.valueAsNumber));
    const whole = Math.round(value);
    const { name } = input;
    if (name === "from" || name === "to") root.range[name === "from" ? 0 : 1] = whole;
    else if (name === "shuffled" || name === "temperature") root.numbers[name] = name === "shuffled" ? whole : value;
    else return;
    input.value = String(name === "temperature" ? value : whole);
    if (Object.hasOwn(NUMBERED, name)) root.tell({ more: change(root, name) });
    else labels(root);
  });
}

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var depth = (shade2, [deep, deepest] = ATTENTION) => shade2 >= deepest ? "deepest" : shade2 >= deep ? "deep" : "";

// shared/sideways.js
function sideways(node) {
  const look = () => node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver(look);
  for (const one of [node, ...node.children]) sizes.observe(one);
  node.addEventListener("scroll", look, { passive: true });
  return node;
}

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
  const held2 = data.changes.flatMap(({ written: written2 }) => holds(written2) ?? []).filter(({ map }) => map === data.map);
  const heads = source.map((piece, k) => make("th", { scope: "col", class: classes(piece), "data-place": k, lang: piece.word < 0 ? null : languages[0] }, make("span", { class: "word source" }, piece.text)));
  const bars = source.map((_, k) => make(
    "td",
    { class: "bar", role: "slider", tabindex: -1, "data-place": k, "aria-readonly": data.alone ? true : null, "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical" },
    make("i", {}),
    make("span", {})
  ));
  const body = side.alpha.map((_, t) => {
    const changed = held2.some(({ first, last }) => first <= t + 1 && t + 1 <= last);
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
    sideways(make("div", { class: "scroll" }, table)),
    make(
      "p",
      { class: "readout", "aria-live": "polite" },
      make("span", { class: "said" }),
      make("label", {}, make("span", { class: "weight-of" }), make("input", { type: "number", class: "weight", min: 0, max: 1, step: 0.05, inputmode: "decimal" }))
    )
  );
}
function small(values, width, name, why = () => "") {
  const drawing = draw(
    "svg",
    { viewBox: `0 0 ${width} ${values.length}`, role: "img", "aria-label": name, preserveAspectRatio: "none" },
    draw("defs", {}, draw("pattern", { id: "none", width: 0.6, height: 0.6, patternUnits: "userSpaceOnUse" }, draw("path", { class: "hatch", d: "M0 0.6L0.6 0" }))),
    draw("rect", { class: "ground", width, height: values.length })
  );
  values.forEach((row, y) => {
    if (!row) drawing.append(draw("rect", { class: "none", x: 0, y, width, height: 1 }, draw("title", {}, why(y))));
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
  const differences = data.columns.map(({ difference: difference2 }) => difference2 && shares(difference2));
  const most = greatest(differences.flatMap((row) => row?.map(Math.abs) ?? []), 0);
  const figure = (name, values, told2, why) => {
    const drawing = small(values, width, told2, why);
    drawing.style.setProperty("--high", String(values.length));
    return make("figure", {}, make("figcaption", {}, name), drawing);
  };
  const alone = data.columns.filter(({ difference: difference2 }) => !difference2);
  const difference = figure(
    words.small_difference,
    data.after ? differences : data.columns.map(() => new Array(width).fill(0)),
    filled(words.map_difference, { most: two(most) }),
    (row) => whyNone(data, data.columns[row])
  );
  if (data.after && alone.length) difference.append(make("p", { class: "lone" }, words.lone));
  return make(
    "div",
    { class: "small" },
    figure(words.small_before, data.before.alpha.map(shares), filled(words.map_before, { model: data.name })),
    difference
  );
}
function lone({ words, before, after }, column2) {
  const side = column2.before == null ? after : before;
  const word = column2.before ?? column2.after ?? -1;
  return word < 0 ? words.end : side?.words[word][1].trim() ?? "";
}
var whyNone = (data, column2) => filled(column2.before == null ? data.words.lone_new : data.words.lone_gone, { word: lone(data, column2) });

// laboratory/draft.js
var REST = 600;
var FAR = 140;
var BEGINS = 4;
function select(root, step, place) {
  if (step !== root.step) {
    letGo(root);
    root.draft = null;
  }
  root.step = step;
  root.place = place;
  for (const row of findAll(root, "[data-row]")) row.classList.toggle("selected", Number(row.dataset.row) === step);
  for (const node of findAll(root, ".step")) node.tabIndex = Number(node.dataset.step) === step ? 0 : -1;
  for (const node of findAll(root, ".bar, th[data-place]")) node.classList.toggle("here", Number(node.dataset.place) === place);
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
function change2(root, place, weight) {
  if (root.data.alone) return;
  root.place = place;
  root.draft = giveWay(weights(root, root.step), place, weight);
  select(root, root.step, place);
}
function letGo(root) {
  clearTimeout(root.rests);
  if (!root.draft || root.draft === root.told) return;
  root.told = root.draft;
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
  if (!node || event.button > 0 || !event.isPrimary) return;
  const place = Number(node.dataset.place);
  const typed2 = root.querySelector(".weight:focus");
  if (typed2 instanceof HTMLElement) typed2.blur();
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
    if (begun) change2(root, place, bar ? (box.bottom - now.clientY) / (box.height - room(root)) : from + (y - now.clientY) / FAR);
  };
  const done = new AbortController();
  const { signal } = done;
  root.dragged = done;
  addEventListener("pointermove", (now) => now.pointerId === event.pointerId && move(now), { signal });
  addEventListener("pointerup", (now) => {
    if (now.pointerId !== event.pointerId) return;
    done.abort();
    if (begun) letGo(root);
  }, { signal });
  addEventListener("pointercancel", (now) => {
    if (now.pointerId !== event.pointerId) return;
    done.abort();
    root.draft = null;
    show(root);
  }, { signal });
  addEventListener("keydown", (key) => {
    if (key.key !== "Escape") return;
    key.preventDefault();
    key.stopPropagation();
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
    ArrowUp: () => change2(root, place, value + by),
    ArrowDown: () => change2(root, place, value - by),
    Home: () => change2(root, place, 0),
    End: () => change2(root, place, 1),
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
    const weight = Math.min(1, Math.max(0, input.valueAsNumber));
    if (weight !== input.valueAsNumber) input.value = String(weight);
    change2(root, root.place, weight);
    letGo(root);
  });
}

// laboratory/console.js
function build(root) {
  const { data } = root;
  root.lang = data.language;
  root.classList.toggle("alone", data.alone === true);
  root.style.setProperty("--columns", String(data.source.length));
  root.style.setProperty("--rows", String(current(data).pieces.length));
  root.style.setProperty("--longest", String(Math.max(...data.source.map(({ text: text2 }) => letters(text2)))));
  const texts = make("section", { class: "texts" }, ...columns(data));
  const bench = make(
    "section",
    { class: "bench" },
    make("div", { class: "maps" }, rows(root), controls(root), maps(data)),
    make("p", { class: "legend" }, make("span", {}, data.alone ? data.words.legend_alone : data.words.legend), make("span", { class: "made" }, data.made))
  );
  root.replaceChildren(texts, bench);
  readAloud(root, data.after ? `${data.kept}. ${data.after.words.flat().join("")}` : "");
  for (const section of [texts, bench]) announce(section);
  select(root, root.step, root.place);
}
function attention({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "console", {}, (made) => {
    Object.assign(made, { step: 0, place: 0, scope: "step", range: [1, 1], numbers: { shuffled: 1, temperature: 0.5 }, helped: "", asked: false, draft: null, told: null });
    listenToControls(made);
    listenToRows(made);
    made.addEventListener("click", (event) => nearest(event.target, ".back") && made.back());
  });
  root.tell = (asked) => {
    root.asked = true;
    setTriggerValue("edit", { ...asked, of: root.data.of });
  };
  root.back = () => setTriggerValue("back", true);
  const drawn = JSON.stringify(data);
  if (root.drawn !== drawn) {
    const other = root.data?.source.map(({ text: text2 }) => text2).join() !== data.source.map(({ text: text2 }) => text2).join();
    root.drawn = drawn;
    root.data = data;
    if (other || !root.asked || root.draft === root.told) root.draft = null;
    const { pieces, alpha } = current(data);
    if (other || root.step >= pieces.length) root.dragged?.abort();
    if (other) Object.assign(root, { step: 0, place: alpha[0].indexOf(Math.max(...alpha[0])), range: [1, pieces.length] });
    if (!root.asked) adopt(root);
    root.asked = false;
    if (root.step >= pieces.length) Object.assign(root, { step: pieces.length - 1, draft: null });
    if (other) build(root);
    else anew(root, () => build(root), "[data-less]", ".way");
  }
  return () => clearTimeout(root.rests);
}

// latest:laboratory/console
var console_default = latest(attention);
export {
  console_default as default
};
