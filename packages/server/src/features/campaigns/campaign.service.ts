import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { type Change, change, holding } from "../../recording/index.js";
import { resolveCategories } from "../categories/index.js";
import { assertUnitsExist } from "../products/index.js";
import type { Call } from "../projects/index.js";
import { insertTiers, newTiers, rulesNamed } from "../promotions/index.js";
import { assignRules } from "../validation-rules/index.js";
import { addedVoucher, generationKeys, makeVoucher, voucherEvent } from "../vouchers/index.js";
import { campaignEvent, tierEvent } from "./campaign.events.js";
import { schemaOf } from "./campaign.js";
import type { CampaignBody, CampaignCreate } from "./campaign.schemas.js";
import { insertCampaign, updateCampaign } from "./campaign.store.js";
import { bodyOf, editKeys, knownCampaign, lockCampaign } from "./known-campaign.js";
import { newCampaign, vouchersAskedFor } from "./new-campaign.js";
import { newReferralProgram } from "./referral-program.js";
import { startGeneration } from "./vouchers/campaign-vouchers.service.js";

/** `POST /v1/campaigns`, with its tiers and its vouchers (vouchers-and-campaigns.md §5.1). */
export const createCampaign = (context: Context, call: Call, input: CampaignCreate): Promise<CampaignBody> =>
  change(context, call, (change) => makeCampaign(change, call, input));

const pathOfTier = (i: number) => `.promotion.tiers[${i}]`;

/** The same within a change that makes more than the campaign. */
export async function makeCampaign(change: Change, call: Call, input: CampaignCreate): Promise<CampaignBody> {
  const { tx, tell, edited } = change;
  const vouchers_count = vouchersAskedFor(input);
  const draft = newCampaign(call.project, input, vouchers_count, call.instant);
  call.metadata_schemas.assertFits(schemaOf(draft), draft.metadata, { is_made: true });
  const tier_inputs = draft.campaign_type === "PROMOTION" ? (input.promotion?.tiers ?? []) : [];
  const new_tiers = newTiers(tier_inputs, {
    campaign_id: draft.id,
    instant: call.instant,
    at: pathOfTier,
  });
  const config = vouchers_count === 1 ? (draft.voucher?.code_config ?? null) : null;
  const referral_program = await holding(tx, generationKeys(call.project, draft.id, config), async () => {
    await assertUnitsExist(tx, call.project_id, [
      draft.voucher?.discount,
      ...new_tiers.map(({ discount }) => discount),
    ]);
    return newReferralProgram(tx, call.project_id, draft, input.referral_program);
  });
  const categories = await resolveCategories(change, [input, ...tier_inputs], (i) =>
    i === 0 ? "" : pathOfTier(i - 1),
  );
  const campaign = { ...draft, referral_program, category_id: categories[0]?.id ?? null };
  const tiers = new_tiers.map((tier, i) => ({ ...tier, category_id: categories[i + 1]?.id ?? null }));
  if ((await insertCampaign(tx, call.project_id, campaign)) === 0)
    throw problems.duplicate("campaign", campaign.name, "name");
  await insertTiers(tx, call.project_id, tiers);
  await assignRules(change, input.validation_rules ?? [], { id: campaign.id, type: "campaign" });
  for (const [i, tier] of tiers.entries()) {
    await assignRules(change, rulesNamed(tier_inputs[i] ?? {}) ?? [], { id: tier.id, type: "promotion_tier" });
  }
  tell(campaignEvent("campaign.created", campaign), ...tiers.map((tier) => tierEvent("created", campaign, tier)));
  const of_tiers = tiers.map(({ id }) => ({ kind: "promotion_tier", id }));
  edited({ kind: "campaign", id: campaign.id }, ...of_tiers);
  if (vouchers_count === 1) {
    const only = { code: null, config: null, campaign };
    tell(voucherEvent("voucher.created", await makeVoucher(tx, call, addedVoucher({}, campaign), only)));
  }
  const body = await bodyOf(tx, call, campaign, tiers);
  const wanted = { campaign_id: campaign.id, addition: {} };
  const started = vouchers_count < 2 ? {} : await startGeneration(change, campaign, wanted, vouchers_count);
  return { ...body, ...started };
}

export async function readCampaign({ db }: Context, call: Call, id_or_name: string): Promise<CampaignBody> {
  return bodyOf(db, call, await knownCampaign(db, call.project_id, id_or_name));
}

/** `POST …/enable` and `…/disable`; what is so already stays as it is, and nobody is told (§5.3). */
export async function switchCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  active: boolean,
): Promise<object> {
  return change(context, call, async ({ tx, tell, edited }) => {
    const stored = await lockCampaign(tx, call, id_or_name, (named) => editKeys(call.project_id, named));
    if (stored.active === active) return {};
    const campaign = { ...stored, active, updated_at: call.instant };
    await updateCampaign(tx, call.project_id, campaign);
    tell(campaignEvent(active ? "campaign.enabled" : "campaign.disabled", campaign));
    edited({ kind: "campaign", id: campaign.id });
    return {};
  });
}
