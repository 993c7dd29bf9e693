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
  return found.flatMap((part2, k) => k % 3 === 1 ? [] : [k % 3 === 2 ? term(found[k - 1], part2) : part2]);
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
var CHOOSING = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]";
var PRESSED = "button, a, summary, [role=button]";
var paged = (key) => key === "PageDown" ? 1 : key === "PageUp" ? -1 : void 0;
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/anew.js
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
var short = (value) => value >= 0.995 ? "1" : value.toFixed(2).slice(1);
var formed = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, several) => String(values[name]) === "1" ? one : several);
function fill(template, values) {
  return formed(template, values).split(/\{(\w+)\}/).flatMap((part2, k) => k % 2 ? [
    /** @type {string | Filling} */
    values[part2]
  ] : part2 ? [part2] : []);
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

// story/scene.js
function part(tag, name, told, ...children) {
  const data = Object.fromEntries(Object.entries(told).map(([key, value]) => [`data-${key}`, value]));
  return make(tag, { class: name, tabindex: 0, "data-touch": "", ...data }, ...children);
}
function cells(shades, kind) {
  const node = make("span", { class: `cells ${kind}`, "aria-hidden": "true" });
  for (const shade of shades) {
    const cell = make("i");
    cell.style.opacity = String(0.12 + 0.88 * shade);
    node.append(cell);
  }
  return node;
}
function spaced(words, kind, language) {
  const line = make("p", { class: `words ${kind}`, lang: language });
  words.forEach(([gap, text], place) => line.append(gap, part("span", "word", { [kind]: place }, text)));
  return line;
}
function placeOf(node, name) {
  const value = node?.dataset[name];
  return value === void 0 ? null : Number(value);
}
var percent = (share) => `${share < 0.1 && share > 0 ? (100 * share).toFixed(1) : Math.round(100 * share)}`;
var absent = (words, lines) => ({
  node: make("p", { class: "missing" }, words.missing),
  lines: Array.from({ length: lines }, (_, k) => k + 1),
  show: () => {
  },
  touch: () => ""
});

// story/after.js
var count = (thousands) => Math.round(1e3 * thousands).toLocaleString("en");
function after({ after: told, words }) {
  const events = [
    [words.year_here, words.name_here, words.about_here],
    [words.year_luong, words.name_luong, words.about_luong],
    [words.year_coverage, words.name_coverage, words.about_coverage],
    [words.year_copy, words.name_copy, words.about_copy],
    [words.year_transformer, words.name_transformer, words.about_transformer]
  ];
  const line = make("ol", { class: "time" }, ...events.map(([year, name], k) => part("li", "event", { event: k }, make("span", { class: "year" }, year), make("b", {}, name))));
  const agreeing = make("i", { class: "part" });
  agreeing.style.width = `${100 * (told.agree ?? 0)}%`;
  const agree = told.agree === null ? null : part("div", "agree", { agree: 0 }, make("span", { class: "whole" }, agreeing), make("p", { class: "label" }, filled(words.agree, { share: percent(told.agree) })));
  const longest = Math.max(1, ...told.bars.map((bar) => bar.updates));
  const bars = make("div", { class: "bars" }, make("p", { class: "label" }, words.updates), ...told.bars.map((bar, k) => {
    const length = make("i", { class: bar.published ? "published" : null });
    length.style.width = `${Math.max(0.4, 100 * bar.updates / longest)}%`;
    return part(
      "div",
      "update",
      { bar: k },
      make("span", { class: "name" }, bar.name, make("small", {}, ` ${bar.published ? words.in_paper : words.here}`)),
      make("span", { class: "track" }, length),
      make("span", { class: "much" }, count(bar.updates))
    );
  }));
  const open = make("button", { type: "button", class: "open", "data-open": "" }, words.open);
  const node = make("div", { class: "afterwards" }, line, agree, bars, open);
  return {
    node,
    lines: [1, 2, 3, 4],
    show(step2) {
      agree?.classList.toggle("hidden", step2 < 1);
      bars.classList.toggle("hidden", step2 < 2);
      open.classList.toggle("hidden", step2 < 3);
    },
    touch(touched) {
      for (const one of findAll(node, "[data-touch]")) one.classList.toggle("lit", one === touched);
      const event = placeOf(touched, "event");
      if (event !== null) return events[event][2];
      if (placeOf(touched, "agree") !== null) return filled(words.agree_is, { share: percent(told.agree ?? 0), pairs: told.pairs });
      const bar = placeOf(touched, "bar");
      if (bar === null) return "";
      const { name, updates, published } = told.bars[bar];
      return filled(words.bar_is, { model: `${name}, ${published ? words.in_paper : words.here}`, updates: count(updates) });
    }
  };
}

// story/steps.js
function walk({ scene, step: step2 }, steps, by) {
  const to = step2 + by;
  if (to >= 0 && to < steps[scene]) return { scene, step: to };
  const next = scene + by;
  if (next < 0 || next >= steps.length) return null;
  return { scene: next, step: by > 0 ? 0 : steps[next] - 1 };
}
function outermost(key, steps) {
  const scene = steps.length - 1;
  return key === "Home" ? { scene: 0, step: 0 } : key === "End" ? { scene, step: steps[scene] - 1 } : null;
}
var arrived = (content, lost) => content.filter((place) => !lost.includes(place)).length;
var looked = (row, least = 0.05) => row.map((weight, place) => ({ weight, place })).filter(({ weight }) => weight >= least).sort((a, b) => b.weight - a.weight);
var most = (row) => row.indexOf(Math.max(...row));
function levels(energies) {
  const low = Math.min(...energies);
  const span = Math.max(...energies) - low || 1;
  return energies.map((energy) => (energy - low) / span);
}

// story/looking.js
var STRONG = 0.68;
var FULL = 0.86;
var PACE = 260;
function looking({ map, lookup: lookup2, words, languages }) {
  if (!map) return absent(words, 3);
  const { source, target, rows } = map;
  const names = [...source.map(([, word]) => word), words.end];
  const columns = names.slice(0, rows[0].length);
  const single = Math.max(2, (lookup2?.word ?? 0) + 1);
  const head = make("div", { class: "head" }, make("span"), ...columns.map((name, j) => j < source.length ? part("span", "word source", { source: j }, make("span", { lang: languages[0] }, name)) : make("span", { class: "word end" }, name)));
  const lines = rows.map((row, i) => make(
    "div",
    { class: "line" },
    part("span", "word target", { target: i }, make("span", { lang: languages[1] }, target[i][1])),
    ...row.slice(0, columns.length).map((weight, j) => {
      const cell = make("span", { class: "cell", "data-row": i, "data-column": j }, make("span", { class: "number" }, weight >= 0.05 ? short(weight) : ""));
      cell.style.setProperty("--weight", weight.toFixed(4));
      cell.classList.toggle("strong", weight > STRONG);
      cell.classList.toggle("full", weight > FULL);
      return cell;
    })
  ));
  const node = make("div", { class: "looking" }, make("p", { class: "label" }, ...fill(words.alpha, { model: term(`model:${map.model}`, map.model) })), make("div", { class: "map" }, head, ...lines));
  node.style.setProperty("--columns", String(columns.length));
  let timer;
  let drawn = 0;
  let shown = -1;
  const upTo = (count2) => {
    drawn = count2;
    lines.forEach((line, i) => {
      line.classList.toggle("coming", i >= count2);
      line.classList.toggle("now", i === count2 - 1 && count2 <= single);
    });
  };
  const light = (i, j) => {
    lines.forEach((line, k) => line.classList.toggle("lit", i === k));
    for (const cell of findAll(node, ".cell")) cell.classList.toggle("lit", j !== null && Number(cell.dataset.column) === j);
    for (const word of findAll(node, ".word")) {
      const [at, of] = [placeOf(word, "target"), placeOf(word, "source")];
      word.classList.toggle("lit", at !== null && at === i || of !== null && (of === j || i !== null && j === null && rows[i][of] >= 0.3));
    }
  };
  const named = (word, weight) => filled(words.part, { word, weight: two(weight) });
  const last = single;
  return {
    node,
    lines: Array.from({ length: last + 1 }, (_, step2) => step2 === 0 ? 1 : step2 < last ? 2 : 3),
    show(step2, measured = false) {
      clearTimeout(timer);
      const entered = !measured && step2 !== shown;
      if (!measured) shown = step2;
      if (step2 < last) return upTo(step2 + 1);
      if (!entered) return upTo(rows.length);
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const tick = () => {
        if (still || drawn >= rows.length || !node.isConnected) return upTo(rows.length);
        upTo(drawn + 1);
        timer = setTimeout(tick, PACE);
      };
      upTo(single);
      tick();
    },
    touch(touched) {
      const cell = touched?.closest(".cell");
      const i = placeOf(touched, cell ? "row" : "target");
      const j = placeOf(touched, cell ? "column" : "source");
      if (i !== null && i >= drawn) return "";
      light(i, j);
      if (i !== null) {
        const list2 = looked(rows[i]).map(({ weight, place }) => named(names[place], weight)).join(", ");
        return filled(words.looks, { word: target[i][1], list: list2 });
      }
      if (j === null) return "";
      const column = rows.slice(0, drawn).map((row) => row[j]);
      const list = looked(column).map(({ weight, place }) => named(target[place][1], weight)).join(", ");
      return filled(words.seen, { word: names[j], list: list || "–" });
    }
  };
}

// story/lookup.js
var READ = 4;
function lookup({ lookup: told, map, words, languages }) {
  if (!told || !map) return absent(words, 5);
  const { source, target, rows } = map;
  const height = levels(told.energies);
  const columns = told.pieces.map((piece, j) => {
    const bar = make("i", { class: "energy" });
    bar.style.height = `${Math.round(100 * height[j])}%`;
    const disc = make("i", { class: "disc" });
    disc.style.setProperty("--weight", told.weights[j].toFixed(4));
    return part(
      "div",
      "column",
      { piece: j },
      make("span", { class: "text", lang: languages[0] }, piece || words.end),
      make("span", { class: "keys" }, cells(told.keys[j], "source")),
      make("span", { class: "well" }, bar),
      make("span", { class: "share" }, disc, make("small", {}, told.weights[j] >= 5e-3 ? two(told.weights[j]) : ""))
    );
  });
  const before = target.slice(0, told.word).map(([gap, word]) => gap + word).join("");
  const read = make(
    "div",
    { class: "read" },
    make(
      "div",
      { class: "asks" },
      part("div", "query", { query: 0 }, cells(told.query, "target"), make("span", { class: "label" }, words.query)),
      make("p", { class: "so-far", lang: languages[1] }, `${before} …`),
      make("p", { class: "label drawn" }, filled(words.cells, { cells: told.query.length }))
    ),
    make(
      "div",
      { class: "strip" },
      make(
        "div",
        { class: "names" },
        make("span", { class: "text" }),
        make("span", { class: "keys label" }, words.keys_are),
        make("span", { class: "well label" }, words.energies),
        make("span", { class: "share label" }, words.weights)
      ),
      make("div", { class: "columns" }, ...columns)
    ),
    make(
      "div",
      { class: "mixed" },
      part("div", "context", { context: 0 }, cells(told.context, "source"), make("span", { class: "label" }, words.context)),
      make("p", { class: "written", lang: languages[1] }, filled(words.written, { word: told.text, p: two(told.p) }))
    )
  );
  const verdict = make("p", { class: "verdict", role: "status" });
  const game = make("div", { class: "game" }, verdict);
  const node = make("div", { class: "lookup" }, read, game);
  const guessed = told.guesses.map(() => null);
  let shown = -1;
  let round = 0;
  let due = false;
  function play() {
    const word = told?.guesses[round] ?? 0;
    const row = rows[word];
    const truth = most(row.slice(0, source.length));
    const mine = guessed[round];
    const name = (place) => source[place][1];
    const texts = { truth: name(truth), most: two(row[truth]), guess: mine === null ? "" : name(mine), got: two(mine === null ? 0 : row[mine]) };
    verdict.textContent = due ? filled(words.ask, { word: target[word][1] }) : filled(mine === null ? words.shown : mine === truth ? words.right : words.other, texts);
    const choices = source.map(([, text], j) => {
      const disc = make("i", { class: "disc" });
      disc.style.setProperty("--weight", due ? "0" : row[j].toFixed(4));
      const kind = ["choice", !due && j === truth && "truth", !due && j === mine && j !== truth && "wrong"].filter(Boolean).join(" ");
      return make(
        "button",
        { type: "button", class: kind, "data-guess": j, lang: languages[0], disabled: due ? null : "" },
        text,
        disc,
        make("small", {}, !due && row[j] >= 5e-3 ? two(row[j]) : "")
      );
    });
    const written = target.slice(0, word).map(([gap, text]) => gap + text).join("");
    for (const one of findAll(game, ".so-far, .choices")) one.remove();
    verdict.before(make("p", { class: "so-far", lang: languages[1] }, `${written} `, make("b", {}, target[word][1])), make("div", { class: "choices" }, ...choices));
  }
  return {
    node,
    lines: [1, 2, 3, 4, ...told.guesses.flatMap(() => [5, 5])],
    show(step2, measured = false) {
      const entered = !measured && step2 !== shown;
      if (!measured) shown = step2;
      node.dataset.step = String(Math.min(step2, READ));
      node.classList.toggle("playing", step2 >= READ);
      if (step2 < READ) {
        findAll(read, ".keys, .well").forEach((one) => one.classList.toggle("hidden", step2 < 1));
        findAll(read, ".share").forEach((one) => one.classList.toggle("hidden", step2 < 2));
        find(read, ".mixed").classList.toggle("hidden", step2 < 3);
        return;
      }
      round = Math.floor((step2 - READ) / 2);
      due = (step2 - READ) % 2 === 0;
      if (due && entered) guessed[round] = null;
      play();
    },
    touch(touched) {
      for (const one of findAll(node, ".column, .query, .context")) one.classList.toggle("lit", one === touched);
      if (placeOf(touched, "query") !== null) return filled(words.query_is, { word: told.text });
      if (placeOf(touched, "context") !== null) return words.context_is;
      const j = placeOf(touched, "piece");
      if (j === null) return "";
      return filled(words.piece_is, { word: told.pieces[j] || words.end, energy: decimal(told.energies[j]), weight: two(told.weights[j]) });
    },
    press(pressed2) {
      const guess = placeOf(pressed2, "guess");
      if (guess === null || !due) return null;
      guessed[round] = guess;
      return READ + 2 * round + 1;
    }
  };
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
function corners(marker) {
  const [count2, turned, size, inner] = CORNERS[marker] ?? [0, 0, 0, 0];
  const points = inner ? 2 * count2 : count2;
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
function topOf(lines) {
  const highest = Math.max(...lines.flatMap((line) => (line ?? []).map((point) => point.bleu)));
  return Math.max(10, 5 * Math.ceil(highest / 5));
}

// story/proof.js
var FARTHEST = 70;
function followed(side, words, language) {
  const line = make("p", { class: "words target", lang: language });
  const thread = () => make("mark", { lang: null }, words.lost_here);
  if (side.lost === -1) line.append(thread());
  side.words.forEach(([gap, text], place) => {
    const kind = ["word", side.found.includes(place) && "found", side.lost !== null && place > side.lost && "after"].filter(Boolean).join(" ");
    line.append(gap, part("span", kind, { followed: place, found: side.found.includes(place) ? 1 : 0 }, text));
    if (place === side.lost) line.append(" ", thread());
  });
  const count2 = filled(words.finds, { kept: side.kept, all: side.asked });
  return make("div", { class: "side" }, make("p", { class: "label" }, make("b", {}, side.name), ` ${side.lost === null ? words.holds : words.lost_here} · ${count2}`), line);
}
function proof({ proof: told, words, languages }) {
  if (!told) return absent(words, 4);
  const { curves, long } = told;
  const picture = draw("svg", { class: "curves", role: "group", "aria-label": filled(words.measured, { set: told.set, sentences: told.sentences.toLocaleString("en") }) });
  const caption = make("p", { class: "label" }, filled(words.names, { set: told.set, sentences: told.sentences.toLocaleString("en") }));
  const figure = make("div", { class: "figure" }, picture, caption);
  const texts = long.map(({ source, sides }) => make(
    "div",
    { class: "long hidden" },
    make("p", { class: "words source", lang: languages[0] }, source),
    ...sides.map((side) => followed(side, words, languages[1]))
  ));
  const node = make("div", { class: "proof" }, figure, ...texts);
  const top = topOf(curves.map((curve) => curve.points));
  let shown = 0;
  function plot() {
    const { width, height } = picture.getBoundingClientRect();
    if (!width) return;
    const size = parseFloat(getComputedStyle(picture).fontSize);
    const edge = { left: size * 2.4, right: size * 8.5, top: size * 2, bottom: size * 3 };
    const across = (count2) => edge.left + Math.min(count2, FARTHEST) / FARTHEST * (width - edge.left - edge.right);
    const upward = (bleu) => height - edge.bottom - bleu / top * (height - edge.top - edge.bottom);
    picture.replaceChildren();
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const write = (x, y, anchor, text, kind = "tick") => picture.append(draw("text", { x, y, "text-anchor": anchor, class: kind }, text));
    for (let value = 0; value <= top; value += 10) {
      picture.append(draw("line", { x1: edge.left, x2: width - edge.right, y1: upward(value), y2: upward(value), class: "rule" }));
      write(edge.left - size * 0.5, upward(value) + size * 0.35, "end", String(value));
    }
    for (let value = 10; value <= 60; value += 10) write(across(value), height - edge.bottom + size * 1.3, "middle", String(value));
    write((edge.left + width - edge.right) / 2, height - size * 0.4, "middle", words.across);
    write(edge.left, size * 0.8, "start", words.upward);
    const ends = curves.map((curve, m) => ({ m, y: upward(curve.points[curve.points.length - 1].bleu) })).sort((a, b) => a.y - b.y);
    ends.forEach((end, k) => {
      if (k && end.y < ends[k - 1].y + size * 1.15) end.y = ends[k - 1].y + size * 1.15;
    });
    curves.forEach((curve, m) => {
      if (curve.attends && !shown) return;
      const path = curve.points.map((point) => `${across(point.words).toFixed(1)} ${upward(point.bleu).toFixed(1)}`).join(" L");
      picture.append(draw("path", { d: `M${path}`, class: curve.dashed ? "curve dashed" : "curve" }));
      curve.points.forEach((one, k) => {
        const [x, y] = [across(one.words), upward(one.bleu)];
        picture.append(draw(
          "g",
          { tabindex: 0, "data-touch": "", "data-curve": m, "data-point": k, class: "dot" },
          draw("circle", { cx: x, cy: y, r: size * 0.9, class: "aim" }),
          dot(curve, x, y, size * 0.31)
        ));
      });
      const end = ends.find((one) => one.m === m);
      write(width - edge.right + size * 0.6, (end?.y ?? 0) + size * 0.35, "start", curve.name, curve.dashed ? "name dashed" : "name");
    });
  }
  return {
    node,
    lines: [1, 2, ...long.map((_, k) => 3 + Math.min(k, 1))],
    show(step2) {
      shown = step2;
      figure.classList.toggle("hidden", step2 > 1);
      texts.forEach((text, k) => text.classList.toggle("hidden", step2 !== k + 2));
      if (step2 < 2) plot();
    },
    touch(touched) {
      for (const one of findAll(node, "[data-touch]")) one.classList.toggle("lit", one === touched);
      const m = placeOf(touched, "curve");
      if (m !== null) {
        const { bleu, sentences, first, last } = curves[m].points[placeOf(touched, "point") ?? 0];
        const span = last === null ? `${first}+` : `${first}–${last}`;
        return filled(words.point, { model: curves[m].name, bleu: decimal(bleu, 1), sentences: sentences.toLocaleString("en"), span });
      }
      if (placeOf(touched, "followed") === null) return "";
      return filled(placeOf(touched, "found") ? words.found : words.unfound, { word: touched?.textContent ?? "" });
    },
    resize: plot
  };
}

// story/tables.js
function unit(source, one, kind, place, languages) {
  const [{ text }] = one.translations;
  const words = text.split(/(?<=['’])|\s+/);
  const said = make("span", { class: "said", lang: languages[1] });
  words.forEach((word, k) => said.append(k && !words[k - 1].endsWith("'") ? " " : "", make("b", { class: one.wrong[k] ? "wrong" : null }, word)));
  return part(
    "span",
    "unit",
    { [kind]: place },
    make("span", { class: "source", lang: languages[0] }, source.slice(one.first, one.last + 1).join(" ")),
    said
  );
}
function tables({ tables: told, words, languages }) {
  if (!told) return absent(words, 4);
  const pairs = told.pairs.toLocaleString("en");
  const row = (parts2, kind, name) => make(
    "div",
    { class: `row ${kind}` },
    make("p", { class: "label" }, name),
    make("div", { class: "units" }, ...parts2.map((one, place) => unit(told.source, one, kind, place, languages)))
  );
  const list = make("div", { class: "table" });
  const node = make(
    "div",
    { class: "tables" },
    row(told.words, "words", words.by_words),
    row(told.phrases, "phrases", words.by_phrases),
    make("div", { class: "row good" }, make("p", { class: "label" }, words.good), make("p", { class: "said", lang: languages[1] }, told.good)),
    list
  );
  const open = (one) => {
    const name = told.source.slice(one.first, one.last + 1).join(" ");
    list.replaceChildren(
      make("p", { class: "label" }, filled(words.word_says, { word: name, pairs })),
      ...one.translations.map(({ text, p, count: count2 }) => {
        const bar = make("i", { class: "bar" });
        bar.style.width = `${Math.max(1, 100 * p)}%`;
        return make(
          "p",
          { class: "choice" },
          make("span", { class: "said", lang: languages[1] }, text),
          make("span", { class: "track" }, bar),
          make("span", { class: "much" }, filled(words.percent, { share: percent(p) }), count2 ? ` · ${filled(words.counted, { count: count2 })}` : "")
        );
      })
    );
  };
  return {
    node,
    lines: [1, 2, 3, 4],
    show(step2) {
      node.dataset.step = String(step2);
      find(node, ".phrases").classList.toggle("hidden", step2 < 2);
      find(node, ".good").classList.toggle("hidden", step2 < 3);
      node.classList.toggle("judged", step2 === 1 || step2 === 3);
      open(step2 < 2 ? told.words[1] : told.phrases[1] ?? told.phrases[0]);
    },
    touch(touched) {
      const word = placeOf(touched, "words");
      const phrase = placeOf(touched, "phrases");
      const one = word !== null ? told.words[word] : phrase !== null ? told.phrases[phrase] : null;
      for (const other of findAll(node, ".unit")) other.classList.toggle("lit", other === touched);
      if (!one) return "";
      open(one);
      return one.translations.map(({ text, p }) => filled(words.share, { text, share: percent(p) })).join(", ");
    }
  };
}

// story/vector.js
function vector({ growth, words, languages }) {
  if (!growth) return absent(words, 4);
  const { stages, numbers } = growth;
  const drawn = stages[0].cells.length;
  const source = spaced(growth.source, "source", languages[0]);
  const pipe = draw("svg", { class: "pipe", "aria-hidden": "true" });
  const box = part("div", "vector", { vector: 0 }, cells(stages[0].cells, "source"));
  const target = make("div");
  const score = make("p", { class: "score" });
  const node = make(
    "div",
    { class: "one-vector" },
    make("p", { class: "label" }, words.reads),
    source,
    make("div", { class: "between" }, pipe, box, make("p", { class: "label name" }, filled(words.vector, { numbers, cells: drawn }))),
    make("p", { class: "label" }, words.writes),
    target,
    score,
    make("p", { class: "label" }, ...fill(words.full, { model: term(`model:${growth.model}`, growth.model) }))
  );
  let shown = 0;
  const stageAt = (step2) => Math.max(0, step2 - 1);
  function flow() {
    const width = pipe.clientWidth;
    const height = pipe.clientHeight;
    if (!width) return;
    const left = pipe.getBoundingClientRect().left;
    const middle = width / 2;
    const edge = box.offsetHeight / 2;
    const fed = findAll(source, ".word:not(.unfed)");
    const lines = fed.map((word) => {
      const at = word.getBoundingClientRect();
      const x = (at.left + at.right) / 2 - left;
      return draw("path", { class: "in", d: `M${x} 0 C${x} ${height * 0.3} ${middle} ${height * 0.1} ${middle} ${height / 2 - edge}` });
    });
    const out = [-1, -0.5, 0, 0.5, 1].map((side) => {
      const x = middle + side * middle * 0.8;
      return draw("path", { class: "out", d: `M${middle} ${height / 2 + edge} C${middle} ${height * 0.9} ${x} ${height * 0.7} ${x} ${height}` });
    });
    pipe.replaceChildren(...lines, ...shown > 0 ? out : []);
  }
  const gloss = (word, means) => means ? filled(words.gloss, { word, gloss: means }) : "";
  return {
    node,
    lines: [1, 2, ...stages.slice(1).map((_, k) => k + 2 < stages.length ? 3 : 4)],
    show(step2) {
      shown = step2;
      const stage = stages[stageAt(step2)];
      findAll(source, ".word").forEach((word, place) => {
        const fed = place < stage.fed;
        word.classList.toggle("unfed", !fed);
        word.classList.toggle("fresh", fed && step2 > 1 && place >= stages[stageAt(step2) - 1].fed);
        word.classList.toggle("lost", fed && step2 > 0 && stage.lost.includes(place));
        word.tabIndex = fed ? 0 : -1;
      });
      find(box, ".cells").replaceWith(cells(stage.cells, "source"));
      target.replaceChildren(spaced(stage.target, "target", languages[1]));
      target.classList.toggle("hidden", step2 === 0);
      const all = stage.content.length;
      score.classList.toggle("hidden", step2 === 0);
      score.textContent = filled(words.kept, { kept: arrived(stage.content, stage.lost), all });
      flow();
    },
    touch(touched) {
      const stage = stages[stageAt(shown)];
      const place = placeOf(touched, "source");
      for (const word2 of findAll(node, ".word, .vector")) word2.classList.toggle("lit", word2 === touched);
      if (placeOf(touched, "vector") !== null) {
        return filled(words.vector_is, { numbers, words: stage.fed, cells: drawn });
      }
      const written = placeOf(touched, "target");
      if (written !== null) return gloss(stage.target[written][1], stage.glosses?.[written]);
      if (place === null || place >= stage.fed || !shown) return "";
      const word = growth.source[place][1];
      if (stage.lost.includes(place)) return filled(words.lost, { word });
      return filled(stage.content.includes(place) ? words.survives : words.function, { word });
    },
    resize: flow
  };
}

// story/story.js
var TOLD_AFTER = 400;
var sceneOf = (root) => root.scenes[root.place.scene];
var counts = (root) => root.scenes.map((scene) => scene.lines.length);
function go(root, place) {
  const other = place.scene !== root.place.scene || !find(root, ".picture").firstChild;
  const keyboard = () => (
    /** @type {Document | ShadowRoot} */
    root.getRootNode().activeElement
  );
  const had = root.contains(keyboard());
  root.place = place;
  if (other) {
    enter(root);
    fit(root);
  }
  show(root);
  if (had && (!root.contains(keyboard()) || keyboard()?.matches(":disabled"))) root.focus({ preventScroll: true });
  clearTimeout(root.telling);
  if (root.sent === place.scene) return;
  root.telling = setTimeout(() => {
    root.sent = place.scene;
    root.send("scene", place.scene + 1);
  }, TOLD_AFTER);
}
function enter(root) {
  const { data, place } = root;
  const { title, lines } = data.scenes[place.scene];
  find(root, "h2").textContent = title;
  find(root, ".lines").replaceChildren(...lines.map((line) => make("p", { class: "told" }, line)));
  find(root, ".picture").replaceChildren(sceneOf(root).node);
  find(root, ".made").hidden = place.scene + 1 < root.scenes.length;
  findAll(root, ".scenes button").forEach((button, k) => button.setAttribute("aria-current", k === place.scene ? "step" : "false"));
}
var SMALLEST = 0.62;
var SMALLER = 0.03;
function fit(root) {
  root.style.setProperty("--fit", "1");
  if (!presenting()) return;
  const scene = sceneOf(root);
  const [text, picture] = [find(root, ".text"), find(root, ".picture")];
  const fits = () => scene.lines.every((_, number) => {
    scene.show(number, true);
    const nodes = [scene.node, ...findAll(scene.node, ".columns")];
    return nodes.every((node) => node.scrollWidth <= node.clientWidth + 1) && Math.max(scene.node.scrollHeight, scene.node.offsetHeight) <= picture.clientHeight + 1 && text.getBoundingClientRect().top + find(text, ".controls").offsetTop + find(text, ".controls").offsetHeight - text.offsetTop <= innerHeight - 6;
  });
  unmoved(() => {
    for (let share = 1 - SMALLER; share >= SMALLEST && !fits(); share -= SMALLER) root.style.setProperty("--fit", share.toFixed(2));
  });
}
function show(root) {
  const { place, data: { words } } = root;
  const scene = sceneOf(root);
  const told = scene.lines[place.step];
  findAll(root, ".told").forEach((line, k) => {
    line.classList.toggle("coming", k >= told);
    line.classList.toggle("now", k === told - 1);
  });
  scene.show(place.step);
  touch(root, null);
  const all = counts(root);
  find(root, ".count").textContent = filled(words.told, { step: place.step + 1, last: scene.lines.length });
  find(root, "[data-by='-1']").toggleAttribute("disabled", !walk(place, all, -1));
  find(root, "[data-by='1']").toggleAttribute("disabled", !walk(place, all, 1));
}
function step(root, by) {
  const to = walk(root.place, counts(root), by);
  if (to) go(root, to);
  return to !== null;
}
function leap(root, key) {
  const to = outermost(key, counts(root));
  if (to) go(root, to);
  return to !== null;
}
function touch(root, node) {
  root.held = false;
  find(root, ".readout").textContent = sceneOf(root).touch(node) || root.data.words.hint;
}
function pressed(root, event) {
  const [node] = event.composedPath();
  const element = node instanceof Element ? node : null;
  if (!root.data || !root.isConnected || modified(event) || element?.matches(TYPING)) return;
  const by = paged(event.key) ?? (event.key === " " ? event.shiftKey ? -1 : 1 : void 0) ?? (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : void 0);
  if (["Home", "End"].includes(event.key) && !event.shiftKey && !element?.closest(CHOOSING) && leap(root, event.key)) return event.preventDefault();
  if (by === void 0 || paged(event.key) && presenting()) return;
  if (event.key === " " && element?.closest(PRESSED) && element.matches(":focus-visible")) return;
  if (!paged(event.key) && element?.closest(CHOOSING)) return;
  if (step(root, by) || event.key === " ") event.preventDefault();
}
function openNext(root) {
  clearTimeout(root.telling);
  const links = findAll(document, ".st-key-pages a");
  links[links.findIndex((link) => link.closest(".st-key-page-now")) + 1]?.click();
}
function listen(root) {
  const part2 = (target) => nearest(target, "[data-touch], .cell");
  root.onpointerover = (event) => {
    if (event.pointerType === "mouse" && !root.held) touch(root, part2(event.target));
  };
  root.onpointerleave = () => {
    if (!root.held) touch(root, null);
  };
  root.addEventListener("focusin", (event) => {
    const node = part2(event.target);
    if (node) touch(root, node);
  });
  root.onclick = (event) => {
    const button = nearest(event.target, "button");
    const by = button?.dataset.by;
    const scene = button?.dataset.scene;
    if (by) step(root, Number(by));
    else if (scene) go(root, { scene: Number(scene), step: 0 });
    else if (button?.hasAttribute("data-open")) openNext(root);
    else if (button) {
      const to = sceneOf(root).press?.(button);
      if (to != null) {
        go(root, { scene: root.place.scene, step: to });
        if (!button.isConnected) find(root, ".next").focus({ preventScroll: true });
      }
    } else {
      const node = part2(event.target);
      touch(root, node);
      root.held = node !== null;
    }
  };
}
function begin(root) {
  listen(root);
  root.keys = (event) => pressed(root, event);
  document.addEventListener("keydown", root.keys, true);
  announce(root, {
    go: (by) => step(root, by),
    rest() {
      const last = sceneOf(root).lines.length - 1;
      if (root.place.step >= last) return false;
      go(root, { scene: root.place.scene, step: last });
      return true;
    },
    end: () => leap(root, "End")
  });
  root.wide = "";
  root.observer = new ResizeObserver(() => {
    const wide = `${innerWidth} ${innerHeight} ${presenting()}`;
    if (!root.data) return;
    if (wide !== root.wide) {
      root.wide = wide;
      fit(root);
      sceneOf(root).show(root.place.step);
    }
    sceneOf(root).resize?.();
  });
}
function build(root, data) {
  const { words } = data;
  root.lang = data.language;
  root.setAttribute("aria-label", words.label);
  const scenes = data.scenes.map(({ title }, k) => make("button", { type: "button", "data-scene": k, "aria-label": filled(words.scene, { number: k + 1, title }), title }, String(k + 1)));
  const picture = make("div", { class: "picture" });
  root.replaceChildren(
    make(
      "div",
      { class: "text", "data-within": "" },
      make("nav", { class: "scenes", "aria-label": words.scenes }, ...scenes),
      make("h2"),
      make("div", { class: "lines", "aria-live": "polite" }),
      make(
        "div",
        { class: "controls" },
        make("button", { type: "button", "data-by": -1 }, words.back),
        make("button", { type: "button", class: "next", "data-by": 1 }, words.next),
        make("span", { class: "count" }),
        make("span", { class: "hint" }, words.keys)
      )
    ),
    make("div", { class: "shown" }, picture, make("p", { class: "readout", "aria-live": "polite" })),
    make("p", { class: "made" }, data.made)
  );
  root.observer.disconnect();
  root.observer.observe(picture);
  root.scenes = [tables, vector, looking, lookup, proof, after].map((scene) => scene(data));
}
function story({ data: [data], parentElement, setTriggerValue }) {
  const root = rooted(parentElement, "story", { role: "group", tabindex: -1 }, begin);
  root.send = setTriggerValue;
  const drawn = JSON.stringify({ ...data, scene: 0 });
  if (root.drawn !== drawn) {
    const place = root.drawn ? root.place : { scene: data.scene - 1, step: 0 };
    root.drawn = drawn;
    root.data = data;
    root.sent = data.scene - 1;
    root.place = place;
    build(root, data);
    go(root, place);
  }
  return () => {
    document.removeEventListener("keydown", root.keys, true);
    root.observer.disconnect();
    clearTimeout(root.telling);
  };
}

// latest:story/story
var story_default = latest(story);
export {
  story_default as default
};
