import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { type Change, change, holding, readUnderKeys } from "../../../recording/index.js";
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
  readVoucherBody,
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
  return change(context, call, async (change) => {
    const { tx } = change;
    const configOf = (campaign: Campaign) =>
      code === null ? readCodeConfig(call.project, input.code_config, 1, campaign.voucher?.code_config) : null;
    const campaign = await lockCampaign(tx, call, id_or_name, (named) => {
      assertTakesVouchers(named);
      return generationKeys(call.project, named.id, configOf(named));
    });
    const [category] = await resolveCategories(change, [input]);
    const made = inCategory(addedVoucher(input, campaign), category);
    call.metadata_schemas.assertFits("voucher", made.metadata, { is_made: true });
    const voucher = await makeVoucher(tx, call, made, { code, config: input.code_config, campaign });
    change.tell(voucherEvent("voucher.created", voucher), {
      type: "campaign.vouchers.added",
      entity_id: campaign.id,
      data: { campaign, count: 1 },
    });
    return readVoucherBody(context, tx, call, voucher);
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
  return change(context, call, async (change) => {
    const campaign = await lockCampaign(change.tx, call, id_or_name, (named) => editKeys(call.project_id, named));
    assertTakesVouchers(campaign);
    readCodeConfig(call.project, input.code_config, vouchers_count, campaign.voucher?.code_config);
    // What is wrong with the body is said now, not by the generation.
    const { metadata } = addedVoucher(input, campaign);
    call.metadata_schemas.assertFits("voucher", metadata, { is_made: true });
    const [category] = await resolveCategories(change, [input]);
    const category_id = category === undefined ? undefined : (category?.id ?? null);
    const wanted = { campaign_id: campaign.id, addition: input, category_id };
    return startGeneration(change, campaign, wanted, vouchers_count);
  });
}

function assertTakesVouchers({ campaign_type, type }: Campaign): void {
  if (campaign_type === "PROMOTION") throw invalid("campaign", "Vouchers cannot be added to a PROMOTION campaign");
  if (type === "STANDALONE") throw invalid("campaign", "Vouchers cannot be generated for a STANDALONE type campaign");
}

/** Sets two vouchers or more going; the caller has found nothing wrong with them. */
export async function startGeneration(
  change: Change,
  campaign: Campaign,
  wanted: WantedVouchers,
  vouchers_count: number,
): Promise<ActionStarted> {
  await beginGeneration(change, campaign, vouchers_count);
  const parameters = { ...wanted, vouchers_count };
  return { async_action_id: await startAsyncAction(change, { type: "CAMPAIGN.VOUCHERS_GENERATE", parameters }) };
}

/** What a generation makes; plain data, so that it can wait in a queue. */
export interface WantedVouchers {
  campaign_id: string;
  addition: VoucherAddition;
  /** The category that was named; undefined keeps the campaign's. */
  category_id?: string | null | undefined;
}

/** Notes that a generation begins, in the change that queues it. */
async function beginGeneration({ tx, cause, tell }: Change, campaign: Campaign, count: number): Promise<void> {
  const status = { creation_status: campaign.creation_status, vouchers_generation_status: "IN_PROGRESS" as const };
  await setCampaignStatus(tx, cause.project_id, campaign.id, status);
  const data = { campaign: { ...campaign, ...status }, count };
  tell({ type: "campaign.vouchers.generation.started", entity_id: campaign.id, data });
}

/** Makes some of the vouchers in one transaction; fewer than asked for when no code is free or the campaign is gone. */
export async function generateSlice(
  tx: Tx,
  { project, project_id, instant }: Pick<Call, "project" | "project_id" | "instant">,
  { campaign_id, addition, category_id }: WantedVouchers,
  count: number,
): Promise<number> {
  const campaign = await readUnderKeys(
    tx,
    async () => (await findCampaignsByIds(tx, project_id, [campaign_id]))[0],
    (found) => (found?.voucher ? generationKeys(project, campaign_id, configOf(project, found, addition)) : []),
  );
  if (!campaign?.voucher) return 0;
  const code_config = configOf(project, campaign, addition);
  const added = addedVoucher(addition, campaign);
  const made = category_id === undefined ? added : { ...added, category_id };
  return (await generateVouchers(tx, { project, made, code_config, instant }, count)).length;
}

const configOf = (project: Project, { voucher }: Campaign, { code_config }: VoucherAddition) =>
  readCodeConfig(project, code_config, 1, voucher?.code_config);

/**
 * Notes how a generation ended: with all vouchers, or with as many as there were codes for (§2.4, §3.2). The campaign is
 * done when the last of its generations is, and failed if one of those that ran beside each other was.
 */
export async function endGeneration(
  { tx, tell }: Change,
  action: RunningAction,
  campaign: Campaign,
  { made, wanted }: { made: number; wanted: number },
): Promise<void> {
  const { project_id } = action;
  const { id } = campaign;
  // Two that end at once see each other one after the other.
  const { some_go_on, some_failed } = await holding(tx, [campaignVouchersKey(project_id, id)], () =>
    findBeside(tx, action, "campaign_id"),
  );
  const ended = made < wanted ? "FAILED" : "DONE";
  const reached = some_go_on ? "IN_PROGRESS" : some_failed ? "FAILED" : ended;
  const was_created = campaign.creation_status !== "IN_PROGRESS";
  const status: Pick<Campaign, "creation_status" | "vouchers_generation_status"> = {
    creation_status: was_created ? campaign.creation_status : reached,
    vouchers_generation_status: reached,
  };
  await setCampaignStatus(tx, project_id, id, status);
  const data = { campaign: { ...campaign, ...status }, count: made };
  if (ended === "DONE") tell({ type: "campaign.vouchers.generation.completed", entity_id: id, data });
  else {
    const reason = "No more codes are free";
    tell({ type: "campaign.vouchers.generation.failed", entity_id: id, data: { ...data, reason } });
  }
}
