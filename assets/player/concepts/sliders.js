// Sliders whose value is written beside them and told to screen readers.

import { make } from "../shared/dom.js"

/**
 * Make a slider with its value in the label.
 * @type {(name: string, label: string, minimum: number, maximum: number, value: number) => HTMLElement}
 */
export const makeSlider = (name, label, minimum, maximum, value) => make("label", { class: "slider" },
  make("span", {}, `${label}: `, make("b", { "data-value": name })),
  make("input", { type: "range", "data-name": name, min: minimum, max: maximum, step: 1, value }))

/**
 * Make a slider in one line with its label and its value.
 * @param {{ name: string, label: string, min: number, max: number, step: number, value: number }} slider
 */
export const makeInlineSlider = ({ name, label, ...range }) => make("label", {}, make("span", {}, label),
  make("input", { type: "range", "data-name": name, "aria-label": label, ...range }), make("b", { "data-value": name }))

/**
 * Write a slider's value, and move the slider if `value` is given.
 * @type {(root: ParentNode, name: string, text: string, value?: number) => void}
 */
export function showSlider(root, name, text, value) {
  for (const node of root.querySelectorAll(`[data-value=${name}]`)) node.textContent = text
  for (const node of root.querySelectorAll(`input[data-name=${name}]`)) {
    node.setAttribute("aria-valuetext", text)
    if (value != null && node instanceof HTMLInputElement) node.value = String(value)
  }
}
