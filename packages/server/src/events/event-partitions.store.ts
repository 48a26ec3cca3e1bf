import { type Instant, isoOf } from "../platform/clock.js";
import type { Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";

/** Whether somebody has yet to be told of an event of that time. */
export async function someWaitOf(tx: Tx, from: Instant, to: Instant): Promise<boolean> {
  const { waits } = await tx.one<{ waits: boolean }>(sql`-- every project: partitions hold them all
    select exists (select from outbox_parcels
                    where outbox_parcels.created_at >= ${isoOf(from)} and outbox_parcels.created_at < ${isoOf(to)})
        or exists (select from outbox where outbox.created_at >= ${isoOf(from)} and outbox.created_at < ${isoOf(to)})
        or exists (select from inbox
                    where inbox.created_at >= ${isoOf(from)} and inbox.created_at < ${isoOf(to)}
                      and inbox.due_at is not null) as waits`);
  return waits;
}

/** Drops from the inbox what no consumer could take, and whose events go now. */
export const forgetGivenUp = (tx: Tx, from: Instant, to: Instant) =>
  tx.run(sql`-- every project: partitions hold them all
    delete from inbox
     where inbox.created_at >= ${isoOf(from)} and inbox.created_at < ${isoOf(to)} and inbox.due_at is null`);
