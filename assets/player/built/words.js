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

// shared/anew.js
function known(node) {
  const marks = [...node.attributes].filter(({ name }) => name === "name" || name.startsWith("data-")).map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`);
  return node.localName + (marks.length ? marks : [...node.classList].map((name) => `.${CSS.escape(name)}`)).join("");
}
function focused(root) {
  const of2 = root.getRootNode();
  const active = of2 instanceof ShadowRoot || of2 instanceof Document ? of2.activeElement : null;
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

// laboratory/words.js
function line(data, row, r) {
  const { words, languages } = data;
  const items = row.words.flatMap((word, w) => {
    const said = filled(words.surprise, { word: word.text, nats: decimal(word.surprise) });
    const button = make("button", {
      type: "button",
      class: `word${word.other ? " other" : ""}`,
      "data-row": r,
      "data-word": w,
      title: said,
      "aria-pressed": false,
      tabindex: w ? -1 : 0
    }, word.text, make("span", { class: "unseen", lang: data.language }, ` ${filled(words.surprise_alone, { nats: decimal(word.surprise) })}`));
    button.style.setProperty("--share", Math.min(1, word.surprise / data.full).toFixed(3));
    return [...gapNodes(word.gap), button];
  });
  return make(
    "li",
    {},
    make("p", { class: "soft" }, make("b", {}, row.title), ` ${filled(words.log, { value: row.log })}`),
    make("p", { class: "text", lang: languages[1], dir: "auto" }, ...items),
    row.parts && make("p", { class: "parts" }, row.parts)
  );
}
function build(root) {
  const { data } = root;
  const { words } = data;
  const rows = make(
    "section",
    {},
    make("ol", {}, ...data.rows.map((row, r) => line(data, row, r))),
    data.forced && !data.alone ? make("button", { type: "button", class: "plain", "data-do": "free" }, words.free) : null
  );
  const instead = make("section", { class: "instead" }, make("p", { class: "soft" }, words.hint, data.alone ? null : ` ${words.hint_take}`));
  const told = make("section", { class: "note soft" }, make("p", {}, words.means), make("p", {}, words.signs), make("p", { class: "made" }, data.made));
  root.lang = data.language;
  root.replaceChildren(rows, instead, told);
  for (const section of [rows, instead, told]) announce(section);
}
function of(root, button) {
  const row = root.data.rows[Number(button.dataset.row)];
  return [row, row.words[Number(button.dataset.word)]];
}
function choose(root, button) {
  const { words, languages } = root.data;
  for (const one of findAll(root, ".word")) one.setAttribute("aria-pressed", String(one === button));
  const [row, word] = of(root, button);
  const choices = word.choices.map((one) => {
    const share = make("span", { class: "share" }, two(one.p));
    share.style.setProperty("--share", one.p.toFixed(4));
    const text = one.joined ? `…${one.text}` : one.text;
    return make("li", {}, root.data.alone ? make("span", { lang: languages[1] }, text) : make("button", { type: "button", class: "plain", "data-take": one.id, title: words.take, lang: languages[1] }, text), share);
  });
  const form = root.data.alone ? [] : [make(
    "form",
    {},
    make("input", { type: "text", maxlength: 200, lang: languages[1], placeholder: words.type, "aria-label": words.type, autocomplete: "off" }),
    make("button", { type: "submit", class: "plain" }, words.go)
  )];
  find(root, ".instead").replaceChildren(make("p", { class: "soft" }, filled(words.alternatives, { word: word.text, row: row.title })), make("ol", {}, ...choices), ...form);
}
var chosen = (root) => (
  /** @type {ForcedWord} */
  of(root, find(root, '.word[aria-pressed="true"]'))[1]
);
var begin = (root, event, pieces, more = {}) => root.trigger(event, { of: root.data.of, pieces, ...more });
function listen(root) {
  root.addEventListener("click", (event) => {
    const word = nearest(event.target, ".word");
    const take = nearest(event.target, "[data-take]");
    if (word) choose(root, word);
    else if (take) begin(root, "take", [...chosen(root).before, Number(take.dataset.take)]);
    else if (nearest(event.target, "[data-do=free]")) begin(root, "take", []);
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = (
      /** @type {HTMLInputElement} */
      find(root, "form input").value.trim()
    );
    if (text) begin(root, "type", chosen(root).before, { text });
  });
  root.addEventListener("keydown", (event) => {
    const word = nearest(event.target, ".word");
    if (!word || event.ctrlKey || event.metaKey || event.altKey) return;
    const [r, w] = [Number(word.dataset.row), Number(word.dataset.word)];
    const ways = { ArrowLeft: [r, w - 1], ArrowRight: [r, w + 1], ArrowUp: [r - 1, w], ArrowDown: [r + 1, w] };
    const to = Object.hasOwn(ways, event.key) ? ways[event.key] : void 0;
    const next = to && /** @type {HTMLElement | null} */
    root.querySelector(`[data-row="${to[0]}"][data-word="${to[1]}"]`);
    if (!to) return;
    event.preventDefault();
    next?.focus();
  });
}
function forced({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "words", {}, listen);
  root.trigger = setTriggerValue;
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  const at = (
    /** @type {HTMLElement | null} */
    root.querySelector('.word[aria-pressed="true"]')
  );
  root.drawn = drawn;
  root.data = data;
  anew(root, () => build(root), `[data-row="${at?.dataset.row}"][data-word="${at?.dataset.word}"]`, ".word");
}

// latest:laboratory/words
var words_default = latest(forced);
export {
  words_default as default
};
