// The exercise at the end of an idea: a question that is answered by moving the picture's controls, hints one by one, then the
// solution. Every wrong answer gets a sentence. Hidden while presenting (page.css).

/** @import { ExerciseData, ExerciseMessages } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
/** @import { Question } from "./exercise_offers.js" */
import { find, findAll, findClosest, make, mountRoot, setText, showPressed, storeData } from "../shared/dom.js"
import { formatTemplate } from "../shared/format.js"
import { askQuestion, OFFER_EVENT, parseAnswer } from "./exercise_offers.js"
import { forgetSolved, isSolved, markSolved, showMarks } from "./exercise_progress.js"

/** @typedef {ComponentRoot<ExerciseData> & { questionKey: string, hints: number, abortController: AbortController }} Root */

const HINTS = 2 // of each exercise, before the solution

/** @type {(messages: ExerciseMessages, key: string, places: Question["places"]) => string} */
const formatText = (messages, key, places) => formatTemplate(/** @type {Record<string, string>} */ (/** @type {unknown} */ (messages))[key], places)

/** @type {(root: Root, kind: string, question: Question) => string} */
const formatOwnText = ({ data: { messages, idea } }, kind, { variant = "", places }) => formatText(messages, `${kind}_${idea}${variant}`, places)

/** @param {Root} root */
function renderProgress(root) {
  const { messages, idea, ideas, exercises } = root.data
  const count = exercises.filter(isSolved).length
  showMarks(ideas, messages.solved)
  root.classList.toggle("solved", isSolved(idea))
  for (const node of findAll(root, ".progress span")) setText(node, formatTemplate(messages.progress, { count, total: exercises.length }))
  for (const node of findAll(root, ".forget")) node.hidden = !count
}

/** @type {(root: Root, question: Question) => void} */
function renderHints(root, question) {
  const { messages } = root.data
  const hintItems = Array.from({ length: Math.min(root.hints, HINTS) }, (_, k) => make("li", {}, formatOwnText(root, `hint_${k + 1}`, question)))
  if (root.hints > HINTS) hintItems.push(make("li", { tabindex: -1 }, formatOwnText(root, "solution", question)))
  find(root, ".hints").replaceChildren(...hintItems)
  const button = find(root, ".hint")
  button.hidden = root.hints > HINTS
  button.textContent = root.hints < HINTS ? formatTemplate(messages.hint, { number: root.hints + 1, count: HINTS }) : messages.solution
}

/** @type {(root: Root, text: string, isRight?: boolean) => void} */
function reply(root, text, isRight = false) {
  const node = find(root, ".reply")
  node.classList.toggle("right", isRight)
  setText(node, text)
}

/**
 * Judge an answer: an option's index, or a typed number.
 * @type {(root: Root, answer: number) => void}
 */
function judge(root, answer) {
  const { data: { messages, idea } } = root
  const question = askQuestion(idea)
  if (!question) return
  if (Number.isNaN(answer)) return reply(root, messages.no_number)
  if (question.scale && !question.scale.includes(answer)) return reply(root, messages.off_scale)
  const wrong = question.judge(answer)
  if (wrong) return reply(root, formatText(messages, `wrong_${wrong.key}`, wrong.places))
  markSolved(idea)
  reply(root, `${messages.right} ${formatOwnText(root, "solution", question)}`, true)
  root.hints = HINTS + 1
  find(root, ".hint").hidden = true
  find(root, ".hints").replaceChildren()
  renderProgress(root)
}

/** @type {(messages: ExerciseMessages, question: Question) => HTMLElement} */
function makeAnswer(messages, { options }) {
  if (options) return make("div", { class: "options", role: "group", "aria-label": messages.answer }, ...options.map((text, k) => make("button", { type: "button", "data-option": k, "aria-pressed": "false" }, text)))
  return make("form", {}, make("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 8, "aria-label": messages.answer, placeholder: messages.number }), make("button", { type: "submit" }, messages.check))
}

/** Draw the question, unless the same one is there. @param {Root} root */
function renderQuestion(root) {
  const { messages, idea, exercises, language } = root.data
  root.lang = language
  const question = exercises.includes(idea) ? askQuestion(idea) : undefined
  const questionKey = JSON.stringify([idea, language, question])
  if (questionKey === root.questionKey) return
  Object.assign(root, { questionKey, hints: 0 })
  root.replaceChildren()
  if (question) {
    root.append(make("section", { "aria-label": messages.heading },
      make("h2", {}, messages.heading, make("span", { class: "mark", role: "img", "aria-label": messages.solved }, "✓")),
      make("p", { class: "question" }, formatOwnText(root, "question", question)), makeAnswer(messages, question), make("p", { class: "reply", "aria-live": "polite" }),
      make("ol", { class: "hints", "aria-live": "polite" }), make("button", { type: "button", class: "hint" }),
      make("p", { class: "progress soft" }, make("span", { tabindex: -1 }), make("button", { type: "button", class: "forget" }, messages.forget))))
    renderHints(root, question)
  } else if (question === null) root.append(make("section", {}, make("h2", {}, messages.heading), make("p", { class: "soft" }, messages.none)))
  renderProgress(root)
}

/** @param {Root} root */
function setUp(root) {
  root.abortController = new AbortController()
  document.addEventListener(OFFER_EVENT, () => renderQuestion(root), { signal: root.abortController.signal })
  root.onclick = ({ target }) => {
    const option = findClosest(target, "[data-option]")
    if (option) {
      showPressed(root, "option", Number(option.dataset.option))
      judge(root, Number(option.dataset.option))
    } else if (findClosest(target, ".hint")) {
      const question = askQuestion(root.data.idea)
      if (!question) return
      root.hints += 1
      renderHints(root, question)
      if (root.hints > HINTS) findAll(root, ".hints li").at(-1)?.focus() // the button is hidden
    } else if (findClosest(target, ".forget")) {
      forgetSolved()
      renderProgress(root)
      find(root, ".progress span").focus() // the button is hidden
    }
  }
  root.onsubmit = (event) => {
    event.preventDefault()
    judge(root, parseAnswer(/** @type {HTMLInputElement} */ (find(root, "input")).value))
  }
}

/** @param {Mounted<ExerciseData>} mounted */
export default function mountExercise({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "exercise", {}, setUp)
  if (storeData(root, data)) {
    root.data = data
    renderQuestion(root)
  }
  return () => root.abortController.abort()
}
