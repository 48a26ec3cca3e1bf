import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { readUnderKeys } from "../../recording/index.js";
import { findCategoriesByIds } from "../categories/index.js";
import type { Call } from "../projects/index.js";
import { findTiersOfCampaigns, summariesOfTiers } from "../promotions/index.js";
import { findAssignmentsTo } from "../validation-rules/index.js";
import { campaignVouchersKey } from "../vouchers/index.js";
import { type CampaignParts, toCampaignBody } from "./campaign.body.js";
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

/** A campaign with its count, category and tiers. */
export async function bodyOf(db: Queries, call: Pick<Call, "project_id">, campaign: Campaign): Promise<CampaignBody> {
  const { project_id } = call;
  const tiers =
    campaign.campaign_type === "PROMOTION" ? await findTiersOfCampaigns(db, project_id, [campaign.id]) : null;
  const named = [campaign, ...(tiers ?? [])].flatMap(({ category_id }) => category_id ?? []);
  const found = named.length ? await findCategoriesByIds(db, project_id, named) : [];
  const categories = new Map(found.map((category) => [category.id, category]));
  const categoryOf = ({ category_id }: { category_id: string | null }) =>
    (category_id === null ? null : categories.get(category_id)) ?? null;
  const ruled_ids = [campaign.id, ...(tiers ?? []).map(({ id }) => id)];
  const assignments = await findAssignmentsTo(db, project_id, ruled_ids);
  const parts: CampaignParts = { category: categoryOf(campaign), assignments };
  if (tiers) {
    const summaries = tiers.length
      ? await summariesOfTiers(
          db,
          project_id,
          tiers.map(({ id }) => id),
        )
      : [];
    parts.tiers = tiers.map((tier) => {
      const summary = summaries.find(({ tier_id }) => tier_id === tier.id);
      return { tier, category: categoryOf(tier), ...(summary ? { summary } : {}) };
    });
  } else {
    const [counted] = await countVouchers(db, project_id, [campaign.id]);
    parts.vouchers_count = counted?.vouchers_count ?? 0;
  }
  return toCampaignBody(campaign, parts);
}
