import { Expected } from "../expected.js";

/** The database is away or gave up: the caller may try again later. Answered as 503 with `Retry-After`. */
export class Unavailable extends Expected {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/** Whoever asked has hung up: the read is ended, and what it answers goes nowhere. */
export class NobodyWaits extends Expected {
  constructor() {
    super("nobody waits for the answer any more");
  }
}

export const asUnavailable = (error: unknown) =>
  error instanceof Unavailable ? error : new Unavailable("the database cannot be reached", error);

/** SQLSTATE of a failed statement, or the network's error code. */
function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

const network_codes = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "EAI_AGAIN",
  "ERR_STREAM_DESTROYED",
]);

// What the library says without a code: a connection that ended, one that could not be made in time, a pool without a free one.
const lost_texts =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded when trying to connect)/;

/** The connection is gone, or the server is going: whether the last statement ran is not known. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // 08: connection exceptions, but for a message that the server could not read; 57P01…05: shut down, crashed, not yet up, terminated for idleness.
  if (network_codes.has(code) || (code.startsWith("08") && code !== "08P01") || code.startsWith("57P")) return true;
  return error instanceof Error && lost_texts.test(error.message);
}

/** Serialisation failure, deadlock, lock or statement time-out, or a connection lost before COMMIT was sent. */
export function isWorthAnotherTry(error: unknown): boolean {
  return ["40001", "40P01", "55P03", "57014", "25P03"].includes(codeOf(error)) || isConnectionLost(error);
}

/**
 * The database's state and not the request: it may be another in a while. Besides what is worth a try at once: no room on disk,
 * in memory or for a connection (53), a password or database being changed (28, 3D), a server that has become a standby (25006).
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unavailable || isWorthAnotherTry(error) || isDiskFull(error)) return true;
  return /^(53|28|3D|25006|58)/.test(codeOf(error));
}

/** The server has no room left to write, or its disk fails; also where that is the cause of what is told. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof Unavailable) return isDiskFull(error.cause);
  return ["53100", "58030", "ENOSPC"].includes(codeOf(error));
}

/** A statement before it has failed: the transaction takes no more. */
export const isAborted = (error: unknown): boolean => codeOf(error) === "25P02";

/** The statement took longer than it was given. */
export const isTimedOut = (error: unknown): boolean => codeOf(error) === "57014";

/** Why a transaction begins anew: PostgreSQL's code, or `connection`. */
export const reasonOf = (error: unknown): string => (isConnectionLost(error) ? "connection" : codeOf(error));

/** A value that the database cannot hold (classes 22, 23, 54): the request's fault, not the service's. */
export function isRefusedValue(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error));
}

/** The name of the unique constraint that a statement ran into. */
export function violatedConstraint(error: unknown): string | undefined {
  if (codeOf(error) !== "23505") return undefined;
  const constraint = (error as { constraint?: unknown }).constraint;
  return typeof constraint === "string" ? constraint : undefined;
}

/** What was looked up before the locks is no longer so under them: the transaction begins anew. */
export class StartOver extends Expected {
  readonly code = "40001";
}

/** What was locked at once, by names, is not all that must be held: the transaction begins anew without a pause, and knows better. */
export class HeldTooLittle extends StartOver {}
