import type { Instant } from "../../platform/clock.js";
import { isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, json, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { LocationRow } from "./location.js";

const locations = table<LocationRow>("locations", {
  id: text,
  name: text,
  shape: json,
  created_at: timestamptz,
  updated_at: timestamptz,
});

export const findLocation = (db: Queries, project_id: string, id: string) =>
  db.maybe<LocationRow>(sql`
    select ${locations.fields} from locations where locations.project_id = ${project_id} and locations.id = ${id}`);

export const findLocationsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<LocationRow>(sql`
    select ${locations.fields} from locations
     where locations.project_id = ${project_id} and locations.id = any(${ids}::text[])`);

export const findShapes = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Pick<LocationRow, "id" | "shape">>(sql`
    select locations.id, locations.shape from locations
     where locations.project_id = ${project_id} and locations.id = any(${ids}::text[])`);

/** How many there are, and the bytes of their shapes. */
export const countLocations = (db: Queries, project_id: string) =>
  db.one<{ count: number; bytes: number }>(sql`
    select count(*) as count, coalesce(sum(octet_length(locations.shape::text)), 0)::bigint as bytes
      from locations where locations.project_id = ${project_id}`);

export const insertLocation = (tx: Tx, project_id: string, location: LocationRow) =>
  tx.run(insertInto(locations, project_id, [location]));

export const updateLocation = (tx: Tx, project_id: string, location: LocationRow) =>
  tx.run(sql`
    update locations set ${sets(locations, location, ["name", "shape", "updated_at"])}
     where locations.project_id = ${project_id} and locations.id = ${location.id}`);

/** Answers how many there were. */
export const deleteLocation = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from locations where locations.project_id = ${project_id} and locations.id = ${id}`);

type LocationOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at";

/** What was never changed stands where it was made. */
const dates = {
  created_at: sql`locations.created_at`,
  updated_at: sql`coalesce(locations.updated_at, locations.created_at)`,
};
const sort_keys = {
  created_at: { keys: [dates.created_at, sql`locations.id`] },
  updated_at: { keys: [dates.updated_at, sql`locations.id`] },
};

/** @param before only what comes before it by the date that the list is ordered by */
export const listLocations = (
  db: Database,
  project_id: string,
  { filters, before }: { filters: Sql | null; before: Instant | null },
  order: LocationOrder,
  page: Page,
): Promise<Listed<LocationRow>> =>
  readList<LocationRow>(
    db,
    project_id,
    { table: sql`locations`, fields: locations.fields },
    {
      conditions: [
        ...(filters ? [filters] : []),
        ...(before === null
          ? []
          : [sql`${order.endsWith("updated_at") ? dates.updated_at : dates.created_at} < ${isoOf(before)}`]),
      ],
      order: orderOf(order, sort_keys),
      page,
    },
  );

const location_text = sql`locations.id, locations.shape::text as text`;

/** A page of the locations in the order of their ids: what a catalogue begins with. */
export const locationTextsAfter = (project_id: string, after_id: string, limit: number) => sql`
  select ${location_text} from locations
   where locations.project_id = ${project_id} and locations.id > ${after_id}
   order by locations.id
   limit ${limit}`;

export const locationTextsOfIds = (project_id: string, ids: readonly string[]) => sql`
  select ${location_text} from locations
   where locations.project_id = ${project_id} and locations.id = any(${ids}::text[])`;
