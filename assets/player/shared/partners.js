// Attention partners of words: the words that attend to a source word, and the strongest of them. Needs no browser.

export const PARTNER_FROM = 0.05 // weight from which a word is a partner

/** A target word k of model m, or a source position k (-1: end), and its weight.
 * @typedef {{ m: number, k: number, value: number }} Partner */

/**
 * Return the words that attend to a source position. Each model's map lists the attended positions of its words.
 * @type {(maps: ([number, number][][] | null | undefined)[], place: number) => Partner[]}
 */
export const listWordsAttendingTo = (maps, place) => maps.flatMap((map, m) =>
  (map ?? []).flatMap((row, k) => row.filter(([position]) => position === place).map(([, value]) => ({ m, k, value }))))

/**
 * Return the partners with the largest weights, in descending order.
 * @template {{ value: number }} Item
 * @param {Item[]} partners
 * @param {number} [limit]
 */
export const listStrongestPartners = (partners, limit = Infinity) =>
  partners.filter(({ value }) => value >= PARTNER_FROM).sort((a, b) => b.value - a.value).slice(0, limit)
