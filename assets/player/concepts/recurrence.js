// A plain tanh RNN and the gradients through it. Needs no browser.

/** @import { Matrix } from "./matrices.js" */
import { dot, multiplyMatrices } from "./matrices.js"

/** @param {Matrix} matrix */
const computeFrobeniusNorm = (matrix) => Math.sqrt(matrix.flat().reduce((sum, item) => sum + item * item, 0))

/**
 * Run h = tanh(λ·Q·h + size·x) from 0 over all inputs. Return, for each step t, the norm of ∂h_T/∂h_t relative to that of
 * the identity, and the mean of tanh′ at t.
 * @type {(q: Matrix, inputs: number[][], lambda: number, size: number) => { norms: number[], slopes: number[] }}
 */
export function measureGradients(q, inputs, lambda, size) {
  const w = q.map((row) => row.map((item) => lambda * item))
  let h = q.map(() => 0)
  const derivatives = inputs.map((x) => {
    h = w.map((row, k) => Math.tanh(dot(row, h) + size * x[k]))
    return h.map((value) => 1 - value * value)
  })
  const identity = q.map((row, i) => Array.from(row.keys(), (k) => Number(i === k)))
  let product = identity
  const norms = derivatives.map(() => 1)
  for (let t = inputs.length - 2; t >= 0; t -= 1) {
    const jacobian = w.map((row, i) => row.map((item) => derivatives[t + 1][i] * item))
    product = multiplyMatrices(product, jacobian)
    norms[t] = computeFrobeniusNorm(product) / Math.sqrt(q.length)
  }
  return { norms, slopes: derivatives.map((row) => row.reduce((sum, item) => sum + item, 0) / row.length) }
}
