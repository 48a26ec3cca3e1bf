import type { Queries } from "../../platform/db/database.js";
import { sql, verbatim } from "../../platform/db/sql.js";

/** Few enough to be deleted within a moment, with what hangs on them. */
const rows_max = 1_000;

interface Table {
  name: string;
  /** Tables whose rows its own rows refer to. */
  refers_to: string[];
}

/**
 * Deletes a part of what a project has left in whatever table, for as long as it is given. Which tables there are is the
 * database's to say, so that none is forgotten; those that refer to others come first, so that no statement takes more
 * along than its own rows.
 *
 * @param kept tables that are left alone
 * @returns whether nothing was there any more
 */
export async function deleteLeftovers(
  db: Queries,
  project_id: string,
  kept: readonly string[],
  ms_max: number,
): Promise<boolean> {
  const until = performance.now() + ms_max;
  let is_clean = true;
  for (const name of inOrder(await findTables(db))) {
    if (kept.includes(name)) continue;
    for (let deleted = rows_max; deleted === rows_max; ) {
      deleted = await deleteSome(db, name, project_id);
      if (deleted === 0) break;
      is_clean = false;
      // Tables with nothing in them are passed however long it takes: the next turn would not get any further.
      if (performance.now() > until) return false;
    }
  }
  return is_clean;
}

/** Those with rows of projects: partitions by themselves, since a row's place is known within one alone. */
const findTables = (db: Queries) =>
  db.many<Table>(sql`-- every project: tables belong to the installation
    select pg_class.relname as name,
           coalesce((select array_agg(other.relname::text)
                       from pg_constraint join pg_class other on other.oid = pg_constraint.confrelid
                      where pg_constraint.conrelid = pg_class.oid and pg_constraint.contype = 'f'), '{}') as refers_to
      from pg_class
      join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'project_id'
                       and not pg_attribute.attisdropped
     where pg_class.relnamespace = current_schema()::regnamespace and pg_class.relkind = 'r'
     order by pg_class.relname`);

function inOrder(tables: readonly Table[]): string[] {
  const referred = new Map(tables.map(({ name, refers_to }) => [name, refers_to]));
  const order: string[] = [];
  const visited = new Set<string>();
  const visit = (name: string) => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const other of referred.get(name) ?? []) visit(other);
    order.push(name);
  };
  for (const { name } of tables) visit(name);
  return order.filter((name) => referred.has(name)).reverse();
}

function deleteSome(db: Queries, name: string, project_id: string): Promise<number> {
  const table = verbatim(name);
  return db.run(sql`
    delete from ${table}
     where ${table}.project_id = ${project_id}
       and ${table}.ctid = any(array(
             select ${table}.ctid from ${table} where ${table}.project_id = ${project_id} limit ${rows_max}))`);
}
