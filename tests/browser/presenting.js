// Records which elements of a presented page have been wholly in the window: every element with text, and every picture.
// Independent of how the app chooses its stops.
window.watch = (() => {
  const PICTURES = "img, canvas, svg, table, .js-plotly-plot"
  let seen = new Set()

  const children = (node) => [...(node.shadowRoot ?? node).children]

  function listElements(node, found = []) {
    for (const child of children(node)) {
      if (/^(SCRIPT|STYLE|LINK|TEMPLATE|OPTION|TEXTAREA)$/.test(child.tagName)) continue // a text box scrolls
      const style = getComputedStyle(child)
      if (style.display !== "contents" && !child.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (style.position === "fixed") continue
      const own = [...child.childNodes].some((text) => text.nodeType === Node.TEXT_NODE && text.textContent.trim())
      const box = child.getBoundingClientRect()
      if (box.width > 1.5 && box.height > 1.5 && (own || child.matches(PICTURES))) found.push(child)
      listElements(child, found)
    }
    return found
  }

  const main = () => document.querySelector(".stMain")

  const parent = (node) => node.parentElement ?? node.getRootNode().host

  // Whether no ancestor clips the node, nor the window.
  function isWhole(node) {
    const box = node.getBoundingClientRect()
    for (let over = parent(node); over && over !== main().parentElement; over = parent(over)) {
      const { overflowX, overflowY, display } = getComputedStyle(over)
      if (display === "contents" || display === "inline" || over instanceof SVGElement) continue
      const frame = over.getBoundingClientRect()
      if (overflowX !== "visible" && (box.left < frame.left - 2 || box.right > frame.right + 2)) return false
      if (overflowY !== "visible" && (box.top < frame.top - 2 || box.bottom > frame.bottom + 2)) return false
    }
    return true
  }

  const describe = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}: ${(node.innerText ?? node.textContent ?? "").trim().slice(0, 60)}`

  // Each element with a name that survives redrawing: its description, and a number among equal ones.
  function nameElements() {
    const times = new Map()
    return listElements(main()).map((node) => {
      const name = describe(node)
      times.set(name, (times.get(name) ?? 0) + 1)
      return { node, name: `${name} (${times.get(name)})` }
    })
  }

  // The descriptions of texts smaller than `minSize` pixels.
  const listSmall = (found, minSize) => found.flatMap((node) => {
    const own = [...node.childNodes].some((text) => text.nodeType === Node.TEXT_NODE && text.textContent.trim())
    const matrix = node instanceof SVGGraphicsElement ? node.getScreenCTM() : null
    const size = parseFloat(getComputedStyle(node).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1)
    return own && size < minSize - 0.01 ? [`${size.toFixed(1)} ${describe(node)}`] : []
  })

  return {
    reset() {
      seen = new Set()
    },
    // The contents of the page, the elements that were never wholly in the window (without the parts of a picture), and
    // those smaller than `minSize` pixels.
    inspect(minSize) {
      const found = nameElements()
      for (const { node, name } of found) if (isWhole(node)) seen.add(name)
      return {
        contents: `${location.pathname} ${main().scrollTop} ${found.map(({ node }) => node.textContent).join("|")}`,
        missed: found.filter(({ node, name }) => !seen.has(name) && !node.ownerSVGElement).map(({ name }) => name),
        small: listSmall(found.map(({ node }) => node), minSize),
      }
    },
  }
})()
