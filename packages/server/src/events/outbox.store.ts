import type { Instant } from "../platform/clock.js";
import type { Sql } from "../platform/db/sql.js";
import { insertInto, json, table, timestamptz } from "../platform/db/table.js";
import { grouped } from "../platform/lists/grouped.js";
import type { Envelope, EventType } from "./event.js";

/** What the outbox says of an event. */
export type Waiting = Pick<Envelope, "project_id" | "id" | "entity_id" | "created_at"> & { type: EventType };

/** Events of one project that happened within an hour, the first one first, in one row of the outbox (ADR 106). */
export interface Parcel {
  project_id: string;
  facts: readonly Omit<Waiting, "project_id">[];
}

/** A row with so many is about as long as one may be that PostgreSQL stores as it is. */
export const parcel_max = 12;
const hour_ms = 3_600_000;

/** Events in as few parcels as they fit. None holds two hours, so that what waits is found by the month. */
export function parcelsOf(events: readonly Waiting[]): Parcel[] {
  const together = grouped(events, ({ project_id, created_at }) => `${project_id} ${Math.floor(created_at / hour_ms)}`);
  return [...together.values()].flatMap((group) => {
    const [{ project_id }] = group as [Waiting];
    const facts = group
      .toSorted((one, other) => one.created_at - other.created_at)
      .map(({ id, type, entity_id, created_at }) => ({ id, type, entity_id, created_at }));
    return Array.from({ length: Math.ceil(facts.length / parcel_max) }, (_, i) => ({
      project_id,
      facts: facts.slice(i * parcel_max, (i + 1) * parcel_max),
    }));
  });
}

const outbox_parcels = table<Omit<Parcel, "project_id"> & { created_at: Instant }>("outbox_parcels", {
  created_at: timestamptz,
  facts: json,
});

/** What puts parcels into the outbox; no statement for none. */
export const insertParcels = (parcels: readonly Parcel[]): readonly Sql[] =>
  [...grouped(parcels, ({ project_id }) => project_id)].map(([project_id, of_project]) => {
    const rows = of_project.map(({ facts }) => ({ created_at: facts[0]?.created_at ?? 0, facts }));
    return insertInto(outbox_parcels, project_id, rows);
  });
