import type { Cause } from "../events/index.js";
import type { Queries } from "../platform/db/database.js";
import type { Expected } from "../platform/expected.js";
import type { Problem } from "../platform/http/problems.js";
import type { Keyed } from "./idempotency/keyed.js";

/** Who makes a change, and by which key the request may be sent again. */
export interface Requested extends Cause {
  keyed?: Keyed | null | undefined;
}

/** What became of one of the requests that share a change. */
export type Outcome<Answer> = { answer: Exclude<Answer, Problem> } | { body: unknown } | { failed: Expected };

/**
 * Makes the answer of what was done. It reads with what it is given: the transaction, whose writes it sees, where the answer
 * is kept with them, and else the database, once they are committed.
 */
export type Render<Answer, Body> = (answer: Exclude<Answer, Problem>, db: Queries) => Body | Promise<Body>;

/** The body of an outcome: made in its transaction already where it is kept. */
export async function bodyOf<Answer, Body>(
  outcome: Outcome<Answer>,
  render: (answer: Exclude<Answer, Problem>) => Body | Promise<Body>,
): Promise<Body> {
  if ("failed" in outcome) throw outcome.failed;
  return "body" in outcome ? (outcome.body as Body) : render(outcome.answer);
}
