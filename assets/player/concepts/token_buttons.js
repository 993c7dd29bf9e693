// Tokens as buttons in a line: a click, Enter or Space chooses one, arrow keys move between them.

import { make } from "../shared/dom.js"
import { moveWordFocus } from "../shared/focus.js"

/**
 * Make the tokens; `tabStop` is the one that the tab key reaches.
 * @type {(tokens: string[], language: string, tabStop: number) => (Node | string)[]}
 */
export const makeTokenButtons = (tokens, language, tabStop) => tokens.flatMap((token, k) => [
  make("span", { class: "word", role: "button", tabindex: k === tabStop ? 0 : -1, "data-k": k, lang: language, "aria-pressed": "false" }, token), " "])

/**
 * Choose the token or move to another by a key; returns whether it was such a key.
 * @type {(token: HTMLElement, key: string) => boolean}
 */
export function handleTokenKey(token, key) {
  const isPress = key === "Enter" || key === " "
  if (isPress) token.click()
  return isPress || moveWordFocus(token, key)
}
