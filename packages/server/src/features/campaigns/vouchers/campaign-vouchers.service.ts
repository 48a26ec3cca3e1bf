import { appendEvents, type Cause } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/database.js";
import { problems } from "../../../platform/http/problems.js";
import { lockKeys } from "../../../platform/locks.js";
import { recordEdits } from "../../../recording/index.js";
import { invalid } from "../../../terms/index.js";
import { findBeside, type RunningAction, startAsyncAction } from "../../async-actions/index.js";
import { resolveCategories } from "../../categories/index.js";
import type { Call, Project } from "../../projects/index.js";
import {
  addedVoucher,
  campaignVouchersKey,
  generateVouchers,
  generationKeys,
  inCategory,
  makeVoucher,
  readCodeConfig,
  toVoucherBodies,
  type VoucherAddition,
  type VoucherBody,
  voucherEvent,
} from "../../vouchers/index.js";
import type { Campaign } from "../campaign.js";
import type { ActionStarted } from "../campaign.schemas.js";
import { findCampaignsByIds, setCampaignStatus } from "../campaign.store.js";
import { editKeys, lockCampaign } from "../known-campaign.js";

/** `POST /v1/campaigns/:campaignId/vouchers` for one voucher, with its code or without (vouchers-and-campaigns.md §6). */
export async function addVoucher(
  context: Context,
  call: Call,
  id_or_name: string,
  code: string | null,
  input: VoucherAddition,
): Promise<VoucherBody> {
  return context.db.transaction(async (tx) => {
    const configOf = (campaign: Campaign) =>
      code === null ? readCodeConfig(call.project, input.code_config, 1, campaign.voucher?.code_config) : null;
    const campaign = await lockCampaign(tx, call, id_or_name, (named) => {
      assertTakesVouchers(named);
      return generationKeys(call.project, named.id, configOf(named));
    });
    const { categories, changes } = await resolveCategories(tx, call, [input]);
    const made = inCategory(addedVoucher(input, campaign), categories[0]);
    const voucher = await makeVoucher(tx, call, made, { code, config: input.code_config, campaign });
    const [body] = await toVoucherBodies(context, tx, call, [voucher]);
    if (!body) throw new Error(`a voucher just made has no body: ${voucher.id}`);
    await appendEvents(tx, call, [
      voucherEvent("voucher.created", voucher, body),
      {
        type: "campaign.vouchers.added",
        entity_id: campaign.id,
        data: { ...about(campaign), count: 1, added_at: isoOf(call.instant) },
      },
    ]);
    if (changes.length > 0) await recordEdits(tx, call.project_id, changes);
    return body;
  });
}

/** The same call for two vouchers or more. */
export async function addVouchers(
  context: Context,
  call: Call,
  id_or_name: string,
  input: VoucherAddition,
  vouchers_count: number,
): Promise<ActionStarted> {
  if (input.code != null) throw problems.invalidPayload("Property .code must not be given for more than one voucher");
  return context.db.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, call, id_or_name, (named) => editKeys(call.project_id, named));
    assertTakesVouchers(campaign);
    readCodeConfig(call.project, input.code_config, vouchers_count, campaign.voucher?.code_config);
    // What is wrong with the body is said now, not by the generation.
    addedVoucher(input, campaign);
    const { categories, changes } = await resolveCategories(tx, call, [input]);
    const category_id = categories[0] === undefined ? undefined : (categories[0]?.id ?? null);
    const wanted = { campaign_id: campaign.id, addition: input, category_id };
    const started = await startGeneration(tx, call, campaign, wanted, vouchers_count);
    if (changes.length > 0) await recordEdits(tx, call.project_id, changes);
    return started;
  });
}

function assertTakesVouchers({ campaign_type, type }: Campaign): void {
  if (campaign_type === "PROMOTION") throw invalid("campaign", "Vouchers cannot be added to a PROMOTION campaign");
  if (type === "STANDALONE") throw invalid("campaign", "Vouchers cannot be generated for a STANDALONE type campaign");
}

