import type { Context } from "../../platform/context.js";
import { type Buffered, buffered } from "../../platform/jobs/buffered.js";
import { type LoggedValidation, pause_ms, type Verdict, waiting_chars_max } from "./validation-log.js";
import { insertValidations } from "./validation-log.store.js";

/** Where validations are told once they are answered. */
export type ValidationLog = Buffered<LoggedValidation>;

const row_chars = 300;
const verdict_chars = 100;

const sizeOf = ({ id, result }: Verdict) => verdict_chars + id.length + (result?.error.message.length ?? 0);

/** The log of a process: whoever validates waits for none of it. */
export const openValidationLog = ({ db, log }: Pick<Context, "db" | "log">): ValidationLog =>
  buffered({
    name: "validations",
    write: async (rows) => void (await insertValidations(db, rows)),
    sizeOf: ({ redeemables }) => redeemables.reduce((sum, verdict) => sum + sizeOf(verdict), row_chars),
    chars_max: waiting_chars_max,
    pause_ms,
    log,
  });
