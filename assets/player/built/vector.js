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
  const same2 = ready(selector);
  const next = same2[Math.min(number, same2.length - 1)] ?? otherwise.flatMap(ready)[0];
  if (next instanceof HTMLInputElement && had instanceof HTMLInputElement && had.matches(TYPING)) next.value = had.value;
  next?.focus({ preventScroll: true });
}
function unmoved(draw2) {
  const page = document.querySelector(".stMain") ?? document.documentElement;
  const at = page.scrollTop;
  draw2();
  if (page.scrollTop !== at) page.scrollTop = at;
}

// laboratory/plane.js
function placed(points, around = points, margin = 0.04) {
  const scale = (values) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return (value) => most > least ? margin + (1 - 2 * margin) * ((value - least) / (most - least)) : 0.5;
  };
  const [across, up] = [scale(around.map(({ x }) => x)), scale(around.map(({ y }) => y))];
  return points.map(({ x, y }) => ({ x: across(x), y: 1 - up(y) }));
}
var WAYS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]];
var APART = [1, 2.6, 4.4, 6.4];
function labelled(spots, sizes, box, dots) {
  const taken = spots.map(({ x, y }, k) => ({ left: x - dots[k], top: y - dots[k], right: x + dots[k], bottom: y + dots[k] }));
  const covers = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  return spots.map(({ x, y }, k) => {
    if (x < 0 || y < 0 || x > box.width || y > box.height) return null;
    const { width, height } = sizes[k];
    const dot = dots[k];
    for (const times of APART) for (const [u, v] of WAYS) {
      const left = x + u * (dot * times + width / 2) - width / 2;
      const top = y + v * (dot * (u ? times - 1 : times) + height / 2) * (u && times === 1 ? 0.6 : 1) - height / 2;
      const edges = { left, top, right: left + width, bottom: top + height };
      const inside = left >= 0 && top >= 0 && edges.right <= box.width && edges.bottom <= box.height;
      if (!inside || taken.some((other, p) => p !== k && covers(edges, other))) continue;
      taken.push(edges);
      const to = { x: Math.min(Math.max(x, left), edges.right), y: Math.min(Math.max(y, top), edges.bottom) };
      return { x: left, y: top, far: times > 1, to };
    }
    return null;
  });
}
function under(points, place2, reach) {
  const far = points.map(({ x, y }) => Math.hypot(x - place2.x, y - place2.y));
  const least = far.reduce((best, one, k) => one < far[best] ? k : best, 0);
  return far.length && far[least] <= reach ? least : -1;
}
function towards(points, at, key) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = Object.hasOwn(ways, key) ? ways[key] : void 0;
  if (!way) return -1;
  const [from, [u, v]] = [points[at], way];
  let [best, least] = [-1, Infinity];
  points.forEach(({ x, y }, k) => {
    const along = (x - from.x) * u + (y - from.y) * v;
    const aside = Math.abs((x - from.x) * v) + Math.abs((y - from.y) * u);
    const far = Math.hypot(along, aside);
    if (along > 0 && aside <= along && far < least) [best, least] = [k, far];
  });
  return best;
}

