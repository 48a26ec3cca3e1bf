import type { Context } from "../../platform/context.js";

/** A process that nobody sends anything to any more, since it says that it cannot write, tries so often by itself. */
const tried_ms = 5_000;

/** Tells whether the database can write, as far as is known: nothing is written to find out, unless a write has failed. */
export function diskWatch({ db, log }: Pick<Context, "db" | "log">): () => Promise<boolean> {
  let tried_at = Number.NEGATIVE_INFINITY;
  return async () => {
    if (db.isDiskFull() && performance.now() - tried_at >= tried_ms) {
      tried_at = performance.now();
      await db.tryToWrite().catch((err: Error) => log.error({ err }, "the database cannot write"));
    }
    return !db.isDiskFull();
  };
}
