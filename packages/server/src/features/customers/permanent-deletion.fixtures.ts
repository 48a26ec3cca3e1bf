import type { Database } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** Names of the tables in which the text stands somewhere, in whatever column. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const tables = await db.many<{ name: string }>(sql`-- every project: the dump is of everything
    select pg_class.relname as name from pg_class
     where pg_class.relkind in ('r', 'p') and not pg_class.relispartition and pg_class.relnamespace = 'public'::regnamespace
     order by pg_class.relname`);
  const looks = tables.map(
    ({ name }) =>
      `select '${name}' as name where exists (select from ${name} as r where r::text like '%' || $1 || '%' or r::text like '%' || $2 || '%')`,
  );
  const found = await db.many<{ name: string }>({
    ...sql``,
    name: undefined,
    text: looks.join(" union all "),
    // As it stands in bytes, such as those of files.
    values: [text, Buffer.from(text).toString("hex")],
  });
  return found.map(({ name }) => name).sort();
}

let markers = 0;

/** A text that stands nowhere else, and what is written with it into fields. */
export function aMarker() {
  const marker = `MARKER${process.pid}x${++markers}x`;
  return { marker, marked: (field: string) => `${marker}-${field}` };
}
