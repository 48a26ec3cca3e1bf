import { type Instant, isoOf } from "../../../../platform/clock.js";
import type { Queries } from "../../../../platform/db/database.js";
import { sql } from "../../../../platform/db/sql.js";

/** Some cards of a program, behind the last one in the order in which they were made. */
interface CardsBehind {
  project_id: string;
  campaign_id: string;
  after_created_at: Instant | null;
  after_id: string;
}

export const findCardsBehind = (
  db: Queries,
  { project_id, campaign_id, after_created_at, after_id }: CardsBehind,
  cards_max: number,
) =>
  db.many<{ id: string; created_at: Instant; is_held: boolean }>(sql`
    select vouchers.id, vouchers.created_at, vouchers.holder_id is not null as is_held from vouchers
     where vouchers.project_id = ${project_id} and vouchers.campaign_id = ${campaign_id} and vouchers.deleted_at is null
       and (vouchers.created_at, vouchers.id)
           > (coalesce(${after_created_at === null ? null : isoOf(after_created_at)}::timestamptz, '-infinity'), ${after_id})
     order by vouchers.created_at, vouchers.id
     limit ${cards_max}`);
