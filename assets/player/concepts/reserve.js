// Keep a part of a picture as high as its tallest state, so that nothing below moves when a control is switched.

/**
 * Reserve for `node` the height of the tallest of its possible contents, at every width and type size.
 * @type {(node: HTMLElement, listContents: () => (Node | string)[][]) => void}
 */
export function reserveHeight(node, listContents) {
  let measuredSize = ""
  const measure = () => {
    const { width } = node.getBoundingClientRect()
    const size = `${width} ${getComputedStyle(node).fontSize}`
    if (!width || size === measuredSize) return
    measuredSize = size
    const copies = listContents().map((content) => {
      const copy = /** @type {HTMLElement} */ (node.cloneNode(false))
      copy.style.cssText = `position: absolute; visibility: hidden; min-height: 0; width: ${width}px`
      copy.append(...content)
      return copy
    })
    node.after(...copies)
    node.style.minHeight = `${Math.max(...copies.map((copy) => copy.getBoundingClientRect().height))}px`
    for (const copy of copies) copy.remove()
  }
  node.classList.add("reserved")
  new ResizeObserver(measure).observe(node)
  document.fonts.ready.then(() => {
    measuredSize = ""
    measure()
  })
}
