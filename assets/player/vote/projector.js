// The vote on the projector: a dialog over the window with the question, the counts as they come in, and a QR code for the
// phones. It talks to the vote's routes (pages/ui/frame/vote.py). The room's secret and the answer stay in this browser tab.

/** @import { Answer, OpenedRoom, Question, RoomCounts, VoteData } from "../payloads.js" */
/** @import { Offer } from "../shared/questions.js" */
import { announceText, find, findAll, make } from "../shared/dom.js"
import { formatPercent, formatShare, formatTemplate } from "../shared/format.js"
import { hasModifier, normaliseKey, getPageDirection, TYPING_FIELDS, VOTE_KEY } from "../shared/keys.js"
import { isOwnAddress, makeQrPicture } from "../shared/qr_code.js"
import { collectQuestions } from "../shared/questions.js"
import { readStored, writeStored } from "../shared/storage.js"
import { getOptionLanguage, MAX_OPTION_CHARACTERS, SLIGHT } from "./options.js"

/** @typedef {OpenedRoom & { answer?: Answer }} StoredRoom */
/**
 * @typedef {object} Vote
 * @property {HTMLDialogElement} dialog
 * @property {VoteData} data
 * @property {StoredRoom | null} room
 * @property {RoomCounts | null} counts
 * @property {Offer | null} offer what the question is about, if it is on this page
 * @property {string} view what is drawn
 * @property {ReturnType<typeof setTimeout>} [timer] until the counts are asked for again
 * @property {AbortController} [follower] ends the request for the counts
 * @property {boolean} [isPollProblem] whether the shown problem is that of a request for the counts
 * @property {boolean} [isActing] whether a request that changes the room is on its way
 * @property {number} acts requests that change the room, which make an earlier answer old
 */

const PATH = new URL("../../vote", import.meta.url).pathname
const ROOM_KEY = "vote-room" // in session storage
const OWN_KEY = "vote-question" // the last question of the lecturer's own
const FAST = 400 // milliseconds between two requests for the counts of an open vote
const SLOW = 1500
const MAX_OWN_OPTIONS = 8

/** @type {Vote | null} */
let current = null

/**
 * Open the dialog, or close it if it is open. A room is opened once for a browser tab.
 * @type {(dialog: HTMLDialogElement, data: VoteData, signal: AbortSignal) => void}
 */
export function toggleVote(dialog, data, signal) {
  if (current?.dialog !== dialog) {
    current = { dialog, data, room: readStored("sessionStorage", ROOM_KEY), counts: null, offer: null, view: "", acts: 0 }
    const vote = current
    addEventListener("keydown", (event) => handleKey(vote, event), { signal, capture: true })
  }
  current.data = data
  if (dialog.open) return dialog.close()
  build(current)
  dialog.showModal()
  followRoom(current)
}

/**
 * Keep keys from the page while the dialog is open; text fields get theirs.
 * @type {(vote: Vote, event: KeyboardEvent) => void}
 */
function handleKey({ dialog }, event) {
  if (!dialog.open || hasModifier(event)) return
  event.stopImmediatePropagation()
  const [target] = event.composedPath()
  const direction = getPageDirection(event.key)
  const isTyping = target instanceof Element && target.matches(TYPING_FIELDS)
  if (direction && !(isTyping && direction < 0)) {
    event.preventDefault()
    const button = dialog.querySelector(direction > 0 ? ".primary" : ".backward")
    if (button instanceof HTMLElement) button.click()
  } else if (target instanceof HTMLElement && target.matches("li[role=button]") && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    target.click()
  } else if (event.key === "Escape" || (normaliseKey(event) === VOTE_KEY && !isTyping)) {
    event.preventDefault()
    dialog.close()
  }
}

/**
 * Send a request to the room. Throws an error with a sentence for the lecturer.
 * @type {(vote: Vote, action: string, body?: object, signal?: AbortSignal) => Promise<RoomCounts>}
 */
async function request({ room, data }, action, body, signal) {
  const headers = { "Authorization": `Bearer ${room?.secret}`, ...(body && { "Content-Type": "application/json" }) }
  return send(`${PATH}/${room?.code}/${action}`, { method: body ? "POST" : "GET", headers, signal, ...(body && { body: JSON.stringify(body) }) }, data)
}

