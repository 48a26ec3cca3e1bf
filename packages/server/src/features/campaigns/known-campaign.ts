import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { readUnderKeys } from "../../recording/index.js";
import { findCategoriesByIds } from "../categories/index.js";
import type { Call } from "../projects/index.js";
import { findTiersOfCampaigns, type PromotionTier, tierBodies } from "../promotions/index.js";
import { findAssignmentsTo } from "../validation-rules/index.js";
import { campaignVouchersKey } from "../vouchers/index.js";
import { toCampaignBody } from "./campaign.body.js";
import type { Campaign } from "./campaign.js";
import type { CampaignBody } from "./campaign.schemas.js";
import { countVouchers, findCampaign } from "./campaign.store.js";

export async function knownCampaign(db: Queries, project_id: string, id_or_name: string): Promise<Campaign> {
  const campaign = await findCampaign(db, project_id, id_or_name);
  if (!campaign) throw problems.notFound("campaign", id_or_name);
  return campaign;
}

/** What an edit of a campaign locks: the campaign, and the adding of vouchers, which copies from it. */
export const editKeys = (project_id: string, { id }: Pick<Campaign, "id">): LockKey[] => [
  { project_id, kind: "campaign", id },
  campaignVouchersKey(project_id, id),
];

/** The campaign under the keys that the caller takes for it. */
export const lockCampaign = (
  tx: Tx,
  { project_id }: Call,
  id_or_name: string,
  keysOf: (campaign: Campaign) => LockKey[],
): Promise<Campaign> => readUnderKeys(tx, () => knownCampaign(tx, project_id, id_or_name), keysOf);

/**
 * A campaign with its count, category and tiers.
 * @param new_tiers those that it has just been made with, in the order sent (redemption.md §14); left out, by their hierarchy
 */
export async function bodyOf(
  db: Queries,
  { project_id }: Pick<Call, "project_id">,
  campaign: Campaign,
  new_tiers?: readonly PromotionTier[],
): Promise<CampaignBody> {
  const { id, category_id } = campaign;
  const [category = null] = category_id === null ? [] : await findCategoriesByIds(db, project_id, [category_id]);
  const about = { category, assignments: await findAssignmentsTo(db, project_id, [id]) };
  if (campaign.campaign_type === "PROMOTION") {
    const tiers = new_tiers ?? (await findTiersOfCampaigns(db, project_id, [id]));
    return toCampaignBody(campaign, { ...about, tiers: await tierBodies(db, project_id, tiers, [campaign]) });
  }
  const [counted] = await countVouchers(db, project_id, [id]);
  return toCampaignBody(campaign, { ...about, vouchers_count: counted?.vouchers_count ?? 0 });
}
