// The vote's key and its dialog. The dialog's script, which most readers never need, is loaded when it is opened first.

/** @import { VoteData } from "../payloads.js" */
/** @import { Mounted } from "../shared/component.js" */
import { make, mountRoot } from "../shared/dom.js"
import { hasModifier, normaliseKey, TYPING_FIELDS, VOTE_KEY } from "../shared/keys.js"
import { isPresenting } from "../shared/presentation.js"
import { OPEN_VOTE } from "../shared/questions.js"

/** @typedef {HTMLElement & { data: VoteData, dialog: HTMLDialogElement, abortController: AbortController }} Root */

/** @param {Root} root */
async function openVote(root) {
  const { toggleVote } = await import("./projector.js")
  toggleVote(root.dialog, root.data, root.abortController.signal)
}

/** @param {Root} root */
function build(root) {
  root.dialog = make("dialog")
  root.append(root.dialog)
  root.abortController = new AbortController()
  const { signal } = root.abortController
  addEventListener(OPEN_VOTE, () => openVote(root), { signal })
  addEventListener("keydown", (event) => {
    const [target] = event.composedPath()
    if (!isPresenting() || event.defaultPrevented || hasModifier(event) || normaliseKey(event) !== VOTE_KEY) return
    if (target instanceof Element && target.closest(TYPING_FIELDS)) return
    event.preventDefault()
    openVote(root)
  }, { signal })
}

/** @param {Mounted<VoteData>} mounted */
export default function mountVote({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "vote", {}, build)
  root.data = data
  root.lang = data.language
  return () => root.abortController.abort()
}
