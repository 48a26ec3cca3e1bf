import type { Queries, Tx } from "../platform/db/database.js";
import type { Ended } from "../platform/db/purge.js";
import { column, type Sql, sql } from "../platform/db/sql.js";
import { isAmong } from "../platform/jobs/served.js";

/** An object that decisions look at: the kind of the shelf it stands on, and its id. */
export interface EditedObject {
  kind: string;
  id: string;
}

/** The first version of a project's catalogue. */
export const insertVersion = (tx: Tx, project_id: string) =>
  tx.run(sql`insert into project_versions (project_id, version) values (${project_id}, 1)`);

/** Without a version nobody can ask for the project any more. */
export const deleteVersion = (tx: Tx, project_id: string) =>
  tx.run(sql`delete from project_versions where project_versions.project_id = ${project_id}`);

/** Names what an edit changed; the version moves, and every node re-reads those objects with its next request. */
export function recordEdits(project_id: string, edits: readonly EditedObject[]): Sql {
  // The last statement of a change: it locks the row that every request reads, so it must be held for a moment only.
  return sql`
    with moved as (
      update project_versions set version = project_versions.version + 1
       where project_versions.project_id = ${project_id}
      returning project_versions.project_id, project_versions.version
    )
    insert into catalogue_changes (project_id, version, kind, id)
    select distinct moved.project_id, moved.version, change.kind, change.id
      from moved,
           unnest(${column(edits, "kind")}::text[], ${column(edits, "id")}::text[]) as change (kind, id)`;
}

/** What has changed since a version that somebody knows, up to a limit. */
export const findEdits = (db: Queries, project_id: string, version: number, limit: number) =>
  db.many<EditedObject & { version: number }>(sql`
    select catalogue_changes.version, catalogue_changes.kind, catalogue_changes.id
      from catalogue_changes
     where catalogue_changes.project_id = ${project_id} and catalogue_changes.version > ${version}
     limit ${limit}`);

/** The version that the project's catalogue has reached. */
export const readVersion = async (db: Queries, project_id: string) =>
  (
    await db.one<{ version: number }>(
      sql`select project_versions.version from project_versions where project_versions.project_id = ${project_id}`,
    )
  ).version;

/** Versions whose edits are kept; whoever is further behind than this reads more edits than it follows one by one. */
export const edits_versions_kept = 10_000;

/** Deletes what the versions before those that are kept changed. Answers how many edits. */
export const purgeEdits = (db: Queries, { project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    with old as materialized (
      select edit.*
        from project_versions
       cross join lateral (
         select catalogue_changes.project_id, catalogue_changes.version, catalogue_changes.kind, catalogue_changes.id
           from catalogue_changes
          where catalogue_changes.project_id = project_versions.project_id
            and catalogue_changes.version <= project_versions.version - ${edits_versions_kept}
          order by catalogue_changes.version
          limit ${rows_max}
       ) as edit
       where ${isAmong(sql`project_versions.project_id`, project_ids)}
       limit ${rows_max}
    )
    delete from catalogue_changes using old
     where catalogue_changes.project_id = old.project_id and catalogue_changes.version = old.version
       and catalogue_changes.kind = old.kind and catalogue_changes.id = old.id`);
