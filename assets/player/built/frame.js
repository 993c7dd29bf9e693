// shared/dom.js
function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, String(value));
  for (const child of children) if (child != null && child !== false) node.append(child);
  return node;
}
var make = (tag, attributes = {}, ...children) => dressed(document.createElement(tag), attributes, children);
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
var paged = (key) => key === "PageDown" ? 1 : key === "PageUp" ? -1 : void 0;
var modified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// shared/frame.js
var SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"];
var WRITES = "input, textarea, select, [contenteditable='true'], [role='textbox'], [role='combobox']";
var CHOOSES = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']";
var PRESSED = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']";
var presenting = () => document.documentElement.hasAttribute("data-presenting");
function present(root, on) {
  const begins = on && !presenting();
  document.documentElement.toggleAttribute("data-presenting", on);
  root.classList.toggle("presenting", on);
  const { words } = root.data;
  root.button.textContent = on ? words.end : words.present;
  root.button.title = words.present_help;
  root.button.setAttribute("aria-pressed", String(on));
  if (!begins) return;
  document.querySelector(".stMain")?.scrollTo(0, 0);
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement instanceof HTMLElement) activeElement.blur();
}
function change(root, on) {
  present(root, on);
  root.tell("present", on);
}
function turn(by) {
  const links = findAll(document, ".st-key-pages a");
  const now = links.findIndex((link) => link.closest(".st-key-page-now"));
  if (now >= 0) links[now + by]?.click();
}
function pressed(root, event) {
  if (!presenting() || event.defaultPrevented || modified(event)) return;
  if (event.key === "Escape") return change(root, false);
  const by = paged(event.key);
  if (by) {
    event.preventDefault();
    return turn(by);
  }
  const users = event.key === " " ? [WRITES, CHOOSES, PRESSED] : [WRITES, CHOOSES];
  const [at] = event.composedPath();
  if (SCROLL.includes(event.key) && !(at instanceof Element && at.closest(users.join(", ")))) event.preventDefault();
}
function wheeled(event) {
  if (!presenting() || event.ctrlKey) return;
  const main = document.querySelector(".stMain");
  for (const node of event.composedPath()) {
    if (node === main || !(node instanceof Element)) return;
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue;
    const rest = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop;
    if (rest < 1 && event.deltaY) event.preventDefault();
    return;
  }
}
function skip(event) {
  event.preventDefault();
  const aim = document.querySelector(".st-key-sentence input") ?? document.querySelector("[data-testid='stMainBlockContainer']");
  if (!(aim instanceof HTMLElement)) return;
  if (aim.tabIndex < 0) aim.tabIndex = -1;
  aim.focus();
}
function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" });
  root.skip.addEventListener("click", skip);
  root.button = make("button", { type: "button" });
  root.button.addEventListener("click", () => change(root, !presenting()));
  root.append(root.skip, root.button);
  root.ends = new AbortController();
  addEventListener("keydown", (event) => pressed(root, event), { signal: root.ends.signal });
  addEventListener("wheel", wheeled, { signal: root.ends.signal, passive: false });
}
function frame({ data: [data], parentElement, setStateValue }) {
  const root = rooted(parentElement, "frame", {}, build);
  root.tell = setStateValue;
  root.data = data;
  root.skip.textContent = data.words.skip;
  const news = root.heard !== data.present;
  root.heard = data.present;
  present(root, news ? data.present : presenting());
  return () => root.ends.abort();
}
export {
  frame as default
};
