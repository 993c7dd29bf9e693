// The page's address as a QR code over the whole window, for the phones in the room. The server draws it
// (pages/ui/frame/qr_code.py), at an address beside the scripts. Any component may request it.

/** @import { FrameData } from "../payloads.js" */
import { make } from "./dom.js"
import { formatTemplate } from "./format.js"
import { hasModifier, normaliseKey, getPageDirection } from "./keys.js"

export const QR_KEY = "q"
const REQUEST = "show-qr-code" // an event of the window
const SERVING = ["--server.address 0.0.0.0", "--server.allowedHosts NAME", "--browser.serverAddress NAME"] // pages/README.md
const OWN_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/

/** Return the address of the same view without presenting. @param {string} address */
export function dropPresenting(address) {
  const url = new URL(address)
  url.searchParams.delete("present")
  return url.href
}

/** Return whether an address works on this computer alone. @param {string} address */
export const isOwnAddress = (address) => OWN_HOST.test(new URL(address).hostname)

/** @type {(address: string, text: string) => HTMLImageElement} */
export const makeQrPicture = (address, text) => make("img", { src: new URL(`qr.svg?address=${encodeURIComponent(address)}`, import.meta.url).href, alt: text })

export const requestQrCode = () => dispatchEvent(new Event(REQUEST))

/**
 * Build the closed dialog. While it is open no key reaches the page.
 * @type {(signal: AbortSignal, getData: () => FrameData) => HTMLDialogElement}
 */
export function buildQrDialog(signal, getData) {
  const dialog = make("dialog", { class: "code" })
  addEventListener(REQUEST, () => showQrCode(dialog, getData()), { signal })
  addEventListener("keydown", (event) => {
    if (!dialog.open || hasModifier(event)) return
    event.stopImmediatePropagation()
    if (normaliseKey(event) !== QR_KEY && event.key !== "Escape" && !getPageDirection(event.key)) return
    event.preventDefault()
    dialog.close()
  }, { signal, capture: true })
  return dialog
}

/** @type {(dialog: HTMLDialogElement, data: FrameData) => void} */
function showQrCode(dialog, { messages, longest_address: limit }) {
  const address = dropPresenting(location.href)
  const close = make("button", { type: "button" }, messages.code_close)
  close.onclick = () => dialog.close()
  dialog.setAttribute("aria-label", messages.present_code)
  dialog.replaceChildren(close)
  if (address.length > limit) {
    const [count, limitText] = [address.length, limit].map((number) => number.toLocaleString("en"))
    dialog.append(make("p", { role: "alert" }, formatTemplate(messages.code_long, { count, limit: limitText })))
  } else {
    const picture = makeQrPicture(address, messages.code_alt)
    picture.onerror = () => picture.replaceWith(make("p", { role: "alert" }, messages.code_failed))
    dialog.append(picture, make("p", {}, address))
  }
  if (isOwnAddress(address)) dialog.append(make("p", { class: "own" }, messages.code_own, ...SERVING.flatMap((option) => [" ", make("code", {}, option)])))
  dialog.showModal()
}
