import { slices } from "../../platform/sharing/slices.js";
import type { Change } from "../../recording/index.js";
import type { ImportKind, ImportTurn, RowOutcome } from "./import.js";

/** An `apply` that is given bodies: all rows are read before it, and others have turns between them. */
export const readingFirst =
  <Row extends object, Parameters extends object>(
    store: (change: Change, turn: ImportTurn<Parameters>, rows: readonly Row[]) => Promise<RowOutcome[]>,
  ): ImportKind<Row, Parameters>["apply"] =>
  async (change, turn, unread) => {
    const breathe = slices();
    const read: (Row | null)[] = [];
    for (const row of unread) {
      read.push(row.read());
      await breathe();
    }
    const rows = read.filter((row) => row !== null);
    const outcomes = rows.length > 0 ? await store(change, turn, rows) : [];
    const done: (RowOutcome | null)[] = [];
    let taken = 0;
    for (const row of read) {
      const outcome = row === null ? null : outcomes[taken++];
      if (outcome === undefined) break;
      done.push(outcome);
    }
    return done;
  };
