import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { exactly, type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, int8, jsonb, table, text, timestamptz } from "../../platform/db/table.js";

/** A reward that a redemption of a loyalty card gave. A product waits until somebody has handed it over. */
export interface RewardRedemption {
  id: string;
  state: "PENDING" | "COMPLETED" | "ROLLEDBACK";
  redemption_id: string;
  reward_id: string;
  /** As it was called then. */
  reward_name: string;
  reward_type: "CAMPAIGN" | "COIN" | "MATERIAL";
  reward_assignment_id: string;
  /** The loyalty program, its card, and whose it is. */
  campaign_id: string | null;
  voucher_id: string;
  customer_id: string | null;
  /** How many of it, more than one only where the service redeemed by itself. */
  units: number;
  /** The voucher of another campaign that was given or credited. */
  given_voucher_id: string | null;
  /** The codes beside that one, where several were given. */
  more_voucher_ids: readonly string[] | null;
  /** With how much, credits in minor units or points; null for a code that was given as it is. */
  given_amount: number | null;
  /** The tier that the member was in; null also where no tier of the project could have a say. */
  loyalty_tier_id: string | null;
  created_at: Instant;
  updated_at: Instant | null;
}

const reward_redemptions = table<RewardRedemption>("reward_redemptions", {
  id: text,
  state: text,
  redemption_id: text,
  reward_id: text,
  reward_name: text,
  reward_type: text,
  reward_assignment_id: text,
  campaign_id: text,
  voucher_id: text,
  customer_id: text,
  units: int8,
  given_voucher_id: text,
  more_voucher_ids: jsonb,
  given_amount: int8,
  loyalty_tier_id: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});

/** All vouchers that were given or credited. */
export const givenVoucherIds = ({ given_voucher_id, more_voucher_ids }: RewardRedemption): string[] =>
  given_voucher_id === null ? [] : [given_voucher_id, ...(more_voucher_ids ?? [])];

export const findRewardRedemptions = (db: Queries, project_id: string, redemption_ids: readonly string[]) =>
  db.many<RewardRedemption>(sql`
    select ${reward_redemptions.fields} from reward_redemptions
     where reward_redemptions.project_id = ${project_id}
       and reward_redemptions.redemption_id = any(${redemption_ids}::text[])`);

export const insertRewardRedemptions = (project_id: string, made: readonly RewardRedemption[]): readonly Sql[] => [
  insertInto(reward_redemptions, project_id, made),
];

/** A reward that was taken back, and when. */
export interface RewardReturn {
  id: string;
  at: Instant;
}

/** Marks rewards as taken back. One that is so already was missed by the decision: that is a bug of ours. */
export function returnRewards(project_id: string, returns: readonly RewardReturn[]): readonly Sql[] {
  const [first] = returns;
  if (!first) return [];
  const ids = returns.map(({ id }) => id);
  const marking = sql`
    update reward_redemptions set state = 'ROLLEDBACK', updated_at = ${isoOf(first.at)}
     where reward_redemptions.project_id = ${project_id} and reward_redemptions.id = any(${ids}::text[])
       and reward_redemptions.state <> 'ROLLEDBACK'`;
  return [exactly(ids.length, "rewards that could still be taken back", marking)];
}
