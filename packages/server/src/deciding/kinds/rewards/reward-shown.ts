import { findRewardRedemptions, type RedemptionRow, type RewardRedemption } from "../../../books/index.js";
import { findProductsByIds, findSkusByIds, toProductBody, toSkuBody } from "../../../features/products/index.js";
import { findRewardsByIds, type Reward } from "../../../features/rewards/index.js";
import { findVouchersByIds } from "../../../features/vouchers/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import type { ShownOf } from "../card.js";
import type { Showing } from "../kind.js";
import { readVouchersShown } from "../voucher-shown.js";

/** Reads what redemptions of loyalty cards gave, and what became of it (redemption.md §8). */
export async function readRewardsShown(
  db: Queries,
  project_id: string,
  rows: readonly RedemptionRow[],
): Promise<ShownOf> {
  const given = await findRewardRedemptions(db, project_id, [...new Set(rows.map(redemptionOf))]);
  const found = await findRewardsByIds(db, project_id, [...new Set(given.map(({ reward_id }) => reward_id))]);
  const rewards = new Map(found.map((reward) => [reward.id, reward]));
  const [goods, codeOf] = await Promise.all([readGoods(db, project_id, found), readGiven(db, project_id, given)]);
  return (showing, row) => {
    const one = given.find(({ redemption_id }) => redemption_id === redemptionOf(row));
    if (!one) return {};
    const reward = rewards.get(one.reward_id);
    return {
      reward: {
        id: one.reward_id,
        name: reward?.name ?? one.reward_name,
        type: one.reward_type,
        ...(reward ? aboutOf(reward) : {}),
        assignment_id: one.reward_assignment_id,
        voucher: codeOf(showing, one),
        product: null,
        sku: null,
        ...(reward ? goods(reward) : {}),
        loyalty_tier_id: one.loyalty_tier_id,
        object: "reward",
      },
    };
  };
}

/** A rollback shows what its redemption gave. */
const redemptionOf = ({ id, redemption_id }: RedemptionRow) => redemption_id ?? id;

/** One that was deleted since leaves its id, its type and what was given. */
const aboutOf = ({ parameters, metadata, created_at, updated_at }: Reward) => ({
  parameters,
  metadata,
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
});

/** The codes and cards that were given, as they are now; null where one was deleted for good. */
async function readGiven(db: Queries, project_id: string, given: readonly RewardRedemption[]) {
  const ids = given.flatMap(({ given_voucher_id }) => given_voucher_id ?? []);
  const found = ids.length === 0 ? [] : await findVouchersByIds(db, project_id, ids, { bin_too: true });
  const bodyOf = await readVouchersShown(db, project_id, found);
  return (showing: Showing, { given_voucher_id }: RewardRedemption) => {
    const voucher = found.find(({ id }) => id === given_voucher_id);
    return voucher ? bodyOf(showing, voucher) : null;
  };
}

/** The products that rewards hand over, as they are now. */
async function readGoods(db: Queries, project_id: string, rewards: readonly Reward[]) {
  const named = rewards.flatMap(({ parameters }) => ("product" in parameters ? parameters.product : []));
  const sku_ids = named.flatMap(({ sku_id }) => sku_id ?? []);
  const [products, skus] = await Promise.all([
    named.length > 0
      ? findProductsByIds(
          db,
          project_id,
          named.map(({ id }) => id),
        )
      : [],
    sku_ids.length > 0 ? findSkusByIds(db, project_id, sku_ids) : [],
  ]);
  return ({ parameters }: Reward) => {
    if (!("product" in parameters)) return {};
    const { id, sku_id } = parameters.product;
    const product = products.find((one) => one.id === id);
    const sku = skus.find((one) => one.id === sku_id);
    return { product: product ? toProductBody(product) : null, sku: sku ? toSkuBody(sku) : null };
  };
}
