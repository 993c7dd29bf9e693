// Colours of signed numbers: positive ones in the accent of the picture (--accent), negative ones in grey.

/**
 * Return the colour of a number from -1 to 1.
 * @param {number} share
 */
export const mixSignedColour = (share) => `color-mix(in srgb, var(${share < 0 ? "--soft" : "--accent"}) ${Math.round(Math.min(1, Math.abs(share)) * 100)}%, var(--page))`

/**
 * Return a row of numbers as the background of one element, a stripe for each.
 * @type {(values: number[], maximum: number) => string}
 */
export function stripBackground(values, maximum) {
  const width = 100 / values.length
  const stops = values.map((value, k) => `${mixSignedColour(value / maximum)} ${(k * width).toFixed(2)}% ${((k + 1) * width).toFixed(2)}%`)
  return `background: linear-gradient(to right, ${stops.join(", ")})`
}
