// The player in a file of its own, without the app: it finds its data in the page.

import { find } from "../shared/dom.js"
import player from "./step_by_step.js"

player({
  data: [JSON.parse(find(document, "#data").textContent ?? "")],
  parentElement: find(document, "#player"),
  setStateValue() {},
  setTriggerValue() {},
})
