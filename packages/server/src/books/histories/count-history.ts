import type { Database } from "../../platform/db/database.js";
import { holding } from "../../recording/index.js";
import { countOn, type LongHistory } from "./long-histories.store.js";

/** So many are counted into rows at once, under the key: some 50 ms. */
const counted_at_once = 5_000;

/** Counts the next slice of a history under its key, in a transaction of its own; answers whether that was all. */
export const countHistory = (
  db: Database,
  project_id: string,
  { kind, id }: LongHistory,
  { slice_max = counted_at_once } = {},
) =>
  db.transaction((tx) =>
    holding(tx, [{ project_id, kind, id }], () => countOn(tx, project_id, { kind, id }, slice_max)),
  );
