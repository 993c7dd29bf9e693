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

// laboratory/walking.js
function stepped(key, row2, column, rows, columns) {
  const ways = {
    ArrowUp: [row2 - 1, column],
    ArrowDown: [row2 + 1, column],
    ArrowLeft: [row2, column - 1],
    ArrowRight: [row2, column + 1],
    Home: [row2, 0],
    End: [row2, columns - 1]
  };
  const to = Object.hasOwn(ways, key) ? ways[key] : void 0;
  return to && to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns ? to : null;
}

// family/beside.js
function beside(word, key) {
  const line2 = findAll(
    /** @type {HTMLElement} */
    word.parentElement,
    ".word"
  );
  const at = line2.indexOf(word);
  const ways = { ArrowLeft: line2[at - 1], ArrowRight: line2[at + 1], Home: line2[0], End: line2[line2.length - 1] };
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

// family/decay.js
var TICKS = 8;
function scale(values) {
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [1, 1];
  const low = Math.floor(Math.log10(least));
  const high = Math.max(Math.ceil(Math.log10(most)), low + 1);
  const ten = (power) => Number(`1e${power}`);
  if (high - low > 2) {
    const step = Math.ceil((high - low) / TICKS);
    return Array.from({ length: Math.ceil((high - low) / step) + 1 }, (_, k) => ten(low + step * k));
  }
  const marks = [...Array.from({ length: high - low }, (_, k) => [1, 2, 5].map((digit) => digit * ten(low + k))).flat(), ten(high)];
  const first = marks.findLastIndex((mark) => mark <= least);
  return marks.slice(first, marks.findIndex((mark, k) => mark >= most && k > first) + 1);
}
var height = (value, marks) => Math.log(value / marks[0]) / Math.log(marks[marks.length - 1] / marks[0]);
function line(values, x, y) {
  let pen = "M";
  return values.map((value, k) => {
    if (!(value > 0)) {
      pen = "M";
      return "";
    }
    const point2 = `${pen}${x(k).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
    return point2;
  }).join("");
}
function places(last) {
  const step = Math.max(1, Math.ceil(last / TICKS));
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, k) => k * step);
}
function told(value) {
  if (value === 0 || value >= 1e-3) return String(Number(value.toPrecision(3)));
  const [digits, power] = value.toExponential(1).split("e-");
  return `${digits === "1.0" ? "" : `${digits}·`}10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}

// shared/markers.js
var CORNERS = {
  diamond: [4, 0, 1.25, 0],
  "triangle-up": [3, 0, 1.4, 0],
  "triangle-down": [3, 180, 1.4, 0],
  pentagon: [5, 0, 1.2, 0],
  star: [5, 0, 1.5, 0.45],
  hexagon: [6, 0, 1.2, 0]
};
function corners(marker2) {
  const [count, turned, size, inner] = CORNERS[marker2] ?? [0, 0, 0, 0];
  const points = inner ? 2 * count : count;
  return Array.from({ length: points }, (_, k) => {
    const angle = (turned + k * 360 / points) * Math.PI / 180;
    const far = inner && k % 2 ? size * inner : size;
    return [far * Math.sin(angle), -far * Math.cos(angle)];
  });
}
function shape(marker2, x, y, r) {
  if (marker2 === "circle") return draw("circle", { cx: x, cy: y, r });
  if (marker2 === "square") return draw("rect", { x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r });
  const path = corners(marker2).map(([left, down]) => `${(x + r * left).toFixed(2)} ${(y + r * down).toFixed(2)}`);
  return draw("path", { d: `M${path.join("L")}Z` });
}
function dot({ marker: marker2, dashed, hollow }, x, y, r) {
  const drawn = shape(marker2, x, y, r);
  drawn.setAttribute("class", ["point", dashed && "dashed", hollow && "hollow"].filter(Boolean).join(" "));
  return drawn;
}

// family/plot.js
var [WIDE, HIGH] = [600, 300];
var EDGE = { left: 58, right: 14, top: 10, bottom: 26 };
var MARKS = 16;
var across = (at, last) => EDGE.left + at / last * (WIDE - EDGE.left - EDGE.right);
var kind = ({ dashed, hollow }) => `${dashed ? "dashed" : "solid"}${hollow ? " hollow" : ""}`;
function marker(model, x, y, look = false) {
  const drawn = dot(model, x, y, look ? 2.8 : 4);
  drawn.classList.toggle("look", look);
  return drawn;
}
var sample = (model) => draw(
  "svg",
  { class: "sample", viewBox: "0 0 34 12", "aria-hidden": "true" },
  draw("path", { d: "M0 6H34", class: `line ${kind(model)}` }),
  marker(model, 17, 6)
);
function plot(of, last) {
  if (!of.length) return draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", "data-last": last });
  const marks = scale(of.flatMap(({ curve: { values, look } }) => [...values, ...look ?? []]).filter((value) => value > 0));
  const up = (value) => HIGH - EDGE.bottom - height(value, marks) * (HIGH - EDGE.bottom - EDGE.top);
  const x = (at) => across(at, last);
  const write = (left, y, anchor, text) => draw("text", { x: left, y, "text-anchor": anchor, class: "tick" }, text);
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", "data-last": last },
    ...marks.flatMap((mark) => [
      draw("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: up(mark), y2: up(mark), class: "rule" }),
      write(EDGE.left - 8, up(mark) + 4, "end", told(mark))
    ]),
    ...places(last).map((at) => write(x(at), HIGH - EDGE.bottom + 17, "middle", String(at))),
    draw("line", { x1: 0, x2: 0, y1: EDGE.top, y2: HIGH - EDGE.bottom, class: "here", visibility: "hidden" }),
    ...of.flatMap(({ model, curve: { values, look } }) => {
      const every = Math.ceil(values.length / MARKS);
      return [...look ? [look] : [], values].map((row2) => draw(
        "g",
        { "data-of": model.name },
        draw("path", { d: line(row2, x, up), class: `line ${kind(model)}${row2 === look ? " look" : ""}` }),
        ...row2.flatMap((value, at) => value > 0 && at % every === 0 ? [marker(model, x(at), up(value), row2 === look)] : [])
      ));
    })
  );
}
function point(picture, at) {
  const here = picture.querySelector(".here");
  const x = String(across(Math.max(0, at), Number(picture.querySelector("svg")?.dataset.last)));
  here?.setAttribute("x1", x);
  here?.setAttribute("x2", x);
  here?.setAttribute("visibility", at < 0 ? "hidden" : "visible");
}
function placeAt(picture, left) {
  const box = picture.getBoundingClientRect();
  const last = Number(picture.querySelector("svg")?.dataset.last);
  const share = ((left - box.left) / box.width * WIDE - EDGE.left) / (WIDE - EDGE.left - EDGE.right);
  return Math.round(Math.max(0, Math.min(1, share)) * last);
}

// family/gradients.js
var lined = ({ lines }, { name, quiet }) => lines.get(name) ?? !quiet;
var curvesOf = (root) => root.data.models.filter((model) => lined(root, model)).flatMap((model) => model.curves[root.written] ? [{ model, curve: model.curves[root.written] }] : []);
function row({ words, languages }, model, m) {
  const line2 = make("span", { class: "target", lang: languages[1] });
  model.words.forEach(([gap, word], k) => line2.append(
    ...gapNodes(k ? gap : gap.trimStart()),
    make("span", { class: "word", role: "button", tabindex: k ? -1 : 0, "data-m": m, "data-k": k + 1, "aria-pressed": "false" }, word)
  ));
  return make(
    "p",
    { class: "model", "data-m": m, "aria-busy": String(!model.curves.length && !model.problem) },
    make(
      "span",
      { class: "name" },
      make("button", { type: "button", class: "line-of", "data-line": model.name, "aria-label": filled(words.line, { model: model.title }) }, sample(model)),
      term(`model:${model.title}`, model.title)
    ),
    model.problem ? make("span", { class: "problem" }, model.problem) : model.curves.length ? line2 : make("span", { class: "waiting" }, words.waiting)
  );
}
function gates({ words, languages }, { side, places: places2, rows }, n) {
  const [language, named] = side === "encoder" ? [languages[0], words.encoder] : [languages[1], words.decoder];
  const heads = places2.map((piece, j) => make("th", { scope: "col", "data-j": j, lang: language }, make("span", {}, piece)));
  const body = rows.map(({ label, values }, i) => make(
    "tr",
    {},
    make("th", { scope: "row" }, label),
    ...values.map((value, j) => {
      const cell = make("td", {
        "data-table": n,
        "data-i": i,
        "data-j": j,
        tabindex: i || j ? -1 : 0,
        class: value == null ? "unrun" : null,
        "aria-label": value == null ? words.unrun : two(value)
      });
      cell.style.setProperty("--shade", (value ?? 0).toFixed(3));
      return cell;
    })
  ));
  const longest = Math.max(...places2.map(letters));
  const whole = sideways(make("div", { class: `scroll ${side}` }, make(
    "table",
    { role: "grid", "aria-label": named },
    make("caption", {}, named),
    make("thead", {}, make("tr", {}, make("td"), ...heads)),
    make("tbody", {}, ...body)
  )));
  whole.style.setProperty("--longest", String(longest));
  whole.style.setProperty("--columns", String(places2.length));
  return whole;
}
function build(root) {
  const { data } = root;
  const { words, models } = data;
  const looks = models.some(({ curves }) => curves.some(({ look }) => look));
  root.lang = data.language;
  root.classList.toggle("bare", models.every(({ problem }) => problem));
  root.setAttribute("aria-label", words.label);
  const tabs = models.filter(({ curves }) => curves.length).map(({ name, title }) => make("button", { type: "button", "data-gates": name, "aria-pressed": "false" }, title));
  const left = make(
    "section",
    { class: "reach" },
    make("p", { class: "choose" }, make("span", { class: "soft" }, `${words.choose}:`), make("button", { type: "button", "data-k": 0, "aria-pressed": "false" }, words.all)),
    make("div", { class: "models" }, ...models.map((model, m) => row(data, model, m))),
    make(
      "figure",
      {},
      make("figcaption", {}, words.upward, make("span", { class: looks ? "key looks" : "key" }, looks ? words.curves : words.curves_blind)),
      make("div", { class: "plot", role: "slider", tabindex: 0, "aria-label": words.across, "aria-valuemin": 0 }),
      make("p", { class: "across soft" }, words.across)
    ),
    make("p", { class: "readout soft", "aria-live": "polite" })
  );
  const right = make(
    "section",
    { class: "gates" },
    make("p", { class: "tabs" }, make("span", {}, words.gates), ...tabs),
    make("div", { class: "tables" }),
    make("p", { class: "gate soft", "aria-live": "polite" })
  );
  root.replaceChildren(
    make("h2", {}, words.heading),
    make("p", { class: "lead" }, words.lead),
    make("div", { class: "pair" }, left, right),
    make("p", { class: "told", "aria-live": "polite" }),
    make("details", {}, make("summary", {}, words.numbers), make("div", { class: "scroll numbers" }))
  );
  announce(left);
  announce(right);
  showGates(root);
  choose(root, root.written);
}
function showGates(root) {
  const { data, shown } = root;
  const model = data.models.find(({ name }) => name === shown);
  for (const tab of findAll(root, "[data-gates]")) tab.setAttribute("aria-pressed", String(tab.dataset.gates === shown));
  const tables = model?.gates.map((table, n) => gates(data, table, n)) ?? [];
  find(root, ".tables").replaceChildren(...tables.length ? tables : [make("p", { class: "soft" }, model?.gateless || model?.problem || data.words.waiting)]);
  find(root, ".gate").hidden = !tables.length;
  pointCell(root, null);
}
function choose(root, written) {
  root.written = written;
  const { data } = root;
  for (const one of findAll(root, ".reach [data-k]")) one.setAttribute("aria-pressed", String(Number(one.dataset.k) === written));
  for (const one of findAll(root, "[data-line]")) {
    const model = data.models.find(({ name }) => name === one.dataset.line);
    one.setAttribute("aria-pressed", String(model !== void 0 && lined(root, model)));
  }
  const of = curvesOf(root);
  const last = Math.max(1, ...of.map(({ curve }) => curve.values.length - 1));
  const slider = find(root, ".plot");
  slider.setAttribute("aria-valuemax", String(last));
  slider.replaceChildren(plot(of, last));
  find(root, ".told").textContent = data.told[written] ?? "";
  find(root, ".numbers").replaceChildren(numbers(data, of));
  pointAt(root, Math.min(root.at, last));
}
function numbers({ words, languages }, of) {
  const count = Math.max(0, ...of.map(({ curve }) => curve.values.length));
  const head = (text, span) => make("th", { scope: span > 1 ? "colgroup" : "col", colspan: span }, text);
  return make(
    "table",
    {},
    make(
      "thead",
      {},
      make("tr", {}, make("td"), ...of.map(({ model, curve }) => head(model.title, curve.look ? 3 : 2))),
      make("tr", {}, head(words.distance, 1), ...of.flatMap(({ curve }) => [words.piece, words.gradient, ...curve.look ? [words.look] : []].map((text) => head(text, 1))))
    ),
    make("tbody", {}, ...Array.from({ length: count }, (_, far) => make(
      "tr",
      {},
      make("th", { scope: "row" }, String(far)),
      ...of.flatMap(({ model, curve: { values, look } }) => [
        make("td", { lang: languages[0] }, model.pieces[far] ?? ""),
        ...[values, ...look ? [look] : []].map((one) => make("td", {}, far < one.length ? told(one[far]) : ""))
      ])
    )))
  );
}
function pointAt(root, at) {
  root.at = at;
  const { data, shown } = root;
  const { words, models } = data;
  const of = curvesOf(root);
  const slider = find(root, ".plot");
  point(slider, at);
  const list = of.flatMap(({ model, curve: { values, look } }) => at < 0 || at >= values.length ? [] : [
    filled(look ? words.value_look : words.value, { model: model.title, piece: `“${model.pieces[at]}”`, value: told(values[at]), look: look ? told(look[at]) : "" })
  ]);
  const text = list.length ? filled(words.at, { distance: at, list: list.join(" · ") }) : words.hint;
  find(root, ".readout").textContent = text;
  slider.setAttribute("aria-valuenow", String(Math.max(0, at)));
  slider.setAttribute("aria-valuetext", text);
  const place = at < 0 ? void 0 : models.find(({ name }) => name === shown)?.places[at];
  for (const one of findAll(root, ".encoder [data-j]")) one.classList.toggle("here", Number(one.dataset.j) === place);
}
function pointCell(root, cell) {
  const { words, models } = root.data;
  const table = cell && models.find(({ name }) => name === root.shown)?.gates[Number(cell.dataset.table)];
  const [i, j] = [Number(cell?.dataset.i), Number(cell?.dataset.j)];
  for (const one of findAll(root, "td[data-i]")) one.classList.toggle("at", one === cell);
  if (!table) return void worded(find(root, ".gate"), words.gate_hint);
  const value = table.rows[i].values[j];
  worded(find(root, ".gate"), filled(words.gate, { gate: table.rows[i].label, piece: `“${table.places[j]}”`, value: value == null ? words.unrun : two(value) }));
}
function single(root, model) {
  const name = model && root.data.models[Number(model.dataset.m)].name;
  for (const one of root.querySelectorAll(".plot [data-of]")) one.classList.toggle("faint", name !== null && one.getAttribute("data-of") !== name);
}
function report(root) {
  root.asked = { written: root.written, shown: root.shown };
  root.tell("reached", { written: root.written, gates: root.shown, lines: Object.fromEntries(root.lines) });
}
function late({ asked, data: before }, data) {
  if (!asked || asked.written === data.written && asked.shown === data.shown) return false;
  const written = before.models.map(({ name, words }) => [words, data.models.find((one) => one.name === name)?.words ?? []]).filter(([one, other]) => one.length && other.length);
  return written.length > 0 && written.every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
}
function press(root, button) {
  const written = Number(button.dataset.k);
  choose(root, written === root.written ? 0 : written);
  report(root);
}
function along(root, key) {
  const last = Number(find(root, ".plot").getAttribute("aria-valuemax"));
  const ways = { ArrowLeft: root.at - 1, ArrowDown: root.at - 1, ArrowRight: root.at + 1, ArrowUp: root.at + 1, Home: 0, End: last };
  const to = Object.hasOwn(ways, key) ? ways[key] : void 0;
  if (to === void 0) return false;
  pointAt(root, Math.max(0, Math.min(last, to)));
  return true;
}
function among(cell, key) {
  const table = (
    /** @type {HTMLElement} */
    nearest(cell, "table")
  );
  const [rows, columns] = [findAll(table, "tbody tr").length, findAll(table, "thead th").length];
  const to = stepped(key, Number(cell.dataset.i), Number(cell.dataset.j), rows, columns);
  if (!to) return false;
  const next = find(table, `td[data-i="${to[0]}"][data-j="${to[1]}"]`);
  for (const one of findAll(table, 'td[tabindex="0"]')) one.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return true;
}
function listen(root) {
  root.written = 0;
  root.at = -1;
  root.lines = /* @__PURE__ */ new Map();
  const over = (event) => {
    const picture = nearest(event.target, ".plot");
    const cell = nearest(event.target, "td[data-i]");
    single(root, nearest(event.target, ".model"));
    if (picture) pointAt(root, placeAt(picture, event.clientX));
    else if (cell) pointCell(root, cell);
  };
  root.onpointermove = over;
  root.onpointerdown = over;
  root.onpointerleave = () => {
    pointCell(root, null);
    single(root, null);
  };
  root.addEventListener("focusin", (event) => {
    const cell = nearest(event.target, "td[data-i]");
    if (cell) pointCell(root, cell);
    single(root, nearest(event.target, ".model"));
  });
  root.onclick = (event) => {
    const word = nearest(event.target, ".reach [data-k]");
    const tab = nearest(event.target, "[data-gates]");
    const line2 = nearest(event.target, "[data-line]");
    if (word) press(root, word);
    else if (line2) {
      root.lines.set(line2.dataset.line ?? "", line2.getAttribute("aria-pressed") !== "true");
      choose(root, root.written);
      report(root);
    } else if (tab) {
      root.shown = tab.dataset.gates ?? "";
      showGates(root);
      report(root);
    }
  };
  root.onkeydown = (event) => {
    const word = nearest(event.target, ".word");
    const cell = nearest(event.target, "td[data-i]");
    if (modified(event)) return;
    if (word && (event.key === "Enter" || event.key === " ")) press(root, word);
    else if (!(word ? walkedWords(word, event.key) : cell ? among(cell, event.key) : nearest(event.target, ".plot") && along(root, event.key))) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
function gradients({ data: [data], parentElement, setTriggerValue }) {
  const root = (
    /** @type {Root} */
    rooted(parentElement, "gradients", { role: "group" }, listen)
  );
  root.tell = setTriggerValue;
  const { written, shown } = late(root, data) ? root : data;
  if (written === data.written && shown === data.shown) root.asked = void 0;
  const drawn = JSON.stringify({ ...data, written: 0, shown: "", models: data.models.map((model) => ({ ...model, quiet: false })) });
  if (root.drawn === drawn) {
    if (shown !== root.shown) {
      root.shown = shown;
      showGates(root);
    }
    if (written !== root.written) choose(root, written);
    return;
  }
  root.drawn = drawn;
  root.data = data;
  root.written = written;
  root.shown = shown;
  anew(root, () => build(root));
}

// latest:family/gradients
var gradients_default = latest(gradients);
export {
  gradients_default as default
};
