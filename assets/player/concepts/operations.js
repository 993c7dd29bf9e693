// Count the operations of one layer as Vaswani et al. (2017, Table 1). Needs no browser.

/** @typedef {"self_attention" | "recurrent" | "convolution" | "restricted"} LayerType */

/** Sizes: n tokens, d units, a kernel of k tokens, a window of r tokens.
 * @typedef {{ n: number, d: number, k: number, r: number }} Sizes */

/** @type {LayerType[]} */
export const LAYER_TYPES = ["recurrent", "convolution", "self_attention", "restricted"]

/** @type {Record<LayerType, (sizes: Sizes) => number>} */
const OPERATIONS = {
  self_attention: ({ n, d }) => n * n * d,
  recurrent: ({ n, d }) => n * d * d,
  convolution: ({ n, d, k }) => k * n * d * d,
  restricted: ({ n, d, r }) => Math.min(r, n) * n * d,
}

/** @type {Record<LayerType, (sizes: Sizes) => number>} */
const PATHS = {
  self_attention: () => 1,
  recurrent: ({ n }) => n,
  convolution: ({ n, k }) => Math.max(1, Math.ceil(Math.log(n) / Math.log(k))),
  restricted: ({ n, r }) => Math.max(1, Math.ceil(n / r)),
}

/** @type {(type: LayerType, sizes: Sizes) => number} */
export const countOperations = (type, sizes) => OPERATIONS[type](sizes)

/**
 * Return the longest path between two positions, in layers or steps, without constant factors.
 * @type {(type: LayerType, sizes: Sizes) => number}
 */
export const countPath = (type, sizes) => PATHS[type](sizes)

/** @type {(type: LayerType, sizes: Sizes) => number} */
export const countSequential = (type, { n }) => (type === "recurrent" ? n : 1)
