// The axes of BLEU by sentence length.

/** @import { LengthPoint } from "../payloads.js" */

export const MAX_WORDS = 70 // right end of the axis

/**
 * Return the BLEU at the upper edge: the next multiple of 5.
 * @param {(LengthPoint[] | null)[]} lines
 */
export function roundTop(lines) {
  const highest = Math.max(...lines.flatMap((line) => (line ?? []).map((point) => point.bleu)))
  return Math.max(10, 5 * Math.ceil(highest / 5))
}
