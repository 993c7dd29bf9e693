// Move through a grid with the arrow keys. Needs no browser.

/**
 * Return the row and column that a key leads to, or null.
 * @type {(key: string, row: number, column: number, rows: number, columns: number) => [number, number] | null}
 */
export function gridTarget(key, row, column, rows, columns) {
  /** @type {Record<string, [number, number] | undefined>} */
  const targets = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: [row, 0], End: [row, columns - 1] }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return target && target[0] >= 0 && target[0] < rows && target[1] >= 0 && target[1] < columns ? target : null
}
