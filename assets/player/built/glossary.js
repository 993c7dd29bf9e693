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

// latest:shared/glossary
var glossary_default = latest(glossary);
export {
  glossary_default as default
};
