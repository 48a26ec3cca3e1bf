import { sql } from "../../src/platform/db/sql.js";
import type { TestService } from "./service.js";

/** Written when nobody looks: what is asked leaves something there. */
const logs = ["validations", "explained_refusals", "api_requests"];

/** Noted behind the answer, of whichever key asked. */
const noted_later = "last_used_at";

/** A digest of everything that is stored of a project but its logs, table by table: two of them are equal when nothing was written between. */
export async function storedOf(
  { db }: Pick<TestService["context"], "db">,
  project_id: string,
): Promise<Record<string, string>> {
  const tables = await db.many<{ name: string }>(sql`
    select pg_class.relname as name
      from pg_class
      join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'project_id'
     where pg_class.relkind in ('r', 'p') and not pg_class.relispartition and pg_class.relnamespace = 'public'::regnamespace
       and not pg_class.relname = any(${logs}::text[])
     order by pg_class.relname`);
  const digests = tables.map(({ name }) => {
    const text = `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(row, ';' order by row), '')) as digest
                    from (select ${name === "api_keys" ? `(to_jsonb(r) - '${noted_later}')::text` : "r::text"} as row
                            from ${name} as r where r.project_id = $1) as rows`;
    return text;
  });
  const all = { ...sql``, name: undefined, text: digests.join(" union all "), values: [project_id] };
  const rows = await db.many<{ name: string; digest: string }>(all);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** How many rows each table has more than before, of those that have. */
export function grownSince(before: Record<string, string>, now: Record<string, string>): Record<string, number> {
  const rowsOf = (digest = "0") => Number(digest.split(" ")[0]);
  const grown = Object.keys(now).map((name) => [name, rowsOf(now[name]) - rowsOf(before[name])] as const);
  return Object.fromEntries(grown.filter(([, rows]) => rows !== 0));
}
