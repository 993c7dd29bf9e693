// The browser's storage, which may be blocked or full. Values are stored as JSON.

/** @typedef {"localStorage" | "sessionStorage"} Kind */

/** Return a stored value, or null. @type {(kind: Kind, key: string) => any} */
export function readStored(kind, key) {
  try {
    return JSON.parse(globalThis[kind].getItem(key) ?? "null")
  } catch {
    return null
  }
}

/** Store a value; returns whether that was possible. @type {(kind: Kind, key: string, value: unknown) => boolean} */
export function writeStored(kind, key, value) {
  try {
    globalThis[kind].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
