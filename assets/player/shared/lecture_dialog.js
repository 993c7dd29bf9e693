// The lecture that is being prepared: a dialog with its list of views. The browser keeps it (local storage), so that a reload
// or another page loses nothing. The frame adds views to it and presents it.

/** @import { FrameData } from "../payloads.js" */
/** @import { Lecture, LectureStop } from "./lecture.js" */
import { find, findAll, make } from "./dom.js"
import { saveText } from "./downloads.js"
import { formatTemplate, shortenText } from "./format.js"
import { hasModifier } from "./keys.js"
import {
  formatLecture, LectureError, MAX_FILE, MAX_MINUTES, MAX_NOTE, MAX_PRESSES, MAX_STOPS, MAX_TITLE, moveItem, packLecture, parseLecture, unpackLecture,
} from "./lecture.js"

/**
 * What the dialog asks the frame for.
 * @typedef {object} LectureHost
 * @property {() => FrameData} getData
 * @property {() => Promise<string>} addView add the view on the screen, and return what to say about it
 * @property {(lecture: Lecture) => void} present
 * @property {(stop: LectureStop) => void} openView
 * @property {() => void} update show that the lecture has changed
 */

const [STORAGE, UNDO] = ["lecture", "lecture-before"] // in local storage
const MAX_SHOWN = 60 // characters of a value

/** @type {Record<string, string | null>} what storage did not take, blocked or full */
const memory = {}

/** @type {(name: string, text: string) => string} */
function describeValue(name, text) {
  const shortText = shortenText(text, MAX_SHOWN)
  if (name === "sentence") return shortText
  return `${name.replaceAll("-", " ")} ${shortText.replaceAll("_", " ")}`
}

/** @type {(key: string) => string | null} */
function readItem(key) {
  if (key in memory) return memory[key]
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** @type {(key: string, text: string | null) => void} */
function writeItem(key, text) {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    delete memory[key]
  } catch {
    memory[key] = text // the lecture stays in this tab
  }
}

/** @type {(key: string, pages: Record<string, string>) => Lecture | null} */
function readLecture(key, pages) {
  const text = readItem(key)
  try {
    return text === null ? null : parseLecture(text, pages)
  } catch {
    return null
  }
}

/** Return the lecture that is being prepared, or null. @type {(pages: Record<string, string>) => Lecture | null} */
export const loadLecture = (pages) => readLecture(STORAGE, pages)

/** Store the lecture; returns whether there is room. @param {Lecture | null} lecture */
function storeLecture(lecture) {
  const text = lecture && formatLecture(lecture, 0)
  if (text && text.length > MAX_FILE) return false
  writeItem(STORAGE, text)
  return true
}

/**
 * Store the lecture with one more stop; returns why there is no room (as in `lecture.problem_REASON`), or "".
 * @type {(lecture: Lecture, stop: LectureStop) => "" | "stops" | "size"}
 */
export function appendStop(lecture, stop) {
  if (lecture.stops.length >= MAX_STOPS) return "stops"
  return storeLecture({ ...lecture, stops: [...lecture.stops, stop] }) ? "" : "size"
}

/** Fetch the lecture that is shipped. Throws an Error if the server does not answer with it. @param {FrameData} data */
export async function fetchShippedLecture({ language, pages }) {
  const response = await fetch(new URL(`lectures/${language}.json`, import.meta.url))
  if (!response.ok) throw new Error(response.statusText)
  return parseLecture(await response.text(), pages)
}

export class LectureDialog {
  /**
   * @param {AbortSignal} signal
   * @param {LectureHost} host
   */
  constructor(signal, host) {
    this.host = host
    this.content = make("div", { class: "content" })
    // Outside the content, which is drawn anew: most screen readers ignore text that is inserted together with its region.
    this.node = make("dialog", { class: "lecture" }, this.content, make("p", { class: "status", role: "status" }))
    this.node.addEventListener("keydown", (event) => event.stopPropagation()) // Streamlit has shortcuts of one letter
    addEventListener("storage", ({ key }) => key === STORAGE && this.refresh(), { signal }) // another tab
  }

