import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";
import type { WaitingRow } from "./import.js";

/** Keeps some rows of an import, in their order. */
export const insertPiece = (
  db: Queries,
  project_id: string,
  import_id: string,
  rows: readonly WaitingRow[],
  instant: Instant,
) =>
  db.run(sql`
    insert into import_pieces (project_id, import_id, last_row, content, created_at)
    values (${project_id}, ${import_id}, ${rows.at(-1)?.row ?? 0}, ${JSON.stringify(rows)}, ${isoOf(instant)})`);

/** The next pieces in which rows after the given one stand. */
export async function readPieces(
  db: Queries,
  { project_id, id }: { project_id: string; id: string },
  after: number,
  pieces_max: number,
): Promise<WaitingRow[]> {
  const pieces = await db.many<{ content: string }>(sql`
    select import_pieces.content from import_pieces
     where import_pieces.project_id = ${project_id} and import_pieces.import_id = ${id}
       and import_pieces.last_row > ${after}
     order by import_pieces.last_row
     limit ${pieces_max}`);
  return pieces.flatMap(({ content }) => JSON.parse(content) as WaitingRow[]);
}

export const deletePieces = (db: Queries, { project_id, id }: { project_id: string; id: string }) =>
  db.run(sql`
    delete from import_pieces where import_pieces.project_id = ${project_id} and import_pieces.import_id = ${id}`);

/** The same of a file that no import has taken up. */
export const deleteUnclaimed = (db: Queries, project_id: string, import_id: string) =>
  db.run(sql`
    delete from import_pieces
     where import_pieces.project_id = ${project_id} and import_pieces.import_id = ${import_id}
       and not exists (select from async_actions
                        where async_actions.project_id = ${project_id} and async_actions.id = ${import_id})`);

/** How many imports of the project have rows here, but for this one. */
export async function countOthers(db: Queries, project_id: string, import_id: string): Promise<number> {
  const { others } = await db.one<{ others: number }>(sql`
    select count(distinct import_pieces.import_id) as others from import_pieces
     where import_pieces.project_id = ${project_id} and import_pieces.import_id <> ${import_id}`);
  return others;
}

/** Longer than any request takes to bring its file. */
const abandoned_ms = 60 * 60_000;
/** Few: each is up to a quarter of a megabyte. */
const purged_max = 50;

/** Deletes rows that no import takes any more: their request was cut off, or their import given up. */
export async function purgePieces(db: Queries, { instant, project_ids, rows_max }: Ended): Promise<number> {
  const gone = await db.run(sql`-- every project: purges serve them all
    with abandoned as materialized (
      select import_pieces.project_id, import_pieces.import_id, import_pieces.last_row from import_pieces
       where import_pieces.created_at <= ${isoOf(instant - abandoned_ms)}
         and ${isAmong(sql`import_pieces.project_id`, project_ids)}
         and not exists (
           select from async_actions
            where async_actions.project_id = import_pieces.project_id and async_actions.id = import_pieces.import_id
              and async_actions.status in ('ENQUEUED', 'IN_PROGRESS'))
       limit ${purged_max}
         for update skip locked
    )
    delete from import_pieces using abandoned
     where import_pieces.project_id = abandoned.project_id and import_pieces.import_id = abandoned.import_id
       and import_pieces.last_row = abandoned.last_row`);
  return gone >= purged_max ? rows_max : gone;
}
