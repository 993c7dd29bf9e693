// shared/leaving.js
var LEAVES = 3e3;
function noteLeaving(signal, waits) {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-testid^='stPageLink']") : null;
    if (!link) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return event.stopImmediatePropagation();
    if (link.closest(".st-key-page-now")) return;
    if (waits(link)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else document.documentElement.dataset.leaving = `${Date.now()} ${location.pathname}`;
  }, { signal, capture: true });
}
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
var findAll = (root, selector) => (
  /** @type {HTMLElement[]} */
  [...root.querySelectorAll(selector)]
);
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
var paged = (key) => key === "PageDown" ? 1 : key === "PageUp" ? -1 : void 0;
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;
var letter = ({ key, code }) => (/^[\u3131-\u3163]$/.test(key) && code.startsWith("Key") ? code.slice(3) : key).toLowerCase();

// shared/box.js
var BOX = ".st-key-sentence textarea";
var REST = 333;
var ASKS = [".st-key-submit", ".st-key-examples", ".st-key-remedy"];
var CARRIED = 4e3;
function ask(box) {
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
}
var boxOf = ({ target }) => target instanceof HTMLTextAreaElement && target.matches(BOX) ? target : null;
function entered(event) {
  const box = boxOf(event);
  if (!box || event.key !== "Enter" || event.shiftKey || event.altKey || event.isComposing || event.keyCode === 229) return;
  if (modified(event)) return askedFor(box);
  event.preventDefault();
  event.stopPropagation();
  ask(box);
}
var unasked = false;
function tell(now, live) {
  unasked = now;
  document.querySelector(BOX)?.closest(".st-key-box")?.toggleAttribute("data-unasked", now && !live);
}
var known = null;
var clicked = 0;
function askedFor(box) {
  tell(false, false);
  known = box.value;
}
function begun(event) {
  const box = boxOf(event);
  if (box && !unasked) known = box.value;
}
function askBefore(link) {
  const mine = clicked += 1;
  const box = document.querySelector(BOX);
  const links = () => findAll(document, ".st-key-pages a");
  const place = links().findIndex((one) => one === link);
  if (!unasked || place < 0 || !(box instanceof HTMLTextAreaElement) || !box.value.trim()) return false;
  const [before, since] = [link.getAttribute("href"), Date.now()];
  const go = () => {
    if (mine !== clicked) return;
    const now = links()[place];
    if (now && (now.getAttribute("href") !== before || Date.now() - since > CARRIED)) now.click();
    else setTimeout(go, 50);
  };
  ask(box);
  go();
  return true;
}
function listenToBox(signal, live) {
  let waits;
  const end = () => clearTimeout(waits);
  const typed = (event) => {
    const box = boxOf(event);
    if (!box) return;
    end();
    tell(box.value !== known, live());
    if (!live() || event instanceof InputEvent && event.isComposing) return;
    waits = setTimeout(() => box.isConnected && live() && box.value.trim() && ask(box), REST);
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") end();
    entered(event);
  }, { signal, capture: true });
  for (const kind of ["focusin", "beforeinput"]) addEventListener(kind, begun, { signal, capture: true });
  for (const kind of ["input", "compositionend"]) addEventListener(kind, typed, { signal, capture: true });
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && ASKS.some((place) => target.closest(place))) tell(false, false);
  }, { signal });
  addEventListener("popstate", () => tell(false, false), { signal });
  signal.addEventListener("abort", end);
}

// shared/history.js
function alike(before, after, places) {
  const [one, other] = [before, after].map((address) => {
    const url = new URL(address);
    for (const name of places) url.searchParams.delete(name);
    url.searchParams.sort();
    return url.href;
  });
  return one === other;
}
function quieten(places) {
  const push = history.pushState;
  if ("quiet" in push) return;
  const quiet = (state, unused, url) => {
    const after = new URL(String(url ?? ""), location.href).href;
    if (alike(location.href, after, places)) history.replaceState(state, unused, url);
    else push.call(history, state, unused, url);
  };
  history.pushState = Object.assign(quiet, { quiet: true });
}

