// The Revised Romanization of Korean, for readers who know no Hangul. Assimilation between syllables is
// written, tensing is not. ㅎ after ㄱ, ㄷ and ㅂ is written, as in nouns; verbs, where it is not, cannot be told apart here.

const [FIRST, VOWEL_SIZE, LEAD_SIZE] = [0xac00, 28, 588] // code points from one vowel, and from one first consonant, to the next
const LEADS = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ")
const VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ")
const TAILS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
// A final consonant before another one or at the end; and before a vowel, on both sides of the boundary.
const CLOSED = "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t".replace("-", "").split(" ")
const LINKED = "|,|g,|kk,k|s,|n,n|j,|n,|d,|r,l|g,l|m,l|b,l|s,l|t,l|p,|r,|m,|b,p|s,|s,|ss,ng|,|j,|ch,|k,|t,|p,|".split(",").map((parts) => parts.split("|"))
/** @type {Record<string, string>} */
const ASSIMILATED = {
  "k n": "ng n", "k m": "ng m", "k r": "ng n", "t n": "n n", "t m": "n m", "t r": "n n", "p n": "m n", "p m": "m m", "p r": "m n",
  "n r": "l l", "l n": "l l", "l r": "l l", "m r": "m n", "ng r": "ng n",
}
/** @type {Record<string, string>} */
const ASPIRATED = { g: "k", d: "t", j: "ch" } // after ㅎ
/** @type {Record<string, string>} */
const PALATAL = { ㄷ: "j", ㅌ: "ch", ㄾ: "ch" } // before ㅣ
/** @type {Record<string, string>} */
const BEFORE_ASPIRATION = { ㅎ: "", ㄶ: "n", ㅀ: "l" }
const HANGUL = /[\uac00-\ud7a3]+/gu

/**
 * Return how a final consonant and the first consonant of the next syllable are written.
 * @type {(tail: number, lead: string, vowel: string) => string[]}
 */
function join(tail, lead, vowel) {
  const letter = TAILS[tail]
  if (!lead) return vowel === "i" && letter in PALATAL ? [LINKED[tail][0], PALATAL[letter]] : LINKED[tail]
  if (letter in BEFORE_ASPIRATION && lead in ASPIRATED) return [BEFORE_ASPIRATION[letter], ASPIRATED[lead]]
  if (letter === "ㅎ" && lead === "s") return ["", "s"]
  return (ASSIMILATED[`${CLOSED[tail]} ${lead}`] ?? `${CLOSED[tail]} ${lead}`).split(" ")
}

/** @param {string} syllables */
function romaniseRun(syllables) {
  const codes = [...syllables].map((syllable) => syllable.charCodeAt(0) - FIRST)
  const leads = codes.map((code) => LEADS[Math.floor(code / LEAD_SIZE)])
  const vowels = codes.map((code) => VOWELS[Math.floor((code % LEAD_SIZE) / VOWEL_SIZE)])
  const tails = codes.map((code, k) => {
    const tail = code % VOWEL_SIZE
    if (k + 1 === codes.length) return CLOSED[tail]
    const [closing, opening] = join(tail, leads[k + 1], vowels[k + 1])
    leads[k + 1] = opening
    return closing
  })
  return leads.map((lead, k) => lead + vowels[k] + tails[k]).join("")
}

/** @param {string} text */
export const hasHangul = (text) => text.normalize("NFC").search(HANGUL) >= 0

/**
 * Return a text with its syllables of Hangul in Latin letters; decomposed letters (NFD) count as syllables.
 * @param {string} text
 */
export const romanise = (text) => text.normalize("NFC").replaceAll(HANGUL, romaniseRun)
