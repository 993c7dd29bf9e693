// Two ways out that only the browser has: the drawing as PNG, and the page's address in the clipboard.

// Without https there is no clipboard, and a browser may refuse it: then the old way, through a selection.
async function copy(text) {
  const written = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false
  if (written) return
  const box = make("textarea", { "aria-hidden": "true" })
  box.value = text
  document.body.append(box)
  box.select()
  const done = document.execCommand("copy")
  box.remove()
  if (!done) throw new Error(text)
}

// A button says for a moment what came of pressing it, in the place it has anyway.
async function report(root, button, work, done, failed) {
  const ended = await work.then(() => ["✓", done], () => ["✗", failed])
  button.querySelector("i").textContent = ended[0]
  root.querySelector("[role=status]").textContent = button.title = ended[1]
  button.classList.add("told")
  setTimeout(() => button.classList.remove("told"), 1600)
}

function button(kind, text, help, onclick) {
  const node = make("button", { class: kind, type: "button", title: help }, make("span", {}, text), make("i", { "aria-hidden": "true" }))
  node.onclick = () => {
    node.title = help
    onclick(node)
  }
  return node
}

export default function ({ data, parentElement, setTriggerValue }) {
  const { words } = data
  let root = parentElement.querySelector(".exports")
  if (!root) {
    root = make("div", { class: "component exports" })
    parentElement.append(root)
  }
  if (root.language !== data.language || root.png !== data.png) {
    root.language = root.lang = data.language
    root.png = data.png
    const png = data.png && button("png", words.png, words.png_help, () => root.ask())
    const link = button("link", words.link, words.link_help, (node) => report(root, node, copy(location.href), words.copied, words.failed))
    root.replaceChildren(...[png, link].filter(Boolean), make("span", { class: "unseen", role: "status" }))
  }
  root.ask = () => setTriggerValue("png", true)
  if (data.asked && root.saved !== data.asked) {
    root.saved = data.asked
    report(root, root.querySelector(".png"), savePng(data.svg, data.file), words.saved, words.failed)
  }
}
