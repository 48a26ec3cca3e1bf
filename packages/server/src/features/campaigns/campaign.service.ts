import { appendEvents, type NewEvent } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Tx } from "../../platform/database.js";
import { problems } from "../../platform/http/problems.js";
import { lockKeys } from "../../platform/locks.js";
import { recordEdits } from "../../recording/index.js";
import { resolveCategories } from "../categories/index.js";
import { assertUnitsExist } from "../products/index.js";
import type { Call } from "../projects/index.js";
import { insertTiers, newTiers, type PromotionTier, toTierBody } from "../promotions/index.js";
import { assignRules } from "../validation-rules/index.js";
import { addedVoucher, generationKeys, makeVoucher, toVoucherBodies, voucherEvent } from "../vouchers/index.js";
import type { Campaign } from "./campaign.js";
import type { CampaignBody, CampaignCreate } from "./campaign.schemas.js";
import { insertCampaign, updateCampaign } from "./campaign.store.js";
import { bodyOf, editKeys, knownCampaign, lockCampaign } from "./known-campaign.js";
import { newCampaign, vouchersAskedFor } from "./new-campaign.js";
import { startGeneration } from "./vouchers/campaign-vouchers.service.js";

/** `POST /v1/campaigns`, with its tiers and its vouchers (vouchers-and-campaigns.md §5.1). */
export async function createCampaign(context: Context, call: Call, input: CampaignCreate): Promise<CampaignBody> {
  const vouchers_count = vouchersAskedFor(input);
  return context.db.transaction((tx) => storeCampaign(context, tx, call, input, vouchers_count));
}

const pathOfTier = (i: number) => `.promotion.tiers[${i}]`;

async function storeCampaign(
  context: Context,
  tx: Tx,
  call: Call,
  input: CampaignCreate,
  vouchers_count: number,
): Promise<CampaignBody> {
  const draft = newCampaign(call.project, input, vouchers_count, call.instant);
  const tier_inputs = draft.campaign_type === "PROMOTION" ? (input.promotion?.tiers ?? []) : [];
  const new_tiers = newTiers(tier_inputs, {
    campaign_id: draft.id,
    instant: call.instant,
    at: pathOfTier,
  });
  const config = vouchers_count === 1 ? (draft.voucher?.code_config ?? null) : null;
  await lockKeys(tx, generationKeys(call.project, draft.id, config));
  await assertUnitsExist(tx, call.project_id, [draft.voucher?.discount, ...new_tiers.map(({ discount }) => discount)]);
  const { categories, changes } = await resolveCategories(tx, call, [input, ...tier_inputs], (i) =>
    i === 0 ? "" : pathOfTier(i - 1),
  );
  const campaign = { ...draft, category_id: categories[0]?.id ?? null };
  const tiers = new_tiers.map((tier, i) => ({ ...tier, category_id: categories[i + 1]?.id ?? null }));
  if ((await insertCampaign(tx, call.project_id, campaign)) === 0)
    throw problems.duplicate("campaign", campaign.name, "name");
  await insertTiers(tx, call.project_id, tiers);
  await assignRules(tx, call, input.validation_rules ?? [], { id: campaign.id, type: "campaign" });
  for (const [i, tier] of tiers.entries()) {
    await assignRules(tx, call, tier_inputs[i]?.validation_rules ?? [], { id: tier.id, type: "promotion_tier" });
  }
  const events: NewEvent[] = [];
  if (vouchers_count === 1) events.push(await makeOnlyVoucher(context, tx, call, campaign));
  const body = await bodyOf(tx, call, campaign);
  await appendEvents(tx, call, [
    { type: "campaign.created", entity_id: campaign.id, data: { campaign: body, created_at: isoOf(call.instant) } },
    ...tierEvents(campaign, tiers),
    ...events,
  ]);
  const wanted = { campaign_id: campaign.id, addition: {} };
  const started = vouchers_count < 2 ? {} : await startGeneration(tx, call, campaign, wanted, vouchers_count);
  await recordEdits(tx, call.project_id, [
    { kind: "campaign", id: campaign.id },
    ...tiers.map(({ id }) => ({ kind: "promotion_tier" as const, id })),
    ...changes,
  ]);
  return { ...body, ...started };
}

async function makeOnlyVoucher(context: Context, tx: Tx, call: Call, campaign: Campaign): Promise<NewEvent> {
  const voucher = await makeVoucher(tx, call, addedVoucher({}, campaign), { code: null, config: null, campaign });
  const [body] = await toVoucherBodies(context, tx, call, [voucher]);
  if (!body) throw new Error(`a voucher just made has no body: ${voucher.id}`);
  return voucherEvent("voucher.created", voucher, body);
}

function tierEvents(campaign: Campaign, tiers: readonly PromotionTier[]): NewEvent[] {
  return tiers.map((tier) => ({
    type: "campaign.promotion_tier.created",
    entity_id: campaign.id,
    data: { campaign: { id: campaign.id, name: campaign.name }, promotion_tier: toTierBody(tier, campaign, null) },
  }));
}

export async function readCampaign({ db }: Context, call: Call, id_or_name: string): Promise<CampaignBody> {
  return bodyOf(db, call, await knownCampaign(db, call.project_id, id_or_name));
}

/** `POST …/enable` and `…/disable`; what is so already stays as it is, and nobody is told (§5.3). */
export async function switchCampaign(context: Context, call: Call, id_or_name: string, active: boolean): Promise<void> {
  await context.db.transaction(async (tx) => {
    const stored = await lockCampaign(tx, call, id_or_name, (named) => editKeys(call.project_id, named));
    if (stored.active === active) return;
    const campaign = { ...stored, active, updated_at: call.instant };
    await updateCampaign(tx, call.project_id, campaign);
    const data = { campaign: await bodyOf(tx, call, campaign) };
    await appendEvents(tx, call, [
      { type: active ? "campaign.enabled" : "campaign.disabled", entity_id: campaign.id, data },
    ]);
    await recordEdits(tx, call.project_id, [{ kind: "campaign", id: campaign.id }]);
  });
}
