// Classify keys and the nodes that handle keys themselves.

export const TYPING_FIELDS = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *"
export const CHOICE_WIDGETS = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider], [role=spinbutton]"
export const PRESSABLE = "button, a, summary, [role=button], [role=checkbox], [role=switch], [role=link]"

export const VOTE_KEY = "v"

/** @param {string} key */
export const getPageDirection = (key) => (key === "PageDown" ? 1 : key === "PageUp" ? -1 : undefined)

/** @param {Pick<KeyboardEvent, "altKey" | "ctrlKey" | "metaKey">} event */
export const hasModifier = (event) => event.ctrlKey || event.altKey || event.metaKey

/** Return whether an event comes from inside a dialog, whose keys are its own. @param {Event} event */
export const isInDialog = (event) => event.composedPath().some((node) => node instanceof HTMLDialogElement)

/**
 * Return the key in lower case, independent of Caps Lock; for a Korean layout the letter of the physical key.
 * @param {Pick<KeyboardEvent, "key" | "code">} event
 */
export const normaliseKey = ({ key, code }) => (/^[\u3131-\u3163]$/.test(key) && code.startsWith("Key") ? code.slice(3) : key).toLowerCase()

/** @param {MouseEvent} event */
export const isTouch = (event) => event instanceof PointerEvent && event.pointerType === "touch"
