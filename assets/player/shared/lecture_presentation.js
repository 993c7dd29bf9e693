// The lecture that is presented: its stop, and the window of the speaker (speaker.js), which follows through a channel of the
// browser and sends its presses back. The tab's storage holds it, so that a reload goes on at the same stop.

/** @import { Lecture } from "./lecture.js" */
/** @import { FrameData } from "../payloads.js" */
import { readStored, writeStored } from "./storage.js"

/** @typedef {{ lecture: Lecture, stop: number, began: number, id: string }} LecturePresentation `began`: time in milliseconds; `id`: of the channel */
/**
 * Message to the speaker's window.
 * @typedef {object} SpeakerState
 * @property {Lecture} lecture
 * @property {number} stop
 * @property {number} began
 * @property {boolean} isBlack
 * @property {boolean} isDark
 * @property {FrameData["lecture_messages"]} messages
 */
/** Message from the speaker's window. @typedef {{ press: "next" | "back" | "black" | "hello" } | { stop: number }} SpeakerPress */

const STORAGE = "presented-lecture"

/** Return the lecture that this tab presents, or null. @returns {LecturePresentation | null} */
export function loadPresentation() {
  const presentation = readStored("sessionStorage", STORAGE)
  return presentation?.lecture?.stops?.[presentation.stop] ? presentation : null
}

/**
 * Store the lecture that is presented, or null. If storage is blocked, a reload ends the lecture.
 * @param {LecturePresentation | null} presentation
 */
export const storePresentation = (presentation) => void writeStored("sessionStorage", STORAGE, presentation)

/** @param {Lecture} lecture @returns {LecturePresentation} */
export const makePresentation = (lecture) => ({ lecture, stop: 0, began: Date.now(), id: String(Math.random()).slice(2) })

/**
 * Open the channel of a lecture.
 * @template Message
 * @param {string} id
 * @param {(message: Message) => void} handle
 */
export function openChannel(id, handle) {
  const channel = new BroadcastChannel(`lecture-${id}`)
  channel.onmessage = ({ data }) => handle(data)
  return channel
}

/** @type {(id: string, language: string) => void} */
export function openSpeakerWindow(id, language) {
  window.open(new URL(`speaker?lang=${language}#${id}`, import.meta.url), "speaker", "popup,width=960,height=720")
}
