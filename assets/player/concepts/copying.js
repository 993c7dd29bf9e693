// Copying: how much of each token's probability is generated from the vocabulary, and how much is copied from the source.

/** @import { CopyingData } from "../payloads.js" */
/** @import { ComponentRoot, Mounted } from "../shared/component.js" */
import { find, findAll, findClosest, make, mountRoot, storeData, typeset } from "../shared/dom.js"
import { setTabStop } from "../shared/focus.js"
import { argmax, fillTemplate, formatDecimal, formatShare } from "../shared/format.js"
import { registerSection } from "../shared/presentation.js"
import { moveRowFocus } from "../shared/weight_table.js"
import { makeLegendEntry } from "./attention_parts.js"

/** @typedef {ComponentRoot<CopyingData> & { row: number }} Root */

const ROW = "[data-row]"
const LEAST_SHARE = 0.1 // copied part of a token's probability that the summary names

/** @param {Root} root */
function renderRow(root) {
  const { data, row } = root
  const { messages, source, target, alpha, p_gen, copied, probabilities } = data
  findAll(root, ".split tbody tr").forEach((node, k) => node.setAttribute("aria-selected", String(k === row)))
  findAll(root, ".source-line span").forEach((node, j) => node.style.setProperty("--share", String(alpha[row][j])))
  const best = argmax(alpha[row])
  find(root, ".description").replaceChildren(...typeset(...fillTemplate(messages.description, {
    token: make("b", { class: "target-token" }, target[row]), p_gen: formatShare(p_gen[row]), probability: formatShare(probabilities[row]), copied: formatShare(copied[row]),
    generated: formatShare(probabilities[row] - copied[row]), source: make("span", { class: "source-token" }, source[best]), weight: formatShare(alpha[row][best]) })))
}

/** @param {Root} root */
function buildCopying(root) {
  const { data } = root
  const { messages, source, target, p_gen, copied, probabilities } = data
  root.lang = data.language
  /** @type {(kind: string, share: number) => HTMLElement} */
  const part = (kind, share) => {
    const node = make("i", { class: `token-origin ${kind}` })
    node.style.width = `${100 * share}%`
    return node
  }
  const shares = copied.map((value, k) => value / Math.max(probabilities[k], 1e-9))
  const mostCopiedRow = argmax(shares)
  const rows = target.map((token, k) => make("tr", { tabindex: k === mostCopiedRow ? 0 : -1, "data-row": k, "aria-selected": "false" },
    make("th", { scope: "row", class: "target-token" }, token), make("td", { class: "number" }, formatDecimal(p_gen[k], 2)),
    make("td", {}, make("span", { class: "track" }, part("generated", probabilities[k] - copied[k]), part("copied", copied[k]))),
    make("td", { class: "number" }, formatShare(shares[k]))))
  const copiedRows = [...shares.keys()].filter((k) => shares[k] > LEAST_SHARE)
  root.replaceChildren(
    make("p", { class: "summary prose" }, ...typeset(...fillTemplate(copiedRows.length ? messages.summary_copied : messages.summary_none, {
      tokens: make("span", {}, copiedRows.map((k) => `${target[k]} ${formatShare(shares[k])}`).join(", ")), lowest: formatShare(Math.min(...p_gen)) }))),
    make("section", { class: "picture", "aria-label": messages.label },
      make("p", { class: "legend note" }, ...[["generated", messages.generated], ["copied", messages.copied]].map(([kind, text]) => makeLegendEntry(kind, ...typeset(text)))),
      make("div", { class: "side" },
        make("div", { class: "scrolls" }, make("table", { class: "split", role: "grid" },
          make("thead", {}, make("tr", {}, ...[messages.target, "p_gen", "p(y)", messages.share].map((text) => make("th", { scope: "col" }, ...typeset(text))))), make("tbody", {}, ...rows))),
        make("div", { class: "attended" }, make("p", { class: "note" }, messages.attends), make("p", { class: "source-line" }, ...source.map((token) => make("span", {}, token))),
          make("p", { class: "description", "aria-live": "polite" }), make("p", { class: "formula" }, ...typeset(messages.formula))))),
    make("p", { class: "note" }, ...typeset(messages.note)), make("p", { class: "footnote" }, data.provenance))
  registerSection(root)
  root.row = mostCopiedRow
  renderRow(root)
}

/** @type {(root: Root, event: Event) => void} */
function selectRow(root, event) {
  const node = findClosest(event.target, ROW)
  if (!node) return
  root.row = Number(node.dataset.row)
  renderRow(root)
}

/** @param {Root} root */
function setUp(root) {
  root.onclick = (event) => selectRow(root, event)
  root.onpointerover = (event) => selectRow(root, event)
  root.addEventListener("focusin", (event) => {
    const row = findClosest(event.target, ROW)
    if (row) setTabStop(root, ROW, row)
    selectRow(root, event)
  })
  root.addEventListener("keydown", (event) => moveRowFocus(event, ROW))
}

/** @param {Mounted<CopyingData>} mounted */
export default function mountCopying({ data: [data], ...mounted }) {
  const root = mountRoot(mounted, "copying", {}, setUp)
  if (!storeData(root, data)) return
  root.data = data
  buildCopying(root)
}
