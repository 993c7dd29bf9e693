// Terms of the glossary within a text (messages.py): what stands between these signs is a key and the words that are
// shown. In HTML the words become a button, which glossary.js explains; elsewhere they are words like others.

const MARK = /\u2061([\w-]+)\u2063([^\u2061-\u2064]*)\u2064/

/**
 * A text without its marks.
 * @param {string} text
 */
export const stripTerms = (text) => (text.includes("\u2061") ? text.replaceAll(new RegExp(MARK, "g"), "$2") : text)

/**
 * A text in parts: every third one is the words of a term, after its key.
 * @param {string} text
 */
export const splitAtTerms = (text) => text.split(MARK)