// laboratory/among.js
var TOLD_AFTER = 400;
var REACH = 24;
var DOT = 7;
var AT = 11;
var SHAPES = ["round", "square", "diamond", "triangle"];
var whole = (text) => text.flat().join("").trim();
var wordOf = ({ points, sentences }, number) => sentences[points[number].sentence].text[points[number].word][1];
function meant({ points, sentences }, number) {
  const { sentence, word } = points[number];
  return sentences[sentence].place === word ? sentences[sentence] : null;
}
function named(plane, number) {
  const sense = meant(plane, number)?.sense;
  return sense ? `${wordOf(plane, number)} (${sense})` : wordOf(plane, number);
}
function marked({ points, sentences }, number) {
  const { sentence, word } = points[number];
  return sentences[sentence].text.flatMap(([gap, text], k) => [...gapNodes(gap), k === word ? make("b", {}, text) : text]);
}
function same(plane, number) {
  const word = wordOf(plane, number).toLowerCase();
  return plane.points.flatMap((_, p) => wordOf(plane, p).toLowerCase() === word ? [p] : []);
}
function planar(root, plane) {
  const { words, languages } = root.data;
  const own = plane.sentences.length - 1;
  const dots = plane.points.map(({ sentence }, number) => make("span", { class: sentence === own ? "dot own" : "dot", id: `dot-${number}`, role: "option", "aria-selected": "false", "data-p": number, "aria-label": named(plane, number) }));
  const chosen = plane.points.flatMap(({ sentence, word }, number) => sentence === own ? [{ word, number }] : []);
  const text = plane.sentences[own].text.flatMap(([gap, shown], k) => {
    const here = chosen.find(({ word }) => word === k);
    return [...gapNodes(gap), here ? make("button", { type: "button", "data-go": here.number, lang: languages[0] }, shown) : shown];
  });
  const meanings = plane.separated.map(({ word, same: alike, count, chance, first }) => make(
    "li",
    {},
    make("button", { type: "button", "data-go": first, "data-word": word, lang: languages[0] }, word),
    ` ${filled(words.of, { same: alike, count })} `,
    make("span", { class: "soft" }, filled(words.chance, { chance: decimal(chance, 1) }))
  ));
  const share = (100 * (plane.shares[0] + plane.shares[1])).toFixed(0);
  const box = make(
    "div",
    { class: "plane", role: "listbox", tabindex: 0, "aria-label": words.plane_label },
    draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }),
    ...dots,
    make("div", { class: "names", "aria-hidden": "true" })
  );
  new ResizeObserver(() => names(root)).observe(box);
  return make(
    "section",
    { class: "among" },
    make("h3", {}, filled(words.plane, { sentences: own })),
    make("p", { class: "choose" }, make("span", { class: "soft" }, `${words.choose}: `), ...text),
    make("div", { class: "meanings" }, make("p", { class: "soft" }, words.separated), make("ul", {}, ...meanings)),
    make(
      "div",
      { class: "beside" },
      make("div", {}, box, make("p", { class: "soft under" }, make("button", { type: "button", class: "closer", "aria-pressed": String(root.close) }, words.closer), make("span", {}, ` ${words.plane_hint}`))),
      make("div", { class: "near" }, make("h3", { class: "near-title" }), make("ol", {}), make("p", { class: "said dot-said", "aria-live": "polite" }))
    ),
    make("p", { class: "soft" }, filled(words.shares, { points: plane.points.length, share }))
  );
}
function hover(root, number) {
  const { plane, words } = root.data;
  if (!plane) return;
  for (const one of findAll(root, ".over")) one.classList.remove("over");
  const shown = number < 0 ? root.at : number;
  find(root, `#dot-${shown}`).classList.add("over");
  for (const one of findAll(root, `.near [data-go="${shown}"]`)) one.classList.add("over");
  worded(find(root, ".dot-said"), filled(words.point, { word: named(plane, shown), text: whole(plane.sentences[plane.points[shown].sentence].text) }));
}
function place(root, plane) {
  const { at, close } = root;
  const around = close ? [at, ...same(plane, at), ...plane.nearest[at].map(([other]) => other)].map((p) => plane.points[p]) : plane.points;
  root.spots = placed(plane.points, around, close ? 0.1 : 0.04);
  for (const dot of findAll(root, ".dot")) {
    const { x, y } = root.spots[Number(dot.dataset.p)];
    dot.style.left = `${(100 * x).toFixed(2)}%`;
    dot.style.top = `${(100 * y).toFixed(2)}%`;
  }
}
function names(root) {
  const { plane } = root.data;
  if (!plane) return;
  const box = find(root, ".plane");
  const [width, height] = [box.clientWidth, box.clientHeight];
  const own = plane.sentences.length - 1;
  const near = plane.nearest[root.at].map(([other]) => other);
  const alike = same(plane, root.at);
  const mine = plane.points.flatMap(({ sentence }, p) => sentence === own ? [p] : []);
  const wanted = [.../* @__PURE__ */ new Set([root.at, ...alike, ...near, ...mine])];
  const texts = wanted.map((p) => make("span", { class: p === root.at ? "at" : near.includes(p) || alike.includes(p) ? null : "aside", "data-name": p }, alike.includes(p) && meant(plane, p)?.sense || wordOf(plane, p)));
  find(box, ".names").replaceChildren(...texts);
  const spots = wanted.map((p) => ({ x: root.spots[p].x * width, y: root.spots[p].y * height }));
  const found = labelled(spots, texts.map(({ offsetWidth, offsetHeight }) => ({ width: offsetWidth, height: offsetHeight })), { width, height }, wanted.map((p) => p === root.at ? AT : DOT));
  const leaders = found.flatMap((one, k) => {
    texts[k].hidden = !one;
    if (!one) return [];
    texts[k].style.left = `${one.x.toFixed(1)}px`;
    texts[k].style.top = `${one.y.toFixed(1)}px`;
    return one.far ? [draw("line", { class: "leader", x1: 100 * spots[k].x / width, y1: 100 * spots[k].y / height, x2: 100 * one.to.x / width, y2: 100 * one.to.y / height })] : [];
  });
  const from = root.spots[root.at];
  find(box, "svg").replaceChildren(...near.map((other) => draw("line", { class: "link", x1: 100 * from.x, y1: 100 * from.y, x2: 100 * root.spots[other].x, y2: 100 * root.spots[other].y })), ...leaders);
}
function come(root, number) {
  const { plane, words, languages } = root.data;
  if (!plane) return;
  root.at = number;
  const box = find(root, ".plane");
  box.setAttribute("aria-activedescendant", `dot-${number}`);
  const word = wordOf(plane, number).toLowerCase();
  const senses = [...new Set(plane.sentences.filter((one) => one.word === word).map(({ sense }) => sense))];
  const near = new Set(plane.nearest[number].map(([other]) => other));
  const alike = new Set(same(plane, number));
  for (const dot of findAll(box, ".dot")) {
    const p = Number(dot.dataset.p);
    const sense = alike.has(p) ? meant(plane, p)?.sense : void 0;
    dot.classList.toggle("same", alike.has(p));
    dot.classList.toggle("near-one", near.has(p));
    dot.classList.toggle("at", p === number);
    SHAPES.forEach((shape, k) => dot.classList.toggle(shape, alike.has(p) && k === Math.max(0, senses.indexOf(sense ?? "")) % SHAPES.length));
    dot.setAttribute("aria-selected", String(p === number));
  }
  place(root, plane);
  names(root);
  worded(find(root, ".near-title"), filled(words.nearest, { word: named(plane, number) }));
  const list = find(root, ".near ol");
  anew(list, () => list.replaceChildren(...plane.nearest[number].map(([other, cosine]) => make(
    "li",
    {},
    make(
      "button",
      { type: "button", "data-go": other },
      make("span", { class: "cosine" }, decimal(cosine)),
      make("span", { lang: languages[0] }, ...marked(plane, other)),
      meant(plane, other) && make("span", { class: "soft" }, ` ${meant(plane, other)?.sense}`)
    )
  ))), "button");
  for (const one of findAll(root, ":is(.choose, .meanings) button")) {
    one.setAttribute("aria-pressed", String(Number(one.dataset.go) === number || one.dataset.word === word));
  }
  hover(root, -1);
}
function go(root, number) {
  come(root, number);
  clearTimeout(root.telling);
  root.telling = setTimeout(() => root.send("point", number), TOLD_AFTER);
}
function closer(root) {
  root.close = !root.close;
  find(root, ".closer").setAttribute("aria-pressed", String(root.close));
  come(root, root.at);
}
function aimed(root, event) {
  const box = nearest(event.target, ".plane");
  if (!box) return -1;
  const { left, top, width, height } = box.getBoundingClientRect();
  const spots = root.spots.map(({ x, y }) => ({ x: x * width, y: y * height }));
  return under(spots, { x: event.clientX - left, y: event.clientY - top }, REACH);
}

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

