import type { Sql } from "../platform/db/sql.js";
import { insertInto } from "../platform/db/table.js";
import { newId } from "../platform/ids.js";
import { grouped } from "../platform/lists/grouped.js";
import { type Cause, eventIdPrefix, type NewEvent, type StoredEvent } from "./event.js";
import { events } from "./event.store.js";
import { insertParcels, parcelsOf } from "./outbox.store.js";

/** What a cause made happen. */
interface Caused {
  cause: Cause;
  events: readonly NewEvent[];
}

/**
 * What writes events and the parcels of the outbox that tell of them in the transaction that makes them true, so that both or neither
 * are there (architecture.md §5); no statement for none. Only a write set asks for it: who changes something says `change.tell`.
 */
export function insertEvents(caused: readonly Caused[]): readonly Sql[] {
  const told = caused.flatMap(storedOf);
  const of_projects = [...grouped(told, ({ project_id }) => project_id)];
  return [
    ...of_projects.map(([project_id, stored]) => insertInto(events, project_id, stored)),
    ...insertParcels(parcelsOf(told)),
  ];
}

const storedOf = ({ cause, events: happened }: Caused): StoredEvent[] =>
  happened.map(
    (event) =>
      ({
        project_id: cause.project_id,
        id: newId(eventIdPrefix(event.type)),
        type: event.type,
        entity_id: event.entity_id,
        customer_id: event.customer_id ?? null,
        group_id: cause.request_id,
        event_source: cause.event_source,
        data: event.data,
        created_at: cause.instant,
      }) as StoredEvent,
  );
