import { isDeepStrictEqual } from "node:util";
import type { ActivityWindow } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { type Change, change } from "../../recording/index.js";
import { invalid, readDiscount, readWindow, refusals, windowOf } from "../../terms/index.js";
import { bulkQueueKey, startAsyncAction } from "../async-actions/index.js";
import { resolveCategories } from "../categories/index.js";
import { assertUnitsExist } from "../products/index.js";
import type { Call } from "../projects/index.js";
import { readGift, readLoyaltyCard, type VoucherChange, type VoucherTemplate } from "../vouchers/index.js";
import { campaignEvent } from "./campaign.events.js";
import { type Campaign, type CampaignStatus, schemaOf } from "./campaign.js";
import type { ActionStarted, CampaignBody, CampaignUpdate } from "./campaign.schemas.js";
import { binCampaign, countVouchers, setCampaignStatus, updateCampaign } from "./campaign.store.js";
import { bodyOf, editKeys, lockCampaign } from "./known-campaign.js";
import { readTiersExpiration } from "./loyalty-settings.schemas.js";
import { joinsOnce, readDuration } from "./new-campaign.js";
import { changedReferralProgram } from "./referral-program.js";

/** What follows an edit of a program's settings, where that is asked for. */
export interface Recalculating {
  recalculateTiers(change: Change, campaign_id: string): Promise<unknown>;
}

/** `PUT /v1/campaigns/:campaignId` (vouchers-and-campaigns.md §5.2), and of programs `PUT /v1/loyalties/:campaignId`. */
export async function changeCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  { options, ...input }: CampaignUpdate,
  { recalculateTiers }: Recalculating,
): Promise<CampaignBody> {
  const { project_id } = call;
  return change(context, call, async (change) => {
    const { tx } = change;
    const stored = await lockCampaign(tx, call, id_or_name, (named) => editAndQueueKeys(project_id, named));
    assertUnprotected(stored);
    if (options?.recalculate_tiers && stored.campaign_type !== "LOYALTY_PROGRAM")
      throw problems.invalidPayload("Property .options.recalculate_tiers is for loyalty programs alone");
    call.metadata_schemas.assertFits(schemaOf(stored), input.metadata, { is_made: false });
    const [category] = await resolveCategories(change, [input]);
    const category_id = category === undefined ? stored.category_id : (category?.id ?? null);
    const referral_program = await changedReferralProgram(
      tx,
      project_id,
      stored.referral_program,
      input.referral_program,
    );
    const campaign = { ...changedCampaign(stored, input), referral_program, category_id, updated_at: call.instant };
    if (input.discount) await assertUnitsExist(tx, project_id, [campaign.voucher?.discount]);
    await updateCampaign(tx, project_id, campaign);
    change.edited({ kind: "campaign", id: campaign.id });
    if (options?.recalculate_tiers) await recalculateTiers(change, campaign.id);
    return startUpdate(change, call, campaign, changeOfVouchers(stored, campaign, input));
  });
}

/** An edit that its vouchers follow takes its place in the queue as well. */
const editAndQueueKeys = (project_id: string, named: Campaign) => [
  ...editKeys(project_id, named),
  bulkQueueKey(project_id),
];

/** Sets the vouchers' part of an edit going, which tells of the edit when it is through; else that is told now. */
async function startUpdate(
  change: Change,
  call: Call,
  campaign: Campaign,
  of_vouchers: VoucherChange,
): Promise<CampaignBody> {
  const body = await bodyOf(change.tx, call, campaign);
  if (Object.keys(of_vouchers).length === 0 || !body.vouchers_count) {
    change.tell(campaignEvent("campaign.updated", campaign));
    return body;
  }
  const status = {
    creation_status: modifying(campaign.creation_status),
    vouchers_generation_status: modifying(campaign.vouchers_generation_status),
  };
  await setCampaignStatus(change.tx, call.project_id, campaign.id, status);
  const parameters = { campaign_id: body.id, change: { ...of_vouchers } };
  const async_action_id = await startAsyncAction(change, { type: "CAMPAIGN.VOUCHERS_UPDATE", parameters });
  return { ...body, ...status, async_action_id };
}

/** A generation that is under way, or has failed, is still to be seen. */
const modifying = (status: CampaignStatus): CampaignStatus => (status === "DONE" ? "MODIFYING" : status);

function changedCampaign(stored: Campaign, input: CampaignUpdate): Campaign {
  const metadata = { ...stored.metadata, ...input.metadata };
  for (const name of input.unset_metadata_fields ?? []) delete metadata[name];
  return {
    ...stored,
    ...readWindow(input, stored, "campaign"),
    description: input.description === undefined ? stored.description : input.description,
    metadata,
    ...(stored.voucher ? codeFields(stored, stored.voucher, input) : {}),
  };
}

