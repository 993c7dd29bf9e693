// The attention console in a file of its own, without the app: what was changed is seen, nothing more can be asked.

import { standAlone } from "../shared/alone.js"
import attention from "./console.js"

standAlone(attention)
