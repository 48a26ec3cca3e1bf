import { isoOf } from "../platform/clock.js";
import { column, jsonColumn, type Sql, sql } from "../platform/db/sql.js";
import { newId } from "../platform/ids.js";
import { type Cause, eventIdPrefix, type NewEvent } from "./event.js";
import { insertParcels, parcelsOf } from "./outbox.store.js";

/**
 * What writes events and the parcels of the outbox that tell of them in the transaction that makes them true, so that both or neither
 * are there (architecture.md §5); no statement for none. Only a write set asks for it: who changes something says `change.tell`.
 */
export function insertEvents(caused: readonly { cause: Cause; events: readonly NewEvent[] }[]): readonly Sql[] {
  const rows = caused.flatMap(({ cause, events }) =>
    events.map((event) => ({
      project_id: cause.project_id,
      id: newId(eventIdPrefix(event.type)),
      type: event.type,
      entity_id: event.entity_id,
      customer_id: event.customer_id ?? null,
      group_id: cause.request_id,
      event_source: cause.event_source,
      data: event.data,
      created_at: cause.instant,
    })),
  );
  if (rows.length === 0) return [];
  const created = rows.map(({ created_at }) => isoOf(created_at));
  const statement = sql`
    insert into events (project_id, id, type, entity_id, customer_id, group_id, event_source, data, created_at)
    select * from unnest(${column(rows, "project_id")}::text[], ${column(rows, "id")}::text[],
                         ${column(rows, "type")}::text[], ${column(rows, "entity_id")}::text[],
                         ${column(rows, "customer_id")}::text[], ${column(rows, "group_id")}::text[],
                         ${jsonColumn(rows, "event_source", "jsonb")}::jsonb[], ${jsonColumn(rows, "data", "jsonb")}::jsonb[],
                         ${created}::timestamptz[])`;
  return [statement, ...insertParcels(parcelsOf(rows))];
}
