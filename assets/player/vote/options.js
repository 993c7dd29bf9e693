// What the projector and the phones share about the options of a question.

/** @import { Question } from "../payloads.js" */

// As in pages/ui/backend/rooms.py.
export const MAX_OPTIONS = 100
export const MAX_OPTION_CHARACTERS = 80

export const SLIGHT = 0.005 // smaller shares have no number

/** Return the language of a question's options, null for that of the page. @param {Pick<Question, "kind" | "languages">} question */
export const getOptionLanguage = ({ kind, languages }) => (kind === "own" ? null : kind === "attend" ? languages[0] : languages[1])
