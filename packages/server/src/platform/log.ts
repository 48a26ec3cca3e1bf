import { type Logger, pino } from "pino";
import { Unavailable } from "./db/database-errors.js";

export type Log = Logger;

const second_ms = 1_000;

interface LogOptions {
  /** Where lines go; to standard error unless given. */
  write?: (line: string) => void;
  /** Which of several processes of a service this is: stands in each line. */
  process_number?: number;
}

/** Standard error for whoever writes lines of several: none waits for its reader, and what waits is written at the end. */
export function standardError(): (line: string) => void {
  const destination = pino.destination({ fd: 2, sync: false });
  return (line) => void destination.write(line);
}

/**
 * Structured logs on standard error; standard output is for people.
 *
 * Whatever is logged with an {@link Unavailable} as `err` is counted instead, and told in one line a second: while the database
 * is away every request and every loop fails, and their lines would bury the one that says why.
 */
export function createLog(level: string, { write, process_number }: LogOptions = {}): Log {
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
      base: process_number === undefined ? undefined : { process: process_number },
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
