import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import { type Campaign, findCampaignsByIds, knownCampaign } from "../../campaigns/index.js";
import { knownProject, type Project, underProjectKey } from "../../projects/index.js";
import { knownReward } from "../../rewards/index.js";
import { type SegmentUse, useSegment } from "../../segments/index.js";
import { referralTierEvent } from "./referral-tier.events.js";
import { type ReferralTier, tiers_max } from "./referral-tier.js";
import type { ReferralTierBody, ReferralTierInput, ReferralTierUpdate } from "./referral-tier.schemas.js";
import {
  deleteReferralTier,
  deleteTiersOfReward,
  findReferralTiers,
  findTierIdsOfSegment,
  insertReferralTier,
  updateReferralTier,
} from "./referral-tier.store.js";

/** A referral campaign as a path names it; one of another type is as unknown as none. */
async function knownReferralCampaign(db: Queries, project_id: string, id_or_name: string): Promise<Campaign> {
  await knownProject(db, project_id);
  const campaign = await knownCampaign(db, project_id, id_or_name);
  if (campaign.campaign_type !== "REFERRAL_PROGRAM") throw problems.notFound("campaign", id_or_name);
  return campaign;
}

/** The campaign and its tiers, under the project's key: edits of them come one after the other. */
const withTiers = <Answer>(
  change: Change,
  id_or_name: string,
  work: (campaign: Campaign, tiers: readonly ReferralTier[], project: Project) => Promise<Answer>,
): Promise<Answer> =>
  underProjectKey(change, async (project) => {
    const campaign = await knownReferralCampaign(change.tx, project.id, id_or_name);
    return work(campaign, await findReferralTiers(change.tx, project.id, campaign.id), project);
  });

export async function createReferralTier(
  context: Context,
  cause: Requested,
  id_or_name: string,
  input: ReferralTierInput,
): Promise<ReferralTierBody> {
  const { project_id, instant } = cause;
  const { criterion, referees_min = null, segment_id = null, banner = null, active } = input;
  if ((criterion === "MIN_REFEREES") !== (referees_min !== null))
    throw problems.invalidPayload("Property .referees_min goes with criterion MIN_REFEREES, and is required there");
  return change(context, cause, (change) =>
    withTiers(change, id_or_name, async (campaign, tiers, project) => {
      const reward = await knownReward(change.tx, project_id, input.reward_id);
      if (reward.type === "COIN")
        throw problems.invalidPayload("Property .reward_id must not name a reward of type COIN, which takes an order");
      if (tiers.length >= tiers_max)
        throw problems.invalidPayload(`A campaign has at most ${tiers_max} referral tiers`);
      if (segment_id !== null) await useSegment(change, { project_id, project, instant }, segment_id);
      const tier: ReferralTier = {
        ...{ id: newId("rft"), campaign_id: campaign.id, banner, criterion, referees_min, reward_id: reward.id },
        ...{ segment_id, active: active ?? true, created_at: instant, updated_at: null },
      };
      await insertReferralTier(change.tx, project_id, tier);
      change.tell(referralTierEvent("created", campaign, tier));
      return toReferralTierBody(tier);
    }),
  );
}

export async function readReferralTiers({ db }: Context, project_id: string, id_or_name: string) {
  const { id } = await knownReferralCampaign(db, project_id, id_or_name);
  const tiers = await findReferralTiers(db, project_id, id);
  return listBody("data", tiers.map(toReferralTierBody), tiers.length);
}

export async function changeReferralTier(
  context: Context,
  cause: Requested,
  { campaignId, referralTierId }: TierNames,
  input: ReferralTierUpdate,
): Promise<ReferralTierBody> {
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    withTiers(change, campaignId, async (campaign, tiers) => {
      const stored = known(tiers, referralTierId);
      const banner = input.banner === undefined ? stored.banner : input.banner;
      const tier = { ...stored, banner, active: input.active ?? stored.active, updated_at: instant };
      await updateReferralTier(change.tx, project_id, tier);
      change.tell(referralTierEvent("updated", campaign, tier));
      return toReferralTierBody(tier);
    }),
  );
}

/** What was given by it stays given. */
export async function removeReferralTier(
  context: Context,
  cause: Requested,
  { campaignId, referralTierId }: TierNames,
): Promise<void> {
  await change(context, cause, (change) =>
    withTiers(change, campaignId, async (campaign, tiers) => {
      const tier = known(tiers, referralTierId);
      await deleteReferralTier(change.tx, cause.project_id, tier.id);
      change.tell(referralTierEvent("deleted", campaign, tier));
    }),
  );
}

/** Tiers go with the reward that they give, each told like one that is deleted by itself. */
export async function removeTiersOfReward(
  { tx, tell, cause: { project_id } }: Change,
  reward_id: string,
): Promise<void> {
  const tiers = await deleteTiersOfReward(tx, project_id, reward_id);
  const campaign_ids = [...new Set(tiers.map(({ campaign_id }) => campaign_id))];
  const campaigns = campaign_ids.length === 0 ? [] : await findCampaignsByIds(tx, project_id, campaign_ids);
  for (const tier of tiers) {
    const campaign = campaigns.find(({ id }) => id === tier.campaign_id);
    if (campaign) tell(referralTierEvent("deleted", campaign, tier));
  }
}

/** A segment that a tier counts by stays; without it nobody would count, and nobody would know. */
export const segment_use: SegmentUse = { type: "referral_tier", idsOf: findTierIdsOfSegment };

interface TierNames {
  campaignId: string;
  referralTierId: string;
}

function known(tiers: readonly ReferralTier[], id: string): ReferralTier {
  const tier = tiers.find((one) => one.id === id);
  if (!tier) throw problems.notFound("referral_tier", id);
  return tier;
}

const toReferralTierBody = ({ created_at, updated_at, ...tier }: ReferralTier): ReferralTierBody => ({
  ...tier,
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
  object: "referral_tier",
});
