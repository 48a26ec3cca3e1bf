import type { Queries } from "../platform/db/database.js";
import { type Sql, sql } from "../platform/db/sql.js";
import type { Shelf, ShelfRow } from "./shelf.js";

/** Rows read at once, so that no project, however large, keeps the process busy for more than some milliseconds. */
const rows_max = 2000;

/** Objects that were edited and are read again at once. */
const ids_max = 1000;

/** Texts read at once: a dozen of the largest rules. */
const bytes_max = 2 ** 21;

/** What stands behind an id and behind a text: characters that neither has, and that come before all they have. */
export const ends = { id: 1, text: 2 };

/** Rows of a shelf as one text, written by PostgreSQL: row by row they took the process thrice as long to read. */
export interface Page {
  count: number;
  bytes: Buffer;
}

/** Pages of a whole shelf in the order of ids, each asked for while the one before is looked at. */
export async function* pagesOf(db: Queries, project_id: string, shelf: Shelf<unknown>): AsyncGenerator<Page> {
  let limit = rows_max;
  const ask = (after_id: string) => read(db, shelf.page(project_id, after_id, limit), limit);
  for (let after = "", coming = ask(after); ; ) {
    const { page, count, length } = await coming;
    if (!page) {
      limit = fitting(count, length);
      coming = ask(after);
      continue;
    }
    const is_last = count < limit;
    if (!is_last) {
      after = lastIdOf(page.bytes);
      if (length < bytes_max / 4) limit = Math.min(rows_max, limit * 2);
      coming = ask(after);
      coming.catch(() => undefined);
    }
    yield page;
    if (is_last) return;
  }
}

/** Pages of those of the ids that are on the shelf. */
export async function* pagesOfIds(
  db: Queries,
  project_id: string,
  shelf: Shelf<unknown>,
  ids: readonly string[],
): AsyncGenerator<Page> {
  let limit = ids_max;
  for (let from = 0; from < ids.length; ) {
    const asked = ids.slice(from, from + limit);
    const { page, count, length } = await read(db, shelf.byIds(project_id, asked), asked.length);
    if (page) {
      from += asked.length;
      yield page;
    } else limit = fitting(count, length);
  }
}

/** No page where its texts would be too long: fewer rows are to be asked for then. */
async function read(db: Queries, rows: Sql, limit: number) {
  const { count, length, text } = await db.one<{ count: number; length: number; text: string | null }>(
    pageOf(rows, limit),
  );
  const page = count > 0 && text === null ? undefined : { count, bytes: Buffer.from(text ?? "") };
  return { page, count, length };
}

/** How many rows fit into a page, where so many of that length do not: fewer, or the one that is read whatever it is. */
const fitting = (count: number, length: number) => Math.max(1, Math.floor((count * bytes_max) / (length + 1)));

/**
 * No text where it would be too long, unless of a single row. The rows wait on disk, if need be, until that is known, in
 * the order they came in: to sort them again took a tenth of a first reading, and who packs them sees whether they are.
 */
const pageOf = (rows: Sql, limit: number) => sql`
  with page as materialized (${rows}),
       measured as (select count(*)::int as count, coalesce(sum(octet_length(page.text)), 0)::bigint as length from page)
  select measured.count, measured.length,
         case when measured.length <= ${bytes_max} or ${limit}::int = 1
              then (select string_agg(page.id || chr(${ends.id}::int) || page.text || chr(${ends.text}::int), '')
                      from page)
          end as text
    from measured`;

function lastIdOf(bytes: Buffer): string {
  const from = bytes.length < 2 ? 0 : bytes.lastIndexOf(ends.text, bytes.length - 2) + 1;
  return bytes.toString("utf8", from, bytes.indexOf(ends.id, from));
}

/** Its rows, one by one. */
export function* rowsOf({ bytes }: Pick<Page, "bytes">): Generator<ShelfRow> {
  for (let from = 0; from < bytes.length; ) {
    const text = bytes.indexOf(ends.id, from) + 1;
    const end = bytes.indexOf(ends.text, text);
    yield { id: bytes.toString("utf8", from, text - 1), text: bytes.toString("utf8", text, end) };
    from = end + 1;
  }
}

/** The same of rows that are there already. */
export function pageOfRows(rows: readonly ShelfRow[]): Page {
  const [id_end, text_end] = [String.fromCharCode(ends.id), String.fromCharCode(ends.text)];
  return { count: rows.length, bytes: Buffer.from(rows.map(({ id, text }) => id + id_end + text + text_end).join("")) };
}
