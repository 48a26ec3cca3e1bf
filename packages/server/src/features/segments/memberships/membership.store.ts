import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { column, type Sql, sql } from "../../../platform/db/sql.js";

/** One customer in one auto-update segment. */
export interface Membership {
  customer_id: string;
  segment_id: string;
}

/** Of rows `gone` of the outbox, those of projects with memberships to keep. */
export const has_kept_segments: Sql = sql`
  exists (select from segments where segments.project_id = gone.project_id and segments.type = 'auto-update')`;

/** Of customers, those in the segment. */
export const keptMembers = (project_id: string, segment_id: string): Sql => sql`
  customers.id in (
    select segment_memberships.customer_id from segment_memberships
     where segment_memberships.project_id = ${project_id} and segment_memberships.segment_id = ${segment_id})`;

export const findMemberships = (
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
  segment_ids: readonly string[],
) =>
  db.many<Membership>(sql`
    select segment_memberships.customer_id, segment_memberships.segment_id from segment_memberships
     where segment_memberships.project_id = ${project_id}
       and segment_memberships.customer_id = any(${customer_ids}::text[])
       and segment_memberships.segment_id = any(${segment_ids}::text[])`);

/** Answers those that were written: none of a segment that was deleted meanwhile, and from now on none is deleted under it. */
export const insertMemberships = (tx: Tx, project_id: string, entered: readonly Membership[], instant: Instant) =>
  tx.many<Membership>(sql`
    with kept as (
      select segments.id from segments
       where segments.project_id = ${project_id} and segments.id = any(${column(entered, "segment_id")}::text[])
         for key share
    )
    insert into segment_memberships (project_id, customer_id, segment_id, entered_at)
    select ${project_id}, entered.customer_id, entered.segment_id, ${isoOf(instant)}::timestamptz
      from unnest(${column(entered, "customer_id")}::text[], ${column(entered, "segment_id")}::text[])
             as entered (customer_id, segment_id)
      join kept on kept.id = entered.segment_id
        on conflict do nothing
    returning segment_memberships.customer_id, segment_memberships.segment_id`);

/** Answers those that were there. */
export const deleteMemberships = (tx: Tx, project_id: string, left: readonly Membership[]) =>
  tx.many<Membership>(sql`
    delete from segment_memberships
     using unnest(${column(left, "customer_id")}::text[], ${column(left, "segment_id")}::text[])
             as gone (customer_id, segment_id)
     where segment_memberships.project_id = ${project_id}
       and segment_memberships.customer_id = gone.customer_id
       and segment_memberships.segment_id = gone.segment_id
    returning segment_memberships.customer_id, segment_memberships.segment_id`);

/** Those of customers who are no more. */
export const deleteMembershipsOf = (tx: Tx, project_id: string, customer_ids: readonly string[]) =>
  tx.run(sql`
    delete from segment_memberships
     where segment_memberships.project_id = ${project_id}
       and segment_memberships.customer_id = any(${customer_ids}::text[])`);

export const deleteMembershipsOfOne = (tx: Tx, project_id: string, customer_id: string) =>
  deleteMembershipsOf(tx, project_id, [customer_id]);

/** Some members of a segment that is no more; answers how many there were. */
export const deleteSomeMembers = (tx: Tx, project_id: string, segment_id: string, members_max: number) =>
  tx.run(sql`
    delete from segment_memberships
     where segment_memberships.project_id = ${project_id} and segment_memberships.segment_id = ${segment_id}
       and segment_memberships.customer_id in (
         select one.customer_id from segment_memberships as one
          where one.project_id = ${project_id} and one.segment_id = ${segment_id}
          order by one.customer_id
          limit ${members_max})`);
