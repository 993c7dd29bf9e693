// How numbers are written, and how texts with places are filled. Nothing here needs a browser.

/**
 * A number with so many decimals and a real minus sign; never "−0.00": what is rounded to nothing has no sign.
 * @param {number} value
 * @param {number} [digits]
 */
export function formatDecimal(value, digits = 2) {
  const text = value.toFixed(digits)
  if (!text.startsWith("-")) return text
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`
}

/**
 * The greatest of numbers, of `least` and more; of any number of them, where a call takes only so many arguments.
 * @param {number[]} numbers
 * @param {number} minimum
 */
export const maxOf = (numbers, minimum) => numbers.reduce((maximum, item) => Math.max(maximum, item), minimum)

/**
 * The same with a plus sign too; what is rounded to nothing has none.
 * @param {number} value
 * @param {number} [digits]
 */
export const formatSigned = (value, digits = 2) => (Number(value.toFixed(digits)) > 0 ? `+${formatDecimal(value, digits)}` : formatDecimal(value, digits))

/**
 * A number with so many decimals, or a dash where there is no number.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export const formatDecimalOrDash = (value, digits = 2) => (value == null ? "–" : formatDecimal(value, digits))

/**
 * A share of 1 with two decimals; one too small for them is not called 0.
 * @param {number} value
 */
export const formatShare = (value) => (value > 0 && value < 0.005 ? "<0.01" : formatDecimal(value))

/**
 * The same behind what it is called: "= 0.25", or "< 0.01".
 * @param {number} value
 */
export const formatEquality = (value) => (formatShare(value).startsWith("<") ? formatShare(value).replace("<", "< ") : `= ${formatShare(value)}`)

/**
 * A share of 1 in as few letters as a cell of a table has room for.
 * @param {number} value
 */
export const formatCell = (value) => (value >= 0.995 ? "1" : value.toFixed(2).slice(1))

/**
 * Whether a sign is about as wide as high, as those of Korean, Chinese and Japanese are.
 * @param {string} sign
 */
export const isFullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign)

/**
 * About how long a text is, in letters: a wide sign takes the room of two.
 * @param {string} text
 */
export const displayWidth = (text) => [...text].reduce((sum, sign) => sum + (isFullWidth(sign) ? 2 : 1), 0)

/**
 * A text with {count:word|words}: one form where the count is 1, the other where it is not.
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
const choosePlurals = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, item, several) => (String(values[name]) === "1" ? item : several))

/**
 * A text with {places}, each filled by a text or a node.
 * @template {string | Node} [Filling=string]
 * @param {string} template
 * @param {Record<string, Filling>} values
 * @returns {(string | Filling)[]}
 */
export function fillTemplate(template, values) {
  return choosePlurals(template, values).split(/\{(\w+)\}/).flatMap((part, k) => (k % 2 ? [/** @type {string | Filling} */ (values[part])] : part ? [part] : []))
}

/**
 * A text with {places} as one text.
 * @param {string} template
 * @param {Record<string, string | number>} values
 */
export const formatTemplate = (template, values) => choosePlurals(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

/**
 * French typography has narrow spaces; what is spoken or compared has plain ones.
 * @param {string} text
 */
export const normalizeSpaces = (text) => text.replace(/[\u202f\s]+/g, " ").trim()
