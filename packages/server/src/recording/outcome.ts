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
export type Outcome<Body> = { body: Body | Promise<Body> } | { failed: Expected };

/**
 * Makes the answer of what was done. It reads with what it is given: the transaction, whose writes it sees, where the answer
 * is kept with them, and else the database, once they are committed. It begins while the COMMIT is under way, so it changes nothing.
 */
export type Render<Answer, Body> = (answer: Exclude<Answer, Problem>, db: Queries) => Body | Promise<Body>;

/** The same of requests that share a change; told the place of each among them. */
export type RenderEach<Answer, Body> = (
  answer: Exclude<Answer, Problem>,
  db: Queries,
  place: number,
) => Body | Promise<Body>;

/** The body of an outcome. */
export async function bodyOf<Body>(outcome: Outcome<Body>): Promise<Body> {
  if ("failed" in outcome) throw outcome.failed;
  return outcome.body;
}
