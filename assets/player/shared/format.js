// Format numbers and fill templates. Needs no browser.

/**
 * Format a number with fixed decimals and a real minus sign; zero has no sign.
 * @type {(value: number, digits?: number) => string}
 */
export function formatDecimal(value, digits = 2) {
  const text = value.toFixed(digits)
  if (!text.startsWith("-")) return text
  return Number(text) === 0 ? text.slice(1) : `−${text.slice(1)}`
}

/**
 * Return the largest number, at least `minimum`. Unlike Math.max it takes arrays of any length.
 * @type {(numbers: number[], minimum: number) => number}
 */
export const findLargest = (numbers, minimum) => numbers.reduce((maximum, item) => Math.max(maximum, item), minimum)

/** Return the position of the largest number, the first of several. @param {number[]} numbers */
export const argmax = (numbers) => numbers.indexOf(Math.max(...numbers))

/**
 * Format a share of 1 as percent, spaced as in the texts of a language.
 * @type {(share: number, language: string, digits?: number) => string}
 */
export const formatPercent = (share, language, digits = 0) => `${(100 * share).toFixed(digits)}${language === "ko" ? "" : " "}%`

/**
 * Format a number with fixed decimals and a sign, plus included; zero has no sign.
 * @type {(value: number, digits?: number) => string}
 */
export const formatSigned = (value, digits = 2) => (Number(value.toFixed(digits)) > 0 ? `+${formatDecimal(value, digits)}` : formatDecimal(value, digits))

/**
 * Write an exponent.
 * @param {number | string} power not negative
 */
export const formatExponent = (power) => [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")

/** @type {(value: number | null | undefined, digits?: number) => string} */
export const formatDecimalOrDash = (value, digits = 2) => (value == null ? "–" : formatDecimal(value, digits))

/**
 * Format a share of 1 with two decimals; small ones as "<0.01".
 * @param {number} value
 */
export const formatShare = (value) => (value > 0 && value < 0.005 ? "<0.01" : formatDecimal(value))

/**
 * Format a share to follow a name: "= 0.25", or "< 0.01".
 * @param {number} value
 */
export const formatEquality = (value) => (formatShare(value).startsWith("<") ? formatShare(value).replace("<", "< ") : `= ${formatShare(value)}`)

/**
 * Format a share of 1 for a table cell: without the leading 0.
 * @param {number} value
 */
export const formatCell = (value) => (value >= 1.05 ? value.toFixed(1) : value >= 0.995 ? "1" : value.toFixed(2).slice(1))

/**
 * Return a text with at most `limit` characters; a longer one ends in an ellipsis.
 * @type {(text: string, limit: number) => string}
 */
export function shortenText(text, limit) {
  const signs = [...text] // whole characters: half an emoji would be no text
  return signs.length > limit ? `${signs.slice(0, limit - 1).join("")}…` : text
}

/** @param {string} sign */
export const isFullWidth = (sign) => /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign)

/**
 * Return the display width of a text in characters; full-width characters count twice.
 * @param {string} text
 */
export const measureDisplayWidth = (text) => [...text].reduce((sum, sign) => sum + (isFullWidth(sign) ? 2 : 1), 0)

/**
 * Choose the forms of {count:singular|plural} in a template.
 * @type {(template: string, values: Record<string, unknown>) => string}
 */
const choosePlurals = (template, values) => template.replace(/\{(\w+):([^|{}]*)\|([^|{}]*)\}/g, (_, name, singular, plural) => (String(values[name]) === "1" ? singular : plural))

/**
 * Fill a template's {places} with texts or nodes.
 * @template {string | Node} [Filling=string]
 * @param {string} template
 * @param {Record<string, Filling>} values
 * @returns {(string | Filling)[]}
 */
export function fillTemplate(template, values) {
  return choosePlurals(template, values).split(/\{(\w+)\}/).flatMap((part, k) => (k % 2 ? [/** @type {string | Filling} */ (values[part])] : part ? [part] : []))
}

/** @type {(template: string, values: Record<string, string | number>) => string} */
export const formatTemplate = (template, values) => choosePlurals(template, values).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

/**
 * Replace French narrow spaces by plain ones, for speech and comparison.
 * @param {string} text
 */
export const normaliseSpaces = (text) => text.replace(/[\u202f\s]+/g, " ").trim()
