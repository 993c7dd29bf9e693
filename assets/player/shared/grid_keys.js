// Where the arrow keys lead in a table. Nothing here needs a browser.

/**
 * The row and column that a key leads to, inside a table of so many; null for a key that leads nowhere.
 * @param {string} key
 * @param {number} row
 * @param {number} column
 * @param {number} rows
 * @param {number} columns
 * @returns {[number, number] | null}
 */
export function gridTarget(key, row, column, rows, columns) {
  /** @type {Record<string, [number, number] | undefined>} */
  const ways = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: [row, 0], End: [row, columns - 1] }
  const to = Object.hasOwn(ways, key) ? ways[key] : undefined
  return to && to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns ? to : null
}
