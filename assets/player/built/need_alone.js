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
  const ready = (one) => findAll(root, one).filter((node) => !node.matches(":disabled") && node.checkVisibility());
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
var signed = (value, digits = 2) => Number(value.toFixed(digits)) > 0 ? `+${decimal(value, digits)}` : decimal(value, digits);
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

// laboratory/need.js
function barred(text, share, kind) {
  const cell = make("td", { class: `number ${kind}` }, make("span", {}, text));
  cell.style.setProperty("--share", Math.min(1, Math.max(0, share)).toFixed(4));
  return cell;
}
function line(data, row, most) {
  const { words, languages, translation } = data;
  const count = translation.filter(([, word]) => word).length;
  const of = (kept) => filled(words.kept_of, { kept, words: count });
  const text = row.text.flatMap(([gap, word, flipped]) => [...gapNodes(gap), flipped ? make("b", {}, word) : word]);
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, data.alone ? row.said : make("button", { type: "button", "data-written": row.written, title: filled(words.open, { rule: row.said }) }, row.said)),
    barred(of(row.kept), row.kept / Math.max(1, count), "kept"),
    barred(of(row.still), row.still / Math.max(1, count), "kept"),
    barred(signed(-row.lost, 1), most > 0 ? row.lost / most : 0, "lost"),
    make("td", { class: "broke", "data-head": words.broke, lang: row.broke && !row.ends ? languages[1] : null }, row.broke || words.whole),
    make("td", { class: "text", lang: languages[1] }, ...text)
  );
}
function overSet(data, of) {
  const rows = of.rows.map(({ said, shares }) => make("tr", {}, make("th", { scope: "row" }, said), ...shares.map((share) => share === null ? make("td", { class: "number" }, "–") : barred(filled(data.words.percent, { share: (100 * share).toFixed(1) }), share, "kept"))));
  return make(
    "section",
    { class: "set" },
    make("p", {}, of.title),
    sideways(make("div", { class: "scroll" }, make(
      "table",
      {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, data.words.rule), ...of.kinds.map((kind) => make("th", { scope: "col" }, kind)))),
      make("tbody", {}, ...rows)
    )))
  );
}
function build2(root, data) {
  const { words, languages, translation } = data;
  const most = Math.max(0, ...data.rows.map(({ lost }) => lost));
  const heads = [words.rule, words.kept, words.still, words.lost, words.broke, words.text];
  const table = make(
    "table",
    { "aria-label": words.label },
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...data.rows.map((row) => line(data, row, most)))
  );
  const section = make(
    "section",
    { class: "sentence" },
    make("p", { class: "own" }, make("b", {}, data.name), make("span", { class: "soft" }, ` ${words.own}: `), make("span", { lang: languages[1] }, ...translation.flatMap(([gap, word]) => [...gapNodes(gap), word]))),
    sideways(make("div", { class: "scroll" }, table))
  );
  section.append(make("p", { class: "soft legend" }, words.legend, data.alone ? null : ` ${words.click}`));
  const told = make("section", { class: "note" }, make("p", {}, words.note), make("p", { class: "made" }, data.made));
  const sections = [...data.rows.length ? [section] : [], ...data.set ? [overSet(data, data.set)] : [], ...data.rows.length ? [told] : []];
  root.lang = data.language;
  root.replaceChildren(...sections);
  for (const one of sections) announce(one);
}
function need({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "need", {}, (made) => {
    made.addEventListener("click", (event) => {
      const button = nearest(event.target, "[data-written]");
      if (button) made.open(button.dataset.written ?? "");
    });
  });
  root.open = (written) => setTriggerValue("open", written);
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  anew(root, () => build2(root, data));
}

// alone:laboratory/need
standAlone(need);
