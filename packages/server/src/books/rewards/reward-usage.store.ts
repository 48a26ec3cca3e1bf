import { randomInt } from "node:crypto";
import type { Queries } from "../../platform/db/database.js";
import { column, type Sql, sql } from "../../platform/db/sql.js";
import { slots } from "../usage.store.js";

/** How often a reward was given, or taken back. */
export interface RewardMove {
  reward_id: string;
  /** Whether its key is held: then one row counts it, and its stock is a wall. */
  is_held: boolean;
  /** Above which it must not come; null: without limit. */
  stock: number | null;
  /** Negative when it is taken back. */
  times: number;
}

/**
 * How often it was given, as one value; null where it never was.
 * @param reward its project and id: columns, or values
 */
export const rewardUses = (reward: { project_id: Sql; id: Sql }): Sql => sql`
  (select sum(reward_usage.redeemed)::bigint from reward_usage
    where reward_usage.project_id = ${reward.project_id} and reward_usage.reward_id = ${reward.id})`;

/** How often rewards were given that were given at all. */
export const readRewardUses = (db: Queries, project_id: string, reward_ids: readonly string[]) =>
  db.many<{ reward_id: string; redeemed: number }>(sql`
    select reward_usage.reward_id, sum(reward_usage.redeemed)::bigint as redeemed from reward_usage
     where reward_usage.project_id = ${project_id} and reward_usage.reward_id = any(${reward_ids}::text[])
     group by reward_usage.reward_id`);

/**
 * Counts rewards given and taken back. One that comes above its stock, or below nothing, was missed by the decision: that is
 * a bug of ours, and nothing is written.
 */
export function moveRewards(project_id: string, moves: readonly RewardMove[]): readonly Sql[] {
  // Who holds no key shares the rows with everybody: spread, so that a popular reward serialises no commits.
  const slot = 1 + randomInt(slots);
  const rows = moves.map((move) => ({ ...move, slot: move.is_held ? 0 : slot }));
  const statement = sql`
    with move as (
      select move.reward_id, move.slot, max(move.stock) as stock, sum(move.times) as times
        from unnest(${column(rows, "reward_id")}::text[], ${column(rows, "slot")}::smallint[],
                    ${column(rows, "stock")}::bigint[], ${column(rows, "times")}::bigint[])
               as move (reward_id, slot, stock, times)
       group by move.reward_id, move.slot
    ), moved as (
      insert into reward_usage (project_id, reward_id, slot, redeemed)
      select ${project_id}, move.reward_id, move.slot, move.times from move
       order by move.reward_id, move.slot
      on conflict (project_id, reward_id, slot) do update
         set redeemed = reward_usage.redeemed + excluded.redeemed
      returning reward_usage.reward_id, reward_usage.slot, reward_usage.redeemed
    )
    select must_be(count(*), 0, 'rewards given more often than there are, or less than never')
      from moved join move on move.reward_id = moved.reward_id and move.slot = moved.slot
     where moved.slot = 0 and (moved.redeemed < 0 or moved.redeemed > move.stock)`;
  return [statement];
}