/** @type {(path: string, options: RequestInit, data: VoteData) => Promise<any>} */
async function send(path, options, { messages }) {
  const response = await fetch(path, options).catch(() => null)
  const answer = await response?.json().catch(() => null)
  if (!response?.ok) throw Object.assign(new Error(answer?.text ?? messages.failed), { isGone: response?.status === 404 || response?.status === 403 })
  return answer
}

/** @param {Vote} vote */
async function openRoom(vote) {
  const { data } = vote
  vote.room = await send(PATH, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }, data)
  vote.counts = null
  writeStored("sessionStorage", ROOM_KEY, vote.room)
  showRoom(vote)
}

/**
 * Ask for the counts as long as the dialog is open.
 * @param {Vote} vote
 */
async function followRoom(vote) {
  const { dialog } = vote
  const { signal } = vote.follower = new AbortController()
  try {
    if (!vote.room) await openRoom(vote)
    const { acts } = vote
    const counts = await request(vote, "counts", undefined, signal)
    if (acts !== vote.acts) return
    if (!vote.view && counts.phase === "revealed") showChoice(vote) // done with that question
    else showCounts(vote, counts)
    if (vote.isPollProblem) showProblem(vote, "")
  } catch (error) {
    if (signal.aborted) return
    const isGone = error instanceof Error && "isGone" in error && error.isGone
    if (isGone) vote.room = null // another process, or after a long break
    else showProblem(vote, String(error instanceof Error ? error.message : error), true)
  } finally {
    clearTimeout(vote.timer)
    if (!signal.aborted) vote.timer = setTimeout(() => dialog.open && dialog.isConnected && followRoom(vote), vote.counts?.phase === "open" ? FAST : SLOW)
  }
}

/**
 * Do something with the room, and show what comes of it.
 * @type {(vote: Vote, action: string, body?: object) => Promise<void>}
 */
async function act(vote, action, body = {}) {
  if (vote.isActing) return // a double press
  vote.isActing = true
  vote.acts += 1
  try {
    const counts = await request(vote, action, body)
    vote.acts += 1
    showCounts(vote, counts)
    showProblem(vote, "")
  } catch (error) {
    showProblem(vote, String(error instanceof Error ? error.message : error))
  } finally {
    vote.isActing = false
  }
}

/** @type {(vote: Vote, text: string, isPollProblem?: boolean) => void} */
function showProblem(vote, text, isPollProblem = false) {
  vote.isPollProblem = isPollProblem
  find(vote.dialog, ".problem").textContent = text
}

/** @type {(kind: string, text: string, press: () => void, title?: string) => HTMLButtonElement} */
function makeButton(kind, text, press, title) {
  const button = make("button", { type: "button", class: kind, title }, text)
  button.onclick = press
  return button
}

/** @param {Vote} vote */
function build(vote) {
  const { dialog, data: { messages } } = vote
  vote.view = ""
  dialog.setAttribute("aria-label", messages.title)
  dialog.replaceChildren(
    makeButton("hide", messages.hide, () => dialog.close(), messages.keys),
    make("div", { class: "question" }),
    make("div", { class: "join" }),
    make("p", { class: "problem", role: "alert" }))
  showRoom(vote)
}

/** @param {Vote} vote */
function showRoom(vote) {
  const { dialog, room, data: { messages } } = vote
  const join = find(dialog, ".join")
  if (!room) return join.replaceChildren()
  const address = `${location.origin}${PATH}/${room.code}`
  join.replaceChildren(makeQrPicture(address, messages.code_picture), make("p", {}, messages.join), make("p", { class: "address" }, `${location.host}${PATH}`), make("p", {}, messages.code),
    make("p", { class: "room-code" }, room.code), make("p", { class: "readers" }), makeButton("end", messages.end, () => endRoom(vote)))
  if (isOwnAddress(address)) join.append(make("p", { class: "own" }, messages.own))
}

