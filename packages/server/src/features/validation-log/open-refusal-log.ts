import type { Context } from "../../platform/context.js";
import type { Database } from "../../platform/db/database.js";
import { keys_max } from "../../platform/db/locks.js";
import { type Buffered, buffered } from "../../platform/jobs/buffered.js";
import { holding } from "../../recording/index.js";
import { customerStandsKey } from "../customers/index.js";
import type { ExplainedRefusal } from "./refusal-log.js";
import { insertRefusals } from "./refusal-log.store.js";
import { pause_ms, waiting_chars_max } from "./validation-log.js";

/** Where refusals are told once they were answered and explained. */
export type RefusalLog = Buffered<ExplainedRefusal>;

const row_chars = 500;

/** The log of a process: nobody waits for any of it. */
export const openRefusalLog = ({ db, log }: Pick<Context, "db" | "log">): RefusalLog =>
  buffered({
    name: "explained refusals",
    async write(rows) {
      for (let from = 0; from < rows.length; from += keys_max) await writeSome(db, rows.slice(from, from + keys_max));
    },
    sizeOf: ({ explanation, order }) => row_chars + charsOf(explanation) + charsOf(order),
    chars_max: waiting_chars_max,
    pause_ms,
    log,
  });

/** Whoever is being deleted is waited for: what they sent stands in what is written here. */
const writeSome = (db: Database, rows: readonly ExplainedRefusal[]) =>
  db.transaction((tx) => {
    const keys = rows.flatMap(({ project_id, customer_id }) =>
      customer_id === null ? [] : customerStandsKey(project_id, customer_id),
    );
    return holding(tx, keys, () => insertRefusals(tx, rows));
  });

const charsOf = (document: object | null) => (document === null ? 0 : JSON.stringify(document).length);