/** What only a campaign with codes has. */
function codeFields(stored: Campaign, voucher: VoucherTemplate, input: CampaignUpdate) {
  const { activity_duration_after_publishing: duration } = input;
  const type = input.type ?? stored.type;
  if (type !== stored.type && (type === "STANDALONE" || stored.type === "STANDALONE")) {
    throw invalid("campaign", `It is not possible to change the type of a campaign from ${stored.type} to ${type}`);
  }
  return {
    type,
    auto_join: input.auto_join ?? stored.auto_join,
    join_once: joinsOnce(stored.campaign_type, stored.type, input.join_once ?? stored.join_once),
    loyalty_tiers_expiration: readTiersExpiration(
      stored.campaign_type,
      input.loyalty_tiers_expiration,
      stored.loyalty_tiers_expiration,
    ),
    activity_duration_after_publishing:
      duration === undefined ? stored.activity_duration_after_publishing : readDuration(duration),
    voucher: changedTemplate(voucher, input),
  };
}

function changedTemplate(voucher: VoucherTemplate, { discount, gift, loyalty_card }: CampaignUpdate): VoucherTemplate {
  if (voucher.discount && discount) {
    if (discount.type !== voucher.discount.type)
      throw invalid("campaign", "It is not possible to change campaign discount type");
    return { ...voucher, discount: readDiscount(discount, "campaign") };
  }
  if (voucher.gift && gift) return { ...voucher, gift: readGift({ ...voucher.gift, ...gift }, "campaign") };
  if (voucher.loyalty_card && loyalty_card)
    return { ...voucher, loyalty_card: readLoyaltyCard(loyalty_card, voucher.loyalty_card, ".loyalty_card") };
  return voucher;
}

/** What of the edit reaches the campaign's vouchers. */
function changeOfVouchers(stored: Campaign, changed: Campaign, input: CampaignUpdate): VoucherChange {
  if (!changed.voucher) return {};
  const { discount, gift, loyalty_card } = changed.voucher;
  const window = changeOfWindow(windowOf(stored), windowOf(changed));
  return {
    ...(Object.keys(window).length === 0 ? {} : { window }),
    ...(stored.category_id === changed.category_id ? {} : { category_id: changed.category_id }),
    ...(discount && !isDeepStrictEqual(discount, stored.voucher?.discount) ? { discount } : {}),
    ...(gift && !isDeepStrictEqual(gift, stored.voucher?.gift) ? { gift } : {}),
    ...(loyalty_card && !isDeepStrictEqual(loyalty_card, stored.voucher?.loyalty_card) ? { loyalty_card } : {}),
    ...(changed.use_voucher_metadata_schema && input.metadata ? { metadata: input.metadata } : {}),
  };
}

/** What differs, so that vouchers keep what they have of their own beside it; hours go with neither days nor a timeframe (§4.4). */
function changeOfWindow(before: ActivityWindow, after: ActivityWindow): Partial<ActivityWindow> {
  const names = Object.keys(after) as (keyof ActivityWindow)[];
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const change: Partial<ActivityWindow> = Object.fromEntries(differing.map((name) => [name, after[name]]));
  if (change.validity_hours) return { ...change, validity_timeframe: null, validity_day_of_week: null };
  if (change.validity_timeframe || change.validity_day_of_week) return { ...change, validity_hours: null };
  return change;
}

/** `DELETE /v1/campaigns/:campaignId`: the campaign is hidden at once, its vouchers follow (§5.4). */
export async function removeCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  force: boolean,
): Promise<ActionStarted> {
  const { project_id, instant } = call;
  return change(context, call, async (change) => {
    const { tx } = change;
    const { id, ...stored } = await lockCampaign(tx, call, id_or_name, (named) => editAndQueueKeys(project_id, named));
    assertUnprotected(stored);
    const [counted] = await countVouchers(tx, project_id, [id]);
    await binCampaign(tx, project_id, id, instant);
    change.edited({ kind: "campaign", id });
    const parameters = { campaign: { id, vouchers_count: counted?.vouchers_count ?? 0 }, force };
    return { async_action_id: await startAsyncAction(change, { type: "CAMPAIGN.VOUCHERS_DELETE", parameters }) };
  });
}

function assertUnprotected(campaign: Pick<Campaign, "protected">): void {
  if (!campaign.protected) return;
  throw refusals.protectedCampaign();
}
