// The vote's page on a phone (pages/ui/frame/vote.py): it joins the room of a code, and waits for its questions.

/** @import { PhoneData, RoomState } from "../payloads.js" */
import { find, findAll, make } from "../shared/dom.js"
import { formatPercent, formatShare, formatTemplate } from "../shared/format.js"
import { getOptionLanguage, SLIGHT } from "./options.js"

const RETRY = 2000 // milliseconds after a failed request
const PAUSE = 250 // milliseconds between two requests

/** A refusal by the server, with its sentence. */
class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} text
   */
  constructor(status, text) {
    super(text)
    this.status = status
  }
}

/** @type {PhoneData} */
const data = JSON.parse(find(document, "#data").textContent ?? "")
const { messages } = data
const main = find(document, "#vote")
const status = make("p", { class: "status", role: "status" })
const board = make("div", { class: "board" })
/** @type {RoomState | null} */
let state = null

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Send a request for the room of a code. Throws a Refusal with the server's sentence.
 * @type {(code: string, action: string, body?: object) => Promise<RoomState>}
 */
async function request(code, action, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }
  const response = await fetch(`${data.path}/${code}/${action}`, options)
  const answer = await response.json()
  if (!response.ok) throw new Refusal(response.status, String(answer.text))
  return answer
}

/** @param {string} text */
const cleanCode = (text) => [...text.toUpperCase()].filter((letter) => data.letters.includes(letter)).join("").slice(0, data.length)

/** @param {string} [problem] */
function showForm(problem = "") {
  const field = make("input", { name: "code", maxlength: 20, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": messages.code })
  const form = make("form", {}, make("label", {}, messages.code, field), make("button", { type: "submit" }, messages.enter))
  form.onsubmit = (event) => {
    event.preventDefault()
    const code = cleanCode(field.value)
    if (code.length === data.length) location.assign(`${data.path}/${code}`)
    else field.focus()
  }
  status.textContent = problem
  board.replaceChildren(form)
}

/** @param {string} code */
async function pollRoom(code) {
  status.textContent = messages.joining
  for (let version = -1; ;) {
    try {
      const newState = await request(code, version < 0 ? "state" : `state?version=${version}`)
      version = newState.version
      show(code, newState)
      if (newState.phase === "over") return
      await pause(PAUSE)
    } catch (error) {
      const isGone = error instanceof Refusal && error.status === 404
      if (isGone && state) return showOver()
      if (isGone) return showForm(error.message)
      status.textContent = error instanceof Refusal ? error.message : messages.lost
      await pause(RETRY)
      version = -1
    }
  }
}

function showOver() {
  status.textContent = messages.over
  board.replaceChildren()
}

/** @type {(code: string, newState: RoomState) => void} */
function show(code, newState) {
  const isSame = state?.number === newState.number && state.phase === newState.phase
  state = newState
  if (newState.phase === "over") return showOver()
  const { question } = newState
  if (!question) {
    status.textContent = messages.waiting
    return board.replaceChildren()
  }
  if (!isSame) board.replaceChildren(...buildQuestion(code, newState, question))
  mark(newState)
}

/** @type {(label: string, text: string, language: string) => HTMLElement} */
const buildLine = (label, text, language) => make("p", { class: "line" }, make("span", {}, label), " ", make("span", { lang: language }, text))

/** @type {(code: string, newState: RoomState, question: NonNullable<RoomState["question"]>) => HTMLElement[]} */
function buildQuestion(code, { phase, number, counts, answer }, question) {
  const { kind, languages } = question
  const isOpen = phase === "open"
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0
  const language = getOptionLanguage(question)
  const options = question.options.map((option, k) => {
    const button = make("button", { type: "button", "data-option": k, lang: language }, make("b", {}, option))
    button.disabled = !isOpen
    button.onclick = () => choose(code, number, k)
    if (phase === "revealed") {
      const [share, value] = [total ? (counts?.[k] ?? 0) / total : 0, answer?.shares?.[k]]
      const template = value == null ? messages.result : kind === "attend" ? messages.result_alpha : messages.result_p
      const texts = { option, share: formatPercent(share, data.language), value: formatShare(value ?? 0) }
      button.style.setProperty("--share", String(share))
      button.classList.toggle("answer", answer?.option === k)
      if (share || (value ?? 0) >= SLIGHT) button.append(make("i", {}, `${texts.share}${value == null ? "" : ` · ${texts.value}`}`))
      button.setAttribute("aria-label", formatTemplate(template, texts))
    }
    return button
  })
  const hint = isOpen && kind !== "own" ? messages[`${kind}_hint`] : ""
  return [
    make("h1", {}, kind === "own" ? question.text : messages[kind]),
    ...(kind === "next" ? [buildLine(messages.source, question.source, languages[0])] : []),
    ...(kind === "own" ? [] : [buildLine(messages.target, question.target || messages.start, question.target ? languages[1] : data.language)]),
    ...(hint ? [make("p", {}, hint)] : []),
    make("div", { class: `options ${kind}`, role: "group", "aria-label": messages.choose }, ...options),
    ...(phase === "revealed" ? [make("p", { class: "votes" }, formatTemplate(messages.votes, { count: total }))] : []),
  ]
}

/**
 * Mark the reader's own choice, and say where the vote is.
 * @param {RoomState} newState
 */
function mark({ phase, choice, question, answer }) {
  for (const button of findAll(board, "[data-option]")) button.setAttribute("aria-pressed", String(Number(button.dataset.option) === choice))
  const rightOption = answer?.option
  if (phase === "open") status.textContent = choice == null ? messages.choose : messages.chosen
  else if (phase === "closed" || rightOption == null) status.textContent = messages.closed
  else status.textContent = choice === rightOption ? messages.right : formatTemplate(messages.wrong, { answer: `“${question?.options[rightOption]}”` })
}

/** @type {(code: string, number: number, option: number) => Promise<void>} */
async function choose(code, number, option) {
  try {
    show(code, await request(code, "choice", { number, option }))
  } catch (error) {
    status.textContent = error instanceof Refusal ? error.message : messages.lost
  }
}

main.append(board, status, make("p", { class: "private" }, messages.private))
const code = cleanCode(location.pathname.slice(data.path.length + 1))
if (code.length === data.length) pollRoom(code)
else showForm()
