import { isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { insertInto, int8, json, table, text, timestamptz } from "../../platform/db/table.js";
import { isAmong } from "../../platform/jobs/served.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { ExportRow, ExportStatus } from "./export.js";

const exports = table<ExportRow>("exports", {
  id: text,
  exported_object: text,
  status: text,
  channel: text,
  user_id: text,
  parameters: json,
  plan: json,
  action_id: text,
  parts: int8,
  bytes: int8,
  error: text,
  created_at: timestamptz,
  expires_at: timestamptz,
});

export const insertExport = (tx: Tx, project_id: string, made: ExportRow) =>
  tx.run(insertInto(exports, project_id, [made]));

/** One that has not expired. */
export const findExport = (db: Queries, project_id: string, id: string, instant: number) =>
  db.maybe<ExportRow>(sql`
    select ${exports.fields} from exports
     where exports.project_id = ${project_id} and exports.id = ${id} and exports.expires_at > ${isoOf(instant)}`);

/** The same, nobody else's until the transaction ends. */
export const holdExport = (tx: Tx, project_id: string, id: string) =>
  tx.maybe<ExportRow>(sql`
    select ${exports.fields} from exports
     where exports.project_id = ${project_id} and exports.id = ${id} for update`);

/** Exports under way, those that are kept, and the bytes of their files. */
export const countExports = (db: Queries, project_id: string, instant: number) =>
  db.one<{ under_way: number; kept: number; bytes: number }>(sql`
    select count(*) filter (where exports.status in ('SCHEDULED', 'IN_PROGRESS')) as under_way,
           count(*) as kept, coalesce(sum(exports.bytes), 0)::bigint as bytes
      from exports
     where exports.project_id = ${project_id} and exports.expires_at > ${isoOf(instant)}`);

/** Writes pieces of the file behind those that are there. */
export const insertParts = (
  tx: Tx,
  project_id: string,
  { id, parts }: Pick<ExportRow, "id" | "parts">,
  pieces: readonly Buffer[],
) =>
  tx.run(sql`
    insert into export_parts (project_id, export_id, place, content)
    select ${project_id}, ${id}, ${parts} + piece.number, piece.content
      from unnest(${pieces}::bytea[]) with ordinality as piece (content, number)`);

/** How far the file is. */
export const recordExport = (
  tx: Tx,
  project_id: string,
  { id, parts, bytes }: Pick<ExportRow, "id" | "parts" | "bytes">,
  status: ExportStatus,
) =>
  tx.run(sql`
    update exports set status = ${status}, parts = ${parts}, bytes = ${bytes}
     where exports.project_id = ${project_id} and exports.id = ${id}`);

/** There will be no file: what was written of it goes. */
export async function recordExportError(tx: Tx, project_id: string, id: string, error: string): Promise<void> {
  await tx.run(sql`
    delete from export_parts where export_parts.project_id = ${project_id} and export_parts.export_id = ${id}`);
  await tx.run(sql`
    update exports set status = 'ERROR', error = ${error}, parts = 0, bytes = 0
     where exports.project_id = ${project_id} and exports.id = ${id}`);
}

/** A piece of the file; places begin at 1. */
export const readPart = (db: Queries, project_id: string, id: string, place: number) =>
  db.maybe<{ content: Buffer }>(sql`
    select export_parts.content from export_parts
     where export_parts.project_id = ${project_id} and export_parts.export_id = ${id} and export_parts.place = ${place}`);

/** With its file. */
export const deleteExport = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from exports where exports.project_id = ${project_id} and exports.id = ${id}`);

/** Files may name whoever was there when they were written: with a person who is deleted for good they expire, all that are there by now. */
export const forgetFiles = (tx: Tx, project_id: string) =>
  tx.run(sql`
    update exports set expires_at = exports.created_at
     where exports.project_id = ${project_id} and exports.expires_at > exports.created_at`);

type ExportsOrder = "created_at" | "-created_at" | "status" | "-status";

const made_at = [sql`exports.created_at`, sql`exports.id`];
const sort_keys = { created_at: { keys: made_at }, status: { keys: [sql`exports.status`, ...made_at] } };

export const listExports = (
  db: Database,
  project_id: string,
  instant: number,
  order: ExportsOrder,
  page: Page,
): Promise<Listed<ExportRow>> =>
  readList<ExportRow>(
    db,
    project_id,
    { table: sql`exports`, fields: exports.fields },
    { conditions: [sql`exports.expires_at > ${isoOf(instant)}`], order: orderOf(order, sort_keys), page },
  );

/** Few: the pieces of a file go with it. */
const purged_max = 10;

/** Deletes exports that have expired, with their files; answers `rows_max` where it may have left some. */
export async function purgeExports(db: Queries, { instant, project_ids, rows_max }: Ended): Promise<number> {
  const gone = await db.run(sql`-- every project: purges serve them all
    with ended as materialized (
      select exports.project_id, exports.id from exports
       where exports.expires_at <= ${isoOf(instant)}
         and ${isAmong(sql`exports.project_id`, project_ids)}
       limit ${purged_max}
         for update skip locked
    )
    delete from exports using ended where exports.project_id = ended.project_id and exports.id = ended.id`);
  return gone >= purged_max ? rows_max : gone;
}
