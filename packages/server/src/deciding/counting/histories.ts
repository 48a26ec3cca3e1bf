import { type LongHistory, openHistories } from "../../books/index.js";
import type { Database } from "../../platform/db/database.js";
import { Expected } from "../../platform/expected.js";
import { holding } from "../../recording/index.js";

/** Facts that cannot be read yet: somebody's history is too long to be counted one by one, and has no rows. */
export class HistoriesTooLong extends Expected {
  constructor(readonly histories: readonly LongHistory[]) {
    super("histories have to be opened first");
  }
}

/**
 * Does what needs counts, and should a history prove too long for that, makes the rows that count it, once in the life of
 * a voucher or a customer, and does it again. In a transaction of its own, so that no request's failure takes it back.
 */
export async function withHistories<Answer>(
  db: Database,
  project_id: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HistoriesTooLong)) throw error;
      await db.transaction(async (tx) => {
        const keys = error.histories.map(({ kind, id }) => ({ project_id, kind, id }));
        await holding(tx, keys, () => openHistories(tx, project_id, error.histories));
      }, project_id);
    }
  }
}