/** Sets two vouchers or more going; the caller has found nothing wrong with them. */
export async function startGeneration(
  tx: Tx,
  call: Call,
  campaign: Campaign,
  wanted: WantedVouchers,
  vouchers_count: number,
): Promise<ActionStarted> {
  await beginGeneration(tx, call, campaign, vouchers_count);
  const parameters = { ...wanted, vouchers_count };
  return { async_action_id: await startAsyncAction(tx, call, { type: "CAMPAIGN.VOUCHERS_GENERATE", parameters }) };
}

/** What a generation makes; plain data, so that it can wait in a queue. */
export interface WantedVouchers {
  campaign_id: string;
  addition: VoucherAddition;
  /** The category that was named; undefined keeps the campaign's. */
  category_id?: string | null | undefined;
}

/** Notes that a generation begins, in the transaction that queues it. */
export async function beginGeneration(tx: Tx, cause: Cause, campaign: Campaign, count: number): Promise<void> {
  const status = { creation_status: campaign.creation_status, vouchers_generation_status: "IN_PROGRESS" as const };
  await setCampaignStatus(tx, cause.project_id, campaign.id, status);
  const data = { ...about(campaign), count, started_at: isoOf(cause.instant) };
  await appendEvents(tx, cause, [{ type: "campaign.vouchers.generation.started", entity_id: campaign.id, data }]);
}

/** Makes some of the vouchers in one transaction; fewer than asked for when no code is free or the campaign is gone. */
export async function generateSlice(
  tx: Tx,
  { project, project_id, instant }: Pick<Call, "project" | "project_id" | "instant">,
  { campaign_id, addition, category_id }: WantedVouchers,
  count: number,
): Promise<number> {
  const config = await configOf(tx, project, project_id, campaign_id, addition);
  if (!config) return 0;
  await lockKeys(tx, generationKeys(project, campaign_id, config));
  const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
  if (!campaign) return 0;
  const added = addedVoucher(addition, campaign);
  const made = category_id === undefined ? added : { ...added, category_id };
  return (await generateVouchers(tx, { project, made, code_config: config, instant }, count)).length;
}

async function configOf(tx: Tx, project: Project, project_id: string, campaign_id: string, addition: VoucherAddition) {
  const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
  if (!campaign?.voucher) return null;
  return readCodeConfig(project, addition.code_config, 1, campaign.voucher.code_config);
}

/**
 * Notes how a generation ended: with all vouchers, or with as many as there were codes for (§2.4, §3.2). The campaign is
 * done when the last of its generations is, and failed if one of those that ran beside each other was.
 */
export async function endGeneration(
  tx: Tx,
  action: RunningAction,
  { id, name, creation_status }: Pick<Campaign, "id" | "name" | "creation_status">,
  { made, wanted }: { made: number; wanted: number },
): Promise<void> {
  const { project_id } = action;
  // Two that end at once see each other one after the other.
  await lockKeys(tx, [campaignVouchersKey(project_id, id)]);
  const { some_go_on, some_failed } = await findBeside(tx, action, "campaign_id");
  const ended = made < wanted ? "FAILED" : "DONE";
  const reached = some_go_on ? "IN_PROGRESS" : some_failed ? "FAILED" : ended;
  const was_created = creation_status !== "IN_PROGRESS";
  await setCampaignStatus(tx, project_id, id, {
    creation_status: was_created ? creation_status : reached,
    vouchers_generation_status: reached,
  });
  const data = { ...about({ id, name }), count: made };
  const at = isoOf(action.instant);
  await appendEvents(tx, action, [
    ended === "DONE"
      ? { type: "campaign.vouchers.generation.completed", entity_id: id, data: { ...data, completed_at: at } }
      : {
          type: "campaign.vouchers.generation.failed",
          entity_id: id,
          data: { ...data, failed_at: at, reason: "No more codes are free" },
        },
  ]);
}

const about = ({ id, name }: Pick<Campaign, "id" | "name">) => ({ campaign: { id, name } });
