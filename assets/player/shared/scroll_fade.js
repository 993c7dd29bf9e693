// Fade the right edge of a node that can be scrolled further: it has the class "cut" then (scroll_fade.css), and "begun" if it
// can be scrolled back.

/**
 * @template {HTMLElement} Node
 * @param {Node} node
 */
export function fadeOverflow(node) {
  const update = () => {
    node.classList.toggle("cut", node.scrollLeft + node.clientWidth < node.scrollWidth - 2)
    node.classList.toggle("begun", node.scrollLeft > 2)
  }
  const sizes = new ResizeObserver(update)
  for (const item of [node, ...node.children]) sizes.observe(item)
  node.addEventListener("scroll", update, { passive: true })
  return node
}
