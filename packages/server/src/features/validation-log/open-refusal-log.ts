import type { Context } from "../../platform/context.js";
import { type Buffered, buffered } from "../../platform/jobs/buffered.js";
import type { ExplainedRefusal } from "./refusal-log.js";
import { insertRefusals } from "./refusal-log.store.js";
import { pause_ms, waiting_chars_max } from "./validation-log.js";

/** Where refusals are told once they were answered and explained. */
export type RefusalLog = Buffered<ExplainedRefusal>;

const row_chars = 500;

/** The log of a process: nobody waits for any of it. */
export const openRefusalLog = ({ db, log }: Pick<Context, "db" | "log">): RefusalLog =>
  buffered({
    name: "explained refusals",
    write: async (rows) => {
      await insertRefusals(db, rows);
    },
    sizeOf: ({ explanation, order }) => row_chars + charsOf(explanation) + charsOf(order),
    chars_max: waiting_chars_max,
    pause_ms,
    log,
  });

const charsOf = (document: object | null) => (document === null ? 0 : JSON.stringify(document).length);
