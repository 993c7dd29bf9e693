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
      setStateValue: (name2, value) => leaving() || setStateValue(name2, value),
      setTriggerValue: (name2, value) => leaving() || setTriggerValue(name2, value)
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
  for (const [name2, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name2, plain(String(value)));
  for (const child of children) if (child != null && child !== false) node.append(child);
  return node;
}
var term = (name2, text) => dressed(document.createElement("span"), { role: "button", tabindex: 0, class: "term", "data-term": name2 }, [text]);
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
function rooted(parent, name2, attributes, begin2 = () => {
}) {
  const found = parent.querySelector(`.${name2}`);
  if (found) return (
    /** @type {Root} */
    found
  );
  const root = (
    /** @type {Root} */
    /** @type {unknown} */
    make("div", { class: `component ${name2}`, ...attributes })
  );
  parent.append(root);
  begin2(root);
  return root;
}

// shared/keys.js
var TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *";
var CHOOSING = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]";
var PRESSED = "button, a, summary, [role=button]";
var paged = (key) => key === "PageDown" ? 1 : key === "PageUp" ? -1 : void 0;
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;
var touched = (event) => event instanceof PointerEvent && event.pointerType === "touch";

// shared/anew.js
function known(node) {
  const marks = [...node.attributes].filter(({ name: name2 }) => name2 === "name" || name2.startsWith("data-")).map(({ name: name2, value }) => `[${name2}="${CSS.escape(value)}"]`);
  return node.localName + (marks.length ? marks : [...node.classList].map((name2) => `.${CSS.escape(name2)}`)).join("");
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

// shared/walk.js
var SECTION = "[data-section]";
var HEADING = "h1, h2, h3, h4, h5, h6, caption";
var WHOLE = `${SECTION}, ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`;
var presenting = () => document.documentElement.hasAttribute("data-presenting");
var rests = () => document.querySelector(".stApp[data-test-script-state='notRunning']") != null;
function announce(node, steps) {
  node.setAttribute("data-section", "");
  node.toggleAttribute("data-presented", presenting());
  node.steps = steps;
}

// shared/format.js
function decimal(value, digits = 2) {
  const text = value.toFixed(digits);
  if (!text.startsWith("-")) return text;
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`;
}
var two = (value) => value > 0 && value < 5e-3 ? "<0.01" : decimal(value);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name2, one, several) => String(values[name2]) === "1" ? one : several);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part]
  ] : part ? [part] : []);
}
var filled = (template, values) => formed(template, values).replace(/\{(\w+)\}/g, (_, name2) => String(values[name2]));
var clean = (text) => text.replace(/[\u202f\s]+/g, " ").trim();

// shared/markers.js
var SIGNS = {
  circle: ["●", "○"],
  square: ["■", "□"],
  diamond: ["◆", "◇"],
  "triangle-up": ["▲", "△"],
  "triangle-down": ["▼", "▽"],
  pentagon: ["⬟", "⬠"],
  star: ["★", "☆"],
  hexagon: ["⬢", "⬡"]
};
var CORNERS = {
  diamond: [4, 0, 1.25, 0],
  "triangle-up": [3, 0, 1.4, 0],
  "triangle-down": [3, 180, 1.4, 0],
  pentagon: [5, 0, 1.2, 0],
  star: [5, 0, 1.5, 0.45],
  hexagon: [6, 0, 1.2, 0]
};
var sign = ({ marker, hollow }) => SIGNS[marker][hollow ? 1 : 0];
function corners(marker) {
  const [count, turned, size, inner] = CORNERS[marker] ?? [0, 0, 0, 0];
  const points = inner ? 2 * count : count;
  return Array.from({ length: points }, (_, k) => {
    const angle = (turned + k * 360 / points) * Math.PI / 180;
    const far = inner && k % 2 ? size * inner : size;
    return [far * Math.sin(angle), -far * Math.cos(angle)];
  });
}
function shape(marker, x, y, r) {
  if (marker === "circle") return draw("circle", { cx: x, cy: y, r });
  if (marker === "square") return draw("rect", { x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r });
  const path = corners(marker).map(([left, down]) => `${(x + r * left).toFixed(2)} ${(y + r * down).toFixed(2)}`);
  return draw("path", { d: `M${path.join("L")}Z` });
}
function dot({ marker, dashed, hollow }, x, y, r) {
  const drawn = shape(marker, x, y, r);
  drawn.setAttribute("class", ["point", dashed && "dashed", hollow && "hollow"].filter(Boolean).join(" "));
  return drawn;
}

// compare/length_curve.js
var WIDE = 330;
var HIGH = 190;
var EDGE = { left: 30, right: 10, top: 10, bottom: 34 };
var FARTHEST = 70;
var across = (words) => EDGE.left + Math.min(words, FARTHEST) / FARTHEST * (WIDE - EDGE.left - EDGE.right);
var upward = (bleu, top) => HIGH - EDGE.bottom - bleu / top * (HIGH - EDGE.top - EDGE.bottom);
var binOf = (line, words) => line.find((point) => words >= point.first && (point.last == null || words <= point.last));
function topOf(lines) {
  const highest = Math.max(...lines.flatMap((line) => (line ?? []).map((point) => point.bleu)));
  return Math.max(10, 5 * Math.ceil(highest / 5));
}
function curves({ lines }, models, words) {
  const top = topOf(lines);
  const picture = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true", class: "curve" });
  const write = (x, y, anchor, text) => picture.append(draw("text", { x, y, class: "tick", "text-anchor": anchor }, text));
  for (let value = 0; value <= top; value += top > 60 ? 20 : top > 15 ? 10 : 5) {
    const y = upward(value, top);
    picture.append(draw("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: y, y2: y, class: "rule" }));
    write(EDGE.left - 6, y + 4, "end", String(value));
  }
  for (let value = 10; value <= 60; value += 10) write(across(value), HIGH - EDGE.bottom + 15, "middle", String(value));
  write(WIDE - EDGE.right, HIGH - 4, "end", words.across);
  write(0, HIGH - 4, null, words.upward);
  picture.append(draw("line", { x1: 0, x2: 0, y1: EDGE.top, y2: HIGH - EDGE.bottom, class: "here" }));
  lines.forEach((line, m) => {
    if (!line) return;
    const path = line.map((point) => `${across(point.words).toFixed(1)} ${upward(point.bleu, top).toFixed(1)}`).join(" L");
    picture.append(draw("path", { d: `M${path}`, class: models[m].dashed ? "line dashed" : "line" }));
    for (const one of line) picture.append(dot(models[m], across(one.words), upward(one.bleu, top), 3));
  });
  lines.forEach((line, m) => {
    if (line) picture.append(draw("g", { class: "dot", "data-model": m }, dot(models[m], 0, 0, 6)));
  });
  return picture;
}
function reading(set, models, words, count) {
  const scores = set.lines.flatMap((line, m) => {
    const bin = line && binOf(line, count);
    return bin ? [{ bin, text: filled(words.score, { model: models[m].name, bleu: decimal(bin.bleu, 1) }) }] : [];
  });
  if (!scores.length) return filled(words.none, { count });
  const { first, last, sentences } = scores[0].bin;
  const span = last == null ? `${first}+` : `${first}–${last}`;
  const list = scores.map(({ text }) => text).join(", ");
  return filled(words.at, { count, span, sentences: sentences.toLocaleString("en"), list });
}
function lengthCurve({ sets, words }, models, chosen) {
  const figure = make("figure", { class: "lengths" });
  const missing = models.filter((_, m) => sets.every((set) => !set.lines[m])).map((model) => model.name);
  const notice = missing.length ? make("p", { class: "missing" }, filled(words.missing, { models: missing.join(", ") })) : null;
  if (!sets.length) {
    figure.append(make("figcaption", {}, notice));
    return { figure, move() {
    }, set: () => chosen };
  }
  const choose = make("select", { "aria-label": words.set }, ...sets.map((set, k) => make("option", { value: k }, set.name)));
  choose.value = String(Math.max(0, sets.findIndex(({ key }) => key === chosen)));
  const place = make("div");
  figure.append(
    make("p", { class: "heading" }, make("span", {}, words.title), choose),
    place,
    make("figcaption", {}, make("p", { class: "reading" }), make("p", { class: "hint" }, words.hint), notice)
  );
  let now = 0;
  const redraw = () => place.replaceChildren(curves(sets[Number(choose.value)], models, words));
  const move = (count) => {
    now = count;
    const set = sets[Number(choose.value)];
    const top = topOf(set.lines);
    const x = across(count);
    find(place, ".here").style.transform = `translateX(${x}px)`;
    for (const moved of findAll(place, ".dot")) {
      const bin = binOf(set.lines[Number(moved.dataset.model)] ?? [], count);
      moved.style.visibility = bin ? "visible" : "hidden";
      if (bin) moved.style.transform = `translate(${across(bin.words)}px, ${upward(bin.bleu, top)}px)`;
    }
    find(figure, ".reading").textContent = reading(set, models, words, count);
  };
  choose.onchange = () => {
    redraw();
    if (now) move(now);
  };
  redraw();
  return { figure, move, set: () => sets[Number(choose.value)].key };
}

// compare/drawing.js
var markNames = (words) => ({ "": "", repeated: words.mark_repeated, invented: words.mark_invented, other: words.mark_other });
var stageOf = (root) => root.data.stages[root.at];
function growth(data) {
  const { words } = data;
  const whole = make("div", { class: "growth", role: "group", "aria-label": words.grow });
  if (data.clauses < 2) {
    whole.append(make("button", { type: "button", disabled: "" }, words.grow), make("span", { class: "hint" }, words.short));
  } else if (!data.grown) {
    whole.append(
      make("button", { type: "button", "data-do": "grow", disabled: data.growing ? "" : null }, words.grow),
      make("span", { class: "hint" }, filled(words.invite, { count: data.clauses }))
    );
  } else {
    const button = (act, kind, label, text) => make("button", { type: "button", class: kind, "data-do": act, "aria-label": label, title: label }, text);
    whole.append(
      button("play", "play", words.play, "▶"),
      button("back", null, words.back, "◀"),
      button("on", null, words.on, "▶"),
      make("input", { type: "range", class: "track", min: 1, max: data.stages.length, step: 1, "aria-label": words.track }),
      make("span", { class: "where" }),
      make("span", { class: "hint keys" }, words.keys)
    );
  }
  return whole;
}
function facts({ words, models }) {
  const columns = [words.log, words.length, words.lost, words.repeated, words.invented, words.covered];
  const rows = models.map((model) => make("tr", {}, make("th", { scope: "row" }, name(model)), ...columns.map(() => make("td"))));
  return make(
    "table",
    { class: "facts" },
    make("caption", { class: "unseen" }, words.facts),
    make("thead", {}, make("tr", {}, ...[words.model, ...columns].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows)
  );
}
var name = (model) => make("span", { class: model.dashed ? "name dashed" : "name" }, make("span", { "aria-hidden": "true" }, `${sign(model)} `), term(`model:${model.name}`, model.name));
function legend({ words, told: marked, models, grown }) {
  const sample = (kind, meaning, title) => make("span", { class: `word sample ${kind}` }, term(meaning, title));
  const list = models.map((model) => `${sign(model)} ${model.name}`).join(", ");
  return make(
    "p",
    { class: "legend" },
    ...marked ? [
      make("span", { class: "where" }, words.in_source),
      sample("lost", "lost", words.mark_lost),
      make("span", {}, filled(words.signs, { list }))
    ] : [make("span", {}, words.untold)],
    make("span", { class: "where" }, words.in_target),
    ...marked ? [sample("invented", "invented", words.mark_invented), sample("followed", "thread", words.mark_thread)] : [],
    sample("repeated", "repeated", words.mark_repeated),
    make("span", { class: "word sample other" }, words.differing),
    grown && make("span", { class: "word sample new" }, words.changed),
    make("span", {}, words.rule)
  );
}
function build(root, data) {
  const { words } = data;
  root.lang = data.language;
  root.setAttribute("aria-label", words.label);
  const line = make("p", { class: "source", lang: data.languages[0], dir: "auto" });
  data.source.forEach(([gap, text], k) => line.append(
    ...gapNodes(gap),
    make("span", { class: "cell" }, make("span", { class: "word", role: "button", tabindex: k ? -1 : 0, "aria-pressed": "false", "data-source": k }, text), make("small", { lang: data.language }))
  ));
  line.append(...gapNodes(data.tail));
  root.curve = lengthCurve(data.curve, data.models, root.curve?.set());
  root.replaceChildren(
    growth(data),
    ...data.trained.length ? [make("p", { class: "hint trained" }, `${words.taught} ${data.trained.join(" · ")}. ${data.equal}`)] : [],
    ...data.bare ? [make("p", { class: "hint bare" }, words.bare)] : [],
    make(
      "div",
      { class: "sheet" },
      make(
        "div",
        { class: "main" },
        legend(data),
        make("p", { class: "label" }, words.source),
        line,
        make("p", { class: "label" }, words.aligned),
        data.same && make("p", { class: "same" }, words.same),
        make("div", { class: "pair", role: "group", "aria-label": words.aligned }),
        make("p", { class: "readout", "aria-live": "polite" }),
        make("div", { class: "gone" })
      ),
      make("aside", {}, root.curve.figure, facts(data))
    ),
    make("p", { class: "made" }, data.models.length < 2 ? `${words.alone} ` : null, data.made)
  );
}
function target({ words, languages }, side, m, k) {
  if (k == null) return make("span", { class: "cell none", "aria-hidden": "true" }, make("span", { class: "word" }, "–"), make("small"));
  const mark = side.marks[k];
  const noted = markNames(words)[mark];
  const text = clean(side.words[k][1]);
  const last = side.followed === k;
  const said = [text, noted, last && words.mark_thread, side.new[k] && words.changed].filter(Boolean).join(", ");
  const node = make("span", {
    class: ["word", mark, last && "followed", side.new[k] && "new"].filter(Boolean).join(" "),
    role: "button",
    tabindex: -1,
    lang: languages[1],
    "data-model": m,
    "data-target": k,
    "aria-label": said,
    "aria-pressed": "false"
  }, text);
  const gap = side.words[k][0].trim();
  const tail = k === side.words.length - 1 ? side.tail : "";
  const shown = gap || tail ? make("span", {}, ...gapNodes(gap && `${gap} `), node, ...gapNodes(tail)) : node;
  return make("span", { class: "cell" }, shown, make("small", { "aria-hidden": "true" }, last ? `${words.mark_thread} ▸` : mark === "other" ? "" : noted));
}
function pair(root) {
  const { data } = root;
  const now = stageOf(root);
  const names = make(
    "span",
    { class: "column names" },
    ...data.models.map((model) => make("span", { class: "cell" }, name(model), make("small")))
  );
  const columns = now.columns.map((places) => make("span", { class: "column" }, ...data.models.map((_, m) => target(data, now.sides[m], m, places[m]))));
  const node = find(root, ".pair");
  node.replaceChildren(names, ...columns);
  const [first] = findAll(node, "[data-target]");
  if (first) first.tabIndex = 0;
}
function source(root) {
  const { data } = root;
  const now = stageOf(root);
  findAll(root, "[data-source]").forEach((node, k) => {
    const losing = data.models.filter((_, m) => now.sides[m].lost.includes(k));
    node.classList.toggle("lost", losing.length > 0);
    node.classList.toggle("unfed", k >= now.fed);
    node.classList.toggle("fresh", data.grown && k >= now.old && k < now.fed);
    const below = node.nextElementSibling;
    if (below) below.textContent = losing.length ? `${data.words.mark_lost} ${losing.map(sign).join("")}` : "";
  });
}
function numbers(root) {
  const now = stageOf(root);
  findAll(root, ".facts tbody tr").forEach((row, m) => {
    const side = now.sides[m];
    const counted = (mark) => side.marks.filter((one) => one === mark).length;
    const covered = side.covered == null ? root.data.words.no_attention : `${side.covered} / ${side.of}`;
    const [lost, invented] = root.data.told ? [side.lost.length, counted("invented")] : ["–", "–"];
    const values = [side.log, side.words.length, lost, counted("repeated"), invented, covered];
    findAll(row, "td").forEach((cell, k) => cell.textContent = String(values[k]));
  });
}
function gone(root) {
  const { data } = root;
  const { words } = data;
  const now = stageOf(root);
  find(root, ".gone").replaceChildren(...now.sides.flatMap((side, m) => {
    const parts2 = side.finished ? [] : [[words.unfinished]];
    if (side.followed === -1) parts2.push([words.threadless]);
    else if (side.followed != null) parts2.push([filled(words.thread, { word: clean(side.words[side.followed][1]) })]);
    if (root.at > 0 && side.gone.length) parts2.push(fill(words.gone, { list: make("s", { lang: data.languages[1] }, side.gone.map(clean).join(", ")) }));
    return parts2.length ? [make("p", {}, name(data.models[m]), ": ", ...parts2.flatMap((part, k) => [k ? words.and : "", ...part]), ".")] : [];
  }));
}
function told(root) {
  const { data } = root;
  const { words } = data;
  const now = stageOf(root);
  const list = (found) => found.length ? found.join(", ") : words.nothing;
  const marked = (side, mark) => list(side.words.filter((_, k) => side.marks[k] === mark).map(([, text]) => clean(text)));
  const sourceWords = (places) => list(places.map((k) => data.source[k][1]));
  const said = now.sides.map((side, m) => filled(words.told, {
    model: data.models[m].name,
    text: side.words.flat().join(""),
    lost: sourceWords(side.lost),
    repeated: marked(side, "repeated"),
    invented: marked(side, "invented")
  }));
  if (data.grown) said.unshift(`${where(root)}.`);
  readAloud(root, root.playing ? "" : said.join(" "));
}
var where = (root) => filled(root.data.words.where, { clause: root.at + 1, last: root.data.stages.length, count: stageOf(root).count });
function drawStage(root) {
  const { data } = root;
  pair(root);
  source(root);
  numbers(root);
  gone(root);
  told(root);
  if (data.grown) {
    find(root, ".where").textContent = where(root);
    const track = (
      /** @type {HTMLInputElement} */
      find(root, ".track")
    );
    track.value = String(root.at + 1);
    track.setAttribute("aria-valuetext", where(root));
    const button = find(root, "[data-do=play]");
    button.textContent = root.playing ? "❚❚" : "▶";
    button.title = root.playing ? data.words.pause : data.words.play;
    button.setAttribute("aria-label", button.title);
  }
  root.curve.move(stageOf(root).count);
}
function keepHeight(root) {
  const main = find(root, ".main");
  main.style.minHeight = "";
  if (!root.data.grown) return;
  const at = root.at;
  let most = 0;
  for (root.at = 0; root.at < root.data.stages.length; root.at++) {
    pair(root);
    source(root);
    gone(root);
    most = Math.max(most, main.scrollHeight);
  }
  root.at = at;
  main.style.minHeight = `${most}px`;
}

// compare/light.js
var PARTNER_FROM = 0.05;
function looked(stage, m, k) {
  const column = stage.columns.find((places) => places[m] === k) ?? [];
  const across2 = column.findIndex((place, other2) => other2 !== m && place != null);
  const looksOf = (model, word) => {
    const { looks } = stage.sides[model];
    return looks && looks[word].map(([place, value]) => ({ place, value }));
  };
  const own = looksOf(m, k);
  if (own) return { across: across2, own: true, looks: own };
  const other = across2 >= 0 ? column[across2] : null;
  return { across: across2, own: false, looks: other == null ? null : looksOf(across2, other) };
}
function lookers(stage, place) {
  return stage.sides.flatMap((side, m) => (side.looks ?? []).flatMap((row, k) => row.filter(([at]) => at === place).map(([, value]) => ({ m, k, value }))));
}
var strongest = (found, most) => found.filter(({ value }) => value >= PARTNER_FROM).sort((a, b) => b.value - a.value).slice(0, most);
function light(root, node) {
  const word = nearest(node, "[data-target]");
  const from = word ? null : nearest(node, "[data-source]");
  const lit = /* @__PURE__ */ new Map();
  let strength = (one) => Number(one === word);
  if (word) {
    const { looks } = looked(stageOf(root), Number(word.dataset.model), Number(word.dataset.target));
    for (const { place, value } of looks ?? []) if (place >= 0) lit.set(place, value);
  } else if (from) {
    const place = Number(from.dataset.source);
    const found = lookers(stageOf(root), place);
    lit.set(place, 1);
    strength = (one) => found.find(({ m, k }) => m === Number(one.dataset.model) && k === Number(one.dataset.target))?.value ?? 0;
  }
  for (const one of findAll(root, "[data-target]")) {
    one.style.setProperty("--lit", String(strength(one)));
    one.setAttribute("aria-pressed", String(one === root.pinned));
  }
  for (const one of findAll(root, "[data-source]")) {
    one.setAttribute("aria-pressed", String(one === root.pinned));
    one.style.setProperty("--lit", String(lit.get(Number(one.dataset.source)) ?? 0));
  }
  const line = word ? ofTarget(root, word) : from ? ofSource(root, Number(from.dataset.source)) : [root.data.words.idle];
  find(root, ".readout").replaceChildren(...line);
}
var bold = (text, kind, language) => make("b", { class: kind, lang: language }, text);
var sourceWord = ({ data }, place) => bold(place < 0 ? data.words.end : data.source[place][1], "source", data.languages[0]);
var targetWord = (root, m, k) => bold(clean(stageOf(root).sides[m].words[k][1]), "target", root.data.languages[1]);
var listed = (root, partners) => make("span", {}, ...partners.length ? partners.flatMap(({ node, value }, n) => [n ? ", " : "", node, ` ${two(value)}`]) : [root.data.words.nothing]);
function ofTarget(root, word) {
  const { data } = root;
  const { words } = data;
  const now = stageOf(root);
  const [m, k] = [Number(word.dataset.model), Number(word.dataset.target)];
  const { across: across2, own, looks } = looked(now, m, k);
  const target2 = targetWord(root, m, k);
  const list = listed(root, strongest(looks ?? [], 3).map(({ place, value }) => ({ node: sourceWord(root, place), value })));
  const mark = now.sides[m].marks[k];
  const noted = mark ? [" · ", markNames(words)[mark]] : [];
  if (own) return [...fill(words.looked, { target: target2, list }), ...noted];
  if (!looks) return [...fill(words.blind, { target: target2, model: data.models[m].name }), ...noted];
  const column = now.columns.find((places) => places[m] === k) ?? [];
  const other = targetWord(root, across2, Number(column[across2]));
  return [...fill(words.beside, { target: target2, other, model: data.models[across2].name, list }), ...noted];
}
function ofSource(root, place) {
  const { words, models } = root.data;
  const { sides } = stageOf(root);
  const list = listed(root, strongest(lookers(stageOf(root), place), 4).map(({ m, k, value }) => ({ node: targetWord(root, m, k), value })));
  return [
    ...fill(words.seen, { source: sourceWord(root, place), list }),
    ...models.flatMap(({ name: model }, m) => sides[m].lost.includes(place) ? [" · ", ...fill(words.lost_by, { model })] : [])
  ];
}

// compare/compare.js
var CLAUSE = 2200;
var TOLD_AFTER = 400;
function show(root) {
  anew(root, () => {
    drawStage(root);
    root.pinned = null;
    light(root, null);
  }, ".pair [data-target]");
}
var lastOf = (root) => root.data.stages.length - 1;
function go(root, at) {
  root.at = Math.max(0, Math.min(lastOf(root), at));
  show(root);
  tell(root);
}
function tell(root) {
  clearTimeout(root.telling);
  if (!root.data.grown || root.playing || root.sent === root.at) return;
  root.telling = setTimeout(() => {
    root.sent = root.at;
    root.trigger("clause", { text: root.data.text, clause: root.at + 1 });
  }, TOLD_AFTER);
}
function play(root) {
  root.playing = true;
  if (root.at === lastOf(root)) root.at = 0;
  show(root);
  root.clock = setInterval(() => {
    if (root.at + 1 >= lastOf(root)) pause(root, root.at + 1);
    else go(root, root.at + 1);
  }, CLAUSE);
}
function pause(root, at = root.at) {
  clearInterval(root.clock);
  root.playing = false;
  go(root, at);
}
function walked(root, by) {
  const { data, asked } = root;
  if (data.grown) {
    const to = root.at + by;
    if (to < 0 || to > lastOf(root)) return false;
    pause(root, to);
    return true;
  }
  if (by < 0 || data.clauses < 2) return false;
  if (asked?.text === data.text) return asked.runs === data.runs || !rests();
  root.asked = { text: data.text, runs: data.runs };
  find(root, "[data-do=grow]").setAttribute("disabled", "");
  root.trigger("grow", data.text);
  return true;
}
var toggle = (root) => root.playing ? pause(root) : play(root);
function pressed(root, event) {
  const [node] = event.composedPath();
  if (!root.data || !root.isConnected || modified(event) || event.shiftKey || !(node instanceof Node)) return;
  const element = node instanceof Element ? node : null;
  if (element?.matches(TYPING)) return;
  const word = root.contains(node) ? nearest(node, ".pair [data-target], .source [data-source]") : null;
  if (word && walk(root, word, event.key)) return event.preventDefault();
  if (!root.data.grown) return;
  const last = lastOf(root);
  const paging = paged(event.key);
  if (paging && presenting()) return;
  if (!paging && element?.closest(CHOOSING)) return;
  if (event.key === " " && element?.closest(PRESSED)) return;
  const tracked = element?.matches(".track");
  const ways = {
    ArrowRight: root.at + 1,
    ArrowUp: tracked ? root.at + 1 : void 0,
    ArrowLeft: root.at - 1,
    ArrowDown: tracked ? root.at - 1 : void 0,
    Home: 0,
    End: last,
    PageDown: root.at + 1,
    PageUp: root.at - 1
  };
  const to = ways[event.key];
  if (event.key === " ") toggle(root);
  else if (to !== void 0) pause(root, to);
  else return;
  event.preventDefault();
}
function walk(root, word, key) {
  if (key === "Enter" || key === " ") {
    pin(root, word);
    return true;
  }
  const cells = findAll(root, word.dataset.source ? ".source [data-source]" : `.pair [data-model="${word.dataset.model}"]`);
  const place = cells.indexOf(word);
  const column = [...nearest(word, ".column")?.children ?? []];
  const inside = (cell) => cell && findAll(cell, "[data-target]")[0];
  const next = {
    ArrowLeft: cells[place - 1],
    ArrowRight: cells[place + 1],
    Home: cells[0],
    End: cells[cells.length - 1],
    ArrowUp: inside(column[0]),
    ArrowDown: inside(column[column.length - 1])
  };
  if (!Object.hasOwn(next, key)) return false;
  next[key]?.focus();
  return true;
}
function pin(root, node, finger = false) {
  root.pinned = root.pinned === node ? null : node;
  light(root, finger ? root.pinned : node);
}
function listen(root) {
  root.onpointerover = (event) => {
    if (!root.pinned) light(root, event.target);
  };
  root.onpointerleave = () => light(root, root.pinned);
  root.addEventListener("focusin", (event) => {
    const word = nearest(event.target, ".pair [data-target], .source [data-source]");
    if (!word) return;
    for (const one of findAll(
      /** @type {HTMLElement} */
      word.closest(".pair, .source"),
      '[tabindex="0"]'
    )) one.tabIndex = -1;
    word.tabIndex = 0;
    if (!root.pinned) light(root, word);
  });
  root.onclick = (event) => {
    const button = nearest(event.target, "[data-do]");
    const act = button?.dataset.do;
    const word = nearest(event.target, "[data-target], [data-source]");
    if (act === "grow") {
      button?.setAttribute("disabled", "");
      root.asked = void 0;
      root.trigger("grow", root.data.text);
    } else if (act === "play") toggle(root);
    else if (act === "back") pause(root, root.at - 1);
    else if (act === "on") pause(root, root.at + 1);
    else if (word) pin(root, word, touched(event));
    else if (root.pinned) {
      root.pinned = null;
      light(root, null);
    }
  };
  root.oninput = (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches(".track")) pause(root, Number(event.target.value) - 1);
  };
}
function begin(root) {
  listen(root);
  announce(root);
  root.keys = (event) => pressed(root, event);
  document.addEventListener("keydown", root.keys, true);
  root.observer = new ResizeObserver(([entry]) => {
    if (!root.data || entry.contentRect.width === root.wide) return;
    root.wide = entry.contentRect.width;
    anew(root, () => {
      keepHeight(root);
      show(root);
    });
  });
  root.observer.observe(root);
}
function compare({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "compare", { role: "group", tabindex: -1 }, begin);
  root.trigger = setTriggerValue;
  const drawn = JSON.stringify({ ...data, clause: 0, runs: 0 });
  const begun = data.grown && root.runs !== void 0 && data.runs !== root.runs;
  if (data.grown || root.runs === void 0) root.runs = data.runs;
  if (root.drawn !== drawn || begun) {
    clearInterval(root.clock);
    clearTimeout(root.telling);
    root.playing = false;
    const same = root.data?.grown && root.data.text === data.text && !begun;
    root.drawn = drawn;
    root.data = data;
    root.at = Math.min(same ? root.at : data.grown ? data.clause - 1 : 0, data.stages.length - 1);
    root.sent = root.at;
    anew(root, () => {
      build(root, data);
      keepHeight(root);
      show(root);
    });
    announce(find(root, ".growth"), {
      go: (by) => walked(root, by),
      rest() {
        if (!root.data.grown) return false;
        pause(root, lastOf(root));
        return true;
      }
    });
    if (begun && root.asked?.text !== data.text) {
      find(root, ".track").focus({ preventScroll: true });
      play(root);
    }
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true);
    root.observer.disconnect();
    clearInterval(root.clock);
    clearTimeout(root.telling);
  };
}

// latest:compare/compare
var compare_default = latest(compare);
export {
  compare_default as default
};
