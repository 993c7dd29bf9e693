// Files that the browser makes and saves by itself: a text as it is, a drawing as PNG.

import { make } from "./dom.js"

const PRINT_WIDTH = 2000 // pixels: wide enough to be printed
const MAX_SIDE = 12000 // pixels a side: more than this browsers do not draw

/**
 * @param {Blob} blob
 * @param {string} file
 */
function saveBlob(blob, file) {
  const address = URL.createObjectURL(blob)
  make("a", { href: address, download: file }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10000)
}

/**
 * @param {string} text
 * @param {string} type
 * @param {string} file
 */
export const saveText = (text, type, file) => saveBlob(new Blob([text], { type }), file)

/**
 * By how much a drawing of that size is enlarged: twice or more, as far as browsers can draw it.
 * @param {number} width
 * @param {number} height
 */
export const pngScale = (width, height) => Math.min(Math.max(2, PRINT_WIDTH / width), MAX_SIDE / Math.max(width, height))

/**
 * Draw the SVG at twice its size or more and save it. Throws where the browser cannot.
 * @param {string} svg
 * @param {string} file
 */
export async function savePng(svg, file) {
  const image = new Image()
  const drawing = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  try {
    image.src = drawing
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const scale = pngScale(width, height)
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) })
    const pen = canvas.getContext("2d")
    if (!pen) throw new Error("no canvas")
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise((/** @type {(made: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"))
    if (!blob) throw new Error("no picture")
    saveBlob(blob, file)
  } finally {
    URL.revokeObjectURL(drawing)
  }
}

/**
 * The three buttons by which a picture leaves: a drawing, a picture made of it here, and the numbers behind it.
 * @param {{ svg: string, png: string, csv: string, svg_help: string, png_help: string, csv_help: string, saved: string, failed: string }} words
 * @param {string} file the name of the files, without its ending
 * @param {string} table what the name of the table is, without its ending
 * @param {() => string} svg
 * @param {() => string} csv
 * @param {string} [kind] a class of all buttons
 */
export function makeDownloadButtons(words, file, table, svg, csv, kind = "") {
  /** @type {(name: string, text: string, help: string, onclick: () => void) => HTMLButtonElement} */
  const button = (name, text, help, onclick) => {
    const node = make("button", { type: "button", class: `${kind} ${name}`.trim(), title: help }, text)
    node.onclick = onclick
    return node
  }
  const status = make("span", { class: "unseen", role: "status" })
  /** @param {string} text */
  const showStatus = (text) => {
    status.textContent = text
  }
  return [
    button("svg", words.svg, words.svg_help, () => saveText(svg(), "image/svg+xml", `${file}.svg`)),
    button("png", words.png, words.png_help, () => savePng(svg(), `${file}.png`).then(() => showStatus(words.saved), () => showStatus(words.failed))),
    button("csv", words.csv, words.csv_help, () => saveText(`\ufeff${csv()}`, "text/csv;charset=utf-8", `${table}.csv`)),
    status,
  ]
}
