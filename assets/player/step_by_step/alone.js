// The player in a file of its own, without the app.

import { standAlone } from "../shared/alone.js"
import player from "./step_by_step.js"

standAlone(player)
