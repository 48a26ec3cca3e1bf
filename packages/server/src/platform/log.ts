import { type Logger, pino } from "pino";

export type Log = Logger;

/** Structured logs on standard error; standard output is for people. */
export function createLog(level: string): Log {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
}
