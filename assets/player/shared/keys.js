// Where keys are somebody else's: a component that plays leaves them to whoever is typing or choosing.

export const TYPING_FIELDS = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *"
export const CHOICE_WIDGETS = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]"
export const PRESSABLE = "button, a, summary, [role=button]"

/**
 * Which way a clicker turns: 1 on, -1 back, undefined for other keys.
 * @param {string} key
 */
export const pageDirection = (key) => (key === "PageDown" ? 1 : key === "PageUp" ? -1 : undefined)

/**
 * Whether a key is pressed together with one that makes another command of it.
 * @param {Pick<KeyboardEvent, "altKey" | "ctrlKey" | "metaKey">} event
 */
export const hasModifier = (event) => event.ctrlKey || event.altKey || event.metaKey

/**
 * The letter of a key, small: Caps Lock makes no other key of it, nor does a keyboard that writes Korean, whose key says
 * where it is.
 * @param {Pick<KeyboardEvent, "key" | "code">} event
 */
export const normalizeKey = ({ key, code }) => (/^[\u3131-\u3163]$/.test(key) && code.startsWith("Key") ? code.slice(3) : key).toLowerCase()

/**
 * Whether it was a finger that clicked.
 * @param {MouseEvent} event
 */
export const isTouch = (event) => event instanceof PointerEvent && event.pointerType === "touch"
