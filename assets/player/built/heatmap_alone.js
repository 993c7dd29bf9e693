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
var touched = (event) => event instanceof PointerEvent && event.pointerType === "touch";

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
  const marks2 = [...node.attributes].filter(({ name }) => name === "name" || name.startsWith("data-")).map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`);
  return node.localName + (marks2.length ? marks2 : [...node.classList].map((name) => `.${CSS.escape(name)}`)).join("");
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
  const ready2 = (one) => findAll(root, one).filter((node) => !node.matches(":disabled") && node.checkVisibility());
  const same = ready2(selector);
  const next = same[Math.min(number, same.length - 1)] ?? otherwise.flatMap(ready2)[0];
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
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var equalled = (value) => two(value).startsWith("<") ? two(value).replace("<", "< ") : `= ${two(value)}`;
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var fullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign);
var letters = (text) => [...text].reduce((sum, sign) => sum + (fullWidth(sign) ? 2 : 1), 0);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part]
  ] : part ? [part] : []);
}
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

// translate/box.js
var EMPTY_FOR = 1e3;
var PATIENCE = 5e3;
function ready(key, waited = 0) {
  if (presenting()) return;
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return;
  const box = document.querySelector(`.st-key-${key} textarea`);
  if (box instanceof HTMLTextAreaElement && (box.value || waited >= EMPTY_FOR)) {
    box.focus({ preventScroll: true });
    box.select();
  } else if (waited < PATIENCE) {
    setTimeout(ready, 50, key, waited + 50);
  }
}

// translate/light.js
var PARTNER_FROM = 0.05;
var SHARED_FROM = 0.2;
var NOTHING = { r: 0, ts: [], ss: [] };
var readings = (data) => data.beside ? [...data.best, data.beside] : data.best;
function strengths(data, { r, ts, ss }) {
  const all = readings(
    /** @type {HeatmapData} */
    data
  );
  const { alpha } = all[r];
  const source = data.source.labels.map((_, s) => ss.length ? Number(ss.includes(s)) : alpha ? Math.max(0, ...ts.map((t) => alpha[t][s])) : 0);
  const seen = (row) => ss.length ? Math.max(...ss.map((s) => row[s])) : row.reduce((sum, value, s) => sum + value * source[s], 0);
  const target = all.map((reading, q) => q === r && ts.length ? reading.labels.map((_, t) => Number(ts.includes(t))) : (reading.alpha ?? []).map(seen));
  return { source, target };
}
function brightest(side, strength) {
  const best = /* @__PURE__ */ new Map();
  side.word_of.forEach((word2, k) => best.set(word2, Math.max(best.get(word2) ?? 0, strength[k] ?? 0)));
  return best;
}
function light(root, pointed2) {
  const { data, rank } = root;
  const { r, ts, ss } = pointed2 ?? NOTHING;
  const here = !pointed2 || r === rank;
  const shine = strengths(data, pointed2 ?? NOTHING);
  const set = (node, strength, chosen) => {
    node.style.setProperty("--lit", String(strength));
    node.classList.toggle("chosen", chosen);
  };
  for (const node of findAll(root, "th, li, .heads [data-source]")) {
    if (node.dataset.target == null) {
      const s = Number(node.dataset.source);
      set(node, shine.source[s], ss.includes(s));
    } else {
      const t = Number(node.dataset.target);
      set(node, shine.target[rank][t], here && ts.includes(t));
    }
  }
  const target = readings(data).map((reading, q) => brightest(reading, shine.target[q]));
  const source = brightest(data.source, shine.source);
  for (const node of findAll(root, "[data-target-word]")) {
    node.style.setProperty("--lit", String(target[Number(node.dataset.reading)].get(Number(node.dataset.targetWord)) ?? 0));
  }
  for (const node of findAll(root, "[data-source-word]")) {
    node.style.setProperty("--lit", String(source.get(Number(node.dataset.sourceWord)) ?? 0));
  }
  for (const node of findAll(root, "td[data-target], path")) {
    const s = Number(node.dataset.source);
    const t = here && ts.includes(Number(node.dataset.target));
    const pointedAt = ts.length && ss.length ? t && ss.includes(s) : t || ss.includes(s);
    node.classList.toggle("on", here ? pointedAt : shine.source[s] >= SHARED_FROM);
  }
  root.classList.toggle("lit", ts.length + ss.length > 0);
  root.classList.toggle("pinned", root.pinned !== null);
  find(root, ".readout").replaceChildren(...said(data, pointed2 ?? NOTHING));
}
function said(data, { r, ts, ss }) {
  const { words, source, languages } = data;
  const reading = readings(data)[r];
  const { alpha } = reading;
  const names = (side, kind, places) => make("b", { class: kind, lang: languages[kind === "source" ? 0 : 1] }, places.map((k) => side.labels[k]).join(""));
  const partners = (side, kind, values) => {
    const strongest = values.map((value, k) => ({ value, k })).filter(({ value }) => value >= PARTNER_FROM).sort((a, b) => b.value - a.value).slice(0, 3);
    if (!strongest.length) return make("span", {}, filled(words.nobody, { value: two(PARTNER_FROM) }));
    return make("span", {}, ...strongest.flatMap(({ value, k }, n) => [n ? ", " : "", names(side, kind, [k]), ` ${two(value)}`]));
  };
  const target = () => names(reading, "target", ts);
  if (ts.length && ss.length && alpha) {
    return fill(words.cell, { target: target(), source: names(source, "source", ss), value: equalled(alpha[ts[0]][ss[0]]) });
  }
  if (ts.length) {
    const word2 = reading.word_of[ts[0]];
    const whole = word2 >= 0 && ts.length === reading.word_of.filter((other) => other === word2).length;
    const likely = () => two(whole ? reading.chance[word2] : Math.exp(reading.log[ts[0]]));
    const chance = reading.chance.length ? [" · ", ...fill(words.chance, { target: target(), value: likely() })] : [];
    if (!alpha) return [target(), ...chance];
    const row = source.labels.map((_, s) => ts.reduce((sum, t) => sum + alpha[t][s], 0) / ts.length);
    return [...fill(words.row, { target: target(), list: partners(source, "source", row) }), ...chance];
  }
  if (ss.length && alpha) {
    const column = alpha.map((row) => ss.reduce((sum, s) => sum + row[s], 0));
    return fill(words.column, { source: names(source, "source", ss), list: partners(reading, "target", column) });
  }
  return [data.best[0].alpha ? words.idle : words.idle_words];
}
var POINTED = "[data-target], [data-source], [data-target-word], [data-source-word]";
function positions(root, { reading, target, source, targetWord, sourceWord: sourceWord2 }) {
  const pieces = (side, word2) => side.word_of.flatMap((other, k) => other === Number(word2) ? [k] : []);
  const r = reading == null ? root.rank : Number(reading);
  if (targetWord != null) return { r, ts: pieces(readings(root.data)[r], targetWord), ss: [] };
  if (sourceWord2 != null) return { r, ts: [], ss: pieces(root.data.source, sourceWord2) };
  return { r, ts: target == null ? [] : [Number(target)], ss: source == null ? [] : [Number(source)] };
}

// shared/shades.js
var ATTENTION = [0.685, 0.86];
var depth = (shade, [deep, deepest] = ATTENTION) => shade >= deepest ? "deepest" : shade >= deep ? "deep" : "";

// translate/map.js
var RIBBON_FROM = 0.04;
var NUMBER_FROM = 0.3;
var GAP = 8;
function lane(side, kind, language) {
  const items = side.labels.map((text, k) => make("li", { class: classes(side, k), [`data-${kind}`]: k }, make("span", { class: `word ${kind}` }, text)));
  return make("ol", { class: `lane ${kind}`, lang: language }, ...items);
}
function classes(side, k) {
  const word2 = side.word_of[k];
  if (word2 < 0) return "end";
  const joined = side.word_of[k - 1] === word2;
  return joined ? "joined bound" : side.word_of[k + 1] === word2 ? "bound" : "";
}
var shaded = (scale, value) => scale === "root" ? Math.sqrt(value) : value;
function table(data, reading, alpha, name) {
  const { source, scale, languages } = data;
  const label = (side, kind, k, scope, language) => make(
    "th",
    { scope, class: classes(side, k), [`data-${kind}`]: k, tabindex: -1, lang: side.word_of[k] < 0 ? null : language },
    make("span", { class: `word ${kind}` }, side.labels[k])
  );
  const columns = source.labels.map((_, s) => classes(source, s));
  const rows = alpha.map((row, t) => {
    const cells = row.map((value, s) => {
      const shade = shaded(scale, value);
      const ink = scale === "grey" ? value < 0.45 && "dark" : depth(shade);
      const kinds = [columns[s], ink, value >= NUMBER_FROM ? "big" : value >= 5e-3 && "some"];
      const cell = make(
        "td",
        { class: kinds.filter(Boolean).join(" "), "data-target": t, "data-source": s, tabindex: -1 },
        value >= 5e-3 ? short(value) : ""
      );
      cell.style.setProperty("--shade", shade.toFixed(3));
      return cell;
    });
    return make("tr", { class: classes(reading, t) }, label(reading, "target", t, "row", languages[1]), ...cells);
  });
  const corner = make("td", { class: "corner" });
  return make(
    "table",
    { role: "grid", "aria-label": name, "aria-describedby": "description", class: scale },
    make("thead", {}, make("tr", {}, corner, ...source.labels.map((_, s) => label(source, "source", s, "col", languages[0])))),
    make("tbody", {}, ...rows)
  );
}
function heads(heat) {
  const copies = findAll(heat, "thead th").map((node) => make("span", { class: node.className, "data-source": node.dataset.source }, ...[...node.children].map((child) => child.cloneNode(true))));
  return make(
    "div",
    { class: "heads", "aria-hidden": "true", lang: heat.querySelector("thead [lang]")?.getAttribute("lang") },
    make("div", {}, make("span", { class: "corner" }), ...copies)
  );
}
function along(map) {
  if (map.classList.contains("none")) return;
  const [heat, strip] = [find(map, ".heat"), find(map, ".heads > div")];
  strip.style.transform = `translateX(${-heat.scrollLeft}px)`;
  find(strip, ".corner").style.width = `${find(heat, ".corner").getBoundingClientRect().width}px`;
  map.classList.toggle("more", heat.scrollLeft + heat.clientWidth < heat.scrollWidth - 2);
}
function ribbons(alpha) {
  const drawing = draw("svg", { "aria-hidden": "true" });
  alpha.forEach((row, t) => row.forEach((value, s) => {
    if (value < RIBBON_FROM) return;
    const path = draw("path", { "data-target": t, "data-source": s });
    path.style.setProperty("--alpha", String(value));
    drawing.append(path);
  }));
  return drawing;
}
function bar(scale) {
  const stops = Array.from({ length: 21 }, (_, k) => {
    const shade = shaded(scale, k / 20);
    const colour = scale === "grey" ? `rgb(${255 * shade} ${255 * shade} ${255 * shade})` : `color-mix(in srgb, var(--att) ${4 + 96 * shade}%, var(--page))`;
    return `${colour} ${5 * k}%`;
  });
  const node = make("span", { class: "bar", "aria-hidden": "true" });
  node.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return node;
}
function place(map) {
  if (map.classList.contains("none")) return;
  const frame = map.getBoundingClientRect();
  const shown = find(map, ".lane.target").getClientRects().length > 0;
  const boxes = (selector) => findAll(map, selector).map((node) => node.getBoundingClientRect());
  const middleOf = (box) => (box.top + box.bottom) / 2 - frame.top;
  const from = boxes(".lane.source .word").map((box) => ({ x: box.right + GAP - frame.left, y: middleOf(box) }));
  const to = boxes(shown ? ".lane.target .word" : "tbody th .word").map((box) => ({ x: box.left - GAP - frame.left, y: middleOf(box) }));
  const middle = (Math.max(...from.map(({ x }) => x)) + Math.min(...to.map(({ x }) => x))) / 2;
  for (const path of findAll(map, "path")) {
    const [a, b] = [from[Number(path.dataset.source)], to[Number(path.dataset.target)]];
    path.setAttribute("d", `M${a.x} ${a.y} C ${middle} ${a.y}, ${middle} ${b.y}, ${b.x} ${b.y}`);
  }
}

// translate/texts.js
function sentence(reading, r, data, gloss) {
  const line = make("p", { class: "sentence", lang: reading.language, dir: "auto" });
  reading.words.forEach(([gap, text], k) => line.append(...gapNodes(gap), gloss ? glossed(reading, r, k, text, data) : word(reading, r, k, text)));
  line.append(...gapNodes(reading.tail));
  return line;
}
var wholeText = ({ words, tail }) => words.flat().join("") + tail;
function word(reading, r, k, text) {
  const node = make("span", { class: "word target", "data-reading": r, "data-target-word": k }, text);
  if (reading.chance.length) node.style.setProperty("--chance", String(reading.chance[k]));
  else node.classList.add("unscored");
  return node;
}
var sourceWord = ({ source, languages }, s) => make("span", { class: "word source", lang: languages[0], "data-source-word": s }, source.words[s][1]);
var ENDLESS = 40;
function glossed(reading, r, k, text, data) {
  const s = reading.gloss ? reading.gloss[k] : -1;
  const likely = reading.likely && reading.likely[k];
  const said2 = likely ? make("rt", { lang: data.languages[0] }, likely) : s < 0 ? make("rt", {}, "–") : make("rt", { lang: data.languages[0] }, sourceWord(data, s));
  return make("ruby", { class: text.length > ENDLESS ? "endless" : null }, word(reading, r, k, text), said2);
}
var head = (name, notes) => make("p", { class: "label" }, make("b", {}, term(`model:${name}`, name)), ...notes.map((note) => make("span", {}, note)));
function changed(a, b) {
  const length = Array.from({ length: a.length + 1 }, () => (
    /** @type {number[]} */
    new Array(b.length + 1).fill(0)
  ));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const others = /* @__PURE__ */ new Set();
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (i < a.length && length[i + 1][j] >= length[i][j + 1]) i++;
    else others.add(j++);
  }
  return others;
}
function nbest(readings2, names, title, language) {
  const texts = readings2.map((reading) => reading.words.map(([, text]) => text));
  const rows = readings2.map((reading, r) => {
    const others = changed(texts[0], texts[r]);
    const line = make("span", { class: "hypothesis", lang: language, dir: "auto" });
    reading.words.forEach(([gap, shown], k) => {
      const node = word(reading, r, k, shown);
      node.classList.toggle("other", others.has(k));
      line.append(gap, node);
    });
    line.append(reading.tail);
    return make(
      "div",
      { role: "radio", "data-rank": r, tabindex: -1, "aria-label": title(r) },
      make("span", { class: "number rank" }, String(r + 1)),
      make("span", { class: "number" }, reading.log_probability),
      make("span", { class: "number" }, reading.score),
      line
    );
  });
  return make(
    "div",
    { class: "best" },
    make(
      "p",
      { class: "columns" },
      make("span", {}),
      make("span", { class: "number" }, names.log),
      make("span", { class: "number" }, names.score),
      make("span", { class: "hint" }, names.hint)
    ),
    make("div", { class: "rows", role: "radiogroup", "aria-label": names.label }, ...rows)
  );
}
function mark(root, rank) {
  for (const row of findAll(root, "[role=radio]")) {
    const on = Number(row.dataset.rank) === rank;
    row.setAttribute("aria-checked", String(on));
    row.tabIndex = on ? 0 : -1;
  }
}
function ranked(key, rank, count) {
  const places = { ArrowUp: rank - 1, ArrowLeft: rank - 1, ArrowDown: rank + 1, ArrowRight: rank + 1, Home: 0, End: count - 1 };
  return Object.hasOwn(places, key) ? (places[key] + count) % count : void 0;
}

// translate/told.js
function legend(data) {
  const { words } = data;
  const drawn = data.best[0].alpha;
  const rows = data.unit === "pieces" ? words.legend_pieces : words.legend;
  const marked = data.best.some((reading) => reading.differences.some(({ lost, repeated, invented }) => lost.length + repeated.length + invented.length));
  const likely = readings(data).some((reading) => reading.likely);
  return make(
    "div",
    { class: "legend" },
    drawn && make(
      "span",
      { class: "scale" },
      data.scale === "root" ? words.scale_root : words.scale,
      make("i", {}, "0"),
      bar(data.scale),
      make("i", {}, "1")
    ),
    drawn && make("span", {}, filled(rows, { model: data.name }), words.legend_end && ` ${words.legend_end}`),
    data.best[0].chance.length > 0 && make("span", {}, make("span", { class: "sample", "aria-hidden": "true" }), " ", words.legend_chance),
    data.gloss && make("span", {}, words.legend_gloss),
    likely && make("span", {}, words.legend_likely),
    data.copied && make("span", {}, words.legend_copied),
    marked && data.told && make("span", {}, words.legend_lost),
    !data.told && !data.alone && make("span", {}, words.legend_untold),
    data.cut > 0 && make("span", {}, filled(words.cut, { limit: data.cut })),
    make("span", { class: "made" }, data.made)
  );
}
function marks(data, found, r) {
  const { words } = data;
  const reading = readings(data)[r];
  const listed = (nodes) => nodes.flatMap((node, k) => k ? [", ", node] : [node]);
  const lost = found.lost.map((s) => sourceWord(data, s));
  const own = (k) => word(reading, r, k, reading.words[k][1]);
  const often = ([k, times]) => times > 1 ? make("span", {}, own(k), ` × ${times}`) : own(k);
  const told = (text, places) => places.length ? [fill(text, { list: make("span", { lang: reading.language }, ...listed(counted(reading.words, places).map(often))) })] : [];
  const said2 = [
    ...lost.length ? [fill(words.lost, { list: make("span", {}, ...listed(lost)) })] : [],
    ...told(words.invented, found.invented),
    ...told(words.repeated, found.repeated),
    ...found.followed == null ? [] : [found.followed < 0 ? [words.threadless] : fill(words.thread, { word: make("span", { lang: reading.language }, own(found.followed)) })]
  ];
  return said2.length ? [make("p", { class: "marks" }, ...said2.map((parts2) => make("span", {}, ...parts2)))] : [];
}
function counted(words, places) {
  const found = /* @__PURE__ */ new Map();
  for (const k of places) {
    const text = words[k][1].toLowerCase();
    const [first, times] = found.get(text) ?? [k, 0];
    found.set(text, [first, times + 1]);
  }
  return [...found.values()];
}
function described(data, reading) {
  const { words, source } = data;
  if (!reading.alpha) return chances(reading, words);
  const rows = reading.alpha.map((row, t) => {
    const most = row.indexOf(Math.max(...row));
    return filled(words.described_row, { target: reading.labels[t], source: source.labels[most], value: two(row[most]) });
  });
  const picture = filled(words.described, { rows: rows.length, columns: source.labels.length });
  return `${picture} ${rows.join("; ")}. ${chances(reading, words)}`;
}
function chances(reading, words) {
  if (!reading.chance.length) return "";
  return `${words.chances} ${reading.words.map(([, text], k) => `${text} ${two(reading.chance[k])}`).join("; ")}.`;
}

// translate/heatmap.js
var DENSE = 14;
var TOLD_AFTER = 250;
function build2(root, data) {
  const { words, beside } = data;
  const names = { label: words.best, log: words.best_log, score: words.best_score, hint: words.best_hint };
  const title = (r) => {
    const { log_probability: log, score } = data.best[r];
    return filled(words.best_row, { rank: r + 1, log, score, text: wholeText(data.best[r]) });
  };
  const other = beside ? [
    head(beside.name, beside.notes),
    sentence(beside, data.best.length, data, beside.gloss !== null || beside.likely !== null),
    make("p", { class: "unseen" }, chances(beside, words))
  ] : [make("p", { class: "label" }, words.plain_missing)];
  root.lang = data.language;
  root.classList.toggle("glossed", data.gloss);
  root.classList.toggle("grey", data.scale === "grey");
  root.style.setProperty("--columns", String(data.source.labels.length));
  root.style.setProperty("--longest", String(Math.max(...data.source.labels.map(letters))));
  root.replaceChildren(
    make("div", { class: data.alone ? "texts alone" : "texts" }, make("section", { class: "attended" }), !data.alone && make("section", { class: "plain" }, ...other)),
    ...data.best.length > 1 ? [nbest(data.best, names, title, data.languages[1])] : [],
    make("p", { class: "readout", "aria-live": "polite" }),
    make("div", { class: "map" }),
    legend(data),
    make("p", { class: "unseen", id: "description" })
  );
}
function show(root, data, rank) {
  const reading = data.best[rank];
  root.rank = rank;
  root.pinned = null;
  root.style.setProperty("--rows", String(reading.labels.length));
  const attended = find(root, ".attended");
  attended.replaceChildren(head(data.name, reading.notes), sentence(reading, rank, data, reading.gloss !== null || reading.likely !== null));
  attended.classList.toggle("without", !reading.attended);
  for (const node of findAll(root, ".marks")) node.remove();
  reading.differences.forEach((found, k) => {
    const section = find(root, k ? ".plain" : ".attended");
    section.append(...marks(data, found, k ? data.best.length : rank));
  });
  const map = find(root, ".map");
  announce(map);
  map.classList.toggle("none", !reading.alpha);
  map.classList.toggle("dense", reading.labels.length > DENSE);
  if (reading.alpha) {
    const heat = table(data, reading, reading.alpha, filled(data.words.label, { model: data.name }));
    map.replaceChildren(
      lane(data.source, "source", data.languages[0]),
      lane(reading, "target", data.languages[1]),
      heads(heat),
      make("div", { class: "heat" }, heat),
      ribbons(reading.alpha)
    );
    find(map, ".heat").onscroll = () => along(map);
    stop(map, find(map, "tbody th"));
    place(map);
    along(map);
  } else {
    map.replaceChildren(make("p", {}, filled(data.words.no_map, { model: data.name })));
  }
  mark(root, rank);
  find(root, "#description").textContent = described(data, reading);
  light(root, null);
}
function neighbour(root, cell, key) {
  const row = (
    /** @type {HTMLTableRowElement} */
    cell.parentNode
  );
  const inside = row.closest("tbody");
  const ways = {
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
    ArrowUp: () => (row.previousElementSibling ?? (inside ? find(root, "thead tr") : null))?.children[cell.cellIndex],
    ArrowDown: () => (inside ? row.nextElementSibling : find(root, "tbody tr"))?.children[cell.cellIndex],
    Home: () => row.querySelector("[data-target], [data-source]"),
    End: () => row.lastElementChild
  };
  if (!Object.hasOwn(ways, key)) return void 0;
  const node = ways[key]();
  return node instanceof HTMLElement && !node.classList.contains("corner") ? node : null;
}
function stop(map, node) {
  for (const other of findAll(map, 'table [tabindex="0"]')) other.tabIndex = -1;
  node.tabIndex = 0;
  return node;
}
function choose(root, rank) {
  show(root, root.data, rank);
  find(root, `[data-rank="${rank}"]`).focus({ preventScroll: true });
  clearTimeout(root.telling);
  const { of } = root.data;
  root.telling = setTimeout(() => root.tell("chosen", { of, rank }), TOLD_AFTER);
}
function pin(root, pointed2, finger = false) {
  if (pointed2 && !pointed2.ts.length && !pointed2.ss.length) pointed2 = null;
  const same = pointed2 && JSON.stringify(pointed2) === JSON.stringify(root.pinned);
  root.pinned = same ? null : pointed2;
  light(root, finger ? root.pinned : pointed2);
}
function listen(root) {
  const pointed2 = (node) => {
    const at = nearest(node, POINTED);
    return at && positions(root, at.dataset);
  };
  const point = (node) => light(root, root.pinned ?? pointed2(node));
  root.onpointerover = (event) => point(event.target);
  root.onpointerleave = () => point(root.querySelector("table :focus-visible"));
  root.addEventListener("focusin", (event) => {
    const cell = nearest(event.target, "table [tabindex]");
    if (cell) stop(find(root, ".map"), cell);
    point(event.target);
  });
  root.addEventListener("focusout", () => point(null));
  root.onclick = (event) => {
    const row = nearest(event.target, "[role=radio]");
    if (!row) pin(root, pointed2(event.target), touched(event));
    else if (Number(row.dataset.rank) !== root.rank) choose(root, Number(row.dataset.rank));
  };
  root.onkeydown = (event) => {
    if (modified(event)) return;
    const cell = nearest(event.target, "th, td[data-target]");
    if (nearest(event.target, "[role=radio]")) {
      if (event.key === " ") return event.preventDefault();
      const rank = ranked(event.key, root.rank, root.data.best.length);
      if (rank === void 0) return;
      event.preventDefault();
      choose(root, rank);
    } else if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pin(root, pointed2(cell));
    } else if (cell instanceof HTMLTableCellElement) {
      const next = neighbour(root, cell, event.key);
      if (next === void 0) return;
      event.preventDefault();
      if (next) stop(root, next).focus();
    }
  };
}
function decoded(data) {
  for (const reading of readings(data)) {
    if (reading.alpha) reading.alpha = reading.alpha.map((row) => row.map((value) => value / data.parts));
  }
  return data;
}
function heatmap({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "picture", {}, (made) => {
    listen(made);
    announce(made);
    made.observer = new ResizeObserver(() => {
      place(find(made, ".map"));
      along(find(made, ".map"));
    });
    document.fonts.ready.then(() => made.data && place(find(made, ".map")));
    ready(data.focus);
  });
  root.tell = setStateValue;
  const drawn = JSON.stringify({ ...data, chosen: 0 });
  if (root.drawn !== drawn) {
    const { data: before, pinned } = root;
    const same = before?.of === data.of;
    const rank = same ? root.rank : data.chosen;
    root.drawn = drawn;
    root.data = decoded(structuredClone(data));
    anew(root, () => {
      build2(root, root.data);
      show(root, root.data, rank);
      if (same && pinned && before.unit === data.unit && pinned.r < data.best.length) pin(root, pinned);
    }, 'table [tabindex="0"]');
    root.observer.observe(root);
    const { name, best, languages } = root.data;
    readAloud(root, `${name}: ${wholeText(best[rank])}`, languages[1]);
  }
  return () => {
    clearTimeout(root.telling);
    root.observer.disconnect();
  };
}

// alone:translate/heatmap
standAlone(heatmap);
