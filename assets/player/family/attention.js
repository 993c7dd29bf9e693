// Find the attention partners of words in a family of translations. Needs no browser.

/** @import { FamilyMember } from "../payloads.js" */
/** @import { Partner } from "../shared/partners.js" */
import { PARTNER_FROM } from "../shared/partners.js"

/**
 * Return what word k of member m attends to; null without attention.
 * @type {(members: FamilyMember[], m: number, k: number) => Partner[] | null}
 */
export function attentionOf(members, m, k) {
  const rows = members[m].answer?.looks
  return rows ? rows[k].map(([place, value]) => ({ m, k: place, value })) : null
}

/**
 * Return the strongest partner of each member, in the order of the members.
 * @param {Partner[]} partners
 */
export function strongestPerModel(partners) {
  /** @type {Map<number, Partner>} */
  const best = new Map()
  for (const item of partners) if (item.value >= PARTNER_FROM && item.value > (best.get(item.m)?.value ?? 0)) best.set(item.m, item)
  return [...best.values()].sort((a, b) => a.m - b.m)
}

/**
 * Return the cells of a map: rows are target words, columns source words, the end last.
 * @param {[number, number][][]} rows
 * @param {number} words number of source words
 */
export const mapCells = (rows, words) => rows.flatMap((row, t) =>
  row.map(([place, value]) => ({ t, s: place < 0 ? words : place, value })))
