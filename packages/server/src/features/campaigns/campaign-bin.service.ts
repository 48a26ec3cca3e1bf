import type { Change } from "../../recording/index.js";
import { bulkQueueKey, startAsyncAction } from "../async-actions/index.js";
import { findStacksOfCampaign, findTiersOfCampaigns } from "../promotions/index.js";
import { type BinRemoval, putInBin } from "../trash-bin/index.js";
import type { Campaign } from "./campaign.js";
import { deleteCampaignRow } from "./campaign.store.js";
import { editKeys } from "./known-campaign.js";
import { deleteVouchersOfCampaign } from "./vouchers/campaign-vouchers.slices.js";

/** Vouchers that go with their campaign while a request waits; what has more of them is finished by an action. */
const at_once_max = 2_000;

/** One entry stands for the campaign and all its vouchers (vouchers-and-campaigns.md §19). */
export const putCampaignInBin = (change: Change, { id, name }: Pick<Campaign, "id" | "name">) =>
  putInBin(change, { resource_type: "campaign", resource_id: id, resource_name: name, resource_parent_id: null });

/** Deletes a hidden campaign that has no vouchers any more; its tiers and stacks go with it, and what is gone is edited. */
export async function forgetCampaign({ tx, edited, cause: { project_id } }: Change, id: string): Promise<void> {
  const tiers = await findTiersOfCampaigns(tx, project_id, [id]);
  const stacks = await findStacksOfCampaign(tx, project_id, id);
  await deleteCampaignRow(tx, project_id, id);
  edited(...tiers.map((tier) => ({ kind: "promotion_tier", id: tier.id })));
  edited(...stacks.map((stack) => ({ kind: "promotion_stack", id: stack.id })));
}

/** A campaign in the bin goes for good, with its vouchers; that it is deleted was told when it went there. */
export const binned: readonly BinRemoval[] = [
  {
    resource_type: "campaign",
    keysOf: (project_id, id) => [...editKeys(project_id, { id }), bulkQueueKey(project_id)],
    async remove(change, id) {
      const { project_id, instant } = change.cause;
      const slice = { force: true, count_max: at_once_max, instant };
      const { deleted } = await deleteVouchersOfCampaign(change.tx, project_id, id, slice);
      if (deleted < at_once_max) return forgetCampaign(change, id);
      const parameters = { campaign: { id, vouchers_count: 0 }, force: true, from_bin: true };
      await startAsyncAction(change, { type: "CAMPAIGN.VOUCHERS_DELETE", parameters });
    },
  },
];
