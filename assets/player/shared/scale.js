// Linear scales of axes. Needs no browser.

/**
 * Return a scale from one range of numbers to another; values outside are clamped.
 * @type {(domain: [number, number], range: [number, number]) => (value: number) => number}
 */
export const scaleLinear = ([low, high], [start, end]) => (value) => start + Math.max(0, Math.min(1, (value - low) / (high - low))) * (end - start)
