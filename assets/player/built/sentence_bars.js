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
  const opened = [...root.querySelectorAll("details")].map(({ open }) => open);
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

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var decimalOrDash = (value, digits = 2) => value == null ? "–" : decimal(value, digits);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part]
  ] : part ? [part] : []);
}
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

// shared/png.js
var WIDE = 2e3;
var LONGEST = 12e3;
function saveBlob(blob, file) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1e4);
}
var saveText = (text, type, file) => saveBlob(new Blob([text], { type }), file);
var enlargement = (width, height) => Math.min(Math.max(2, WIDE / width), LONGEST / Math.max(width, height));
async function savePng(svg, file) {
  const image = new Image();
  const drawing2 = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = drawing2;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = enlargement(width, height);
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture");
    saveBlob(blob, file);
  } finally {
    URL.revokeObjectURL(drawing2);
  }
}
function pictureFiles(words, file, table2, svg, csv, kind = "") {
  const button = (name, text, help, onclick) => {
    const node = make("button", { type: "button", class: `${kind} ${name}`.trim(), title: help }, text);
    node.onclick = onclick;
    return node;
  };
  const told = make("span", { class: "unseen", role: "status" });
  const tell = (text) => {
    told.textContent = text;
  };
  return [
    button("svg", words.svg, words.svg_help, () => saveText(svg(), "image/svg+xml", `${file}.svg`)),
    button("png", words.png, words.png_help, () => savePng(svg(), `${file}.png`).then(() => tell(words.saved), () => tell(words.failed))),
    button("csv", words.csv, words.csv_help, () => saveText(`\uFEFF${csv()}`, "text/csv;charset=utf-8", `${table2}.csv`)),
    told
  ];
}

// your_text/order.js
var ORDERS = ["low", "high", "file"];
var MANY = 300;
function sorted(values, order) {
  const known2 = values.flatMap((value, place) => value == null ? [] : [{ place, value }]);
  const sign = order === "low" ? 1 : -1;
  if (order !== "file") known2.sort((one, other) => sign * (one.value - other.value) || one.place - other.place);
  return known2.map(({ place }) => place);
}
function ends(values, full) {
  let [low, high] = [0, full ?? 0];
  for (const value of values) {
    if (value != null) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low === high ? { low: 0, high: 1 } : { low, high };
}
function outline(values, { low, high }) {
  const zero = 100 * high / (high - low);
  const tips = values.map((value) => {
    const end = 100 * (high - value) / (high - low);
    return (value < 0 ? Math.max(end, zero + 0.6) : Math.min(end, zero - 0.6)).toFixed(2);
  });
  if (values.length > MANY) {
    return `M0 ${zero.toFixed(2)}${tips.map((end) => `V${end}h1`).join("")}V${zero.toFixed(2)}z`;
  }
  return tips.map((end, k) => `M${k} ${zero.toFixed(2)}h0.82V${end}h-0.82z`).join("");
}
function table({ rows, measures }, places) {
  const columns = measures.filter((measure) => measure.key !== "length").flatMap((measure) => measure.series.map((one) => ({ name: `"${measure.key}: ${one.label.replaceAll('"', '""')}"`, values: one.values })));
  const head = ["line", "source words", ...columns.map(({ name }) => name)];
  const lines = places.map((place) => [rows[place].line, rows[place].words, ...columns.map(({ values }) => values[place] ?? "")]);
  return [head, ...lines].map((line) => `${line.join(",")}
`).join("");
}
var isOwn = (measure, models) => measure.series.some((one) => models.includes(one.label));

// your_text/details.js
function details(root, place) {
  const { data } = root;
  const { words } = data;
  const row = data.rows[place];
  const [from, to] = data.models[0].languages;
  const text = (name, kind, language, content) => make("div", { class: kind }, make("dt", {}, name), make("dd", { lang: language }, content));
  const { source, reference, outputs } = row;
  const texts = source == null ? null : make(
    "dl",
    {},
    text(words.source, "source", from, source),
    reference == null ? null : text(words.reference, "reference", to, reference),
    ...data.models.map((model, k) => {
      const { problem, text: output } = outputs?.[k] ?? {};
      return text(model.shown, "target", problem ? data.language : model.languages[1], problem ?? (output || words.nothing));
    })
  );
  return make("div", { class: "details" }, texts, numbers(root, place), source == null ? null : links(root, row.line, source));
}
function numbers({ data: { measures, models } }, place) {
  const names = models.map((model) => model.shown);
  const told = (measure, one) => decimalOrDash(one?.values[place], measure.digits);
  const single = measures.filter((measure) => !isOwn(measure, names)).flatMap((measure) => measure.series.map((one) => make("span", {}, measure.key === "length" ? `${measure.label} ` : `${measure.label}, ${one.label} `, make("b", {}, told(measure, one)))));
  const lines = measures.filter((measure) => isOwn(measure, names)).map((measure) => make(
    "tr",
    {},
    make("th", { scope: "row" }, measure.label),
    ...names.map((name) => make("td", {}, told(measure, measure.series.find((one) => one.label === name))))
  ));
  return make(
    "div",
    { class: "numbers" },
    make("p", { class: "single" }, ...single),
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...lines)
    )
  );
}
function links(root, line, sentence) {
  const { models, pages, carried, words } = root.data;
  const anchor = (page, model, beside, text) => {
    const query = new URLSearchParams({ sentence, model, ...beside ? { beside } : {}, ...carried });
    const link = make("a", { href: `${page}?${query}`, "data-page": page }, text);
    link.onclick = (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      root.trigger("open", { page, line, model, beside: beside ?? null });
    };
    return link;
  };
  const [one, other] = models;
  const open = pages.flatMap((page) => {
    if (page.each) return models.map((model) => anchor(page.url, model.name, void 0, `${page.title}: ${model.shown}`));
    return page.url === "compare" && !other ? [] : [anchor(page.url, one.name, other?.name, page.title)];
  });
  return make("p", { class: "links" }, make("span", {}, words.open), ...open);
}

