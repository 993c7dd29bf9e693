// Ticks and number format of curves on a logarithmic axis. Needs no browser.

const MAX_TICKS = 8 // per axis

/**
 * Choose ticks that cover all values: powers of ten, or 1, 2 and 5 times powers of ten over at most two decades (in print:
 * pages/ui/models/gradients_exports.py).
 * @param {number[]} values positive
 */
export function chooseTicks(values) {
  const [minimum, maximum] = values.length ? [Math.min(...values), Math.max(...values)] : [1, 1]
  const low = Math.floor(Math.log10(minimum))
  const highPower = Math.max(Math.ceil(Math.log10(maximum)), low + 1)
  /** @param {number} power */
  const powerOfTen = (power) => Number(`1e${power}`)
  if (highPower - low > 2) {
    const step = Math.ceil((highPower - low) / MAX_TICKS)
    return Array.from({ length: Math.ceil((highPower - low) / step) + 1 }, (_, k) => powerOfTen(low + step * k))
  }
  const marks = [...Array.from({ length: highPower - low }, (_, k) => [1, 2, 5].map((digit) => digit * powerOfTen(low + k))).flat(), powerOfTen(highPower)]
  const start = marks.findLastIndex((mark) => mark <= minimum)
  return marks.slice(start, marks.findIndex((mark, k) => mark >= maximum && k > start) + 1)
}

/**
 * Return the labelled positions of an axis.
 * @param {number} last
 */
export function axisPlaces(last) {
  const step = Math.max(1, Math.ceil(last / MAX_TICKS))
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, k) => k * step)
}

/**
 * Format a number with three digits; small ones with a power of ten.
 * @param {number} value not negative
 */
export function formatGradient(value) {
  if (value === 0 || value >= 0.001) return String(Number(value.toPrecision(3)))
  const [digits, power] = value.toExponential(1).split("e-")
  return `${digits === "1.0" ? "" : `${digits}·`}10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`
}
