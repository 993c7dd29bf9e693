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

// family/entropy.js
function even(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 1831565813 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}
function normal(seed) {
  const next = even(seed);
  let kept = NaN;
  return () => {
    if (!Number.isNaN(kept)) {
      const found = kept;
      kept = NaN;
      return found;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    kept = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
function softmax(energies, scale = 1) {
  const most = Math.max(...energies);
  const powers = energies.map((one) => Math.exp((one - most) / scale));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((one) => one / sum);
}
var entropy = (shares) => -shares.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
function products(d, keys, queries, seed) {
  const draw2 = normal(seed);
  return Array.from({ length: queries }, () => {
    const query = Float64Array.from({ length: d }, draw2);
    return Array.from({ length: keys }, () => query.reduce((sum, one) => sum + one * draw2(), 0));
  });
}
function sharpness(d, keys, queries, seed) {
  const rows = products(d, keys, queries, seed);
  const of = (scale) => ({
    entropy: rows.reduce((sum, row) => sum + entropy(softmax(row, scale)), 0) / rows.length,
    weights: softmax(rows[0], scale).sort((a, b) => b - a)
  });
  return { without: of(1), scaled: of(Math.sqrt(d)) };
}

// family/root.js
var POWERS = 9;
var QUERIES = 20;
var KEYS = [2, 32];
var [WIDE, HIGH] = [460, 240];
var EDGE = { left: 34, right: 10, top: 10, bottom: 30 };
var across = (share) => EDGE.left + share * (WIDE - EDGE.left - EDGE.right);
var upward = (share) => EDGE.top + (1 - share) * (HIGH - EDGE.top - EDGE.bottom);
var write = (x, y, anchor, text) => draw("text", { x, y, "text-anchor": anchor, class: "tick" }, text);
function bars({ without, scaled }) {
  const count = without.weights.length;
  const wide = (across(1) - across(0)) / count;
  const row = (weights, kind, shift) => weights.map((weight, k) => draw("rect", {
    class: kind,
    x: across(0) + wide * (k + shift),
    y: upward(weight),
    width: wide * 0.42,
    height: upward(0) - upward(weight)
  }));
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    ...[0, 0.5, 1].flatMap((share) => [
      draw("line", { x1: across(0), x2: across(1), y1: upward(share), y2: upward(share), class: "rule" }),
      write(across(0) - 6, upward(share) + 4, "end", String(share))
    ]),
    ...row(without.weights, "without", 0.06),
    ...row(scaled.weights, "scaled", 0.52)
  );
}
function curves({ keys, power, data }, found) {
  const most = Math.log(keys);
  const line = (of) => draw("path", {
    class: `line ${of}`,
    d: `M${found.map((one, k) => `${across(k / POWERS).toFixed(1)} ${upward(one[of].entropy / most).toFixed(1)}`).join(" L")}`
  });
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    draw("line", { x1: across(0), x2: across(1), y1: upward(1), y2: upward(1), class: "rule even" }),
    draw("line", { x1: across(0), x2: across(1), y1: upward(0), y2: upward(0), class: "rule" }),
    write(across(1), upward(1) + 15, "end", filled(data.words.even, { keys, value: decimal(most) })),
    write(across(0) - 6, upward(0) + 4, "end", "0"),
    ...found.map((_, k) => write(across(k / POWERS), HIGH - 12, "middle", String(2 ** k))),
    draw("line", { x1: across(power / POWERS), x2: across(power / POWERS), y1: upward(1), y2: upward(0), class: "here" }),
    line("without"),
    line("scaled"),
    .../** @type {const} */
    ["without", "scaled"].map((of) => draw("circle", { class: `point ${of}`, cx: across(power / POWERS), cy: upward(found[power][of].entropy / most), r: 5 }))
  );
}
function redraw(root) {
  const { keys, power, seed, data } = root;
  const { words } = data;
  const found = Array.from({ length: POWERS + 1 }, (_, k) => sharpness(2 ** k, keys, QUERIES, seed));
  const { without, scaled } = found[power];
  find(root, ".bars").replaceChildren(bars(found[power]));
  find(root, ".curves").replaceChildren(curves(root, found));
  for (
    const [name, value] of
    /** @type {[string, number][]} */
    [["power", 2 ** power], ["keys", keys]]
  ) {
    find(root, `[data-value=${name}]`).textContent = String(value);
    find(root, `[data-name=${name}]`).setAttribute("aria-valuetext", String(value));
  }
  worded(find(root, ".told"), filled(words.told, {
    d: 2 ** power,
    sharp: two(without.weights[0]),
    low: decimal(without.entropy),
    mild: two(scaled.weights[0]),
    high: decimal(scaled.entropy),
    most: decimal(Math.log(keys))
  }));
}
function build(root) {
  const { words, language } = root.data;
  const slider = (name, label, least, most, value) => make(
    "label",
    {},
    make("span", {}, `${label}: `, make("b", { "data-value": name })),
    make("input", { type: "range", "data-name": name, min: least, max: most, step: 1, value })
  );
  const sample = (kind, text) => make("span", { class: `sample ${kind}` }, make("i", { "aria-hidden": "true" }), text);
  root.lang = language;
  root.replaceChildren(
    make("h2", {}, words.heading),
    make("p", {}, words.lead),
    make(
      "div",
      { class: "controls" },
      slider("power", words.d, 0, POWERS, root.power),
      slider("keys", words.keys, KEYS[0], KEYS[1], root.keys),
      make("button", { type: "button" }, words.again)
    ),
    make("p", { class: "legend" }, sample("without", words.without), sample("scaled", words.with_scale)),
    make(
      "div",
      { class: "pictures" },
      make("figure", {}, make("figcaption", {}, words.weights), make("div", { class: "bars" })),
      make("figure", {}, make("figcaption", {}, filled(words.entropy, { queries: QUERIES })), make("div", { class: "curves" }))
    ),
    make("p", { class: "told", "aria-live": "polite" }),
    make("p", { class: "soft" }, words.note)
  );
  announce(find(root, ".pictures"));
  redraw(root);
}
function begin(root) {
  root.power = 6;
  root.keys = 12;
  root.seed = 1;
  root.oninput = (event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    if (event.target.dataset.name === "power") root.power = Number(event.target.value);
    else root.keys = Number(event.target.value);
    redraw(root);
  };
  root.onclick = (event) => {
    if (!(event.target instanceof HTMLButtonElement)) return;
    root.seed += 1;
    redraw(root);
  };
}
function whyRoot({ data: [data], parentElement }) {
  const root = (
    /** @type {Root} */
    rooted(parentElement, "root", {}, begin)
  );
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  root.data = data;
  build(root);
}

// latest:family/root
var root_default = latest(whyRoot);
export {
  root_default as default
};
