// Create and save files in the browser: texts, and drawings as PNG.

import { make } from "./dom.js"

const PRINT_WIDTH = 2000 // pixels, enough for print
const MAX_SIDE = 12000 // pixels a side, the most that browsers draw

/** @type {(blob: Blob, file: string) => void} */
function saveBlob(blob, file) {
  const address = URL.createObjectURL(blob)
  make("a", { href: address, download: file }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10000)
}

/** @type {(text: string, type: string, file: string) => void} */
export const saveText = (text, type, file) => saveBlob(new Blob([text], { type }), file)

/**
 * Return the scale of a PNG: at least 2, within what browsers can draw.
 * @type {(width: number, height: number) => number}
 */
export const computePngScale = (width, height) => Math.min(Math.max(2, PRINT_WIDTH / width), MAX_SIDE / Math.max(width, height))

/** @type {(svg: string, file: string) => Promise<void>} */
async function savePng(svg, file) {
  const image = new Image()
  const drawing = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  try {
    image.src = drawing
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const scale = computePngScale(width, height)
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) })
    const pen = canvas.getContext("2d")
    if (!pen) throw new Error("no canvas")
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, "image/png"))
    if (!blob) throw new Error("no picture")
    saveBlob(blob, file)
  } finally {
    URL.revokeObjectURL(drawing)
  }
}

/**
 * Make buttons that save a drawing as SVG or PNG and its table as CSV.
 * @param {{ svg: string, png: string, csv: string, svg_help: string, png_help: string, csv_help: string, saved: string, failed: string }} messages
 * @param {string} file file name without suffix
 * @param {() => string} svg
 * @param {() => string} csv
 */
export function makeDownloadButtons(messages, file, svg, csv) {
  /** @type {(name: string, text: string, help: string, onclick: () => void) => HTMLButtonElement} */
  const button = (name, text, help, onclick) => {
    const node = make("button", { type: "button", class: `save ${name}`, title: help }, text)
    node.onclick = onclick
    return node
  }
  const status = make("span", { class: "unseen", role: "status" })
  return [
    button("svg", messages.svg, messages.svg_help, () => saveText(svg(), "image/svg+xml", `${file}.svg`)),
    button("png", messages.png, messages.png_help, () => savePng(svg(), `${file}.png`).then(() => messages.saved, () => messages.failed).then((text) => (status.textContent = text))),
    button("csv", messages.csv, messages.csv_help, () => saveText(`\ufeff${csv()}`, "text/csv;charset=utf-8", `${file}-bars.csv`)),
    status,
  ]
}
