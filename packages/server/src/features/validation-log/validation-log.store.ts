import type { StoredEvent } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import { wireArray } from "../../platform/db/connections/wire-arrays.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, plannedEachTime, type Sql, sql } from "../../platform/db/sql.js";
import { all, isWithin } from "../../platform/http/lists.js";
import { readBounded } from "../../platform/listing/index.js";
import { asEvent, event_prefix, id_prefix } from "./validation-log.events.js";
import { kept_ms, type LoggedValidation } from "./validation-log.js";

/** A project that was deleted before the log was written has none. */
export const insertValidations = (db: Queries, rows: readonly LoggedValidation[]) =>
  db.run(sql`-- every project: each row brings its project_id
    insert into validations (project_id, id, customer_id, group_id, event_source, valid, redeemables, names, created_at)
    select logged.project_id, logged.id, logged.customer_id, logged.group_id, logged.event_source, logged.valid,
           logged.redeemables, array(select json_array_elements_text(logged.names)), logged.created_at
      from unnest(${column(rows, "project_id")}::text[], ${column(rows, "id")}::text[],
                  ${column(rows, "customer_id")}::text[], ${column(rows, "group_id")}::text[],
                  ${jsonColumn(rows, "event_source", "json")}::json[], ${column(rows, "valid")}::boolean[],
                  ${jsonColumn(rows, "redeemables", "json")}::json[], ${wireArray("json", rows.map(namesIn))}::json[],
                  ${rows.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
        as logged (project_id, id, customer_id, group_id, event_source, valid, redeemables, names, created_at)
      join projects on projects.id = logged.project_id and projects.deleted_at is null`);

const namesIn = ({ redeemables }: LoggedValidation) => JSON.stringify([...new Set(redeemables.map(({ id }) => id))]);

/** A customer's validations, within a time; those that went well, or the others, or both. */
export interface OfCustomer {
  project_id: string;
  customer_id: string;
  /** Null: both. */
  valid: boolean | null;
  start: Instant | null;
  end: Instant | null;
  /** What is older than the log keeps is there no more, purged or not. */
  instant: Instant;
}

const isAskedFor = ({ project_id, customer_id, valid, instant, ...span }: OfCustomer): Sql =>
  all([
    sql`validations.project_id = ${project_id}`,
    sql`validations.customer_id = ${customer_id}`,
    sql`validations.created_at > ${isoOf(instant - kept_ms)}`,
    ...(valid === null ? [] : [sql`validations.valid = ${valid}`]),
    ...isWithin(sql`validations.created_at`, span),
  ]);

const fields = sql`
  validations.project_id, validations.id, validations.customer_id, validations.group_id, validations.event_source,
  validations.valid, validations.redeemables, validations.created_at`;

/** The next behind that event, in the order of events. */
export async function listValidationsOf(
  db: Queries,
  asked: OfCustomer,
  { seen, descending, rows_max }: { seen: StoredEvent | null; descending: boolean; rows_max: number },
): Promise<StoredEvent[]> {
  const own = sql`(validations.created_at, (${event_prefix} || substr(validations.id, ${id_prefix.length + 1})) collate "C")`;
  const place = seen && sql`(${isoOf(seen.created_at)}::timestamptz, ${seen.id}::text collate "C")`;
  const is_behind = place ? (descending ? sql`${own} < ${place}` : sql`${own} > ${place}`) : sql`true`;
  const rows = await db.many<LoggedValidation>(
    plannedEachTime(sql`
      select ${fields} from validations
       where validations.project_id = ${asked.project_id} and ${isAskedFor(asked)} and ${is_behind}
       order by ${descending ? sql`validations.created_at desc, validations.id desc` : sql`validations.created_at, validations.id`}
       limit ${rows_max}`),
  );
  return rows.map(asEvent);
}

/** The customer's validation that is called so among events, by how that ends. */
export async function findValidationOf(db: Queries, asked: OfCustomer, tail: string): Promise<StoredEvent | undefined> {
  const row = await db.maybe<LoggedValidation>(
    plannedEachTime(sql`
      select ${fields} from validations
       where validations.project_id = ${asked.project_id} and ${isAskedFor(asked)}
         and validations.id = ${`${id_prefix}${tail}`}
       limit 1`),
  );
  return row && asEvent(row);
}

export const countValidationsOf = async (db: Queries, asked: OfCustomer): Promise<number> =>
  (
    await db.one<{ validations: number }>(
      plannedEachTime(sql`
        select count(*) as validations from validations
         where validations.project_id = ${asked.project_id} and ${isAskedFor(asked)}`),
    )
  ).validations;

/** Which validations are asked for; null: whichever. */
export interface ValidationFilter {
  project_id: string;
  instant: Instant;
  customer_id: string | null;
  /** A code, or the id of a tier, that was asked about. */
  code: string | null;
  valid: boolean | null;
}

/** The latest of a project, or those before the one that was seen. */
export const listValidations = (
  db: Database,
  { project_id, instant, customer_id, code, valid }: ValidationFilter,
  { seen, rows_max }: { seen: { created_at: Instant; id: string } | null; rows_max: number },
): Promise<LoggedValidation[]> => {
  const asked = all([
    sql`validations.created_at > ${isoOf(instant - kept_ms)}`,
    ...(customer_id === null ? [] : [sql`validations.customer_id = ${customer_id}`]),
    ...(code === null ? [] : [sql`validations.names @> ${[code]}::text[] and validations.names <> '{}'`]),
    ...(valid === null ? [] : [sql`validations.valid = ${valid}`]),
  ]);
  return readBounded(db, (queries) =>
    queries.many<LoggedValidation>(
      plannedEachTime(sql`
        select ${fields} from validations
         where validations.project_id = ${project_id} and ${asked}
           and ${seen ? sql`(validations.created_at, validations.id) < (${isoOf(seen.created_at)}::timestamptz, ${seen.id}::text collate "C")` : sql`true`}
         order by validations.created_at desc, validations.id desc limit ${rows_max}`),
    ),
  );
};

/** Drops those of a customer who is deleted for good. */
export const deleteValidationsOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`
    delete from validations where validations.project_id = ${project_id} and validations.customer_id = ${customer_id}`);
