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
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/glossary.js
var REST = 180;
var LEAVE = 250;
var EDGE = 8;
function placeBeside(term2, box, screen, column = { right: Infinity }) {
  const below = term2.bottom + EDGE;
  const fits = below + box.height + EDGE <= screen.height || term2.top < screen.height - term2.bottom;
  const top = fits ? below : term2.top - EDGE - box.height;
  return {
    left: Math.max(EDGE, Math.min(term2.left, screen.width - box.width - EDGE, column.right - box.width)),
    top: Math.max(EDGE, Math.min(top, screen.height - box.height - EDGE))
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
function anew(root, build3, ...otherwise) {
  const had = focused(root);
  const selector = had ? known(had) : "";
  const number = had ? findAll(root, selector).indexOf(
    /** @type {HTMLElement} */
    had
  ) : -1;
  const scrolled = findAll(root, ".scroll").map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const opened = [...root.querySelectorAll("details")].map(({ open: open2 }) => open2);
  unmoved(() => {
    build3();
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

// shared/sideways.js
function sideways(node) {
  const look = () => node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver(look);
  for (const one of [node, ...node.children]) sizes.observe(one);
  node.addEventListener("scroll", look, { passive: true });
  return node;
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

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var depth = (shade, [deep, deepest] = ATTENTION) => shade >= deepest ? "deepest" : shade >= deep ? "deep" : "";

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

// laboratory/tree.js
function pathOf(nodes, number) {
  const path = [];
  for (let node = nodes.find((one) => one.number === number); node; node = nodes.find((one) => one.number === node?.parent)) path.unshift(node);
  return path;
}
var continued = (nodes, node) => nodes.filter((one) => one.parent === node.number).sort((one, other) => one.rank - other.rank)[0];
function neighbour(nodes, node, by) {
  const column = nodes.filter((one) => one.step === node.step).sort((one, other) => one.rank - other.rank);
  return column[column.indexOf(node) + by];
}
var holds = ({ text }, filter) => text.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase());

// laboratory/beam.js
var TOLD_AFTER = 300;
var [WIDE, HIGH, GAP] = [104, 30, 20];
var written = ({ text, joined }) => joined ? `…${text}` : text;
var nodeOf = (root, number) => root.numbered.get(number);
function tree(data) {
  const { nodes, words, steps, ranks, width, languages } = data;
  const known2 = new Map(nodes.map((node) => [node.number, node]));
  const lines = nodes.flatMap((node) => {
    const from = known2.get(node.parent);
    if (!from) return [];
    const [x, y, u, v] = [from.step * WIDE + WIDE - GAP, from.rank * HIGH + HIGH / 2, node.step * WIDE, node.rank * HIGH + HIGH / 2];
    return [draw("path", { d: `M${x} ${y}C${x + GAP / 2} ${y} ${u - GAP / 2} ${v} ${u} ${v}`, class: node.fate, "data-line": node.number })];
  });
  const lineart = draw("svg", { width: steps * WIDE, height: ranks * HIGH, viewBox: `0 0 ${steps * WIDE} ${ranks * HIGH}`, "aria-hidden": "true" }, ...lines);
  const boxes = nodes.map((node) => {
    const said = filled(words.node, { text: written(node), step: node.step + 1, p: two(node.p), fate: words[node.fate], total: decimal(node.total) });
    const box = make(
      "button",
      { type: "button", role: "treeitem", class: `node ${node.fate}`, "data-node": node.number, tabindex: -1, "aria-label": said, title: said },
      make("span", { class: "piece", lang: languages[1] }, written(node)),
      make("span", { class: "p" }, node.fate === "finished" ? `✓ ${two(node.p)}` : two(node.p))
    );
    box.style.left = `${node.step * WIDE}px`;
    box.style.top = `${node.rank * HIGH}px`;
    return box;
  });
  const canvas = make("div", { class: "canvas", role: "tree", "aria-label": filled(words.label, { width, steps }) }, ...boxes);
  canvas.prepend(lineart);
  canvas.style.width = `${steps * WIDE}px`;
  canvas.style.height = `${ranks * HIGH}px`;
  return sideways(make("div", { class: "scroll tree" }, canvas));
}
function build2(root) {
  const { data } = root;
  const { words, hypotheses } = data;
  const key = (kind, text) => make("span", { class: `node ${kind} sample` }, make("span", { class: "piece" }, text));
  const bar = make(
    "div",
    { class: "bar" },
    key("kept", words.kept),
    key("finished", `✓ ${words.finished}`),
    key("pruned", words.pruned),
    key("its", words.its),
    make("input", { type: "search", class: "filter", value: root.filter, placeholder: words.filter, "aria-label": words.filter_label, autocomplete: "off" }),
    make("span", { class: "soft sideways" }, words.sideways),
    data.given && !data.alone ? make("button", { type: "button", class: "plain", "data-do": "free" }, filled(words.free, { count: data.given })) : null
  );
  const top = make("section", { class: "top" }, bar, tree(data), make("p", { class: "said", "aria-live": "polite" }), make("p", { class: "soft" }, words.key, " ", words.signs));
  const list = hypotheses.map((one, rank) => make(
    "li",
    {},
    make("button", { type: "button", class: "plain", "data-rank": rank }, make("span", { lang: data.languages[1] }, one.text)),
    make("span", { class: "soft" }, [filled(words.score, { score: decimal(one.score) }), !one.finished && words.unfinished].filter(Boolean).join(", "))
  ));
  const next = make("section", { class: "next" });
  const best = make("section", { class: "best" }, make("h3", {}, filled(words.best, { count: hypotheses.length })), make("ol", {}, ...list));
  const alpha = make("section", { class: "maps" });
  root.lang = data.language;
  root.replaceChildren(top, make("div", { class: "under" }, next, best), alpha, make("p", { class: "soft made" }, data.made));
  for (const section of [top, next, best, alpha]) announce(section);
}
function offered(root) {
  const { data, at } = root;
  const { words, languages } = data;
  const section = find(root, ".next");
  if (data.alone && (at < 0 || at !== data.at)) return section.replaceChildren();
  if (at < 0) return section.replaceChildren(make("p", { class: "soft" }, words.hint));
  const path = pathOf(data.nodes, at);
  const text = path.map((node) => node.joined ? node.text : ` ${node.text}`).join("").trim();
  const head = make("h3", {}, filled(words.next, { path: text || words.start }));
  if (at !== data.at) return section.replaceChildren(head, make("p", { class: "soft" }, words.waiting));
  const rows = data.next.map((one) => {
    const share = make("span", { class: "share" }, two(one.p));
    share.style.setProperty("--share", one.p.toFixed(4));
    const piece = make("span", { class: "piece", lang: languages[1] }, written(one));
    const taken = one.taken && make("span", { class: "soft" }, words.took);
    return make("li", {}, share, one.free && !data.alone ? make("button", { type: "button", class: "plain", "data-take": one.id, title: words.take }, piece) : piece, taken);
  });
  section.replaceChildren(head, make("ol", {}, ...rows));
}
function show(root) {
  const { data, at } = root;
  const { words, hypotheses, name } = data;
  const path = new Set((at < 0 ? [] : pathOf(data.nodes, at)).map((node2) => node2.number));
  const chosen = Math.max(0, hypotheses.findIndex((one) => one.path.includes(at)));
  const its = new Set(hypotheses[chosen].path);
  for (const node2 of findAll(root, ".canvas .node")) {
    const number = Number(node2.dataset.node);
    node2.classList.toggle("path", path.has(number));
    node2.classList.toggle("its", its.has(number));
    node2.classList.toggle("faded", !holds(
      /** @type {BeamNode} */
      nodeOf(root, number),
      root.filter
    ));
    node2.tabIndex = number === (at < 0 ? data.nodes[0].number : at) ? 0 : -1;
    node2.setAttribute("aria-selected", String(number === at));
  }
  for (const line of root.querySelectorAll("[data-line]")) line.classList.toggle("its", its.has(Number(line.getAttribute("data-line"))));
  for (const button of findAll(root, "[data-rank]")) button.setAttribute("aria-pressed", String(Number(button.dataset.rank) === chosen));
  const node = nodeOf(root, at);
  worded(find(root, ".said"), node ? filled(words.node, { text: written(node), step: node.step + 1, p: two(node.p), fate: words[node.fate], total: decimal(node.total) }) : " ");
  offered(root);
  if (root.mapped?.data === data && root.mapped.chosen === chosen) return;
  root.mapped = { data, chosen };
  const { alpha, target } = hypotheses[chosen];
  const maps = find(root, ".maps");
  const sides = { source: data.source, target, languages: data.languages };
  maps.replaceChildren(alpha ? make("figure", {}, make("figcaption", {}, make("span", {}, words.alpha)), map(sides, alpha, looked, filled(words.alpha_label, { model: name }))) : make("p", { class: "soft" }, filled(words.plain, { model: name })));
  sized(maps, sides);
}
function go(root, number) {
  root.at = number;
  show(root);
  const box = find(root, `.canvas [data-node="${number}"]`);
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest", inline: "nearest" });
  clearTimeout(root.telling);
  const { of } = root.data;
  root.telling = setTimeout(() => root.trigger("node", { of, node: number }), TOLD_AFTER);
}
function sift(root, text) {
  root.filter = text;
  const box = (
    /** @type {HTMLInputElement} */
    find(root, ".filter")
  );
  if (box.value !== text) box.value = text;
  show(root);
}
function pressed2(root, event) {
  const box = nearest(event.target, ".canvas .node");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && root.filter && nearest(event.target, ".filter")) {
    event.preventDefault();
    event.stopPropagation();
    return sift(root, "");
  }
  if (!box) return;
  const { nodes, hypotheses } = root.data;
  const number = Number(box.dataset.node);
  const node = (
    /** @type {BeamNode} */
    nodeOf(root, number)
  );
  const ways = {
    ArrowRight: () => continued(nodes, node)?.number,
    ArrowLeft: () => nodeOf(root, node.parent) ? node.parent : void 0,
    ArrowUp: () => neighbour(nodes, node, -1)?.number,
    ArrowDown: () => neighbour(nodes, node, 1)?.number,
    Home: () => nodes[0].number,
    End: () => hypotheses[0].path.at(-1)
  };
  if (Object.hasOwn(ways, event.key)) {
    const to = ways[event.key]();
    if (to !== void 0) go(root, to);
  } else if (event.key === "Escape" && root.filter) sift(root, "");
  else if (event.key === "Backspace" && root.filter) sift(root, root.filter.slice(0, -1));
  else if ([...event.key].length === 1 && event.key !== " ") sift(root, root.filter + event.key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
var begin = (root, pieces) => root.trigger("take", { of: root.data.question, pieces });
function listen(root) {
  root.addEventListener("click", (event) => {
    const box = nearest(event.target, ".canvas .node");
    const take = nearest(event.target, "[data-take]");
    const rank = nearest(event.target, "[data-rank]");
    if (box) go(root, Number(box.dataset.node));
    else if (take) begin(root, [...pathOf(root.data.nodes, root.at).map((node) => node.id), Number(take.dataset.take)]);
    else if (rank) go(root, root.data.hypotheses[Number(rank.dataset.rank)].path.at(-1) ?? -1);
    else if (nearest(event.target, "[data-do=free]")) begin(root, []);
  });
  root.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement) sift(root, event.target.value);
  });
  root.addEventListener("keydown", (event) => pressed2(root, event));
}
function beam({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "beam", {}, listen);
  root.trigger = setTriggerValue;
  const drawn = JSON.stringify({ ...data, at: 0, next: [] });
  const fresh = root.drawn !== drawn;
  const other = root.data?.of !== data.of;
  root.data = data;
  root.numbered = new Map(data.nodes.map((node) => [node.number, node]));
  if (other || fresh) {
    root.at = data.at;
    root.filter = other ? "" : root.filter;
  }
  if (fresh) {
    root.drawn = drawn;
    anew(root, () => {
      build2(root);
      show(root);
    }, '.canvas [tabindex="0"]');
  } else offered(root);
  return () => clearTimeout(root.telling);
}

// alone:laboratory/beam
standAlone(beam);