// laboratory/vector.js
var sides = ({ cuts, target, languages }) => ({ source: cuts.map(({ last }) => last), target, languages });
function beginnings(data) {
  const { words, cuts, languages } = data;
  const over = sides(data);
  const values = data.target.map((_, t) => cuts.map(({ kept }) => Number(kept[t])));
  const table = map(over, values, (value) => ({ shade: value, text: "", kind: value ? "there" : "" }), words.cuts_label);
  for (const cell of findAll(table, "td[data-s]")) cell.setAttribute("aria-label", values[Number(cell.dataset.t)][Number(cell.dataset.s)] ? words.there : words.not_there);
  const rows = cuts.map(({ after, last, text }, s) => make(
    "li",
    { "data-s": s },
    make("span", { class: "last", lang: languages[0], title: filled(words.after_label, { after }) }, filled(words.after, { word: last })),
    make("span", { lang: languages[1] }, whole(text))
  ));
  const section = make(
    "section",
    { class: "maps" },
    make("figure", {}, make("figcaption", {}, make("span", {}, words.cuts)), table),
    make("figure", {}, make("figcaption", {}, words.written), make("ol", { class: "written" }, ...rows)),
    make("p", { class: "said cut-said", "aria-live": "polite" })
  );
  sized(section, over);
  return section;
}
function point(root, node) {
  const { words, cuts, target, since } = root.data;
  const section = find(root, ".maps");
  for (const one of findAll(section, ".here")) one.classList.remove("here");
  if (!node) return worded(find(root, ".cut-said"), words.cuts_idle);
  const s = Number(node.dataset.s);
  const t = Number(node.dataset.t ?? target.length - 1);
  for (const one of findAll(section, `thead th[data-s="${s}"], li[data-s="${s}"], tbody th[data-t="${node.dataset.t}"], td[data-t="${node.dataset.t}"][data-s="${s}"]`)) one.classList.add("here");
  const { after, last, kept } = cuts[s];
  const all = cuts[cuts.length - 1].after;
  if (!target.length) return worded(find(root, ".cut-said"), words.cuts_idle);
  worded(find(root, ".cut-said"), filled(words.cut, { word: last, after, all, kept: kept.filter(Boolean).length, words: target.length, target: target[t], since: since[t] }));
}
function build(root) {
  const { data } = root;
  const told = make("section", { class: "note" }, make("p", {}, data.means), make("p", { class: "soft made" }, data.made));
  const sections = [beginnings(data), ...data.plane ? [planar(root, data.plane)] : [], told];
  root.lang = data.language;
  root.replaceChildren(...sections);
  for (const section of sections) announce(section);
  point(root, null);
  if (data.plane) come(root, data.plane.at);
}
function listen(root) {
  root.close = false;
  const cut = ".maps [data-s]";
  root.addEventListener("pointermove", (event) => {
    if (nearest(event.target, ".plane")) hover(root, aimed(root, event));
  });
  root.addEventListener("pointerover", (event) => {
    point(root, nearest(event.target, cut));
    const listed = nearest(event.target, ".near [data-go]");
    if (listed) hover(root, Number(listed.dataset.go));
    else if (!nearest(event.target, ".plane")) hover(root, -1);
  });
  root.addEventListener("pointerleave", () => {
    point(root, null);
    hover(root, -1);
  });
  root.addEventListener("focusin", (event) => point(root, nearest(event.target, cut)));
  root.addEventListener("click", (event) => {
    nearest(event.target, "td[data-s]")?.focus();
    if (nearest(event.target, ".closer")) return closer(root);
    const to = nearest(event.target, "[data-go]");
    const number = to ? Number(to.dataset.go) : aimed(root, event);
    if (number >= 0) go(root, number);
  });
  root.addEventListener("keydown", (event) => {
    if (!nearest(event.target, ".plane") || event.ctrlKey || event.metaKey || event.altKey) return;
    const number = towards(root.spots, root.at, event.key);
    if (event.key.startsWith("Arrow")) event.preventDefault();
    if (number >= 0) go(root, number);
  });
}
function vector({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "vector", {}, listen);
  root.send = setTriggerValue;
  const drawn = JSON.stringify({ ...data, plane: data.plane && { ...data.plane, at: 0 } });
  if (root.drawn !== drawn) {
    root.drawn = drawn;
    root.data = data;
    clearTimeout(root.telling);
    build(root);
  }
  return () => clearTimeout(root.telling);
}

// latest:laboratory/vector
var vector_default = latest(vector);
export {
  vector_default as default
};
