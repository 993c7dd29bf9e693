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
var held = /* @__PURE__ */ new WeakMap();
function worded(node, text) {
  if (held.get(node) === text) return;
  held.set(node, text);
  node.replaceChildren(.../** @type {(Node | string)[]} */
  termed(text));
}
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

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var decimalOrDash = (value, digits = 2) => value == null ? "–" : decimal(value, digits);
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var fullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign);
var letters = (text) => [...text].reduce((sum, sign) => sum + (fullWidth(sign) ? 2 : 1), 0);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

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

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var SOURCE = [0.62, 0.945];
var depth = (shade, [deep, deepest] = ATTENTION) => shade >= deepest ? "deepest" : shade >= deep ? "deep" : "";

// laboratory/leaned.js
var SHOWN = 0.25;
function leaned(row) {
  const most = Math.max(...row.map(Math.abs));
  return (value) => {
    const shade = most > 0 ? Math.abs(value) / most : 0;
    return { shade, text: shade >= SHOWN ? nats(value) : "", kind: value < 0 ? "against" : `for ${depth(shade, SOURCE)}` };
  };
}
function nats(value) {
  const size = Math.abs(value);
  return size < 5e-3 ? "<.01" : size >= 0.995 ? decimal(value, 1) : `${value < 0 ? "−" : ""}${short(size)}`;
}

// shared/keys.js
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/sideways.js
function sideways(node) {
  const look = () => node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver(look);
  for (const one of [node, ...node.children]) sizes.observe(one);
  node.addEventListener("scroll", look, { passive: true });
  return node;
}

// laboratory/walking.js
function stepped(key, row, column, rows, columns) {
  const ways = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1]
  };
  const to = Object.hasOwn(ways, key) ? ways[key] : void 0;
  return to && to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns ? to : null;
}

// laboratory/map.js
var SHOWN2 = 0.25;
var upTo = (most) => (value) => {
  const shade = value / most;
  return { shade, text: shade < SHOWN2 ? "" : most > 1 ? value.toFixed(1) : short(value), kind: `weight ${depth(shade)}` };
};
var looked = upTo(1);
function map({ source, target, languages }, values, look, label, beside) {
  const last = beside?.values.length ? beside : null;
  const heads = source.map((text, s) => make("th", { scope: "col", "data-s": s, lang: languages[0] }, make("span", { class: "word" }, text)));
  const rows = values.map((row, t) => make(
    "tr",
    {},
    make("th", { scope: "row", "data-t": t, lang: languages[1] }, target[t]),
    ...row.map((value, s) => {
      const { shade, text, kind } = look(value, t);
      const cell = make("td", { "data-t": t, "data-s": s, tabindex: t || s ? -1 : 0, class: kind, "aria-label": text ? null : decimalOrDash(value) }, text);
      cell.style.setProperty("--shade", shade.toFixed(3));
      return cell;
    }),
    last && make("td", { class: "rank" }, decimalOrDash(last.values[t]))
  ));
  const corner = make("td");
  const table = make(
    "table",
    { role: "grid", "aria-label": label },
    make("thead", {}, make("tr", {}, corner, ...heads, last && make("th", { class: "rank", scope: "col", title: last.label }, make("span", {}, last.head)))),
    make("tbody", {}, ...rows)
  );
  table.addEventListener("keydown", (event) => walked(table, event));
  return sideways(make("div", { class: "scroll" }, table));
}
function sized(node, { source, target }) {
  node.style.setProperty("--columns", String(source.length));
  node.style.setProperty("--rows", String(target.length));
  node.style.setProperty("--longest", String(Math.max(...source.map(letters))));
}
function walked(table, event) {
  const cell = nearest(event.target, "td[data-s]");
  const [rows, columns] = [findAll(table, "tbody tr").length, findAll(table, "thead [data-s]").length];
  const to = cell && stepped(event.key, Number(cell.dataset.t), Number(cell.dataset.s), rows, columns);
  if (!cell || !to || modified(event)) return;
  event.preventDefault();
  const next = (
    /** @type {HTMLElement} */
    table.querySelector(`td[data-t="${to[0]}"][data-s="${to[1]}"]`)
  );
  for (const one of findAll(table, 'td[tabindex="0"]')) one.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// laboratory/asking.js
var FINE = 0.1;
function point(root, cell) {
  for (const one of findAll(root, ".here")) one.classList.remove("here");
  const { words, source, target, values, alpha } = root.data;
  if (!cell) return worded(find(root, ".said"), alpha ? words.idle : words.idle_plain);
  const t = Number(cell.dataset.t);
  const s = Number(cell.dataset.s);
  for (const one of findAll(root, `td[data-t="${t}"][data-s="${s}"], tbody th[data-t="${t}"], thead th[data-s="${s}"]`)) one.classList.add("here");
  const places = { target: target[t], source: source[s], nats: decimal(values[t][s], Math.abs(values[t][s]) < FINE ? 4 : 2) };
  worded(find(root, ".said"), alpha ? filled(words.cell_alpha, { ...places, weight: two(alpha[t][s]) }) : filled(words.cell, places));
}
function build(root) {
  const { data } = root;
  const { words, alpha, name, method, means } = data;
  const left = alpha ? make("figure", {}, make("figcaption", {}, make("span", {}, filled(words.alpha, { model: name }))), map(data, alpha, looked, filled(words.alpha_label, { model: name }))) : make("p", { class: "blind" }, filled(words.blind, { model: name }));
  const key = make("span", { class: "key" }, make("i", { class: "for" }), words.for, make("i", { class: "against" }), words.against, ` (${words.nats})`, make("span", { class: "scaled" }, words.scaled));
  const looks = data.values.map(leaned);
  const right = make(
    "figure",
    {},
    make("figcaption", {}, make("span", {}, filled(alpha ? words.map : words.map_plain, { method })), key),
    map(data, data.values, (value, t) => looks[t](value), filled(words.map_label, { method, model: name }), { head: words.rank, label: words.rank_label, values: data.ranks })
  );
  const maps = make(
    "section",
    { class: `maps${alpha ? "" : " alone"}`, role: "group", "aria-label": filled(words.label, { method }) },
    left,
    right,
    make("p", { class: "said", "aria-live": "polite" })
  );
  sized(maps, data);
  const overall = data.overall === null ? words.overall_none : filled(words.overall, { value: decimal(data.overall) });
  const told = make(
    "section",
    { class: "note" },
    make("p", { class: "means" }, means),
    alpha && make("p", {}, overall),
    make("p", { class: "soft" }, data.complete, data.complete && " ", make("span", { class: "made" }, data.made))
  );
  root.lang = data.language;
  root.replaceChildren(maps, told);
  announce(maps);
  announce(told);
  point(root, null);
}
function listen(root) {
  root.addEventListener("pointerover", (event) => point(root, nearest(event.target, "td[data-s]")));
  root.addEventListener("pointerleave", () => point(root, null));
  root.addEventListener("click", (event) => nearest(event.target, "td[data-s]")?.focus());
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, "td[data-s]")));
}
function asking({ data: [data], parentElement }) {
  const root = rooted(parentElement, "asking", {}, listen);
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  root.data = data;
  build(root);
}

// latest:laboratory/asking
var asking_default = latest(asking);
export {
  asking_default as default
};
