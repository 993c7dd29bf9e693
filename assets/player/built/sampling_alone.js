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
function gapNodes(gap) {
  const copied = gap.trim();
  if (!copied) return [gap];
  const at = gap.indexOf(copied);
  return [gap.slice(0, at), term("copied", copied), gap.slice(at + copied.length)];
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
  const ready = (one2) => findAll(root, one2).filter((node) => !node.matches(":disabled") && node.checkVisibility());
  const same = ready(selector);
  const next = same[Math.min(number, same.length - 1)] ?? otherwise.flatMap(ready)[0];
  if (next instanceof HTMLInputElement && had instanceof HTMLInputElement && had.matches(TYPING)) next.value = had.value;
  next?.focus({ preventScroll: true });
}
function unmoved(draw) {
  const page = document.querySelector(".stMain") ?? document.documentElement;
  const at = page.scrollTop;
  draw();
  if (page.scrollTop !== at) page.scrollTop = at;
}

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var decimalOrDash = (value, digits = 2) => value == null ? "–" : decimal(value, digits);
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var fullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign);
var letters = (text) => [...text].reduce((sum, sign) => sum + (fullWidth(sign) ? 2 : 1), 0);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one2, several) => String(values[name]) === "1" ? one2 : several);
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
var depth = (shade, [deep, deepest] = ATTENTION) => shade >= deepest ? "deepest" : shade >= deep ? "deep" : "";

// shared/sideways.js
function sideways(node) {
  const look = () => node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver(look);
  for (const one2 of [node, ...node.children]) sizes.observe(one2);
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
  for (const one2 of findAll(table, 'td[tabindex="0"]')) one2.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// laboratory/sampling.js
var LISTED = 8;
var CHOICES = 4;
function barred(tag, share, ...text) {
  const node = make(
    /** @type {"span"} */
    tag,
    { class: "barred" },
    ...text
  );
  node.style.setProperty("--share", share.toFixed(4));
  return node;
}
function one(data, group) {
  const words = group.text.flatMap(([gap, word, other]) => [...gapNodes(gap), other ? make("b", {}, word) : word]);
  return make(
    "li",
    {},
    barred("span", group.count / data.count, filled(data.words.times, { count: group.count })),
    make("span", { lang: data.languages[1] }, ...words)
  );
}
function groups(data) {
  const { words, count } = data;
  const listed = data.groups.map((group) => one(data, group));
  const rest = listed.splice(LISTED);
  return make(
    "section",
    { class: "groups" },
    make("h3", {}, filled(words.groups, { count, different: data.groups.length })),
    make("ol", {}, ...listed),
    rest.length ? make("details", {}, make("summary", {}, filled(words.more, { count: rest.length })), make("ol", {}, ...rest)) : null
  );
}
function standing(data, choices, place) {
  const { words, target, languages, count } = data;
  const rows = choices.slice(0, CHOICES).map((choice) => make("li", {}, barred("span", choice.count / count, make(
    "span",
    { class: choice.word ? "written" : "nothing", lang: choice.word ? languages[1] : null },
    choice.word || words.nothing
  ), make("span", { class: "count" }, String(choice.count)))));
  const others = choices.slice(CHOICES).reduce((total, choice) => total + choice.count, 0);
  return make(
    "li",
    { class: "place", "data-t": place, tabindex: 0 },
    make("b", { lang: languages[1] }, target[place]),
    make("ol", {}, ...rows, others ? make("li", { class: "nothing" }, filled(words.others, { count: others })) : null)
  );
}
function build2(root, data) {
  const { words, alpha, name, target } = data;
  const places = make(
    "section",
    { class: "chosen" },
    make("h3", {}, words.places, make("span", { class: "soft" }, ` (${data.best})`)),
    make("ol", { class: "row" }, ...data.places.map((choices, at) => standing(data, choices, at)))
  );
  const looks = alpha ? make("section", { class: "maps" }, make(
    "figure",
    {},
    make("figcaption", {}, make("span", {}, words.alpha)),
    map({ ...data, target }, alpha, looked, filled(words.alpha_label, { model: name }))
  )) : make("section", {}, make("p", { class: "soft" }, filled(words.plain, { model: name })));
  sized(looks, data);
  const told = make("section", { class: "note" }, make("p", {}, data.means), make("p", { class: "soft made" }, data.made));
  const sections = [groups(data), places, looks, told];
  root.lang = data.language;
  root.replaceChildren(...sections);
  for (const section of sections) announce(section);
}
function point(root, target) {
  for (const node2 of findAll(root, ".here")) node2.classList.remove("here");
  const node = nearest(target, "[data-t]");
  if (node) for (const same of findAll(root, `[data-t="${node.dataset.t}"]:not(td)`)) same.classList.add("here");
}
function sampling({ data: [data], parentElement }) {
  const root = rooted(parentElement, "sampling", {}, (made) => {
    made.addEventListener("pointerover", (event) => point(made, event.target));
    made.addEventListener("pointerleave", () => point(made, null));
    made.addEventListener("focusin", (event) => point(made, event.target));
  });
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  anew(root, () => build2(root, data));
}

// alone:laboratory/sampling
standAlone(sampling);
