import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, type Sql, sql } from "../../platform/db/sql.js";

/**
 * The next vouchers of a campaign that may be given, in the order of their creation, by the one index that has this order. The campaign
 * and the count are compared and sorted by, and not equated: with them equated the planner, whose statistics know nothing of what was
 * published lately, walks all vouchers of the project or of the campaign (42 ms past 20,000 published ones of 100,000).
 */
export const findNextVouchers = (db: Queries, project_id: string, campaign_id: string, count_max: number) =>
  db.many<{ id: string }>(nextVouchers(project_id, sql`${campaign_id}::text`, count_max));

/**
 * Takes the next vouchers for this transaction: past those that others have taken, so that nobody waits for a neighbour who publishes;
 * where too few are left beside those, it waits for what becomes of them.
 *
 * @param is_growing whether the campaign makes what it lacks; where it does not, one that a clock behind ours dated before the mark is
 *   looked for as well, before somebody is refused
 */
export async function drawNextVouchers(
  tx: Tx,
  project_id: string,
  campaign_id: string,
  { count, is_growing }: { count: number; is_growing: boolean },
): Promise<{ id: string }[]> {
  const its = sql`${campaign_id}::text`;
  const next = nextVouchers(project_id, its, count);
  const free = await tx.many<{ id: string }>(sql`${next} for no key update skip locked`);
  if (free.length === count) return free;
  const all = is_growing ? next : nextVouchers(project_id, its, count, beginning);
  return tx.many<{ id: string }>(sql`${all} for no key update`);
}

/** A place in the order of creation. */
interface Place {
  created_at: Sql;
  id: Sql;
}

const beginning: Place = { created_at: sql`'-infinity'::timestamptz`, id: sql`''` };

const markOf = (project_id: string, campaign_id: Sql): Place => {
  const its = sql`publication_marks
     where publication_marks.project_id = ${project_id} and publication_marks.campaign_id = ${campaign_id}`;
  return {
    created_at: sql`coalesce((select publication_marks.created_at from ${its}), ${beginning.created_at})`,
    id: sql`coalesce((select publication_marks.id from ${its}), ${beginning.id})`,
  };
};

const nextVouchers = (
  project_id: string,
  campaign_id: Sql,
  count_max: number,
  from = markOf(project_id, campaign_id),
) => sql`
    select vouchers.id, vouchers.created_at from vouchers
     where vouchers.project_id = ${project_id}
       and (vouchers.campaign_id, vouchers.publish_count, vouchers.created_at, vouchers.id)
           >= (${campaign_id}, 0, ${from.created_at}, ${from.id})
       and vouchers.campaign_id <= ${campaign_id}
       and vouchers.publish_count <= 0
       and vouchers.deleted_at is null
       and vouchers.active is not false
     order by vouchers.campaign_id, vouchers.publish_count, vouchers.created_at, vouchers.id
     limit ${count_max}`;

/** A voucher is there for everybody so long after the instant that it says it was made at, or never. */
const made_within_ms = 60_000;

/**
 * Moves the marks of campaigns to the first voucher that may be given (docs/adr/0101). What is made right now may be dated before others that
 * everybody sees, so a mark stays behind. The rows are locked before anybody looks, so that a voucher that may be given again meanwhile
 * is seen, or takes the mark back afterwards; a mark that somebody else moves is theirs.
 */
export async function moveMarks(
  tx: Tx,
  project_id: string,
  campaign_ids: readonly string[],
  instant: Instant,
): Promise<void> {
  await tx.run(sql`
    insert into publication_marks (project_id, campaign_id)
    select ${project_id}, campaigns.id from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id = any(${campaign_ids}::text[])
       and not exists (
         select from publication_marks
          where publication_marks.project_id = ${project_id} and publication_marks.campaign_id = campaigns.id)
     order by campaigns.id
    on conflict (project_id, campaign_id) do nothing`);
  const held = await tx.many<{ campaign_id: string }>(sql`
    select publication_marks.campaign_id from publication_marks
     where publication_marks.project_id = ${project_id}
       and publication_marks.campaign_id = any(${campaign_ids}::text[])
     order by publication_marks.campaign_id
       for no key update skip locked`);
  const settled = isoOf(instant - made_within_ms);
  await tx.run(sql`
    update publication_marks
       set created_at = coalesce(place.created_at, ${settled}::timestamptz), id = coalesce(place.id, '')
      from (
        select held.campaign_id, first.created_at, first.id
          from unnest(${column(held, "campaign_id")}::text[]) as held (campaign_id)
          left join lateral (
            ${nextVouchers(project_id, sql`held.campaign_id`, 1)}
          ) as first on first.created_at < ${settled}::timestamptz
      ) as place
     where publication_marks.project_id = ${project_id} and publication_marks.campaign_id = place.campaign_id`);
}
