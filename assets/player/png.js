// Files that the browser makes and saves by itself: a text as it is, a drawing as PNG.

const WIDE = 2000 // pixels: wide enough to be printed
const LONGEST = 12000 // pixels a side: more than this browsers do not draw

function saveBlob(blob, file) {
  const address = URL.createObjectURL(blob)
  make("a", { href: address, download: file }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10000)
}

// Draw the SVG at twice its size or more and save it. Throws where the browser cannot.
async function savePng(svg, file) {
  const image = new Image()
  const drawing = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  try {
    image.src = drawing
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const scale = Math.min(Math.max(2, WIDE / width), LONGEST / Math.max(width, height))
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) })
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
    saveBlob(await new Promise((done) => canvas.toBlob(done, "image/png")), file)
  } finally {
    URL.revokeObjectURL(drawing)
  }
}
