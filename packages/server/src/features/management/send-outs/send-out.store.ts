import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { column, jsonColumn, sql, textColumn } from "../../../platform/db/sql.js";

/** A message that is to be sent. */
interface NewSendOut {
  project_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  entity_id: string;
  customer_id: string | null;
  group_id: string;
  /** Null: it is written at the first try. */
  body: string | null;
  /** Whom it tells of beside the customer, where it is written. */
  named_customer_ids: readonly string[];
  /** The event's. */
  created_at: Instant;
}

/** Leaves messages for whoever sends; they are due from now on. */
export const insertSendOuts = (tx: Tx, sent: readonly NewSendOut[], instant: Instant) => {
  const created = sent.map(({ created_at }) => isoOf(created_at));
  return tx.run(sql`-- every project: the dispatcher serves them all; each row brings its project_id
    insert into send_outs (project_id, id, webhook_id, event_id, type, entity_id, customer_id, group_id, body,
                           named_customer_ids, created_at, status, attempts, is_extra, due_at)
    select made.project_id, made.id, made.webhook_id, made.event_id, made.type, made.entity_id, made.customer_id,
           made.group_id, made.body,
           array_remove(array(select json_array_elements_text(made.named)), made.customer_id), made.created_at, 'WAITING', 0, false, ${isoOf(instant)}::timestamptz
      from unnest(${column(sent, "project_id")}::text[], ${column(sent, "id")}::text[],
                  ${column(sent, "webhook_id")}::text[], ${column(sent, "event_id")}::text[],
                  ${column(sent, "type")}::text[], ${column(sent, "entity_id")}::text[],
                  ${column(sent, "customer_id")}::text[], ${column(sent, "group_id")}::text[],
                  ${textColumn(sent, "body")}::text[], ${jsonColumn(sent, "named_customer_ids", "json")}::json[],
                  ${created}::timestamptz[])
             as made (project_id, id, webhook_id, event_id, type, entity_id, customer_id, group_id, body, named, created_at)`);
};

/** Drops what was told, or would be, of a customer who is deleted for good, and what was told of others with them in it. */
export async function forgetSendOutsOf(tx: Tx, project_id: string, { id }: { id: string }): Promise<void> {
  await tx.run(sql`delete from send_outs where send_outs.project_id = ${project_id} and send_outs.customer_id = ${id}`);
  await tx.run(sql`
    delete from send_outs
     where send_outs.project_id = ${project_id} and send_outs.named_customer_ids @> ${[id]}::text[]
       and send_outs.named_customer_ids <> '{}'`);
}

/** Drops what would have been told of a customer whose profile is deleted, and can be written no more. */
export const dropUnwrittenOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`
    delete from send_outs
     where send_outs.project_id = ${project_id} and send_outs.customer_id = ${customer_id}
       and send_outs.body is null and send_outs.type like 'customer.%'`);

/** Whether any of that time has yet to be sent. */
export async function someWaitOf(db: Queries, from: Instant, to: Instant): Promise<boolean> {
  const { waits } = await db.one<{ waits: boolean }>(sql`-- every project: partitions hold them all
    select exists (select from send_outs
                    where send_outs.created_at >= ${isoOf(from)} and send_outs.created_at < ${isoOf(to)}
                      and send_outs.due_at is not null) as waits`);
  return waits;
}
