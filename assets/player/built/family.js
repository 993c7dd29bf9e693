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

// shared/keys.js
var TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *";
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;
var touched = (event) => event instanceof PointerEvent && event.pointerType === "touch";

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
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several2) => String(values[name]) === "1" ? one : several2);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part]
  ] : part ? [part] : []);
}
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
var clean = (text) => text.replace(/[\u202f\s]+/g, " ").trim();

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

// family/beside.js
function beside(word, key) {
  const line = findAll(
    /** @type {HTMLElement} */
    word.parentElement,
    ".word"
  );
  const at = line.indexOf(word);
  const ways = { ArrowLeft: line[at - 1], ArrowRight: line[at + 1], Home: line[0], End: line[line.length - 1] };
  return Object.hasOwn(ways, key) ? ways[key] ?? word : null;
}
function walkedWords(word, key) {
  const next = beside(word, key);
  if (!next) return false;
  word.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return true;
}

// family/light.js
var NAMED_FROM = 0.05;
function looked(members, m, k) {
  const looks = members[m].answer?.looks;
  return looks ? looks[k].map(([place, value]) => ({ m, k: place, value })) : null;
}
var lookers = (members, place) => members.flatMap(({ answer }, m) => (answer?.looks ?? []).flatMap((row, k) => row.filter(([at]) => at === place).map(([, value]) => ({ m, k, value }))));
function strongest(found) {
  const best = /* @__PURE__ */ new Map();
  for (const one of found) if (one.value >= NAMED_FROM && one.value > (best.get(one.m)?.value ?? 0)) best.set(one.m, one);
  return [...best.values()].sort((a, b) => a.m - b.m);
}
var cells = (looks, words) => looks.flatMap((row, t) => row.map(([place, value]) => ({ t, s: place < 0 ? words : place, value })));