/** @param {Vote} vote */
async function endRoom(vote) {
  const { dialog, data: { messages, language } } = vote
  clearTimeout(vote.timer)
  vote.follower?.abort() // or it would ask for the counts of a room that is gone
  try {
    await request(vote, "end", {})
  } catch {
    // It is gone already.
  }
  vote.room = vote.counts = null
  vote.view = ""
  writeStored("sessionStorage", ROOM_KEY, null)
  dialog.close()
  announceText(dialog, messages.ended, language)
}

/** @param {Vote} vote */
function showChoice(vote) {
  const { dialog, data: { messages, language } } = vote
  vote.view = "choice"
  showProblem(vote, "")
  const buttons = collectQuestions().map((offer, k) =>
    makeButton(k ? "" : "primary", formatTemplate(messages[`ask_${offer.kind}`], { step: offer.step }), () => ask(vote, offer, offer.answer, offer)))
  const ownButton = makeButton(buttons.length ? "" : "primary", messages.ask_own, () => showForm(vote))
  find(dialog, ".question").replaceChildren(make("h2", { lang: language }, messages.choose), make("div", { class: "choices" }, ...buttons, ownButton))
  find(dialog, ".primary").focus()
}

/** @type {(vote: Vote, question: Question, answer: Answer | undefined, offer: Offer | null) => void} */
function ask(vote, { kind, text, source, target, languages, options }, answer, offer) {
  if (!vote.room || vote.isActing) return // the answer belongs to the question that is being asked
  vote.offer = offer
  vote.room.answer = answer
  writeStored("sessionStorage", ROOM_KEY, vote.room)
  act(vote, "ask", { kind, text, source, target, languages, options })
}

/** @param {Vote} vote */
function showForm(vote) {
  const { dialog, data: { messages, language } } = vote
  vote.view = "form"
  const storedForm = readStored("sessionStorage", OWN_KEY) ?? { text: "", options: `${messages.yes}\n${messages.no}` }
  const text = make("textarea", { rows: 2, maxlength: 300 })
  const options = make("textarea", { rows: 4, maxlength: 700 })
  text.value = storedForm.text
  options.value = storedForm.options
  const store = () => writeStored("sessionStorage", OWN_KEY, { text: text.value, options: options.value })
  text.oninput = options.oninput = store
  const fillButtons = [[messages.yes_no, `${messages.yes}\n${messages.no}`], [messages.letters, messages.letters.split(", ").join("\n")]]
    .map(([label, lines]) => makeButton("", label, () => {
      options.value = lines
      store()
    }))
  const start = makeButton("primary", messages.start, () => {
    const lines = options.value.split("\n").map((line) => line.trim()).filter(Boolean)
    const isRight = text.value.trim() && lines.length >= 2 && lines.length <= MAX_OWN_OPTIONS && new Set(lines).size === lines.length && lines.every((line) => line.length <= MAX_OPTION_CHARACTERS)
    if (!isRight) return showProblem(vote, messages.wrong_own)
    ask(vote, { kind: "own", text: text.value, source: "", target: "", languages: [language, language], options: lines }, undefined, null)
  })
  find(dialog, ".question").replaceChildren(
    make("label", {}, messages.own_text, text), make("label", {}, messages.own_options, options),
    make("div", { class: "fill" }, ...fillButtons),
    make("div", { class: "actions" }, start, makeButton("backward", messages.again, () => showChoice(vote))))
  text.focus()
}

/** @type {(vote: Vote, counts: RoomCounts) => void} */
function showCounts(vote, counts) {
  const { dialog, data: { messages } } = vote
  vote.counts = counts
  find(dialog, ".readers").textContent = formatTemplate(messages.readers, { count: counts.readers })
  const { phase, number, question } = counts
  const view = `${phase} ${number}`
  if (!question) {
    if (vote.view !== "choice" && vote.view !== "form") showChoice(vote)
    return
  }
  if (phase === "revealed" && (vote.view === "choice" || vote.view === "form")) return // of the question before
  if (vote.view !== view) {
    showProblem(vote, "")
    const isNew = !vote.view.endsWith(` ${number}`)
    vote.view = view
    if (isNew) drawQuestion(vote, question)
    drawActions(vote, counts, question)
  }
  drawCounts(vote, counts, question)
}

