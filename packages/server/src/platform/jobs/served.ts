import { type Sql, sql } from "../db/sql.js";

/**
 * Whether a project is among those that a work serves: these; or all, unless told, but for those whose time somebody else turns
 * (ADR 95). Those are few and mostly none, and are read once a statement.
 */
export const isServed = (project_id: Sql, project_ids: readonly string[] | null): Sql =>
  project_ids === null
    ? sql`${project_id} <> all(array(
        select sample_projects.project_id from sample_projects where sample_projects.status <> 'ready'))`
    : sql`${project_id} = any(${project_ids}::text[])`;

/**
 * Whether a project is among those whose past is cleared away: these; or all, unless told. A statement for all leaves the question out,
 * so that each of the two is planned by the index that it needs.
 */
export const isAmong = (project_id: Sql, project_ids: readonly string[] | null): Sql =>
  project_ids === null ? sql`true` : sql`${project_id} = any(${project_ids}::text[])`;