// family/family.js
var SIDE = 100;
var MOST = 8;
function source({ source: words, tail, languages, text }) {
  const line = make("p", { class: "source", lang: languages[0], dir: "auto" });
  if (!words.length) line.append(text);
  words.forEach(([gap, word], k) => line.append(
    ...gapNodes(gap),
    make("span", { class: "word", role: "button", tabindex: k ? -1 : 0, "data-source": k, "aria-pressed": "false" }, word)
  ));
  line.append(...gapNodes(tail));
  return line;
}
function translation({ words, languages }, { answer }, m) {
  const line = make("p", { class: "target", lang: languages[1], dir: "auto" });
  const names = { "": "", repeated: words.mark_repeated, invented: words.mark_invented };
  answer?.words.forEach(([gap, word], k) => {
    const mark = answer.marks[k];
    line.append(...gapNodes(gap), make("span", {
      class: `word ${mark}`,
      role: "button",
      tabindex: k ? -1 : 0,
      "data-m": m,
      "data-k": k,
      "aria-pressed": "false",
      "aria-label": [clean(word), names[mark]].filter(Boolean).join(", ")
    }, word));
  });
  line.append(...gapNodes(answer?.tail ?? ""));
  return line;
}
function judged({ words, told: known2, source: from, languages }, { answer }) {
  const line = make("p", { class: "judged" });
  if (!answer) return line;
  const fault = (template, found, language) => found.length ? [make("span", { class: "fault" }, ...fill(template, { list: make("b", { lang: language }, several(found)) }))] : [];
  const marked = (mark) => [...new Set(answer.words.filter((_, k) => answer.marks[k] === mark).map(([, word]) => word))];
  const faults = [
    ...fault(words.lost, answer.lost.map((k) => from[k][1]), languages[0]),
    ...fault(words.repeated, marked("repeated"), languages[1]),
    ...fault(words.invented, marked("invented"), languages[1]),
    ...answer.finished ? [] : [make("span", { class: "fault" }, words.unfinished)]
  ];
  line.append(...faults.length ? faults : [make("span", { class: "right" }, known2 ? words.clean : words.clean_untold)]);
  return line;
}
function picture({ words, source: from }, { answer, name, title, attends }, m) {
  if (!attends) return make("p", { class: "picture none" }, words.blind);
  if (!answer?.looks) return make("div", { class: "picture" });
  const [across, down] = [from.length + 1, Math.max(1, answer.words.length)];
  const drawing = draw(
    "svg",
    { viewBox: `0 0 ${SIDE} ${SIDE}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "column", x: 0, y: 0, width: SIDE / across, height: SIDE }),
    draw("rect", { class: "row", x: 0, y: 0, width: SIDE, height: SIDE / down }),
    ...cells(answer.looks, from.length).map(({ t, s, value }) => draw("rect", { class: "cell", x: s * SIDE / across, y: t * SIDE / down, width: SIDE / across, height: SIDE / down, "fill-opacity": value }))
  );
  return make(
    "button",
    { type: "button", class: "picture", "data-open": name, "data-of": m, "aria-label": filled(words.picture, { model: title }) },
    drawing,
    make("span", { class: "open", "aria-hidden": "true" }, words.open)
  );
}
function column(data, member, m) {
  const { words } = data;
  const { title, year, paper, answer, problem, size, taught } = member;
  const said = [answer?.map ? filled(words.map, { map: answer.map }) : "", answer?.beside ?? ""].filter(Boolean);
  return make(
    "article",
    { "aria-label": title, "aria-busy": String(!answer && !problem) },
    make("header", {}, make("span", { class: "year" }, year), make("h3", {}, term(`model:${title}`, title)), make("small", {}, paper)),
    problem ? make("p", { class: "problem" }, problem) : answer ? translation(data, member, m) : make("p", { class: "waiting" }, words.waiting),
    judged(data, member),
    picture(data, member, m),
    make("p", { class: "soft" }, said.join(" · ")),
    make("p", { class: "soft facts" }, make("span", {}, taught), make("span", {}, size))
  );
}
function build(root, data) {
  const { words, members } = data;
  const waiting = members.some(({ answer, problem }) => !answer && !problem);
  root.style.minHeight = waiting ? `${root.offsetHeight}px` : "";
  root.lang = data.language;
  root.setAttribute("aria-label", words.label);
  const columns = make("div", { class: "columns" }, ...members.map((member, m) => column(data, member, m)));
  columns.style.setProperty("--columns", String(members.length));
  root.replaceChildren(
    make(
      "div",
      { class: "whole" },
      make("div", { class: "top" }, source(data), make("p", { class: "readout", "aria-live": "polite" })),
      members.length ? columns : make("p", {}, words.choose)
    ),
    make("p", { class: "soft" }, members.some(({ attends }) => attends) && `${words.rows} `, data.unequal && make("b", {}, data.unequal)),
    make("p", { class: "soft" }, members.some(({ answer }) => answer) && make("span", {}, data.told ? words.marked : words.untold), " ", data.made)
  );
  announce(find(root, ".whole"));
}
var several = (found) => [...found.slice(0, MOST).map(clean), ...found.length > MOST ? ["…"] : []].join(", ");
function light(root, word) {
  const { members } = root.data;
  const from = word?.dataset.source;
  const [m, k] = [Number(word?.dataset.m), Number(word?.dataset.k)];
  const found = !word ? [] : from != null ? lookers(members, Number(from)) : looked(members, m, k) ?? [];
  for (const one of findAll(root, ".word")) {
    const { source: place } = one.dataset;
    const partner = one === word ? { value: 1 } : from != null ? found.find((lit) => lit.m === Number(one.dataset.m) && lit.k === Number(one.dataset.k)) : found.find((lit) => place != null && lit.k === Number(place));
    one.style.setProperty("--lit", String(partner?.value ?? 0));
    one.setAttribute("aria-pressed", String(one === root.pinned));
  }
  findAll(root, "article").forEach((article, of) => band(root, article, of, word && from != null ? Number(from) : -1, from == null && of === m ? k : -1));
  find(root, ".readout").replaceChildren(...word ? told(root, word, found) : [root.data.words.idle]);
}
function band({ data }, article, of, s, t) {
  const across = data.source.length + 1;
  const down = data.members[of].answer?.words.length || 1;
  const [upright, lying] = [article.querySelector("rect.column"), article.querySelector("rect.row")];
  upright?.setAttribute("x", String(Math.max(0, s) * SIDE / across));
  upright?.classList.toggle("on", s >= 0);
  lying?.setAttribute("y", String(Math.max(0, t) * SIDE / down));
  lying?.classList.toggle("on", t >= 0);
}
function told({ data }, word, found) {
  const { words, members, source: from, languages } = data;
  const bold = (text, kind, language) => make("b", { class: kind, lang: language }, clean(text));
  const list = (parts2) => make("span", {}, ...parts2.length ? parts2.flatMap((part, n) => [n ? ", " : "", ...part]) : [words.nothing]);
  const place = word.dataset.source;
  if (place != null) {
    const partners2 = strongest(found).map(({ m: m2, k, value }) => fill(words.of, {
      word: bold(members[m2].answer?.words[k][1] ?? "", "tgt", languages[1]),
      weight: two(value),
      model: members[m2].title
    }));
    return fill(words.seen, { source: bold(from[Number(place)][1], "src", languages[0]), list: list(partners2) });
  }
  const m = Number(word.dataset.m);
  const target = bold(word.textContent, "tgt", languages[1]);
  const model = members[m].title;
  if (!members[m].answer?.looks) return fill(words.blind_word, { model, target });
  const partners = found.filter(({ value }) => value >= NAMED_FROM).sort((a, b) => b.value - a.value).map(({ k: at, value }) => [at < 0 ? words.end : bold(from[at][1], "src", languages[0]), ` ${two(value)}`]);
  return fill(words.looked, { model, target, list: list(partners) });
}
function under(root, event) {
  const drawing = nearest(event.target, ".picture")?.querySelector("svg");
  if (!drawing) return null;
  const m = Number(nearest(drawing, "[data-of]")?.dataset.of);
  const box = drawing.getBoundingClientRect();
  const k = Math.floor((event.clientY - box.top) / box.height * (root.data.members[m].answer?.words.length || 1));
  return (
    /** @type {HTMLElement | null} */
    root.querySelector(`.word[data-m="${m}"][data-k="${k}"]`)
  );
}
function pin(root, word, finger = false) {
  root.pinned = root.pinned === word ? null : word;
  root.over = void 0;
  light(root, root.pinned ?? (finger ? null : word));
}
function again(root, word) {
  if (!word) return null;
  const { source: from, m, k } = word.dataset;
  return (
    /** @type {HTMLElement | null} */
    root.querySelector(from != null ? `.word[data-source="${from}"]` : `.word[data-m="${m}"][data-k="${k}"]`)
  );
}
function listen(root) {
  root.pinned = null;
  root.onpointermove = (event) => {
    if (root.pinned || event.pointerType === "touch") return;
    const word = nearest(event.target, ".word") ?? under(root, event);
    if (word === root.over) return;
    root.over = word;
    light(root, word);
  };
  root.onpointerleave = () => {
    root.over = void 0;
    light(root, root.pinned);
  };
  root.addEventListener("focusin", (event) => {
    const word = nearest(event.target, ".word");
    if (!word) return;
    for (const one of findAll(
      /** @type {HTMLElement} */
      word.parentElement,
      ".word"
    )) one.tabIndex = one === word ? 0 : -1;
    if (!root.pinned) light(root, word);
  });
  root.onclick = (event) => {
    const opening = nearest(event.target, "[data-open]");
    const word = nearest(event.target, ".word");
    if (opening) root.tell("open", opening.dataset.open);
    else if (word) pin(root, word, touched(event));
    else if (root.pinned) {
      root.pinned = null;
      light(root, null);
    }
  };
  root.onkeydown = (event) => {
    const word = nearest(event.target, ".word");
    if (!word || modified(event)) return;
    if (event.key === "Enter" || event.key === " ") pin(root, word);
    else if (!walkedWords(word, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
function family({ data: [data], parentElement, setTriggerValue }) {
  const root = (
    /** @type {Root} */
    rooted(parentElement, "family", { role: "group" }, listen)
  );
  root.tell = setTriggerValue;
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  const { data: before, pinned } = root;
  const same = before?.text === data.text && String(before.members.map(({ name }) => name)) === String(data.members.map(({ name }) => name));
  root.drawn = drawn;
  root.data = data;
  anew(root, () => {
    build(root, data);
    root.pinned = same ? again(root, pinned) : null;
    light(root, root.pinned);
  }, ".word");
}

// latest:family/family
var family_default = latest(family);
export {
  family_default as default
};
