import { createHash } from "node:crypto";
import type { Instant } from "../../platform/clock.js";
import { Expected } from "../../platform/expected.js";
import { type Problem, problems } from "../../platform/http/problems.js";

/** Whose keys they are. What one side was answered is never told to another: a page may see less than a shop. */
export type KeySide = "server" | "client" | "management";

/** A request that says by an `Idempotency-Key` which request it is, so that it may be sent again (docs/adr/0039). */
export interface Keyed {
  /** Empty for what belongs to no project. */
  readonly project_id: string;
  readonly side: KeySide;
  readonly key: string;
  /** Of method, path and body: a key that comes with another request is refused. */
  readonly request_hash: string;
  readonly request_id: string;
  readonly instant: Instant;
  /** The answer shows a secret: it is kept sealed. */
  readonly has_secret: boolean;
  /** Of a success, once the work is done. */
  statusOf(): number;
  /** The body that was kept, once that is committed. */
  kept: string | null;
}

/** How long a key answers. */
export const kept_ms = 24 * 3_600_000;

/** Of an answer that is kept, in UTF-8. */
export const kept_bytes_max = 1_048_576;

/** An answer as it is kept, in clear. */
export interface KeptAnswer {
  status: number;
  /** Null: larger than what is kept. */
  body: string | null;
  body_bytes: number;
}

/** Thrown instead of doing what was asked: the key has its answer, or cannot have one now. */
export class Settled extends Expected {
  constructor(readonly told: KeptAnswer | Problem) {
    super("the key of the request says what it is answered");
  }
}

export const requestHash = (method: string, url: string, body: unknown): string =>
  createHash("sha256")
    .update(`${method} ${url}\n${JSON.stringify(body) ?? ""}`)
    .digest("base64url");

/** Statuses that say nothing of what was asked for, but of who asks, how, or how often. */
const never_kept = new Set([401, 403, 408, 413, 429]);

/** Whether a refusal is an answer to keep: one that says when to try again is not the last word. */
export const isLastWord = ({ status, headers }: Problem): boolean =>
  status >= 400 && status < 500 && !never_kept.has(status) && !("retry-after" in headers);

export const key_problems = {
  inUse: () =>
    problems.keyConflict(
      409,
      "idempotency_key_in_use",
      "A request with this Idempotency-Key is being worked on. Try again.",
    ),
  reused: () =>
    problems.keyConflict(
      422,
      "idempotency_key_reused",
      "This Idempotency-Key came with another request. A key names one method, path and body for 24 hours.",
    ),
  answerTooLarge: ({ status, body_bytes }: KeptAnswer) =>
    problems.keyConflict(
      422,
      "idempotent_answer_too_large",
      `The request was done and answered with status ${status}. Its answer had ${body_bytes} bytes; up to ${kept_bytes_max} are kept.`,
      { "idempotent-replayed": "true" },
    ),
};
