import { isDeepStrictEqual } from "node:util";
import { appendEvents } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { refusal } from "../../platform/http/problems.js";
import { resolveCategories } from "../categories/index.js";
import { type Call, recordCatalogueChanges } from "../projects/index.js";
import { deleteTiersOfCampaign, invalid, readDiscount, readWindow, windowOf } from "../promotions/index.js";
import {
  deleteVouchersOfCampaign,
  type Place,
  readGift,
  updateVouchersOfCampaign,
  type VoucherChange,
  type VoucherTemplate,
} from "../vouchers/index.js";
import type { Campaign } from "./campaign.js";
import type { ActionStarted, CampaignBody, CampaignStarted, CampaignUpdate } from "./campaign.schemas.js";
import { binCampaign, deleteCampaignRow, updateCampaign } from "./campaign.store.js";
import { bodyOf, lockCampaign } from "./known-campaign.js";
import { readDuration } from "./new-campaign.js";

/** Vouchers touched in one transaction of an edit or a deletion. */
export const touched_at_once = 2000;

/** `PUT /v1/campaigns/:campaignId` (vouchers-and-campaigns.md §5.2). */
export async function changeCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  input: CampaignUpdate,
): Promise<CampaignStarted> {
  const { campaign, change } = await context.db.transaction(async (tx) => {
    const stored = await lockCampaign(tx, call, id_or_name);
    assertUnprotected(stored);
    const { categories, changes } = await resolveCategories(tx, call, [input]);
    const category_id = categories[0] === undefined ? stored.category_id : (categories[0]?.id ?? null);
    const changed = { ...changedCampaign(stored, input), category_id, updated_at: call.instant };
    await updateCampaign(tx, call.project_id, changed);
    await recordCatalogueChanges(tx, call.project_id, [{ kind: "campaign", id: changed.id }, ...changes]);
    return { campaign: changed, change: changeOfVouchers(stored, changed, input) };
  });
  if (Object.keys(change).length > 0) await updateVouchers(context, call, campaign.id, change);
  return context.db.transaction(async (tx) => {
    const body = await bodyOf(tx, call, campaign);
    await appendEvents(tx, call, [{ type: "campaign.updated", entity_id: campaign.id, data: { campaign: body } }]);
    return body;
  });
}

async function updateVouchers({ db }: Context, call: Call, campaign_id: string, change: VoucherChange): Promise<void> {
  const { project_id, instant } = call;
  let after: Place | null = null;
  do {
    const slice: { after: Place | null; count_max: number; instant: Instant } = {
      after,
      count_max: touched_at_once,
      instant,
    };
    const done = await db.transaction((tx) => updateVouchersOfCampaign(tx, project_id, campaign_id, change, slice));
    after = done.after;
  } while (after !== null);
}

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
    join_once: stored.type === "STANDALONE" ? false : (input.join_once ?? stored.join_once),
    activity_duration_after_publishing:
      duration === undefined ? stored.activity_duration_after_publishing : readDuration(duration),
    voucher: changedTemplate(voucher, input),
  };
}

function changedTemplate(voucher: VoucherTemplate, { discount, gift }: CampaignUpdate): VoucherTemplate {
  if (voucher.discount && discount) {
    if (discount.type !== voucher.discount.type)
      throw invalid("campaign", "It is not possible to change campaign discount type");
    return { ...voucher, discount: readDiscount(discount, "campaign") };
  }
  if (voucher.gift && gift) return { ...voucher, gift: readGift({ ...voucher.gift, ...gift }, "campaign") };
  return voucher;
}

/** What of the edit reaches the campaign's vouchers. */
function changeOfVouchers(stored: Campaign, changed: Campaign, input: CampaignUpdate): VoucherChange {
  if (!changed.voucher) return {};
  const { discount, gift } = changed.voucher;
  return {
    ...(isDeepStrictEqual(windowOf(stored), windowOf(changed)) ? {} : { window: windowOf(changed) }),
    ...(stored.category_id === changed.category_id ? {} : { category_id: changed.category_id }),
    ...(discount && !isDeepStrictEqual(discount, stored.voucher?.discount) ? { discount } : {}),
    ...(gift && !isDeepStrictEqual(gift, stored.voucher?.gift) ? { gift } : {}),
    ...(changed.use_voucher_metadata_schema && input.metadata ? { metadata: input.metadata } : {}),
  };
}

/**
 * `DELETE /v1/campaigns/:campaignId`: the campaign is hidden at once, its vouchers follow in slices, and what is deleted
 * for good goes last, since its name may be used again only when no code of it is left (§5.4).
 */
export async function removeCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  force: boolean,
): Promise<ActionStarted> {
  const body = await context.db.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, call, id_or_name);
    assertUnprotected(campaign);
    const shown = await bodyOf(tx, call, campaign);
    await binCampaign(tx, call.project_id, campaign.id, call.instant);
    await recordCatalogueChanges(tx, call.project_id, [{ kind: "campaign", id: campaign.id }]);
    return shown;
  });
  const { project_id, instant } = call;
  const slice = { force, count_max: touched_at_once, instant };
  let deleted = 1;
  while (deleted > 0) {
    deleted = await context.db.transaction((tx) => deleteVouchersOfCampaign(tx, project_id, body.id, slice));
  }
  await endDeletion(context, call, body, force);
  return {};
}

/** The last slice of a deletion: no voucher is left. */
async function endDeletion({ db }: Context, call: Call, body: CampaignBody, force: boolean): Promise<void> {
  const { project_id, instant } = call;
  await db.transaction(async (tx) => {
    if (force) {
      await deleteTiersOfCampaign(tx, project_id, body.id);
      await deleteCampaignRow(tx, project_id, body.id);
    }
    const data = { campaign: body, deleted_at: isoOf(instant) };
    await appendEvents(tx, call, [{ type: "campaign.deleted", entity_id: body.id, data }]);
  });
}

function assertUnprotected(campaign: Campaign): void {
  if (!campaign.protected) return;
  throw refusal(400, "resource_protected", "Resource is protected", undefined, { resource_type: "campaign" });
}
