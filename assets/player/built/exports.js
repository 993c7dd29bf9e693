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
function find(root, selector) {
  const node = root.querySelector(selector);
  if (!node) throw new Error(`no ${selector}`);
  return (
    /** @type {HTMLElement} */
    node
  );
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

// shared/exports.js
var TOLD = 1600;
async function copy(text) {
  const had = focused();
  const written = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false;
  if (written) return;
  const box = make("textarea", { "aria-hidden": "true" });
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  had?.focus({ preventScroll: true });
  if (!done) throw new Error(text);
}
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node instanceof HTMLElement ? node : null;
}
async function report(root, pressed, work, { done, failed, help }) {
  const [sign, said] = await work.then(() => ["✓", done], () => ["✗", failed]);
  const tell = (text) => {
    find(pressed, "i").textContent = text && sign;
    find(root, "[role=status]").textContent = text;
    pressed.title = text || help;
    pressed.classList.toggle("told", text !== "");
  };
  clearTimeout(root.telling);
  tell(said);
  root.telling = setTimeout(tell, TOLD, "");
}
function button(kind, text, help, onclick) {
  const node = make("button", { class: kind, type: "button", title: help }, make("span", {}, text), make("i", { "aria-hidden": "true" }));
  node.onclick = () => onclick(node);
  return node;
}
function exports({ data: [data], parentElement }) {
  const { words } = data;
  const root = (
    /** @type {Root} */
    rooted(parentElement, "exports", {})
  );
  if (root.language === data.language) return;
  root.language = root.lang = data.language;
  const link = button("link", words.link, words.link_help, (node) => report(root, node, copy(location.href), { done: words.copied, failed: words.failed, help: words.link_help }));
  root.replaceChildren(link, make("span", { class: "unseen", role: "status" }));
}

// latest:shared/exports
var exports_default = latest(exports);
export {
  exports_default as default
};
