// Which exercises are solved, in this browser alone, and their marks in the list of ideas.

const STORED = "concept-exercises" // in local storage

/** @type {Set<string>} */
let solved = new Set()
const marks = new CSSStyleSheet()

/** Read what is stored. */
function load() {
  try {
    const names = JSON.parse(localStorage.getItem(STORED) ?? "[]")
    if (Array.isArray(names)) solved = new Set(names.filter((name) => typeof name === "string"))
  } catch {
    // storage is blocked or its text is broken: marks last as long as the page
  }
}

function store() {
  try {
    localStorage.setItem(STORED, JSON.stringify([...solved]))
  } catch {
    // as above
  }
}

/** @param {string} idea */
export const isSolved = (idea) => solved.has(idea)

/** @param {string} idea */
export function markSolved(idea) {
  load() // another tab may have stored more
  solved.add(idea)
  store()
}

export function forgetSolved() {
  solved.clear()
  store()
}

/**
 * Mark the solved ideas in the list, whose buttons have this order.
 * @type {(ideas: string[], label: string) => void}
 */
export function showMarks(ideas, label) {
  const selectors = ideas.flatMap((idea, k) => (solved.has(idea) ? [`.st-key-idea [role="radio"]:nth-of-type(${k + 1})::after`] : []))
  marks.replaceSync(selectors.length ? `${selectors.join(", ")} { content: "✓" / ${JSON.stringify(label)} }` : "")
  if (!document.adoptedStyleSheets.includes(marks)) document.adoptedStyleSheets.push(marks)
}

if (typeof localStorage !== "undefined") load()
