// Who looked at whom in a family of translations: which words light up with which. Nothing here needs a browser.

/** @import { FamilyMember } from "../payloads.js" */

export const NAMED_FROM = 0.05 // a word is named as a partner from here up

/** A word of a member's translation, or a place of the source (`k`; -1 for its end), and how much.
 * @typedef {{ m: number, k: number, value: number }} Partner */

/**
 * What word k of member m looked at; null where it looks at nothing at all.
 * @param {FamilyMember[]} members
 * @param {number} m
 * @param {number} k
 * @returns {Partner[] | null}
 */
export function attentionOf(members, m, k) {
  const rows = members[m].answer?.looks
  return rows ? rows[k].map(([place, value]) => ({ m, k: place, value })) : null
}

/**
 * Which words of all members looked at a place of the source.
 * @param {FamilyMember[]} members
 * @param {number} place
 * @returns {Partner[]}
 */
export const wordsAttendingTo = (members, place) => members.flatMap(({ answer }, m) =>
  (answer?.looks ?? []).flatMap((row, k) => row.filter(([index]) => index === place).map(([, value]) => ({ m, k, value }))))

/**
 * The one of each member that looked most, of those worth naming, in the order of the members.
 * @param {Partner[]} partners
 */
export function strongestPerModel(partners) {
  /** @type {Map<number, Partner>} */
  const best = new Map()
  for (const item of partners) if (item.value >= NAMED_FROM && item.value > (best.get(item.m)?.value ?? 0)) best.set(item.m, item)
  return [...best.values()].sort((a, b) => a.m - b.m)
}

/**
 * The cells of a picture: rows are words of the translation, columns places of the source, the end last.
 * @param {[number, number][][]} rows
 * @param {number} words of the source
 */
export const mapCells = (rows, words) => rows.flatMap((row, t) =>
  row.map(([place, value]) => ({ t, s: place < 0 ? words : place, value })))
