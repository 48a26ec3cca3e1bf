import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import {
  deleteVouchers,
  findVoucherIdsOfCampaign,
  mergeMetadata,
  nextVouchersOfCampaign,
  type Place,
  uncountVouchers,
  updateFollowers,
  type VoucherChange,
} from "../../vouchers/index.js";

/** One slice of an edit: at most `count_max` vouchers after a place. The place to go on from is null at the end. */
export async function updateVouchersOfCampaign(
  tx: Tx,
  project_id: string,
  campaign_id: string,
  change: VoucherChange,
  { after, count_max, instant }: { after: Place | null; count_max: number; instant: Instant },
): Promise<{ updated: number; after: Place | null }> {
  const { metadata, ...followed } = change;
  const next = await nextVouchersOfCampaign(tx, project_id, campaign_id, after, count_max);
  const all = next.map(({ id }) => id);
  const followers = next.filter(({ follows }) => follows).map(({ id }) => id);
  const follow = Object.keys(followed).length > 0 && followers.length > 0;
  if (follow) await updateFollowers(tx, project_id, followers, followed, instant);
  if (metadata && all.length > 0) await mergeMetadata(tx, project_id, all, metadata, instant);
  const last = next.at(-1);
  return {
    updated: metadata ? all.length : follow ? followers.length : 0,
    after: last && next.length === count_max ? { created_at: last.created_at, id: last.id } : null,
  };
}

/** One slice of a campaign's deletion; answers how many vouchers it took, none once all are gone, and who held them. */
export async function deleteVouchersOfCampaign(
  tx: Tx,
  project_id: string,
  campaign_id: string,
  { force, count_max, instant }: { force: boolean; count_max: number; instant: Instant },
): Promise<{ deleted: number; holder_ids: readonly string[] }> {
  const found = await findVoucherIdsOfCampaign(tx, project_id, campaign_id, { bin_too: force, count_max });
  if (found.length === 0) return { deleted: 0, holder_ids: [] };
  const ids = found.map(({ id }) => id);
  const { deleted, live, holder_ids } = await deleteVouchers(tx, project_id, ids, { force, instant });
  await uncountVouchers(tx, project_id, campaign_id, live);
  return { deleted, holder_ids };
}
