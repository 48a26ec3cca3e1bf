import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { insertInto, int8, table, text, timestamptz } from "../../../platform/db/table.js";

/** Something given because of a referral, to whom and by what. */
export interface ReferralReward {
  campaign_id: string;
  /** The tier; `referee_reward` where the campaign itself gives it to whoever was referred. */
  given_by: string;
  referrer_id: string;
  /** Empty where it is given once for many. */
  referee_id: string;
  reward_id: string | null;
  /** The code, or the card that was added to. */
  voucher_id: string | null;
  amount: number | null;
  created_at: number;
}

const referral_rewards = table<ReferralReward>("referral_rewards", {
  campaign_id: text,
  given_by: text,
  referrer_id: text,
  referee_id: text,
  reward_id: text,
  voucher_id: text,
  amount: int8,
  created_at: timestamptz,
});

/**
 * Answers whether it was to be given: whoever comes second waits here until the first has committed, and then has nothing to do.
 * Before any lock is taken, so that nobody waits for each other.
 */
export const beginReward = async (tx: Tx, project_id: string, reward: ReferralReward): Promise<boolean> =>
  (await tx.run(sql`${insertInto(referral_rewards, project_id, [reward])} on conflict do nothing`)) > 0;

const one = ({ campaign_id, given_by, referrer_id, referee_id }: ReferralReward) => sql`
  referral_rewards.campaign_id = ${campaign_id}
  and referral_rewards.given_by = ${given_by} and referral_rewards.referrer_id = ${referrer_id}
  and referral_rewards.referee_id = ${referee_id}`;

/** Keeps what it came to, in the transaction that gives it. */
export const keepReward = (tx: Tx, project_id: string, reward: ReferralReward) =>
  tx.run(sql`
    update referral_rewards set voucher_id = ${reward.voucher_id}, amount = ${reward.amount}
     where referral_rewards.project_id = ${project_id} and ${one(reward)}`);

/** There was nothing to give: the next referral that earns it asks again. */
export const forgetReward = (tx: Tx, project_id: string, reward: ReferralReward) =>
  tx.run(sql`
    delete from referral_rewards where referral_rewards.project_id = ${project_id} and ${one(reward)}`);
