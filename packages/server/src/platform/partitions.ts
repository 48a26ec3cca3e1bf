import type { Instant } from "./clock.js";
import type { Database } from "./database.js";
import { lockKeys } from "./locks.js";
import { type Sql, sql } from "./sql.js";

const months_ahead = 3;

/** Tables whose rows age: a month is a partition, and old months are dropped whole (architecture.md §6). */
const partitioned = ["events", "outbox"];

/**
 * Makes this month's and the coming months' partitions. A row of any other time goes to the default partition, so a
 * missed month loses nothing; it only cannot be dropped whole.
 */
export async function maintainPartitions(db: Database, now: Instant): Promise<void> {
  const date = new Date(now);
  for (const table of partitioned) {
    for (let ahead = 0; ahead <= months_ahead; ahead += 1) {
      const from = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1));
      const to = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead + 1, 1));
      const name = `${table}_${from.toISOString().slice(0, 7).replace("-", "_")}`;
      await db.transaction(async (tx) => {
        await lockKeys(tx, [{ project_id: "", kind: "name", id: `partition ${name}` }]);
        const { exists } = await tx.one<{ exists: boolean }>(sql`select to_regclass(${name}) is not null as exists`);
        if (!exists) await tx.run(createPartition(table, name, from.toISOString(), to.toISOString()));
      });
    }
  }
}

/** Names and bounds of a partition cannot be parameters; all four come from the list above and the calendar. */
function createPartition(table: string, name: string, from: string, to: string): Sql {
  const text = `create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`;
  return { ...sql``, text, values: [], name: undefined };
}
