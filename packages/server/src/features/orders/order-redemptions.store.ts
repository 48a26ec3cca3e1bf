import { type RedeemedColumns, redeemed_fields } from "../../books/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** A redemption, single or the parent of a stack, as its order tells it (redemption.md §8). */
export interface OrderRedemption extends RedeemedColumns {
  id: string;
  order_id: string;
  campaign_id: string | null;
  created_at: Instant;
  /** Children of a stack, in the order they were applied; null for a single redemption. */
  stacked: string[] | null;
  rollback_id: string | null;
  rollback_date: Instant | null;
  rollback_stacked: string[] | null;
}

/**
 * Succeeded redemptions of the orders, oldest first, rolled back or not. Rollbacks are joined by what they undo, since
 * one made without its order names none. Ids grow with time, so children by id are children in sequence.
 */
export const findOrderRedemptions = (db: Queries, project_id: string, order_ids: readonly string[]) =>
  db.many<OrderRedemption>(sql`
    select redemptions.id, redemptions.order_id, ${redeemed_fields},
           redemptions.campaign_id, redemptions.created_at, stack.stacked, rollback.id as rollback_id,
           rollback.created_at as rollback_date, stack.rollback_stacked
      from redemptions
      left join redemptions as rollback
        on rollback.project_id = redemptions.project_id and rollback.redemption_id = redemptions.id
       and rollback.object = 'redemption_rollback' and rollback.result = 'SUCCESS'
      left join lateral (
        select array_agg(child.id order by child.id) as stacked,
               array_agg(undone.id order by child.id) filter (where undone.id is not null) as rollback_stacked
          from redemptions as child
          left join redemptions as undone
            on undone.project_id = child.project_id and undone.redemption_id = child.id
           and undone.object = 'redemption_rollback' and undone.result = 'SUCCESS'
         where child.project_id = redemptions.project_id and child.parent_id = redemptions.id
           and child.object = 'redemption'
      ) as stack on true
     where redemptions.project_id = ${project_id}
       and redemptions.order_id = any(${order_ids}::text[])
       and redemptions.object = 'redemption' and redemptions.result = 'SUCCESS' and redemptions.parent_id is null
     order by redemptions.created_at, redemptions.id`);
