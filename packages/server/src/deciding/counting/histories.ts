import { countHistory, type LongHistory } from "../../books/index.js";
import type { Database } from "../../platform/db/database.js";
import { Expected } from "../../platform/expected.js";
import { problems } from "../../platform/http/problems.js";

/**
 * How long a request counts before it is told to come again: some 25,000 redemptions. Where a batch is taken apart each of
 * its requests counts on where the one before has stopped.
 */
const counting_ms_max = 250;

/** Facts that cannot be read yet: somebody's history is too long to be counted one by one, and not counted in rows. */
export class HistoriesTooLong extends Expected {
  constructor(readonly histories: readonly LongHistory[]) {
    super("histories have to be counted first");
  }
}

/**
 * Does what needs counts, and should a history prove too long for that, counts some slices of it into rows and does it
 * again. In transactions of their own, so that no request's failure takes them back. What takes longer is counted by a
 * schedule, and the request may come again.
 */
export async function withHistories<Answer>(
  db: Database,
  project_id: string,
  work: () => Promise<Answer>,
  ms_max = counting_ms_max,
): Promise<Answer> {
  let counting_ms = 0;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HistoriesTooLong)) throw error;
      for (const history of error.histories) {
        if (counting_ms > ms_max) throw problems.busy("Past redemptions are still being counted. Try again.");
        const begun = performance.now();
        await countHistory(db.of(project_id), project_id, history);
        counting_ms += performance.now() - begun;
      }
    }
  }
}