// your_text/sentence_bars.js
var ROWS = 20;
var measureOf = (root) => root.data.measures[root.state.measure];
var valuesOf = (root) => measureOf(root).series[root.state.series].values;
var valueOf = (root, place) => (
  /** @type {number} */
  valuesOf(root)[place]
);
var placeOf = ({ places, data }, line) => places.findIndex((place) => data.rows[place].line === line);
var sourceLanguage = (root) => root.data.models[0].languages[0];
var scaleOf = (root) => ends(valuesOf(root), measureOf(root).full);
var outlineOf = (root) => outline(root.places.map((place) => valueOf(root, place)), scaleOf(root));
var lastOf = (root) => Math.max(0, root.places.length - ROWS);
function choices(label, options, chosen, choose) {
  const select = make("select", { "aria-label": label }, ...options.map((text, k) => make("option", { value: k }, text)));
  select.value = String(chosen);
  select.onchange = () => choose(Number(select.value));
  return make("label", {}, make("span", {}, label), select);
}
function controls(root) {
  const { data, state } = root;
  const { words, file } = data;
  const { series } = measureOf(root);
  const change = (changed) => {
    Object.assign(state, { start: 0, open: null, own: true }, changed);
    arrange(root);
    show(root);
  };
  return make(
    "div",
    { class: "controls" },
    choices(words.measure, data.measures.map((measure) => measure.label), state.measure, (measure) => {
      const same = Math.min(state.series, data.measures[measure].series.length - 1);
      change({ measure, series: same, order: state.order === "file" ? "file" : data.measures[measure].worst });
    }),
    series.length > 1 ? choices(words.of, series.map((one) => one.label), state.series, (k) => change({ series: k })) : make("span", { class: "only" }, series[0].label),
    choices(words.order, [words.low, words.high, words.file], ORDERS.indexOf(state.order), (k) => change({ order: ORDERS[k] })),
    make(
      "span",
      { class: "files" },
      ...pictureFiles(words, file, `${file}-bars`, () => drawing(root), () => table(data, root.places), "save")
    )
  );
}
var across = (root) => Math.max(40, root.places.length);
function strip(root) {
  const { low, high } = scaleOf(root);
  const { digits, attention } = measureOf(root);
  const zero = 100 * high / (high - low);
  const wide = across(root);
  const opened = placeOf(root, root.state.open);
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    root.places.length > ROWS && draw("rect", { class: "window", x: root.state.start, y: 0, width: ROWS, height: 100 }),
    opened >= 0 && draw("rect", { class: "opened", x: opened, y: 0, width: Math.max(0.82, wide / 600), height: 100 }),
    draw("path", { class: "all", d: outlineOf(root) }),
    draw("line", { class: "zero", x1: 0, x2: wide, y1: zero, y2: zero, "vector-effect": "non-scaling-stroke" })
  );
  const at = (event) => {
    const box = picture.getBoundingClientRect();
    const k = Math.max(0, Math.min(wide - 1, Math.floor((event.clientX - box.left) / box.width * wide)));
    return k < root.places.length ? k : -1;
  };
  picture.onpointermove = (event) => {
    say(root, root.places[at(event)] ?? null);
  };
  picture.onpointerleave = () => say(root, null);
  picture.onclick = (event) => {
    const k = at(event);
    if (k < 0) return;
    Object.assign(root.state, { start: Math.min(k, lastOf(root)), open: root.data.rows[root.places[k]].line });
    show(root);
    focus(root, k);
  };
  return make(
    "div",
    { class: attention ? "strip attention" : "strip" },
    make(
      "div",
      { class: "axis", "aria-hidden": "true" },
      make("span", {}, decimal(high, digits)),
      low < 0 && high > 0 && make("span", { style: `top: ${zero}%` }, "0"),
      make("span", { style: "top: 100%" }, decimal(low, digits))
    ),
    picture
  );
}
function say(root, place) {
  const { words, rows } = root.data;
  const line = find(root, ".readout");
  if (place == null) {
    line.replaceChildren(rows[0]?.source == null ? words.hint_numbers : words.hint);
    return;
  }
  const row = rows[place];
  line.replaceChildren(
    make("b", {}, filled(words.row, { line: row.line, words: row.words })),
    ` ${decimal(valueOf(root, place), measureOf(root).digits)} `,
    make("span", { lang: sourceLanguage(root) }, row.source ?? "")
  );
}
function drawing(root) {
  const { low, high } = scaleOf(root);
  const { digits, label, attention, series } = measureOf(root);
  const name = `${label}, ${series[root.state.series].label}`;
  const zero = 20 + 210 * high / (high - low);
  const fonts = "Source Sans 3, Source Sans Pro, Arial, Liberation Sans, Noto Sans CJK KR, sans-serif";
  const text = (content, x, y, anchor) => draw("text", { x, y, "text-anchor": anchor }, content);
  const picture = draw(
    "svg",
    {
      xmlns: SVG,
      width: 900,
      height: 280,
      viewBox: "0 0 900 280",
      role: "img",
      "font-family": fonts,
      "font-size": 14,
      fill: "#1d2433"
    },
    draw("title", {}, name),
    draw("rect", { width: 900, height: 280, fill: "#ffffff" }),
    draw(
      "svg",
      { x: 64, y: 20, width: 820, height: 210, viewBox: `0 0 ${across(root)} 100`, preserveAspectRatio: "none" },
      draw("path", { d: outlineOf(root), fill: attention ? "#6d4bc3" : "#6b7385" })
    ),
    draw("line", { x1: 64, x2: 884, y1: zero, y2: zero, stroke: "#1d2433", "stroke-width": 1 }),
    text(decimal(high, digits), 56, 25, "end"),
    text(decimal(low, digits), 56, 234, "end"),
    text(`${name} (${root.data.title}, n = ${root.places.length})`, 64, 260, null),
    low < 0 && high > 0 && text("0", 56, zero + 5, "end")
  );
  return new XMLSerializer().serializeToString(picture);
}
function list(root) {
  const shown = root.places.slice(root.state.start, root.state.start + ROWS);
  return make(
    "ol",
    { class: "list", start: root.state.start + 1, "aria-label": root.data.words.list },
    ...shown.map((place) => item(root, place))
  );
}
function item(root, place) {
  const { rows, words } = root.data;
  const { low, high } = scaleOf(root);
  const row = rows[place];
  const value = valueOf(root, place);
  const open = root.state.open === row.line;
  const from = 100 * (Math.min(0, value) - low) / (high - low);
  const width = Math.max(0.5, 100 * Math.abs(value) / (high - low));
  const button = make(
    "button",
    { type: "button", class: "row", "aria-expanded": open, "data-line": row.line },
    make("span", { class: "number" }, String(row.line)),
    make("span", { class: "meter", "aria-hidden": "true" }, make("i", { style: `left: ${from}%; width: ${width}%` })),
    make("span", { class: "value" }, decimal(value, measureOf(root).digits)),
    row.source == null ? make("span", { class: "text" }, filled(words.length, { words: row.words })) : make("span", { class: "text", lang: sourceLanguage(root) }, row.source)
  );
  button.onclick = () => {
    root.state.open = open ? null : row.line;
    show(root);
    focus(root, placeOf(root, row.line));
  };
  return make("li", { class: open ? "open" : null }, button, open && details(root, place));
}
function pager(root) {
  const { words, rows } = root.data;
  const { start } = root.state;
  const total = root.places.length;
  const step = (by, text, off) => {
    const button = make("button", { type: "button", class: "step" }, text);
    button.disabled = off;
    button.onclick = () => {
      Object.assign(root.state, { start: Math.max(0, Math.min(start + by, lastOf(root))), open: null });
      show(root);
      readAloud(root, find(root, ".pager .span").textContent ?? "");
    };
    return button;
  };
  const none = rows.length - total;
  const span = { first: String(total ? start + 1 : 0), last: String(Math.min(total, start + ROWS)), total: String(total) };
  return make(
    "div",
    { class: "pager" },
    step(-ROWS, words.before, start === 0),
    make("span", { class: "span" }, ...fill(words.span, span)),
    step(ROWS, words.after, start >= lastOf(root)),
    none > 0 && make("span", {}, filled(words.without, { count: none }))
  );
}
function focus(root, k) {
  const { state } = root;
  if (k < state.start || k >= state.start + ROWS) {
    state.start = Math.max(0, Math.min(k < state.start ? k : k - ROWS + 1, lastOf(root)));
    show(root);
  }
  find(root, `.row[data-line="${root.data.rows[root.places[k]].line}"]`).focus({ preventScroll: false });
}
function arrange(root) {
  const { data, state } = root;
  state.measure = Math.min(state.measure, data.measures.length - 1);
  state.series = Math.min(state.series, measureOf(root).series.length - 1);
  root.places = sorted(valuesOf(root), state.order);
  state.start = Math.min(state.start, lastOf(root));
}
function follow({ data, state }, { key, series }) {
  const measure = state.own ? data.measures.findIndex((one) => one.key === key) : -1;
  if (measure < 0) return void Object.assign(state, { measure: data.first, series: 0, order: data.measures[data.first].worst, own: false });
  const place = data.measures[measure].series.findIndex(({ label }) => label === series[state.series].label);
  Object.assign(state, { measure, series: place < 0 ? state.series : place });
}
function show(root) {
  const { data } = root;
  root.lang = data.language;
  anew(root, () => root.replaceChildren(
    controls(root),
    make("p", { class: "about" }, measureOf(root).about),
    strip(root),
    make("p", { class: "readout" }),
    list(root),
    pager(root),
    make("p", { class: "unseen" }, data.description)
  ), ".row");
  say(root, null);
}
function listen(root) {
  root.addEventListener("keydown", (event) => {
    const row = nearest(event.target, ".row");
    if (!row || modified(event)) return;
    const k = placeOf(root, Number(row.dataset.line));
    const ways = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: root.places.length - 1 };
    if (!Object.hasOwn(ways, event.key)) return;
    event.preventDefault();
    const next = ways[event.key];
    if (next >= 0 && next < root.places.length) focus(root, next);
  });
}
function sentenceBars({ data: bytes, parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "sentence-bars", {}, listen);
  root.trigger = setTriggerValue;
  const drawn = new TextDecoder().decode(bytes);
  if (root.drawn === drawn) return;
  const data = JSON.parse(drawn);
  const same = root.data?.title === data.title;
  const shown = same ? measureOf(root) : null;
  const line = same ? nearest(root.querySelector(":focus"), ".row")?.dataset.line ?? root.state.open : null;
  const before = line == null ? -1 : placeOf(root, Number(line));
  if (!same) root.state = { measure: data.first, series: 0, order: data.measures[data.first].worst, start: 0, open: null, own: false };
  root.drawn = drawn;
  root.data = data;
  if (shown) follow(root, shown);
  arrange(root);
  const now = before < 0 ? -1 : placeOf(root, Number(line));
  if (now >= 0) root.state.start = Math.max(0, Math.min(root.state.start + now - before, lastOf(root)));
  show(root);
}

// latest:your_text/sentence_bars
var sentence_bars_default = latest(sentenceBars);
export {
  sentence_bars_default as default
};