// shared/typed.js
var SAID = 250;
var LINKS = "a[data-testid^='stPageLink']";
var typedIn = null;
var unsaid = 0;
var waiting = null;
function said() {
  unsaid -= 1;
  if (unsaid || !waiting) return;
  const go = waiting;
  waiting = null;
  go();
}
function listenToBoxes(signal) {
  addEventListener("input", ({ target }) => {
    typedIn = target;
  }, { signal, capture: true });
  addEventListener("focusout", ({ target }) => {
    if (target !== typedIn) return;
    typedIn = null;
    unsaid += 1;
    setTimeout(() => setTimeout(said), SAID);
  }, { signal, capture: true });
}
function saidBefore(link) {
  if (!unsaid) return false;
  const place = findAll(document, LINKS).findIndex((one) => one === link);
  waiting = () => findAll(document, LINKS)[place]?.click();
  return true;
}

// shared/walk.js
var EDGE = 6;
var NEAR = 2;
var SECTION = "[data-section]";
var HEADING = "h1, h2, h3, h4, h5, h6, caption";
var WHOLE = `${SECTION}, ${HEADING}, p, li, tr, pre, table, figure, form, img, svg, canvas, button, summary, .js-plotly-plot`;
var presenting = () => document.documentElement.hasAttribute("data-presenting");
var rests = () => document.querySelector(".stApp[data-test-script-state='notRunning']") != null;
var PROJECTOR = [1280, 720];
var LARGER = [1.5, 1.3];
var LEAST = 16;
function announcePresenting(on) {
  const { style } = document.documentElement;
  document.documentElement.toggleAttribute("data-presenting", on);
  const share = Math.min(innerWidth / PROJECTOR[0], innerHeight / PROJECTOR[1]);
  if (on) {
    style.setProperty("--enlarge", String(Math.max(LARGER[0] * share, LARGER[1])));
    style.setProperty("--least", `${LEAST * Math.max(1, share)}px`);
  } else for (const name of ["--enlarge", "--least"]) style.removeProperty(name);
  for (const node of within(document.documentElement)) node.toggleAttribute("data-presented", on);
}
function stopsOf(blocks, height) {
  const kept = blocks.map((block, k) => {
    const next = blocks[k + 1];
    const bottom = block.leads && next && next.bottom - block.top <= height ? Math.max(block.bottom, next.bottom) : block.bottom;
    return { ...block, bottom };
  });
  const stops = [];
  let seen = -Infinity;
  for (; ; ) {
    const rest = kept.filter(({ bottom }) => bottom > seen + NEAR);
    if (!rest.length) return stops;
    const start = Math.max(seen, Math.min(...rest.map(({ top }) => top)));
    stops.push(start);
    seen = cutOf(rest, start, height);
  }
}
function cutOf(blocks, start, height) {
  let cut = start + height;
  for (; ; ) {
    const crossing = blocks.filter(({ top, bottom }) => top < cut - NEAR && bottom > cut + NEAR && top > start + NEAR);
    if (!crossing.length) break;
    cut = Math.min(...crossing.map(({ top }) => top));
  }
  const over = blocks.some(({ bottom }) => bottom > cut + NEAR);
  const heads = blocks.filter(({ top, leads }) => leads && top > start + height / 2 && top < cut - NEAR).map(({ top }) => top);
  return over && heads.length ? Math.min(cut, Math.max(...heads)) : cut;
}
function hidden(node) {
  const { position, opacity } = getComputedStyle(node);
  return position === "fixed" || opacity === "0" || !node.checkVisibility({ visibilityProperty: true });
}
function blocksOf(node, height) {
  const children = [...(node.shadowRoot ?? node).children].filter((child) => !/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(child.tagName));
  if (getComputedStyle(node).display !== "contents") {
    if (hidden(node)) return [];
    const { width, height: high } = node.getBoundingClientRect();
    const speaks = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim());
    if (speaks || !children.length || high <= height + NEAR && node.matches(WHOLE)) return width > 1 && high > 1 && (speaks || node.matches(WHOLE)) ? [node] : [];
  }
  return children.flatMap((child) => blocksOf(child, height));
}
var room = (main2) => main2.clientHeight - 2 * EDGE;
function standing(main2) {
  const above = main2.getBoundingClientRect().top + main2.clientTop - main2.scrollTop;
  return blocksOf(main2, room(main2)).map((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return { node, top: top - above, bottom: bottom - above, leads: node.matches(HEADING) };
  });
}
function scrolls(main2, blocks) {
  const last = main2.scrollHeight - main2.clientHeight;
  return [...new Set(stopsOf(blocks, room(main2)).map((start) => Math.max(0, Math.min(last, Math.round(start - EDGE)))))];
}
function sectioned(node) {
  if (node.closest(SECTION)) return true;
  const root = node.getRootNode();
  return root instanceof ShadowRoot && sectioned(root.host);
}
function stepping(main2) {
  const { top, bottom } = main2.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return within(main2).flatMap((node) => {
    if (!node.steps || !node.checkVisibility()) return [];
    const box = node.getBoundingClientRect();
    const whole = box.top >= top - NEAR && box.bottom <= bottom + NEAR;
    return whole || box.top < middle && box.bottom > middle ? [node.steps] : [];
  });
}
var within = (node) => [...node.querySelectorAll("*")].flatMap((child) => [
  ...child.matches(SECTION) ? [child] : [],
  ...child.shadowRoot ? within(child.shadowRoot) : []
]);
function walk(main2, by) {
  const asked = stepping(main2);
  if ((by > 0 ? asked : asked.reverse()).some(({ go }) => go(by))) return true;
  const at = main2.scrollTop;
  const ways = scrolls(main2, standing(main2)).filter((stop) => by > 0 ? stop > at + NEAR : stop < at - NEAR);
  if (!ways.length) return false;
  main2.scrollTo({ top: by > 0 ? ways[0] : ways[ways.length - 1], behavior: "instant" });
  return true;
}
var skip = (main2) => stepping(main2).some(({ rest }) => rest?.());
function enter(main2, by, ended) {
  const blocks = standing(main2);
  const ways = scrolls(main2, blocks);
  const begins = blocks.find(({ node }) => sectioned(node));
  for (const node of by < 0 ? within(main2) : []) {
    if (!node.steps || ended.has(node)) continue;
    ended.add(node);
    node.steps.end?.();
  }
  const whole = begins && begins.top < room(main2) ? ways.findLastIndex((stop) => stop <= begins.top) : 0;
  main2.scrollTo({ top: (by > 0 ? ways[Math.max(0, whole)] : ways[ways.length - 1]) ?? 0, behavior: "instant" });
}