  get messages() {
    return this.host.getData().lecture_messages
  }

  /** @returns {Lecture} */
  get lecture() {
    return loadLecture(this.host.getData().pages) ?? { title: "", stops: [] }
  }

  /** Open the dialog; a lecture is prepared from now on. */
  open() {
    if (!loadLecture(this.host.getData().pages)) storeLecture(this.lecture)
    this.refresh()
    if (!this.node.open) this.node.showModal()
  }

  refresh() {
    this.host.update()
    this.render()
  }

  /**
   * Change the lecture and draw it anew.
   * @type {(edit: (lecture: Lecture) => Lecture, canUndo?: boolean) => void}
   */
  changeLecture(edit, canUndo = false) {
    const previousLecture = this.lecture
    if (canUndo && previousLecture.stops.length) writeItem(UNDO, formatLecture(previousLecture, 0))
    storeLecture(edit(previousLecture))
    this.refresh()
  }

  /** @type {(k: number, change: Partial<LectureStop>) => void} */
  editStop(k, change) {
    const { title, stops } = this.lecture
    const isStored = storeLecture({ title, stops: stops.map((stop, index) => (index === k ? { ...stop, ...change } : stop)) })
    this.say(isStored ? "" : this.messages.problem_size)
    find(this.node, ".lead").textContent = this.describeLength(this.lecture)
  }

  /** @param {Lecture} lecture */
  describeLength({ stops }) {
    const { messages } = this
    const minutes = stops.reduce((sum, stop) => sum + stop.minutes, 0)
    return stops.length ? formatTemplate(minutes ? messages.count_minutes : messages.count, { count: stops.length, minutes }) : messages.empty
  }

  /** Take over a lecture, or say why not. @type {(read: () => Promise<Lecture>) => Promise<void>} */
  async take(read) {
    try {
      const lecture = await read()
      this.changeLecture(() => lecture, true)
      this.say(formatTemplate(this.messages.opened, { count: lecture.stops.length }))
    } catch (error) {
      if (!(error instanceof LectureError)) this.say(this.messages.problem_fetch)
      else this.say(formatTemplate(this.messages[`problem_${error.code}`], { number: error.number, limit: MAX_STOPS }))
    }
  }

  /** Open the lecture of a link. @param {string} packedLecture */
  async takeLink(packedLecture) {
    this.open()
    await this.take(() => unpackLecture(packedLecture, this.host.getData().pages))
  }

  /** @param {string} text */
  say(text) {
    find(this.node, ".status").textContent = text
  }

  /** @type {(text: string, onclick: () => void, attributes?: Record<string, string | boolean | null>) => HTMLButtonElement} */
  button(text, onclick, attributes = {}) {
    const node = make("button", { type: "button", ...attributes }, text)
    node.onclick = onclick
    return node
  }

  render() {
    const { messages, lecture } = this
    const { title, stops } = lecture
    this.node.setAttribute("aria-label", messages.prepare)
    const name = make("input", { class: "title", value: title, placeholder: messages.title, "aria-label": messages.title, maxlength: MAX_TITLE })
    name.oninput = () => this.say(storeLecture({ ...this.lecture, title: name.value }) ? "" : messages.problem_size)
    const file = make("input", { type: "file", accept: ".json,application/json", hidden: "" })
    file.onchange = () => this.readFile(file)
    const hasUndo = readLecture(UNDO, this.host.getData().pages) !== null
    const pressedIndex = findAll(this.node, "footer button").findIndex((button) => button.matches(":focus"))
    this.say("")
    this.content.replaceChildren(
      make("header", {}, name,
        this.button(messages.present, () => this.present(), { class: "main", disabled: stops.length ? null : "" }),
        this.button("×", () => this.node.close(), { class: "close", "aria-label": messages.close, title: messages.close })),
      make("p", { class: "lead" }, this.describeLength(lecture)),
      make("ol", {}, ...stops.map((stop, k) => this.makeStop(stop, k, stops.length))),
      make("footer", {},
        this.button(messages.add, () => this.addView(), { class: "add" }),
        this.button(messages.open_shipped, () => this.take(() => fetchShippedLecture(this.host.getData()))),
        this.button(messages.open_file, () => file.click()),
        this.button(messages.save, () => this.save(), { disabled: stops.length ? null : "" }),
        this.button(messages.link, () => this.makeLink(), { disabled: stops.length ? null : "" }),
        this.button(messages.undo, () => this.undo(), { disabled: hasUndo ? null : "" }),
        this.button(messages.discard, () => this.discard(), { title: messages.discard_help })),
      file)
    findAll(this.node, "footer button")[pressedIndex]?.focus() // in place of the one that had the focus
  }

