// What the frame asks of the browser itself: the way past it by keyboard, and presenting. While presenting, the frame is
// hidden and everything is larger (page.css), a clicker turns the pages, and no key or wheel scrolls by accident.

const TURN = { PageDown: 1, PageUp: -1 }
const SCROLL = [" ", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"]
const WRITES = "input, textarea, select, [contenteditable='true'], [role='textbox'], [role='combobox']"
const CHOOSES = "[role='radio'], [role='slider'], [role='tab'], [role='option'], [role='menuitem'], [role='spinbutton']"
const PRESSED = "button, a[href], summary, [role='button'], [role='checkbox'], [role='switch'], [role='link']"

const presenting = () => document.documentElement.hasAttribute("data-presenting")

function present(root, on) {
  const begins = on && !presenting()
  document.documentElement.toggleAttribute("data-presenting", on)
  root.classList.toggle("presenting", on)
  const { words } = root.data
  root.button.textContent = on ? words.end : words.present
  root.button.title = words.present_help
  root.button.setAttribute("aria-pressed", String(on))
  if (!begins) return
  document.querySelector(".stMain")?.scrollTo(0, 0)
  if (document.activeElement !== document.body) document.activeElement.blur() // keys are for the picture now
}

// The server hears of it for the link's sake; nothing here waits for it.
function change(root, on) {
  present(root, on)
  root.tell("present", on)
}

// The page after this one, or before it; at either end nothing happens.
function turn(by) {
  const links = [...document.querySelectorAll(".st-key-pages a")]
  const now = links.findIndex((link) => link.closest(".st-key-page-now"))
  if (now >= 0) links[now + by]?.click()
}

function pressed(root, event) {
  if (!presenting() || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
  if (event.key === "Escape") return change(root, false)
  if (event.key in TURN) {
    event.preventDefault()
    return turn(TURN[event.key])
  }
  const users = event.key === " " ? [WRITES, CHOOSES, PRESSED] : [WRITES, CHOOSES]
  const at = event.composedPath()[0]
  if (SCROLL.includes(event.key) && !at.closest?.(users.join(", "))) event.preventDefault()
}

// A wheel over something that scrolls by itself never moves the page behind it.
function wheeled(event) {
  if (!presenting() || event.ctrlKey) return
  const main = document.querySelector(".stMain")
  for (const node of event.composedPath()) {
    if (node === main || !(node instanceof Element)) return
    if (node.scrollHeight <= node.clientHeight || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue
    const rest = event.deltaY > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop
    if (rest < 1 && event.deltaY) event.preventDefault()
    return
  }
}

function skip(event) {
  event.preventDefault()
  const aim = document.querySelector(".st-key-sentence input") ?? document.querySelector("[data-testid='stMainBlockContainer']")
  if (aim.tabIndex < 0) aim.tabIndex = -1
  aim.focus()
}

function build(root) {
  root.skip = make("a", { class: "skip", href: "#content" })
  root.skip.addEventListener("click", skip)
  root.button = make("button", { type: "button" })
  root.button.addEventListener("click", () => change(root, !presenting()))
  root.append(root.skip, root.button)
  root.ends = new AbortController()
  // On the window, after everything on the page has had its turn with the key.
  addEventListener("keydown", (event) => pressed(root, event), { signal: root.ends.signal })
  addEventListener("wheel", wheeled, { signal: root.ends.signal, passive: false })
}

export default function ({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".frame")
  if (!root) {
    root = make("div", { class: "component frame" })
    parentElement.append(root)
    build(root)
  }
  root.tell = setStateValue
  root.data = data
  root.skip.textContent = data.words.skip
  // What the server says counts when it changes; in between the browser knows better.
  if (root.heard !== data.present) root.heard = data.present
  else data = { ...data, present: presenting() }
  present(root, data.present)
  return () => root.ends.abort()
}
