import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { jsonOf, sql } from "../../platform/db/sql.js";
import { isAmong } from "../../platform/jobs/served.js";

/** Whose they are. */
export interface Keeper {
  project_id: string;
  user_id: string;
  kind: "view" | "draft";
  /** What was changed before then is over; null: nothing is. */
  since: Instant | null;
}

export interface KeptPage {
  id: string;
  page: string;
  name: string;
  content: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant;
}

const isTheirs = ({ project_id, user_id, kind, since }: Keeper) => sql`
  kept_pages.project_id = ${project_id} and kept_pages.user_id = ${user_id} and kept_pages.kind = ${kind}
  ${since === null ? sql`` : sql`and kept_pages.updated_at >= ${isoOf(since)}`}`;

const narrow = sql`kept_pages.id, kept_pages.page, kept_pages.name, kept_pages.created_at, kept_pages.updated_at`;

/** Latest change first. */
export const listKept = (
  db: Queries,
  keeper: Keeper,
  { page, with_content }: { page: string | null; with_content: boolean },
) =>
  db.many<Omit<KeptPage, "content"> & { content?: KeptPage["content"] }>(sql`
    select ${narrow}${with_content ? sql`, kept_pages.content` : sql``} from kept_pages
     where kept_pages.project_id = ${keeper.project_id} and ${isTheirs(keeper)}
       and (${page}::text is null or kept_pages.page = ${page})
     order by kept_pages.updated_at desc, kept_pages.id desc`);

export const findKept = (db: Queries, keeper: Keeper, id: string) =>
  db.maybe<KeptPage>(sql`
    select ${narrow}, kept_pages.content from kept_pages
     where kept_pages.project_id = ${keeper.project_id} and ${isTheirs(keeper)} and kept_pages.id = ${id}`);

export const countKept = async (db: Queries, keeper: Keeper): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from kept_pages where kept_pages.project_id = ${keeper.project_id} and ${isTheirs(keeper)}`)
  ).count;

export const putKept = (tx: Tx, { project_id, user_id, kind }: Keeper, kept: KeptPage) =>
  tx.run(sql`
    insert into kept_pages (project_id, user_id, kind, id, page, name, content, created_at, updated_at)
    values (${project_id}, ${user_id}, ${kind}, ${kept.id}, ${kept.page}, ${kept.name}, ${jsonOf(kept.content)},
            ${isoOf(kept.created_at)}, ${isoOf(kept.updated_at)})
    on conflict (project_id, user_id, kind, id) do update
       set page = excluded.page, name = excluded.name, content = excluded.content, updated_at = excluded.updated_at`);

export const deleteKept = (tx: Tx, keeper: Keeper, id: string) =>
  tx.run(sql`
    delete from kept_pages
     where kept_pages.project_id = ${keeper.project_id} and ${isTheirs(keeper)} and kept_pages.id = ${id}`);

/** Those of a kind that nobody has changed since. */
export const deleteOldKept = (
  db: Queries,
  {
    kind,
    since,
    project_ids,
    rows_max,
  }: Pick<Ended, "project_ids" | "rows_max"> & { kind: Keeper["kind"]; since: Instant },
) =>
  db.run(sql`-- every project: one purge for all
    delete from kept_pages
     where (kept_pages.project_id, kept_pages.user_id, kept_pages.kind, kept_pages.id) in (
             select kept_pages.project_id, kept_pages.user_id, kept_pages.kind, kept_pages.id
               from kept_pages
              where kept_pages.kind = ${kind} and kept_pages.updated_at < ${isoOf(since)}
                and ${isAmong(sql`kept_pages.project_id`, project_ids)}
              limit ${rows_max})`);
