// What every component shares. It stands before the component's own script, in one module.

const SVG = "http://www.w3.org/2000/svg"

// An HTML element; children that are null are left out, texts are set as text.
function make(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value)
  node.append(...children.filter((child) => child != null))
  return node
}

// A text with {places}, each filled by a text or a node.
function fill(template, values) {
  return template.split(/\{(\w+)\}/).flatMap((part, k) => (k % 2 ? values[part] : part ? [part] : []))
}

const two = (value) => (value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2))
const short = (value) => (value >= 0.995 ? "1" : value.toFixed(2).slice(1))
