// A lecture: a list of views with titles and notes, as a record, as a file (JSON) and as a link. Each stop is a link in
// parts, with a title and a note for the speaker. Needs no page.

/**
 * @typedef {object} LectureStop
 * @property {string} title
 * @property {string} page name of the page, as in its address
 * @property {Record<string, string>} values parameters of the link
 * @property {string} note for the speaker
 * @property {number | null} presses of the clicker before the next stop; null: all that the page has
 * @property {number} minutes planned, 0 for none
 */
/** @typedef {{ title: string, stops: LectureStop[] }} Lecture */

export const MAX_STOPS = 99
export const MAX_FILE = 300_000 // characters
export const MAX_TITLE = 200 // characters
export const MAX_NOTE = 4000 // characters
const MAX_VALUE = 20_000 // characters, as in walk.py
const MAX_VALUES = 60
export const MAX_PRESSES = 400
export const MAX_MINUTES = 600
const DROPPED = ["present", "lang", "weights", "lecture", "text", "embed_options"] // of the reader and the moment, not of the view
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2061-\u2069\ufeff]/gu // also the marks of glossary terms (dom.js)
const PARAMETER = /^[a-z][a-z-]{0,30}$/

/** A lecture that cannot be read. `code`: the message `lecture.problem_CODE`; `number`: the stop, from 1. */
export class LectureError extends Error {
  /**
   * @param {"size" | "json" | "shape" | "stops" | "stop" | "page" | "link"} code
   * @param {number} [number]
   */
  constructor(code, number = 0) {
    super(code)
    /** @readonly */
    this.code = code
    this.number = number
  }
}

/** @type {(value: unknown, limit: number, keepsLines?: boolean) => string} */
function cleanText(value, limit, keepsLines = false) {
  if (value == null) return ""
  if (typeof value !== "string") throw new LectureError("shape")
  const lines = value.slice(0, limit + 1).split(/\r\n?|\n/).map((line) => line.replaceAll("\t", " ").replace(CONTROLS, "").trimEnd())
  return lines.join(keepsLines ? "\n" : " ").trim().slice(0, limit).replace(/[\ud800-\udbff]$/, "")
}

/** @type {(value: unknown, maximum: number, fallback: number | null) => number | null} */
function cleanNumber(value, maximum, fallback) {
  if (value == null) return fallback
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > maximum) throw new LectureError("shape")
  return value
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** @type {(value: unknown, pages: Record<string, string>) => LectureStop} */
function cleanStop(value, pages) {
  if (!isRecord(value)) throw new LectureError("shape")
  const { page, values = {} } = value
  if (typeof page !== "string" || !Object.hasOwn(pages, page)) throw new LectureError("page")
  const entries = isRecord(values) ? Object.entries(values) : null
  if (!entries || entries.length > MAX_VALUES || entries.some(([, text]) => typeof text !== "string" || text.length > MAX_VALUE)) throw new LectureError("shape")
  return {
    title: cleanText(value.title, MAX_TITLE) || pages[page],
    page,
    values: Object.fromEntries(/** @type {[string, string][]} */ (entries).filter(([name]) => PARAMETER.test(name) && !DROPPED.includes(name))),
    note: cleanText(value.note, MAX_NOTE, true),
    presses: cleanNumber(value.presses, MAX_PRESSES, null),
    minutes: cleanNumber(value.minutes, MAX_MINUTES, 0) ?? 0,
  }
}

/**
 * Read a file. Throws LectureError for anything that is no lecture.
 * @type {(text: string, pages: Record<string, string>) => Lecture} pages: the titles of all pages, by name
 */
export function parseLecture(text, pages) {
  if (text.length > MAX_FILE) throw new LectureError("size")
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""))
  } catch {
    throw new LectureError("json")
  }
  if (!isRecord(value) || !Array.isArray(value.stops)) throw new LectureError("shape")
  if (value.stops.length > MAX_STOPS) throw new LectureError("stops")
  const stops = value.stops.map((stop, k) => {
    try {
      return cleanStop(stop, pages)
    } catch (error) {
      if (!(error instanceof LectureError)) throw error
      throw new LectureError(error.code === "page" ? "page" : "stop", k + 1)
    }
  })
  return { title: cleanText(value.title, MAX_TITLE), stops }
}

/** @type {(stop: LectureStop) => Partial<LectureStop>} */
const dropDefaults = ({ title, page, values, note, presses, minutes }) =>
  ({ title, page, ...(Object.keys(values).length ? { values } : {}), ...(note ? { note } : {}), ...(presses == null ? {} : { presses }), ...(minutes ? { minutes } : {}) })

/** @type {(lecture: Lecture, indent?: number) => string} */
export const formatLecture = ({ title, stops }, indent = 2) => JSON.stringify({ title, stops: stops.map(dropDefaults) }, null, indent)

/**
 * Return a list with one item moved.
 * @template T
 * @param {T[]} items
 * @param {number} oldIndex
 * @param {number} newIndex
 */
export function moveItem(items, oldIndex, newIndex) {
  const otherItems = items.filter((_, k) => k !== oldIndex)
  otherItems.splice(Math.max(0, Math.min(newIndex, otherItems.length)), 0, items[oldIndex])
  return otherItems
}

/**
 * Return the view at an address.
 * @type {(address: string, pages: Record<string, string>) => { page: string, values: Record<string, string> }}
 */
export function readView(address, pages) {
  const { pathname, searchParams } = new URL(address)
  const name = pathname.split("/").at(-1) ?? ""
  return { page: Object.hasOwn(pages, name) ? name : "translate", values: Object.fromEntries([...searchParams].filter(([key]) => !DROPPED.includes(key))) }
}

/**
 * Pass bytes through a stream, up to a number of bytes.
 * @type {(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, limit: number) => Promise<Uint8Array<ArrayBuffer>>}
 */
async function passThrough(bytes, stream, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (value))
    size += value.length
    if (size <= limit) continue
    await reader.cancel()
    throw new LectureError("size")
  }
}

/**
 * Return a lecture as text for a link: compressed, with letters, digits, "-" and "_".
 * @param {Lecture} lecture
 */
export async function packLecture(lecture) {
  const bytes = await passThrough(new TextEncoder().encode(formatLecture(lecture, 0)), new CompressionStream("deflate-raw"), Infinity)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/**
 * Read such a text. Throws LectureError for any other.
 * @type {(packedLecture: string, pages: Record<string, string>) => Promise<Lecture>}
 */
export async function unpackLecture(packedLecture, pages) {
  let bytes
  try {
    const letters = atob(packedLecture.replaceAll("-", "+").replaceAll("_", "/"))
    bytes = await passThrough(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"), MAX_FILE)
  } catch (error) {
    throw error instanceof LectureError ? error : new LectureError("link")
  }
  return parseLecture(new TextDecoder().decode(bytes), pages)
}
