// Parse glossary terms in a text (messages.py): control characters enclose a key and the words. In HTML they become a
// button, which glossary.js explains; elsewhere only the words are shown.

const MARK = /\u2061([\w-]+)\u2063([^\u2061-\u2064]*)\u2064/

/** @param {string} text */
export const stripTerms = (text) => (text.includes("\u2061") ? text.replaceAll(new RegExp(MARK, "g"), "$2") : text)

/**
 * Split a text at its terms: keys and words take turns with plain text (key at 1, words at 2, text at 3, ...).
 * @param {string} text
 */
export const splitAtTerms = (text) => text.split(MARK)
