import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import { findCategoriesByIds } from "../../features/categories/index.js";
import { toVoucherBody, type VoucherRow } from "../../features/vouchers/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { Showing } from "./kind.js";

/** Reads what vouchers are shown with. */
export async function readVouchersShown(db: Queries, project_id: string, vouchers: readonly VoucherRow[]) {
  const ids = [...new Set(vouchers.flatMap(({ category_id }) => category_id ?? []))];
  const found = ids.length === 0 ? [] : await findCategoriesByIds(db, project_id, ids);
  const categories = new Map(found.map((category) => [category.id, category]));
  return ({ context, catalogue }: Showing, voucher: VoucherRow): Record<string, unknown> => {
    const campaign = campaignOf(catalogue, voucher.campaign_id);
    return {
      ...toVoucherBody(context, catalogue.project, voucher, campaign, categories.get(voucher.category_id ?? "")),
    };
  };
}

export const campaignOf = (catalogue: Catalogue, id: string | null) =>
  id === null ? undefined : catalogue.shelf(campaignShelf).get(id);
