import type { Queries } from "../platform/db/database.js";
import { type Sql, sql } from "../platform/db/sql.js";
import type { Shelf, ShelfRow } from "./shelf.js";

/** Rows read at once, so that no project, however large, keeps the process busy for more than some milliseconds. */
const rows_max = 2000;

/** Texts read at once: a dozen of the largest rules. */
const bytes_max = 2 ** 21;

/** What stands behind an id and behind a text: characters that neither has. */
const ends = { id: 1, text: 2 };

/** Rows of a shelf as one text, written by PostgreSQL: row by row they took the process thrice as long to read. */
export interface Page {
  count: number;
  bytes: Buffer;
}

/** Where in a page an id and its text stand. */
export interface Placed {
  id: number;
  text: number;
  end: number;
}

/** Pages of a whole shelf in the order of ids, each asked for while the one before is looked at. */
export async function* pagesOf(db: Queries, project_id: string, shelf: Shelf<unknown>): AsyncGenerator<Page> {
  let limit = rows_max;
  const ask = (after_id: string) =>
    db.one<{ count: number; length: number; text: string | null }>(
      pageOf(shelf.page(project_id, after_id, limit), limit),
    );
  for (let after = "", coming = ask(after); ; ) {
    const { count, length, text } = await coming;
    if (count > 0 && text === null) {
      limit = Math.max(1, Math.floor((count * bytes_max) / (length + 1)));
      coming = ask(after);
      continue;
    }
    const bytes = Buffer.from(text ?? "");
    const is_last = count < limit;
    if (!is_last) {
      after = lastIdOf(bytes);
      if (bytes.length < bytes_max / 4) limit = Math.min(rows_max, limit * 2);
      coming = ask(after);
      coming.catch(() => undefined);
    }
    yield { count, bytes };
    if (is_last) return;
  }
}

/** No text where it would be too long, unless of a single row. The rows wait on disk, if need be, until that is known. */
const pageOf = (rows: Sql, limit: number) => sql`
  with page as materialized (${rows}),
       measured as (select count(*)::int as count, coalesce(sum(octet_length(page.text)), 0)::bigint as length from page)
  select measured.count, measured.length,
         case when measured.length <= ${bytes_max} or ${limit}::int = 1
              then (select string_agg(page.id || chr(${ends.id}::int) || page.text || chr(${ends.text}::int), '' order by page.id)
                      from page)
          end as text
    from measured`;

/** Each row of a page. One value for all of them: it says where they stand, and is not to be kept. */
export function* placesOf({ bytes }: Page): Generator<Placed> {
  const placed: Placed = { id: 0, text: 0, end: 0 };
  for (let from = 0; from < bytes.length; from = placed.end + 1) {
    placed.id = from;
    placed.text = bytes.indexOf(ends.id, from) + 1;
    placed.end = bytes.indexOf(ends.text, placed.text);
    yield placed;
  }
}

function lastIdOf(bytes: Buffer): string {
  const from = bytes.length < 2 ? 0 : bytes.lastIndexOf(ends.text, bytes.length - 2) + 1;
  return bytes.toString("utf8", from, bytes.indexOf(ends.id, from));
}

/** The same of rows that are there already. */
export function pageOfRows(rows: readonly ShelfRow[]): Page {
  const [id_end, text_end] = [String.fromCharCode(ends.id), String.fromCharCode(ends.text)];
  return { count: rows.length, bytes: Buffer.from(rows.map(({ id, text }) => id + id_end + text + text_end).join("")) };
}
