// Measure how sharp a softmax over random dot products is, reproducibly by seed. Needs no browser.

/**
 * Make a generator of uniform numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
export function makeUniformGenerator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let hash = Math.imul(state ^ (state >>> 15), state | 1)
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61)
    return ((hash ^ (hash >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Make a generator of normal numbers with mean 0 and variance 1 (Box-Muller).
 * @param {number} seed
 */
export function makeNormalGenerator(seed) {
  const drawUniform = makeUniformGenerator(seed)
  let spare = NaN
  return () => {
    if (!Number.isNaN(spare)) {
      const result = spare
      spare = NaN
      return result
    }
    const radius = Math.sqrt(-2 * Math.log(1 - drawUniform()))
    const angle = 2 * Math.PI * drawUniform()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

/** @type {(energies: number[], temperature?: number) => number[]} */
export function softmax(energies, temperature = 1) {
  const maximum = Math.max(...energies)
  const powers = energies.map((item) => Math.exp((item - maximum) / temperature))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((item) => item / sum)
}

/**
 * Return the entropy in nats; its maximum is ln n.
 * @param {number[]} shares
 */
export const computeEntropy = (shares) => -shares.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0)

/**
 * Return dot products of random queries with their own random keys of dimension d, one row per query.
 * @type {(d: number, keys: number, queries: number, seed: number) => number[][]}
 */
export function sampleProducts(d, keys, queries, seed) {
  const draw = makeNormalGenerator(seed)
  return Array.from({ length: queries }, () => {
    const query = Float64Array.from({ length: d }, draw)
    return Array.from({ length: keys }, () => query.reduce((sum, item) => sum + item * draw(), 0))
  })
}

/**
 * Return the mean entropy with and without scaling, and the sorted weights of the first query.
 * @param {number} d
 * @param {number} keys
 * @param {number} queries
 * @param {number} seed
 */
export function measureSharpness(d, keys, queries, seed) {
  const rows = sampleProducts(d, keys, queries, seed)
  /** @param {number} scale */
  const measure = (scale) => ({
    entropy: rows.reduce((sum, row) => sum + computeEntropy(softmax(row, scale)), 0) / rows.length,
    weights: softmax(rows[0], scale).sort((a, b) => b - a),
  })
  return { without: measure(1), scaled: measure(Math.sqrt(d)) }
}
