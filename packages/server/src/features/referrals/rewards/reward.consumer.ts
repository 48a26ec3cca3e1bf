import { type Cause, consumerOf, type ToldEvent } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { Problem } from "../../../platform/http/problems.js";
import { change } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { findCampaignsByIds } from "../../campaigns/index.js";
import { findProject, type Project } from "../../projects/index.js";
import { findRewardsByIds } from "../../rewards/index.js";
import { findReferralTiers } from "../tiers/referral-tier.store.js";
import { type Due, dueFor } from "./due.js";
import { handOver } from "./hand-over.js";
import { referralRewardedEvent } from "./referral-reward.events.js";
import { beginReward, forgetReward, keepReward, type ReferralReward } from "./referral-reward.store.js";

type Referred = ToldEvent<"customer.referred">;

/**
 * Gives what follows from referrals (vouchers-and-campaigns.md §15), each of it in a transaction of its own: giving a code takes the keys
 * of a campaign, and whoever held those of a batch would hold up all who publish. Each leaves a row, so that an event which is handed
 * out again finds it done.
 */
export const rewarding = consumerOf({
  name: "referral rewards",
  names: ["customer.referred"],
  when: "inbox",
  async take(_tx, events, { context, instant, ready }) {
    const waiting = events.filter(({ id }) => !ready.has(id));
    return waiting.map((event) => ({ event_id: event.id, first: () => rewardFor(context, event, instant) }));
  },
});

async function rewardFor(context: Context, event: Referred, instant: Instant): Promise<void> {
  const { project_id, data } = event;
  const db = context.db.of(project_id);
  const [project, [campaign], tiers] = await Promise.all([
    findProject(db, project_id),
    findCampaignsByIds(db, project_id, [data.campaign_id]),
    findReferralTiers(db, project_id, data.campaign_id),
  ]);
  // Of a campaign in the bin nothing is given any more.
  if (!project || !campaign) return;
  const ids = tiers.map(({ reward_id }) => reward_id);
  const rewards = ids.length === 0 ? [] : await findRewardsByIds(db, project_id, ids);
  for (const due of dueFor(data, campaign, tiers, rewards)) await give(context, project, event, due, instant);
}

/** The service does it, because of the request that caused the event. */
const causeOf = ({ project_id, group_id }: Referred, instant: Instant): Cause => ({
  ...{ project_id, request_id: group_id, event_source: eventSourceOf(the_service), instant },
});

async function give(context: Context, project: Project, event: Referred, due: Due, instant: Instant): Promise<void> {
  const { project_id, data } = event;
  const cause = causeOf(event, instant);
  const reward: ReferralReward = {
    ...{ campaign_id: data.campaign_id, given_by: due.tier?.id ?? "referee_reward", referrer_id: data.referrer_id },
    ...{ referee_id: due.referee_id, reward_id: due.reward?.id ?? null, voucher_id: null, amount: null },
    created_at: instant,
  };
  try {
    const refused = await change(context, cause, async (change) => {
      if (!(await beginReward(change.tx, project_id, reward))) return null;
      const handed = await handOver(change, { ...cause, project }, due);
      if (handed instanceof Problem) {
        await forgetReward(change.tx, project_id, reward);
        return { key: handed.body.key, message: handed.body.message };
      }
      await keepReward(change.tx, project_id, { ...reward, ...handed });
      const { voucher_id, amount } = handed;
      const of = due.gives?.type === "LOYALTY_PROGRAM" ? "points" : "amount";
      const given = voucher_id === null ? null : ({ voucher_id, amount, of } as const);
      const { tier: referral_tier, reward: from } = due;
      change.tell(
        referralRewardedEvent(due.customer_id, { referral: data, referral_tier, reward_id: from?.id ?? null, given }),
      );
      return null;
    });
    if (refused) warn(context, event, reward, refused);
  } catch (refused) {
    if (!(refused instanceof Problem)) throw refused;
    // The customer or the campaign is gone, or it has no code left to make: another time of the same event finds it so too.
    warn(context, event, reward, refused.body);
  }
}

const warn = (
  { log }: Context,
  { project_id }: Referred,
  { campaign_id, given_by, referrer_id }: ReferralReward,
  { key, message }: { key?: string; message: string },
) => log.warn({ project_id, campaign_id, given_by, referrer_id, key }, `a referral could not be rewarded: ${message}`);
