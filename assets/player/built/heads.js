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

// shared/keys.js
var TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *";
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var depth = (shade, [deep, deepest] = ATTENTION) => shade >= deepest ? "deepest" : shade >= deep ? "deep" : "";

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
var SHOWN = 0.25;
var upTo = (most) => (value) => {
  const shade = value / most;
  return { shade, text: shade < SHOWN ? "" : most > 1 ? value.toFixed(1) : short(value), kind: `weight ${depth(shade)}` };
};
var looked = upTo(1);
function map({ source, target, languages }, values, look, label, beside2) {
  const last = beside2?.values.length ? beside2 : null;
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
function anew(root, build, ...otherwise) {
  const had = focused(root);
  const selector = had ? known(had) : "";
  const number = had ? findAll(root, selector).indexOf(
    /** @type {HTMLElement} */
    had
  ) : -1;
  const scrolled = findAll(root, ".scroll").map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const opened = [...root.querySelectorAll("details")].map(({ open: open2 }) => open2);
  unmoved(() => {
    build();
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

// translate/heads.js
var SEEN = 0.04;
var linked = new URL(location.href).searchParams.get("head");
function headOf({ words }, { maps }, { layer, head }) {
  if (head) return filled(words.head, { number: head });
  return maps.some((other) => other.layer === layer && other.head) ? words.mean : "";
}
function named(data, group, one) {
  return [one.layer !== null && filled(data.words.layer, { number: one.layer }), headOf(data, group, one)].filter(Boolean).join(", ");
}
var titled = (data, group, one) => [group.name, named(data, group, one)].filter(Boolean).join(", ");
function thumbnail({ values }, full) {
  const [height, width] = [values.length, values[0].length];
  const cells = values.flatMap((row, t) => row.flatMap((value, s) => value / full < SEEN ? [] : [draw("rect", { x: s, y: t, width: 1, height: 1, "fill-opacity": value / full })]));
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells);
}
function grid(root, group) {
  const { data } = root;
  const layers = [...new Set(group.maps.map(({ layer }) => layer))].sort((a, b) => (a ?? 0) - (b ?? 0));
  const rows = layers.map((layer) => {
    const maps = group.maps.filter((one) => one.layer === layer).sort((a, b) => (a.head ?? 0) - (b.head ?? 0));
    const thumbs = maps.map((one) => make(
      "button",
      { type: "button", "data-key": one.key, "aria-label": titled(data, group, one), "aria-expanded": "false" },
      thumbnail(one, data.parts * group.most),
      make("span", {}, headOf(data, group, one))
    ));
    return make("div", { class: "layer" }, layer !== null && make("span", { class: "soft" }, filled(data.words.layer, { number: layer })), ...thumbs);
  });
  return make("section", { "aria-label": group.name }, make("h3", {}, group.name), make("p", { class: "soft" }, group.says), ...rows);
}
function enlarge(root, key) {
  root.enlarged = key;
  for (const button of findAll(root, "button[data-key]")) button.setAttribute("aria-expanded", String(button.dataset.key === key));
  const place = find(root, ".large");
  const found = root.data.groups.flatMap((group2) => group2.maps.map((one2) => ({ group: group2, one: one2 }))).find(({ one: one2 }) => one2.key === key);
  place.hidden = !found;
  if (!found) return place.replaceChildren();
  const { group, one } = found;
  const { words, parts: parts2, shown } = root.data;
  const title = titled(root.data, group, one);
  const values = one.values.map((row) => row.map((value) => value / parts2));
  const take = one.looks && make("button", { type: "button", class: "quiet", "data-take": key, disabled: key === shown ? "" : null }, key === shown ? words.taken : words.take);
  const prune = one.prunable && make("button", { type: "button", class: "quiet", "data-prune": key, title: words.prune_says }, words.prune);
  place.replaceChildren(
    make("div", { class: "bar" }, make("h3", {}, title), take, prune, make("button", { type: "button", class: "quiet", "data-close": "" }, words.close)),
    map(group, values, upTo(group.most), title),
    make("p", { class: "said", "aria-live": "polite" }, words.idle)
  );
  place.dataset.columns = group.sides[0];
  place.dataset.rows = group.sides[1];
  sized(place, group);
  announce(place);
}
function open(root, key) {
  enlarge(root, key);
  if (root.data.enlarged === null) return;
  root.asked = key;
  root.trigger("enlarged", key);
}
function point(root, cell) {
  const said = root.querySelector(".large .said");
  if (!(said instanceof HTMLElement)) return;
  for (const one of findAll(root, ".here, .most")) one.classList.remove("here", "most");
  const group = root.data.groups.find(({ maps }) => maps.some(({ key }) => key === root.enlarged));
  if (!cell || !group) return worded(said, root.data.words.idle);
  const [t, s] = [Number(cell.dataset.t), Number(cell.dataset.s)];
  for (const one of findAll(root, `.large td[data-t="${t}"][data-s="${s}"], .large tbody th[data-t="${t}"], .large thead th[data-s="${s}"]`)) one.classList.add("here");
  const { words, parts: parts2 } = root.data;
  const held2 = (
    /** @param {HeadMap} one */
    ({ values }) => values[t][s]
  );
  const value = group.maps.filter(({ key }) => key === root.enlarged).map(held2)[0];
  const told = filled(group.account ? words.cell_account : words.cell, { row: group.target[t], column: group.source[s], weight: two(value / parts2) });
  const heads = group.maps.filter(({ head }) => head);
  if (heads.length < 2) return worded(said, told);
  const most = heads.reduce((best, one) => held2(one) > held2(best) ? one : best);
  find(root, `button[data-key="${most.key}"]`).classList.add("most");
  worded(said, `${told}; ${filled(words.most, { count: heads.length, name: named(root.data, group, most), weight: two(held2(most) / parts2) })}`);
}
function beside(button, key) {
  const row = (
    /** @type {HTMLElement} */
    button.parentElement
  );
  const place = [...row.querySelectorAll("button")].indexOf(
    /** @type {HTMLButtonElement} */
    button
  );
  const ways = {
    ArrowLeft: () => row.querySelectorAll("button")[place - 1],
    ArrowRight: () => row.querySelectorAll("button")[place + 1],
    ArrowUp: () => row.previousElementSibling?.querySelectorAll("button")[place],
    ArrowDown: () => row.nextElementSibling?.querySelectorAll("button")[place]
  };
  return Object.hasOwn(ways, key) ? ways[key]() : void 0;
}
function listen(root) {
  root.addEventListener("click", (event) => {
    const button = nearest(event.target, "button");
    if (button?.dataset.key) {
      open(root, button.dataset.key === root.enlarged ? "" : button.dataset.key);
      find(root, ".large").scrollIntoView({ block: "nearest" });
    } else if (button?.dataset.take) root.trigger("chosen", button.dataset.take);
    else if (button?.dataset.prune) root.trigger("prune", button.dataset.prune);
    else if (button) close(root);
    else nearest(event.target, "td[data-s]")?.focus();
  });
  root.addEventListener("pointerover", (event) => point(root, nearest(event.target, "td[data-s]")));
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, "td[data-s]")));
  root.addEventListener("keydown", (event) => {
    if (modified(event)) return;
    const button = nearest(event.target, "button[data-key]");
    const next = button && beside(button, event.key);
    if (event.key === "Escape" && root.enlarged) {
      event.preventDefault();
      close(root);
    } else if (next instanceof HTMLElement) {
      event.preventDefault();
      next.focus();
    }
  });
}
function close(root) {
  const button = root.querySelector(`button[data-key="${root.enlarged}"]`);
  open(root, "");
  if (button instanceof HTMLElement) button.focus();
}
function allHeads({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "heads", {}, listen);
  root.trigger = setTriggerValue;
  const { enlarged, ...rest } = data;
  const drawn = JSON.stringify(rest);
  const late = root.asked !== void 0 && enlarged !== root.asked;
  if (!late) root.asked = void 0;
  const wanted = late || enlarged === null ? root.enlarged : enlarged;
  root.data = data;
  if (root.drawn === drawn) {
    if (wanted !== root.enlarged) enlarge(root, wanted);
    return;
  }
  root.drawn = drawn;
  root.lang = data.language;
  anew(root, () => {
    root.replaceChildren(make("div", { class: "all" }, ...data.groups.map((group) => grid(root, group))), make("div", { class: "maps large", role: "group", hidden: "" }));
    for (const section of findAll(root, "section")) announce(section);
    enlarge(root, wanted ?? "");
  }, "[data-close]");
  if (wanted && wanted === linked) find(root, ".large").scrollIntoView({ block: "nearest" });
  linked = null;
}

// latest:translate/heads
var heads_default = latest(allHeads);
export {
  heads_default as default
};
