import type { Queries } from "../../../platform/db/database.js";
import type { Change } from "../../../recording/index.js";
import { invalid } from "../../../terms/index.js";
import type { AsyncJob } from "../../async-actions/index.js";
import { type ImportKind, type ImportTurn, importJob } from "../../imports/index.js";
import {
  campaignCsv,
  importVouchers,
  JoiningImport,
  of_vouchers,
  type VoucherRowImport,
} from "../../vouchers/index.js";
import { findCampaignsByIds } from "../campaign.store.js";
import { knownCampaign } from "../known-campaign.js";

interface Parameters {
  campaign_id: string;
}

type CampaignKind = ImportKind<VoucherRowImport, Parameters>;

/** `CAMPAIGN.VOUCHERS_IMPORT` (vouchers-and-campaigns.md §9.1). */
export const campaignImport: CampaignKind = {
  ...of_vouchers,
  type: "CAMPAIGN.VOUCHERS_IMPORT",
  shape: JoiningImport,
  apply: (change, turn, rows) =>
    importVouchers(change, turn, rows, { ...turn.parameters, changes_known: false, is_told: false }),
  ended,
};

/** `CAMPAIGN.VOUCHERS_IMPORT_CSV` (§9.2). */
export const campaignCsvImport: CampaignKind = {
  ...of_vouchers,
  type: "CAMPAIGN.VOUCHERS_IMPORT_CSV",
  csv: campaignCsv,
  apply: (change, turn, rows) =>
    importVouchers(change, turn, rows, { ...turn.parameters, changes_known: true, is_told: false }),
  ended,
};

/** One event for all of them, and none of each voucher (events-and-webhooks.md §4). */
async function ended({ tx, tell }: Change, { project_id, parameters }: ImportTurn<Parameters>, count: number) {
  const [campaign] = count === 0 ? [] : await findCampaignsByIds(tx, project_id, [parameters.campaign_id]);
  if (campaign) tell({ type: "campaign.vouchers.added", entity_id: campaign.id, data: { campaign, count } });
}

/** The campaign of an import. One whose vouchers are still being generated takes others meanwhile (§2.4). */
export async function importedInto(db: Queries, project_id: string, id_or_name: string): Promise<Parameters> {
  const { id, campaign_type, type } = await knownCampaign(db, project_id, id_or_name);
  if (campaign_type === "PROMOTION") throw invalid("campaign", "Vouchers cannot be added to a PROMOTION campaign");
  if (type === "STANDALONE")
    throw invalid("campaign", "Vouchers cannot be imported into a STANDALONE type campaign, which has one code");
  return { campaign_id: id };
}

export const campaignImportJobs: readonly AsyncJob[] = [importJob(campaignImport), importJob(campaignCsvImport)];