/** @type {(vote: Vote, question: Question) => void} */
function drawQuestion({ dialog, data: { messages } }, question) {
  const { kind, text, source, target, languages, options } = question
  /** @type {(label: string, value: string, language: string) => HTMLElement} */
  const line = (label, value, language) => make("p", { class: "line" }, make("span", {}, label), make("span", { lang: language }, value))
  const language = getOptionLanguage(question)
  const legend = kind === "attend" ? messages.legend_alpha : kind === "next" ? messages.legend_p : ""
  find(dialog, ".question").replaceChildren(
    make("h2", {}, kind === "own" ? text : messages[kind]),
    ...(kind === "next" ? [line(messages.source, source, languages[0])] : []),
    ...(kind !== "own" && target ? [line(messages.target, target, languages[1])] : []),
    make("p", { class: "legend" }, make("span", { class: "of-votes" }, messages.legend_votes), legend && make("span", { class: "of-model" }, legend)),
    make("ol", { class: `bars ${kind}` }, ...options.map((option, k) => make("li", { "data-option": k },
      make("span", { class: "tracks", "aria-hidden": "true" }, make("i", { class: "of-votes" }), make("i", { class: "of-model" })),
      make("b", { lang: language }, option), make("span", { class: "number" })))),
    make("p", { class: "total", role: "status" }), make("div", { class: "actions" }))
}

/** @type {(vote: Vote, counts: RoomCounts, question: Question) => void} */
function drawActions(vote, { phase }, { kind }) {
  const { dialog, room, offer, data: { messages } } = vote
  const actions = find(dialog, ".actions")
  const isOwn = kind === "own"
  const reveal = () => act(vote, "reveal", room?.answer ?? { option: null, shares: null })
  if (phase === "open") actions.replaceChildren(makeButton("primary", messages.close, () => act(vote, "close")))
  else if (phase === "closed") {
    actions.replaceChildren(makeButton("primary", isOwn ? messages.share : messages.reveal, reveal), makeButton("backward", messages.reopen, () => act(vote, "reopen")))
    if (isOwn) actions.append(make("span", {}, messages.right))
  } else {
    const doneButton = makeButton("primary", messages.done, () => {
      dialog.close()
      offer?.show()
    })
    actions.replaceChildren(doneButton, makeButton("", messages.another, () => showChoice(vote)))
  }
  // The lecturer knows the answer to her own question: a closed vote's options are buttons.
  findAll(dialog, ".bars li").forEach((item, k) => {
    const isButton = isOwn && phase === "closed"
    const choose = () => act(vote, "reveal", { option: k, shares: null })
    for (const [name, value] of [["role", "button"], ["tabindex", "0"]]) {
      if (isButton) item.setAttribute(name, value)
      else item.removeAttribute(name)
    }
    item.onclick = isButton ? choose : null
  })
  find(actions, ".primary").focus({ preventScroll: true })
}

/** @type {(vote: Vote, counts: RoomCounts, question: Question) => void} */
function drawCounts({ dialog, data: { messages, language } }, { phase, counts, answer }, { options }) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const isRevealed = phase === "revealed"
  find(dialog, ".question").classList.toggle("revealed", isRevealed)
  find(dialog, ".total").textContent = formatTemplate(messages.votes, { count: total })
  findAll(dialog, ".bars li").forEach((item, k) => {
    const share = total ? counts[k] / total : 0
    const value = isRevealed ? answer?.shares?.[k] : null
    item.style.setProperty("--votes", String(share))
    item.style.setProperty("--model", String(value ?? 0))
    item.classList.toggle("answer", isRevealed && answer?.option === k)
    find(item, ".number").replaceChildren(counts[k] ? String(counts[k]) : "", ...(value ? [make("em", {}, formatShare(value))] : []))
    item.classList.toggle("slight", !counts[k] && (value ?? 0) < SLIGHT)
    const texts = [formatTemplate(messages.option, { option: options[k], count: counts[k], share: formatPercent(share, language) }), value != null && formatShare(value), isRevealed && answer?.option === k && messages.answer]
    item.setAttribute("aria-label", texts.filter(Boolean).join(", "))
  })
}
