// A printed figure: the drawing on white, as a picture that runs nothing, and the three files it leaves as.

function leave(kind, text, help, onclick) {
  const node = make("button", { type: "button", class: kind, title: help }, text)
  node.onclick = onclick
  return node
}

export default function ({ data, parentElement }) {
  const { words, svg, csv, name, alt } = data
  let root = parentElement.querySelector(".plate")
  if (!root) {
    root = make("div", { class: "component plate" })
    parentElement.append(root)
  }
  const content = JSON.stringify(data)
  if (root.content === content) return
  root.content = content
  root.lang = data.language
  // On a phone a wide figure is scrolled rather than made too small to read.
  const shown = make("img", { alt, width: data.width, height: data.height, style: `min-width: ${Math.min(data.width, 560)}px` })
  shown.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  const told = make("span", { class: "unseen", role: "status" })
  const files = make("div", { class: "files" },
    leave("svg", words.svg, words.svg_help, () => saveBlob(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`)),
    leave("png", words.png, words.png_help, () =>
      savePng(svg, `${name}.png`).then(() => (told.textContent = words.saved), () => (told.textContent = words.failed))),
    leave("csv", words.csv, words.csv_help, () => saveBlob(new Blob([csv], { type: "text/csv;charset=utf-8" }), `${name}.csv`)),
    told)
  root.replaceChildren(make("div", { class: "paper", tabindex: "0" }, shown), files)
}
