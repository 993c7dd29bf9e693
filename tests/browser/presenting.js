// What a lecture is watched with: everything on the page that is read or looked at, and whether it was once wholly in the
// window. Its rule is its own, not the walk's: every node with text of its own, and every picture.
window.watch = (() => {
  const PICTURES = "img, canvas, svg, table, .js-plotly-plot"
  let seen = new Set()

  const children = (node) => [...(node.shadowRoot ?? node).children]

  function things(node, found = []) {
    for (const child of children(node)) {
      if (/^(SCRIPT|STYLE|LINK|TEMPLATE|OPTION|TEXTAREA)$/.test(child.tagName)) continue // a box scrolls what is typed
      const style = getComputedStyle(child)
      if (style.display !== "contents" && !child.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (style.position === "fixed") continue
      const own = [...child.childNodes].some((text) => text.nodeType === Node.TEXT_NODE && text.textContent.trim())
      const box = child.getBoundingClientRect()
      if (box.width > 1.5 && box.height > 1.5 && (own || child.matches(PICTURES))) found.push(child)
      things(child, found)
    }
    return found
  }

  const main = () => document.querySelector(".stMain")
  const all = () => things(main())

  const parent = (node) => node.parentElement ?? node.getRootNode().host

  // Whether nothing that cuts what is in it, the window last, cuts this.
  function whole(node) {
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

  function inside(node, selector) {
    for (let over = node; over; over = parent(over)) if (over.matches(selector)) return true
    return false
  }

  const named = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}: ${(node.innerText ?? node.textContent ?? "").trim().slice(0, 60)}`

  // A node by what it says, and as which of those that say it: charts are drawn anew now and then.
  function called() {
    const times = new Map()
    return all().map((node) => {
      const name = named(node)
      times.set(name, (times.get(name) ?? 0) + 1)
      return { node, name: `${name} (${times.get(name)})` }
    })
  }

  // What is smaller than it may be, by its first words.
  const small = (found, least) => found.flatMap((node) => {
    const own = [...node.childNodes].some((text) => text.nodeType === Node.TEXT_NODE && text.textContent.trim())
    const matrix = node instanceof SVGGraphicsElement ? node.getScreenCTM() : null
    const size = parseFloat(getComputedStyle(node).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1)
    return own && size < least - 0.01 ? [`${size.toFixed(1)} ${named(node)}`] : []
  })

  return {
    begin() {
      seen = new Set()
    },
    // What stands on the page now, what of `selector` was never wholly in the window, and what is smaller than `least`
    // pixels. What is drawn inside a picture is part of it.
    look(least, selector = ".stMain") {
      const found = called()
      for (const { node, name } of found) if (whole(node)) seen.add(name)
      const mine = found.filter(({ node }) => inside(node, selector))
      return {
        stands: `${location.pathname} ${main().scrollTop} ${found.map(({ node }) => node.textContent).join("|")}`,
        missed: mine.filter(({ node, name }) => !seen.has(name) && !node.ownerSVGElement).map(({ name }) => name),
        small: small(mine.map(({ node }) => node), least),
      }
    },
  }
})()
