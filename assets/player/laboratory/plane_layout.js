// Geometry of the word plane: point scaling, labels, and navigation. Needs no browser.

/** @typedef {{ x: number, y: number }} Spot */

/** @typedef {{ width: number, height: number }} Size */

/**
 * Scale points to the unit square, y downward, so that `framedPoints` fills it within a margin. Equal coordinates become the
 * middle.
 * @type {(points: Spot[], framedPoints?: Spot[], margin?: number) => Spot[]}
 */
export function scaleToSquare(points, framedPoints = points, margin = 0.04) {
  /** @param {number[]} values */
  const scale = (values) => {
    const [minimum, maximum] = [Math.min(...values), Math.max(...values)]
    /** @param {number} value */
    return (value) => (maximum > minimum ? margin + (1 - 2 * margin) * ((value - minimum) / (maximum - minimum)) : 0.5)
  }
  const [scaleX, scaleY] = [scale(framedPoints.map(({ x }) => x)), scale(framedPoints.map(({ y }) => y))]
  return points.map(({ x, y }) => ({ x: scaleX(x), y: 1 - scaleY(y) }))
}

const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]] // directions of a label from its point
const DISTANCES = [1, 2.6, 4.4, 6.4] // multiples of a point's radius

/**
 * Place labels in order of importance: beside their points, or where it is crowded farther away with a line to `lineEnd`
 * (`isFar`). They cover no other label or point and stay within the box; null for a label without room.
 * @param {Spot[]} spots y downward
 * @param {Size[]} sizes of the labels
 * @param {Size} box
 * @param {number[]} dots radius of each point
 * @returns {({ x: number, y: number, isFar: boolean, lineEnd: Spot } | null)[]} their upper left corners
 */
export function placeLabels(spots, sizes, box, dots) {
  /** @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */
  const occupied = spots.map(({ x, y }, k) => ({ left: x - dots[k], top: y - dots[k], right: x + dots[k], bottom: y + dots[k] }))
  /** @type {(item: Edges, other: Edges) => boolean} */
  const covers = (item, other) => item.left < other.right && other.left < item.right && item.top < other.bottom && other.top < item.bottom
  return spots.map(({ x, y }, k) => {
    if (x < 0 || y < 0 || x > box.width || y > box.height) return null
    const { width, height } = sizes[k]
    const dot = dots[k]
    for (const times of DISTANCES) for (const [u, v] of DIRECTIONS) {
      const left = x + u * (dot * times + width / 2) - width / 2
      const top = y + v * (dot * (u ? times - 1 : times) + height / 2) * (u && times === 1 ? 0.6 : 1) - height / 2
      const edges = { left, top, right: left + width, bottom: top + height }
      const isInside = left >= 0 && top >= 0 && edges.right <= box.width && edges.bottom <= box.height
      if (!isInside || occupied.some((other, p) => p !== k && covers(edges, other))) continue
      occupied.push(edges)
      const lineEnd = { x: Math.min(Math.max(x, left), edges.right), y: Math.min(Math.max(y, top), edges.bottom) }
      return { x: left, y: top, isFar: times > 1, lineEnd }
    }
    return null
  })
}

/**
 * Return the index of the nearest point within reach, or -1.
 * @type {(points: Spot[], place: Spot, reach: number) => number}
 */
export function findNearestPoint(points, place, reach) {
  const distances = points.map(({ x, y }) => Math.hypot(x - place.x, y - place.y))
  const nearestIndex = distances.reduce((best, item, k) => (item < distances[best] ? k : best), 0)
  return distances.length && distances[nearestIndex] <= reach ? nearestIndex : -1
}

/**
 * Return the index of the nearest point in the quadrant of an arrow key, or -1.
 * @type {(points: Spot[], index: number, key: string) => number}
 */
export function pointInDirection(points, index, key) {
  /** @type {Record<string, [number, number] | undefined>} */
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
  const direction = Object.hasOwn(directions, key) ? directions[key] : undefined
  if (!direction) return -1
  const [start, [u, v]] = [points[index], direction]
  let [nearestIndex, nearestDistance] = [-1, Infinity]
  points.forEach(({ x, y }, k) => {
    const forward = (x - start.x) * u + (y - start.y) * v
    const sideways = Math.abs((x - start.x) * v) + Math.abs((y - start.y) * u)
    const distance = Math.hypot(forward, sideways)
    if (forward > 0 && sideways <= forward && distance < nearestDistance) [nearestIndex, nearestDistance] = [k, distance]
  })
  return nearestIndex
}
