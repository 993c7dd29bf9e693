// Draw a component in an exported HTML file, without the app (pages/ui/components/standalone.py); the file holds its data.

/** @import { Mounted } from "./component.js" */
import { find } from "./dom.js"
import glossary from "./glossary.js"

/** @param {string} id of the script that holds the data */
const readJson = (id) => JSON.parse(find(document, id).textContent ?? "")

/**
 * @template Data
 * @param {(mounted: Mounted<Data>) => unknown} component
 */
export function renderStandalone(component) {
  const callbacks = { setTriggerValue() {} }
  component({ ...callbacks, data: [readJson("#data")], parentElement: find(document, "#player") })
  glossary({ ...callbacks, data: [readJson("#terms")], parentElement: find(document, "#glossary") })
}
