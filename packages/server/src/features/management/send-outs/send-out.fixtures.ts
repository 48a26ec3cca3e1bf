import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { sql } from "../../../platform/db/sql.js";
import { newSendOutId } from "./send-out.js";

interface Fields {
  webhook_id: string;
  type?: string | undefined;
  status?: "WAITING" | "RETRYING" | "SUCCEEDED" | "FAILED";
  /** Null: it has ended. */
  due_at?: string | null;
}

/** A message in the log, of now, that was never sent. */
export async function aSendOut(
  { context: { db, clock } }: { context: Pick<Context, "db" | "clock"> },
  project_id: string,
  { webhook_id, type = "customer.created", status = "FAILED", due_at = null }: Fields,
): Promise<string> {
  const id = newSendOutId();
  await db.run(sql`
    insert into send_outs (project_id, id, webhook_id, event_id, type, entity_id, status, body, attempts, is_extra, due_at,
                           created_at)
    values (${project_id}, ${id}, ${webhook_id}, 'evcus_1', ${type}, 'cust_1', ${status}, '{}', 0, false,
            ${due_at}::timestamptz, ${isoOf(clock.now())}::timestamptz)`);
  return id;
}
