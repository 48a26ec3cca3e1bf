import type { NewEvent } from "../../events/index.js";
import type { Change } from "../../recording/index.js";
import { type AsyncJob, CannotGoOn, type PurgedTable, purgeJob, type Slice } from "../async-actions/index.js";
import { changedUntold } from "../customers/index.js";
import { findProject } from "../projects/index.js";
import { findTiersOfCampaigns } from "../promotions/index.js";
import { type Place, type VoucherChange, voucherMetadata } from "../vouchers/index.js";
import { campaignEvent } from "./campaign.events.js";
import type { Campaign } from "./campaign.js";
import { endModification, findCampaignsByIds, findHiddenCampaign, metadata_keys } from "./campaign.store.js";
import { forgetCampaign, putCampaignInBin } from "./campaign-bin.service.js";
import { editKeys } from "./known-campaign.js";
import { campaignImportJobs } from "./vouchers/campaign-import.kinds.js";
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
  async slice(change, action): Promise<Slice> {
    const { tx } = change;
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
    if (campaign) await endGeneration(change, action, campaign, { made: total, wanted: vouchers_count });
    return { done: true, is_aborted: is_short, done_count: made, result: resultOf("Generated", total) };
  },
  async failed(change, action) {
    const { project_id, parameters, done_count } = action;
    const [campaign] = await findCampaignsByIds(change.tx, project_id, [parameters.campaign_id]);
    if (campaign)
      await endGeneration(change, action, campaign, { made: done_count, wanted: parameters.vouchers_count });
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
  async slice({ tx, tell }, { project_id, parameters, state, rows_max, instant, done_count }): Promise<Slice> {
    const { campaign_id, change } = parameters;
    const place = { after: state?.after ?? null, count_max: rows_max, instant };
    const { updated, after } = await updateVouchersOfCampaign(tx, project_id, campaign_id, change, place);
    // How many are left is not worth counting: half of the way is always behind.
    if (after) return { done: false, done_count: updated, progress: 50, state: { after } };
    await endModification(tx, project_id, campaign_id);
    const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
    if (campaign) tell(campaignEvent("campaign.updated", campaign));
    return { done: true, done_count: updated, result: resultOf("Updated", done_count + updated) };
  },
  /** The campaign itself was changed all the same. */
  async failed({ tx, tell }, { project_id, parameters: { campaign_id } }) {
    await endModification(tx, project_id, campaign_id);
    const [campaign] = await findCampaignsByIds(tx, project_id, [campaign_id]);
    if (campaign) tell(campaignEvent("campaign.updated", campaign));
  },
};

interface DeletionParameters {
  campaign: { id: string; vouchers_count: number };
  force: boolean;
  /** It was in the bin, so that everybody knows already that it is deleted. */
  from_bin?: true;
}

/**
 * `CAMPAIGN.VOUCHERS_DELETE`: the vouchers of a campaign that is hidden already. What is deleted for good goes last,
 * since its name may be used again only when no code of it is left (§5.4).
 */
const deletion: AsyncJob<DeletionParameters> = {
  type: "CAMPAIGN.VOUCHERS_DELETE",
  rows: { start: 2_000, max: 5_000 },
  async slice(change, action): Promise<Slice> {
    const { tx, tell } = change;
    const { project_id, parameters, rows_max, instant } = action;
    const {
      campaign: { id, vouchers_count },
      force,
      from_bin,
    } = parameters;
    const slice = { force, count_max: rows_max, instant };
    const { deleted, holder_ids } = await deleteVouchersOfCampaign(tx, project_id, id, slice);
    // Nothing is told outside of single vouchers; segments that ask for points and credits follow.
    tell(...holder_ids.map(changedUntold));
    const total = action.done_count + deleted;
    if (deleted > 0) return { done: false, done_count: deleted, progress: percentOf(total, vouchers_count) };
    const campaign = await findHiddenCampaign(tx, project_id, id);
    if (campaign && !from_bin) tell(await deletedEvent(change, campaign, vouchers_count));
    if (force) await forgetCampaign(change, id);
    else if (campaign) await putCampaignInBin(change, campaign);
    return { done: true, result: resultOf("Deleted", total) };
  },
  /** Hidden it stays, and whoever wants to be rid of it finds it in the bin. */
  async failed(change, { project_id, parameters: { campaign: asked, from_bin } }) {
    const campaign = await findHiddenCampaign(change.tx, project_id, asked.id);
    if (!campaign) return;
    if (!from_bin) change.tell(await deletedEvent(change, campaign, asked.vouchers_count));
    await putCampaignInBin(change, campaign);
  },
};

/** With the tiers that go with it, read while they are there. */
async function deletedEvent(
  { tx, cause: { project_id } }: Change,
  campaign: Campaign,
  vouchers_count: number,
): Promise<NewEvent> {
  const tiers = await findTiersOfCampaigns(tx, project_id, [campaign.id]);
  return { type: "campaign.deleted", entity_id: campaign.id, data: { campaign, tiers, vouchers_count } };
}

const percentOf = (count: number, of: number) => (of ? (100 * count) / of : 0);

const resultOf = (done: "Generated" | "Updated" | "Deleted", done_count: number) => ({
  message: `${done} ${done_count} vouchers.`,
  done_count,
});

const ofCampaigns = (metadata: PurgedTable["metadata"]): PurgedTable => ({
  metadata,
  keysOf: (project_id, id) => editKeys(project_id, { id }),
  changed: ({ edited }, ids) => edited(...ids.map((id) => ({ kind: "campaign", id }))),
});

/**
 * `CAMPAIGNS.METADATA_KEY_PURGE` and `VOUCHERS.METADATA_KEY_PURGE`: campaigns whose metadata follows the schema of vouchers hand it on to
 * their vouchers, and come before them.
 */
const purges = [
  purgeJob("campaign", [ofCampaigns(metadata_keys.of_campaigns)]),
  purgeJob("voucher", [ofCampaigns(metadata_keys.of_vouchers), voucherMetadata]),
];

/** The jobs of campaigns (vouchers-and-campaigns.md §7.1). */
export const campaignJobs: readonly AsyncJob[] = [generation, update, deletion, ...purges, ...campaignImportJobs];
