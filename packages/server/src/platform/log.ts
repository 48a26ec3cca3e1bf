import { type Logger, pino } from "pino";
import { Unavailable } from "./db/database-errors.js";

export type Log = Logger;

const second_ms = 1_000;

/**
 * Structured logs on standard error; standard output is for people.
 *
 * Whatever is logged with an {@link Unavailable} as `err` is counted instead, and told in one line a second: while the database
 * is away every request and every loop fails, and their lines would bury the one that says why.
 */
export function createLog(level: string, write?: (line: string) => void): Log {
  let count = 0;
  let latest: Unavailable | undefined;
  let waiting: NodeJS.Timeout | undefined;

  function tell(): void {
    waiting = undefined;
    if (!latest) return;
    log.error({ count, reason: latest.message, cause: String(latest.cause) }, "the database is away");
    count = 0;
    latest = undefined;
    waiting = setTimeout(tell, second_ms).unref();
  }

  const log = pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(given, method) {
          const error = errorIn(given[0]);
          if (!(error instanceof Unavailable)) return method.apply(this, given);
          count += 1;
          latest = error;
          // At once when it begins, then with what has gathered.
          if (!waiting) tell();
        },
      },
    },
    write ? { write } : pino.destination({ fd: 2, sync: false }),
  );
  return log;
}

const errorIn = (given: unknown): unknown =>
  typeof given === "object" && given !== null && "err" in given ? given.err : undefined;