// shared/frame.js
var SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"];
var WRITES = `${TYPING}, [role='textbox'], [role='combobox']`;
var CHOOSES = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']";
var SLIDES = "input[type='range']";
var PRESSED = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']";
var BLACK = ["b", "."];
var SKIP = "s";
var REST2 = 2e3;
var SETTLES = 1500;
var main = () => document.querySelector(".stMain");
var pages = () => findAll(document, ".st-key-pages a");
var here = () => pages().findIndex((link) => link.closest(".st-key-page-now"));
function present(root, on) {
  const begins = on && !presenting();
  announcePresenting(on);
  root.classList.toggle("presenting", on);
  const { words } = root.data;
  root.button.textContent = on ? words.end : words.present;
  root.button.title = words.present_help;
  if (!on) darken(root, false);
  if (!begins) return;
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur();
  come(root, 1);
}
function change(root, on) {
  present(root, on);
  root.tell("present", on);
}
function turn(root, by) {
  const now = here();
  const link = now < 0 ? void 0 : pages()[now + by];
  if (!link) return;
  come(root, by, now + by);
  link.click();
}
function come(root, by, page) {
  root.coming?.abort();
  const coming = new AbortController();
  root.coming = coming;
  root.classList.remove("whole");
  let there = false;
  let changed = 0;
  let [height, at] = [-1, -1];
  const ended = /* @__PURE__ */ new WeakSet();
  const look = () => {
    if (coming.signal.aborted || !presenting()) return;
    const now = performance.now();
    const seen = main();
    const rested = (page === void 0 || here() === page) && rests();
    there ||= rested;
    const shifted = !root.classList.contains("whole") && seen?.scrollTop !== at;
    if (!rested || !seen || seen.scrollHeight !== height || shifted) changed = now;
    height = seen?.scrollHeight ?? -1;
    const whole = now - changed >= SETTLES;
    root.classList.toggle("whole", whole);
    if (!whole && there && seen) enter(seen, by, ended);
    at = seen?.scrollTop ?? -1;
    setTimeout(look, 100);
  };
  look();
  for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) addEventListener(kind, () => arrived(root), { signal: coming.signal, capture: true });
}
function arrived(root) {
  if (root.coming && !root.classList.contains("whole") && !rests()) return false;
  root.coming?.abort();
  root.coming = null;
  return true;
}
function walked(root, by) {
  const seen = main();
  if (!seen || !arrived(root)) return;
  if (!walk(seen, by)) turn(root, by);
}
function darken(root, on) {
  root.black.hidden = !on;
}
function covered(root, event) {
  if (root.black.hidden || modified(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (BLACK.includes(letter(event)) || event.key === "Escape" || paged(event.key)) darken(root, false);
}
function pressed(root, event) {
  if (!presenting() || event.defaultPrevented || modified(event)) return;
  const [at] = event.composedPath();
  const uses = (nodes) => at instanceof Element && at.closest(nodes) != null;
  const by = paged(event.key);
  if (event.key === "Escape") return change(root, false);
  if (by) {
    event.preventDefault();
    return walked(root, by);
  }
  if (uses(WRITES)) return;
  const seen = main();
  if (BLACK.includes(letter(event))) darken(root, true);
  else if (letter(event) === SKIP && seen) skip(seen);
  else if (!SCROLL.includes(event.key) || uses(event.key === " " ? `${CHOOSES}, ${PRESSED}` : `${CHOOSES}, ${SLIDES}`)) return;
  event.preventDefault();
}
function moved(root) {
  if (!presenting()) return;
  root.classList.add("moved");
  clearTimeout(root.still);
  root.still = setTimeout(() => root.classList.remove("moved"), REST2);
}
function wheeled(event) {
  if (!presenting() || event.ctrlKey) return;
  const page = main();
  for (const node of event.composedPath()) {
    if (node === page || !(node instanceof Element)) return;
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue;
    const rest = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop;
    if (rest < 1 && event.deltaY) event.preventDefault();
    return;
  }
}
function past(event) {
  event.preventDefault();
  const aim = document.querySelector(".st-key-sentence textarea") ?? document.querySelector("[data-testid='stMainBlockContainer']");
  if (!(aim instanceof HTMLElement)) return;
  if (aim.tabIndex < 0) aim.tabIndex = -1;
  aim.focus();
}
function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" });
  root.skip.addEventListener("click", past);
  root.button = make("button", { type: "button" });
  root.button.addEventListener("click", () => change(root, !presenting()));
  root.black = make("div", { class: "black", hidden: "" });
  root.append(root.skip, root.button, root.black);
  root.coming = null;
  root.ends = new AbortController();
  addEventListener("keydown", (event) => covered(root, event), { signal: root.ends.signal, capture: true });
  addEventListener("keydown", (event) => pressed(root, event), { signal: root.ends.signal });
  addEventListener("pointermove", () => moved(root), { signal: root.ends.signal });
  addEventListener("resize", () => presenting() && announcePresenting(true), { signal: root.ends.signal });
  addEventListener("wheel", wheeled, { signal: root.ends.signal, passive: false });
  noteLeaving(root.ends.signal, (link) => askBefore(link) || saidBefore(link));
  listenToBox(root.ends.signal, () => root.data.live);
  listenToBoxes(root.ends.signal);
}
function frame({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "frame", {}, build);
  root.tell = setStateValue;
  root.data = data;
  root.skip.textContent = data.words.skip;
  quieten(data.places);
  document.documentElement.lang = data.language;
  const news = root.heard !== data.present;
  root.heard = data.present;
  present(root, news ? data.present : presenting());
  return () => {
    root.ends.abort();
    root.coming?.abort();
    clearTimeout(root.still);
  };
}

// latest:shared/frame
var frame_default = latest(frame);
export {
  frame_default as default
};
