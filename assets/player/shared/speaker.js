// The window of the speaker: note, this stop and the next, clock, and the keys of the projector's window, which it follows
// through a channel of the browser (lecture_presentation.js). The server sends the empty page (pages/ui/frame/speaker.py).

/** @import { SpeakerPress, SpeakerState } from "./lecture_presentation.js" */
import { find, make, setText } from "./dom.js"
import { formatTemplate } from "./format.js"
import { hasModifier, normaliseKey, getPageDirection } from "./keys.js"
import { openChannel } from "./lecture_presentation.js"

const WAIT = 2000 // milliseconds until the projector's window must have answered
/** @type {Record<string, "next" | "back" | "black">} */
const KEYS = { PageDown: "next", ArrowRight: "next", " ": "next", PageUp: "back", ArrowLeft: "back", b: "black", ".": "black" }

/** @type {SpeakerState | null} */
let state = null
const root = find(document, "#speaker")
const channel = openChannel(location.hash.slice(1), (/** @type {SpeakerState | { ended: true }} */ message) => {
  state = "ended" in message ? null : message
  find(document, "#missing").hidden = Boolean(state)
  root.hidden = !state
  if (state) render(state)
})

/** @param {SpeakerPress} press */
const send = (press) => channel.postMessage(press)

/** @param {number} milliseconds */
function formatDuration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [...(hours ? [hours] : []), minutes, seconds % 60].map((number, k) => String(number).padStart(k ? 2 : 1, "0")).join(":")
}

/** @type {Record<"count" | "title" | "note" | "next" | "clock" | "plan", HTMLElement>} */
const parts = {
  count: make("p", { class: "count" }), title: make("h1", { "aria-live": "polite" }), note: make("div", { class: "note" }),
  next: make("p", { class: "next" }), clock: make("p", { class: "clock" }), plan: make("p", { class: "plan" }),
}
const buttons = /** @type {const} */ (["back", "next", "black"]).map((press) => {
  const button = make("button", { type: "button" })
  button.onclick = () => send({ press })
  return button
})
const list = make("select")
list.onchange = () => send({ stop: Number(list.value) })
root.append(make("header", {}, parts.count, parts.clock, parts.plan), parts.title, parts.note, parts.next, make("footer", {}, ...buttons, list))

/** @param {SpeakerState} newState */
function render({ lecture, stop, messages, isBlack, isDark }) {
  document.documentElement.style.colorScheme = isDark ? "dark" : "light"
  document.title = `${messages.speaker}: ${lecture.title}`
  const { stops } = lecture
  setText(parts.count, formatTemplate(messages.stop_of, { number: stop + 1, count: stops.length }))
  setText(parts.title, stops[stop].title)
  parts.note.replaceChildren(...(stops[stop].note || messages.no_note).split("\n").map((line) => make("p", {}, line)))
  parts.note.classList.toggle("empty", !stops[stop].note)
  setText(parts.next, stop + 1 < stops.length ? formatTemplate(messages.next_stop, { title: stops[stop + 1].title }) : messages.last_stop)
  for (const [k, button] of buttons.entries()) setText(button, [messages.back, messages.next, messages.black][k])
  buttons[2].setAttribute("aria-pressed", String(isBlack))
  list.setAttribute("aria-label", messages.go_to)
  if (list.length !== stops.length || list.options[stop]?.text !== `${stop + 1}. ${stops[stop].title}`) {
    list.replaceChildren(...stops.map(({ title }, k) => make("option", { value: k }, `${k + 1}. ${title}`)))
  }
  list.value = String(stop)
  renderTime()
}

function renderTime() {
  if (!state) return
  const { lecture, stop, began, messages } = state
  const elapsedTime = formatDuration(Date.now() - began)
  const clock = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" })
  setText(parts.clock, formatTemplate(messages.clock, { time: clock, elapsed: elapsedTime }))
  const plannedMinutes = lecture.stops.slice(0, stop + 1).reduce((sum, { minutes }) => sum + minutes, 0)
  setText(parts.plan, plannedMinutes ? formatTemplate(messages.planned, { minutes: plannedMinutes }) : "")
}

addEventListener("hashchange", () => location.reload()) // another lecture is presented in the window that is still open
addEventListener("keydown", (event) => {
  const press = KEYS[event.key.length > 1 ? event.key : normaliseKey(event)]
  const isForList = event.target === list && !getPageDirection(event.key) // the clicker's keys are for the lecture
  if (!press || hasModifier(event) || event.repeat || isForList || (event.key === " " && event.target instanceof HTMLButtonElement)) return
  event.preventDefault()
  send({ press })
})
setInterval(renderTime, 1000)
send({ press: "hello" })
setTimeout(() => (find(document, "#missing").hidden = Boolean(state)), WAIT)
