import type { Catalogues } from "../catalogue/index.js";
import type { ValidationLog } from "../features/validation-log/index.js";
import type { Context } from "../platform/context.js";
import type { Explaining } from "./answers/explaining.js";
import type { Gatherer } from "./gather.js";
import type { Recorder } from "./recorder.js";

/** What whoever decides is given. */
export interface Deciding {
  context: Context;
  catalogues: Catalogues;
  /** For decisions that record nothing. */
  gather: Gatherer;
  /** For decisions that leave something. */
  record: Recorder;
  /** Hears of validations that were answered; nobody waits for it. */
  validations: ValidationLog;
  /** Hears of what is refused; nobody waits for it. */
  refusals: Explaining;
}