  /** @type {(stop: LectureStop, k: number, count: number) => HTMLElement} */
  makeStop(stop, k, count) {
    const { messages } = this
    const number = k + 1
    const item = make("li", { "data-stop": k })
    const handle = this.button("⠿", () => {}, { class: "handle", "aria-label": formatTemplate(messages.move, { number, count }), title: messages.move_help })
    handle.onkeydown = (event) => {
      if (hasModifier(event)) return
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!step) return
      event.preventDefault()
      this.moveStop(k, Math.max(0, Math.min(k + step, count - 1)))
    }
    handle.onpointerdown = (event) => this.drag(event, item)
    const title = make("input", { class: "name", value: stop.title, "aria-label": formatTemplate(messages.stop_title, { number }), maxlength: MAX_TITLE })
    title.oninput = () => this.editStop(k, { title: title.value })
    const note = make("textarea", { rows: 2, placeholder: messages.note, "aria-label": formatTemplate(messages.note_of, { number }), maxlength: MAX_NOTE })
    note.value = stop.note
    note.oninput = () => this.editStop(k, { note: note.value })
    /** @type {(label: string, help: string, value: number | null, edit: (value: number | null) => void, maximum: number) => HTMLElement} */
    const field = (label, help, value, edit, maximum) => {
      const box = make("input", { type: "number", min: 0, max: maximum, value })
      const readNumber = () => (Number.isNaN(box.valueAsNumber) ? null : Math.max(0, Math.min(maximum, Math.round(box.valueAsNumber))))
      box.oninput = () => edit(readNumber())
      box.onchange = () => (box.value = String(readNumber() ?? "")) // what was stored
      return make("label", { title: help }, label, " ", box)
    }
    const entries = Object.entries(stop.values).filter(([name]) => name !== "more") // whether the row of options is open
    const values = entries.map(([name, text]) => describeValue(name, text))
    item.append(
      handle, make("span", { class: "number" }, String(number)), title,
      this.button(messages.open_view, () => this.openView(k), { "aria-label": formatTemplate(messages.open_view_of, { number }) }),
      this.button("×", () => this.removeStop(k), { class: "remove", "aria-label": formatTemplate(messages.remove, { number }), title: formatTemplate(messages.remove, { number }) }),
      make("p", { class: "view" }, [this.host.getData().pages[stop.page], ...values].join(" · ")), note,
      make("div", { class: "fields" },
        field(messages.minutes, messages.minutes_help, stop.minutes || null, (value) => this.editStop(k, { minutes: value ?? 0 }), MAX_MINUTES),
        field(messages.presses, messages.presses_help, stop.presses, (value) => this.editStop(k, { presses: value }), MAX_PRESSES)))
    return item
  }

  /** @type {(oldIndex: number, newIndex: number) => void} */
  moveStop(oldIndex, newIndex) {
    if (oldIndex !== newIndex) this.changeLecture(({ title, stops }) => ({ title, stops: moveItem(stops, oldIndex, newIndex) }))
    find(this.node, `[data-stop="${newIndex}"] .handle`).focus()
    this.say(formatTemplate(this.messages.moved, { number: newIndex + 1, count: this.lecture.stops.length }))
  }

  /**
   * Drag a stop by its handle, with mouse, pen or finger.
   * @type {(event: PointerEvent, item: HTMLElement) => void}
   */
  drag(event, item) {
    if (event.button !== 0) return
    event.preventDefault()
    const oldIndex = Number(item.dataset.stop)
    this.node.setPointerCapture(event.pointerId) // the handle moves, which would end it
    item.classList.add("dragged")
    this.node.onpointermove = ({ clientY }) => {
      if (!item.isConnected) return
      const otherItems = findAll(this.node, "li").filter((other) => other !== item)
      const nextItem = otherItems.find((other) => {
        const { top, height } = other.getBoundingClientRect()
        return clientY < top + height / 2
      })
      if (nextItem !== item.nextElementSibling) item.parentElement?.insertBefore(item, nextItem ?? null)
      item.scrollIntoView({ block: "nearest" })
    }
    this.node.onlostpointercapture = () => {
      this.node.onpointermove = this.node.onlostpointercapture = null
      item.classList.remove("dragged")
      if (item.isConnected) this.moveStop(oldIndex, findAll(this.node, "li").indexOf(item)) // else another tab has changed the lecture
    }
  }

  /** @param {number} k */
  removeStop(k) {
    this.changeLecture(({ title, stops }) => ({ title, stops: stops.filter((_, index) => index !== k) }), true)
    const handles = findAll(this.node, ".handle")
    const focusTarget = handles[Math.min(k, handles.length - 1)] ?? find(this.node, ".add")
    focusTarget.focus()
    this.say(this.messages.removed)
  }

  /** Exchange the lecture and the one before, so that nothing is lost. */
  undo() {
    const previousLecture = readLecture(UNDO, this.host.getData().pages)
    if (!previousLecture) return
    writeItem(UNDO, formatLecture(this.lecture, 0))
    this.changeLecture(() => previousLecture)
  }

  /** End preparing; *Undo* brings the lecture back when a lecture is prepared again. */
  discard() {
    const { lecture } = this
    if (lecture.stops.length) writeItem(UNDO, formatLecture(lecture, 0))
    storeLecture(null)
    this.node.close()
    this.host.update()
  }

  present() {
    this.node.close()
    this.host.present(this.lecture)
  }

  /** @param {number} k */
  openView(k) {
    this.node.close()
    this.host.openView(this.lecture.stops[k])
  }

  async addView() {
    find(this.node, ".add").ariaDisabled = "true" // until it is drawn anew
    const text = await this.host.addView()
    this.refresh()
    find(this.node, "li:last-child .name").focus()
    this.say(text) // nothing outside a modal dialog is read aloud
  }

  /** @param {HTMLInputElement} input */
  async readFile(input) {
    const file = input.files?.[0]
    input.value = "" // so that choosing the same file again is a change
    if (!file) return
    await this.take(async () => {
      if (file.size > 4 * MAX_FILE) throw new LectureError("size")
      return parseLecture(await file.text(), this.host.getData().pages)
    })
  }

  save() {
    const { lecture } = this
    const name = lecture.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60)
    saveText(`${formatLecture(lecture)}\n`, "application/json", `${name || "lecture"}.json`)
  }

  async makeLink() {
    const limit = this.host.getData().lecture_limit
    const packedLecture = await packLecture(this.lecture)
    const [count, limitText] = [packedLecture.length, limit].map((number) => number.toLocaleString("en"))
    if (packedLecture.length > limit) return this.say(formatTemplate(this.messages.link_long, { count, limit: limitText }))
    const address = new URL(`../../?lecture=${packedLecture}`, import.meta.url).href // beside the scripts
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false)
    this.say(formatTemplate(isCopied ? this.messages.link_copied : this.messages.link_below, { count }))
    const field = make("input", { class: "address", readonly: "", value: address, "aria-label": this.messages.link })
    find(this.node, ".status").append(field)
    field.select()
  }
}
