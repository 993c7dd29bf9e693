// The player in a file of its own, without the app: it finds its data in the page.

import { find } from "../shared/dom.js"
import glossary from "../shared/glossary.js"
import player from "./step_by_step.js"

/** @param {string} id of the script that holds the data */
const read = (id) => JSON.parse(find(document, id).textContent ?? "")

const alone = { setStateValue() {}, setTriggerValue() {} }
player({ ...alone, data: [read("#data")], parentElement: find(document, "#player") })
glossary({ ...alone, data: [read("#terms")], parentElement: find(document, "#glossary") })
