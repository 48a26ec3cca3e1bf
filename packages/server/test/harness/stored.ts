import { expect } from "vitest";
import type { Queries } from "../../src/platform/db/database.js";
import { plannedEachTime, type Sql, sql } from "../../src/platform/db/sql.js";
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
  statement ??= await digestsOf(db);
  const rows = await db.many<{ name: string; digest: string }>({ ...statement, values: [project_id] });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Asks what is to leave all of the project as it was when this was asked first; in between nothing else may happen to it. */
export function leavingAllOf(context: Pick<TestService["context"], "db">, project_id: string) {
  // What one look finds is what there was before the next: each look reads every table.
  let before: Record<string, string> | undefined;
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    before ??= await storedOf(context, project_id);
    const answer = await ask();
    expect(await storedOf(context, project_id)).toEqual(before);
    return answer;
  };
}

let statement: Sql | undefined;

/** One statement for all tables, planned each time: prepared, it reads large tables whole that were small when it was planned. */
async function digestsOf(db: Queries): Promise<Sql> {
  const tables = await db.many<{ name: string }>(sql`
    select pg_class.relname as name
      from pg_class
      join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'project_id'
     where pg_class.relkind in ('r', 'p') and not pg_class.relispartition and pg_class.relnamespace = 'public'::regnamespace
       and not pg_class.relname = any(${logs}::text[])
     order by pg_class.relname`);
  const digests = tables.map(({ name }) => {
    const row = name === "api_keys" ? `(to_jsonb(r) - '${noted_later}')::text` : "r::text";
    return `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(row, ';' order by row), '')) as digest
              from (select ${row} as row from ${name} as r where r.project_id = $1) as rows`;
  });
  return { ...plannedEachTime(sql``), text: digests.join(" union all ") };
}

/** How many rows each table has more than before, of those that have. */
export function grownSince(before: Record<string, string>, now: Record<string, string>): Record<string, number> {
  const rowsOf = (digest = "0") => Number(digest.split(" ")[0]);
  const grown = Object.keys(now).map((name) => [name, rowsOf(now[name]) - rowsOf(before[name])] as const);
  return Object.fromEntries(grown.filter(([, rows]) => rows !== 0));
}
