// Compute positional encodings (Vaswani et al. 2017, section 3.5). Needs no browser.

/**
 * Return the frequency of the i-th pair of sine and cosine: 1 / 10000^(2i/d).
 * @type {(i: number, d: number) => number}
 */
export const computeFrequency = (i, d) => 10000 ** (-2 * i / d)

/**
 * Return PE(pos) · PE(pos + distance), which is the same for every position.
 * @type {(distance: number, d: number) => number}
 */
export const computeDotAtDistance = (distance, d) => Array.from({ length: d / 2 }, (_, i) => Math.cos(distance * computeFrequency(i, d))).reduce((a, b) => a + b, 0)
