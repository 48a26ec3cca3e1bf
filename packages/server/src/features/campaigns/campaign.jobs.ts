import { appendEvents } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Tx } from "../../platform/database.js";
import { recordEdits } from "../../recording/index.js";
import { type AsyncJob, CannotGoOn, type Slice } from "../async-actions/index.js";
import { findProject } from "../projects/index.js";
import { findTiersOfCampaigns } from "../promotions/index.js";
import type { Place, VoucherChange } from "../vouchers/index.js";
import type { CampaignBody } from "./campaign.schemas.js";
import { deleteCampaignRow, endModification, findCampaignsByIds } from "./campaign.store.js";
import { bodyOf } from "./known-campaign.js";
import { endGeneration, generateSlice, type WantedVouchers } from "./vouchers/campaign-vouchers.service.js";
import { deleteVouchersOfCampaign, updateVouchersOfCampaign } from "./vouchers/campaign-vouchers.slices.js";

/** What a generation was asked for. */
interface GenerationParameters extends WantedVouchers {
  vouchers_count: number;
}

/** `CAMPAIGN.VOUCHERS_GENERATE`: as many vouchers as were asked for, or as there are codes for (§2.4, §3.2, §6). */
const generation: AsyncJob<GenerationParameters> = {
  type: "CAMPAIGN.VOUCHERS_GENERATE",
  rows: { start: 2_000, max: 10_000 },
  async slice(tx, action): Promise<Slice> {
    const { parameters, project_id, rows_max, instant } = action;
    const { vouchers_count, campaign_id } = parameters;
    const project = await findProject(tx, project_id);
    if (!project) throw new CannotGoOn("The project is gone");
    const wanted = Math.min(rows_max, vouchers_count - action.done_count);
    const made = await generateSlice(tx, { project, project_id, instant }, parameters, wanted);
    const total = action.done_count + made;
    const is_short = made < wanted;
    if (!is_short && total < vouchers_count) {
      return { done: false, done_count: made, progress: (100 * total) / vouchers_count };
    }
    const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
    if (campaign) await endGeneration(tx, action, campaign, { made: total, wanted: vouchers_count });
    return { done: true, is_aborted: is_short, done_count: made, result: resultOf("Generated", total) };
  },
  async failed(tx, action) {
    const { project_id, parameters, done_count } = action;
    const [campaign] = await findCampaignsByIds(tx, project_id, [parameters.campaign_id]);
    if (campaign) await endGeneration(tx, action, campaign, { made: done_count, wanted: parameters.vouchers_count });
  },
};

interface UpdateParameters {
  campaign_id: string;
  change: VoucherChange;
}

/** `CAMPAIGN.VOUCHERS_UPDATE`: the vouchers follow what changed in their campaign (§5.2). */
const update: AsyncJob<UpdateParameters, { after: Place }> = {
  type: "CAMPAIGN.VOUCHERS_UPDATE",
  rows: { start: 2_000, max: 5_000 },
  async slice(tx, { project_id, parameters, state, rows_max, instant, done_count, ...action }): Promise<Slice> {
    const { campaign_id, change } = parameters;
    const place = { after: state?.after ?? null, count_max: rows_max, instant };
    const { updated, after } = await updateVouchersOfCampaign(tx, project_id, campaign_id, change, place);
    // How many are left is not worth counting: half of the way is always behind.
    if (after) return { done: false, done_count: updated, progress: 50, state: { after } };
    await endModification(tx, project_id, campaign_id);
    const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
    if (campaign) {
      const data = { campaign: await bodyOf(tx, { project_id }, campaign) };
      await appendEvents(tx, { ...action, project_id, instant }, [
        { type: "campaign.updated", entity_id: campaign_id, data },
      ]);
    }
    return { done: true, done_count: updated, result: resultOf("Updated", done_count + updated) };
  },
  async failed(tx, { project_id, parameters }) {
    await endModification(tx, project_id, parameters.campaign_id);
  },
};

interface DeletionParameters {
  /** As it was shown last. */
  campaign: CampaignBody;
  force: boolean;
}

/**
 * `CAMPAIGN.VOUCHERS_DELETE`: the vouchers of a campaign that is hidden already. What is deleted for good goes last,
 * since its name may be used again only when no code of it is left (§5.4).
 */
const deletion: AsyncJob<DeletionParameters> = {
  type: "CAMPAIGN.VOUCHERS_DELETE",
  rows: { start: 2_000, max: 5_000 },
  async slice(tx, action): Promise<Slice> {
    const { project_id, parameters, rows_max, instant } = action;
    const { campaign, force } = parameters;
    const slice = { force, count_max: rows_max, instant };
    const deleted = await deleteVouchersOfCampaign(tx, project_id, campaign.id, slice);
    const total = action.done_count + deleted;
    if (deleted > 0) return { done: false, done_count: deleted, progress: percentOf(total, campaign.vouchers_count) };
    if (force) await deleteForGood(tx, project_id, campaign.id);
    const data = { campaign, deleted_at: isoOf(instant) };
    await appendEvents(tx, action, [{ type: "campaign.deleted", entity_id: campaign.id, data }]);
    return { done: true, result: resultOf("Deleted", total) };
  },
};

/** Its tiers go with it; what is gone is edited. */
async function deleteForGood(tx: Tx, project_id: string, campaign_id: string): Promise<void> {
  const tiers = await findTiersOfCampaigns(tx, project_id, [campaign_id]);
  await deleteCampaignRow(tx, project_id, campaign_id);
  if (tiers.length === 0) return;
  await recordEdits(
    tx,
    project_id,
    tiers.map(({ id }) => ({ kind: "promotion_tier" as const, id })),
  );
}

const percentOf = (count: number, of: number | undefined) => (of ? (100 * count) / of : 0);

const resultOf = (done: "Generated" | "Updated" | "Deleted", done_count: number) => ({
  message: `${done} ${done_count} vouchers.`,
  done_count,
});

/** The jobs of campaigns (vouchers-and-campaigns.md §7.1). */
export const campaignJobs: readonly AsyncJob[] = [generation, update, deletion];
