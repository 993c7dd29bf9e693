// What two lists of words have in common. Needs no browser.

/**
 * Return the positions of `b` outside a longest common subsequence with `a`.
 * @type {(a: string[], b: string[]) => Set<number>}
 */
export function findDifferingWords(a, b) {
  const length = Array.from({ length: a.length + 1 }, () => /** @type {number[]} */ (new Array(b.length + 1).fill(0)))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1])
    }
  }
  /** @type {Set<number>} */
  const differences = new Set()
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) {
      i++
      j++
    } else if (i < a.length && length[i + 1][j] >= length[i][j + 1]) i++
    else differences.add(j++)
  }
  return differences
}
