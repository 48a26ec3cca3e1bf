import { findRollbacks, type RedemptionRow, type RollbackRef, type VoucherAfter } from "../../books/index.js";
import type { Catalogue, Catalogues } from "../../catalogue/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { type Campaign, campaignShelf, findCampaignsByIds } from "../campaigns/index.js";
import { type Category, findCategoriesByIds } from "../categories/index.js";
import { type Customer, findCustomersByIds, toSimpleCustomer } from "../customers/index.js";
import type { Call } from "../projects/index.js";
import { findTiersByIds, type PromotionTier, toTierBody } from "../promotions/index.js";
import { findVouchersByIds, toVoucherBody, type VoucherRow } from "../vouchers/index.js";
import type { RedemptionBody } from "./redemption.schemas.js";

/** What stands around redemptions: the objects they name, as they are now. */
export interface Surroundings {
  context: Context;
  catalogue: Catalogue;
  vouchers: ReadonlyMap<string, VoucherRow>;
  customers: ReadonlyMap<string, Customer>;
  rollbacks: readonly RollbackRef[];
  tiers: ReadonlyMap<string, PromotionTier>;
  /** Those of the tiers. */
  campaigns: ReadonlyMap<string, Campaign>;
  categories: ReadonlyMap<string, Category>;
}

/** Reads what the redemptions name, in one statement a kind. */
export async function surroundingsOf(
  { context, catalogues }: { context: Context; catalogues: Catalogues },
  call: Call,
  rows: readonly RedemptionRow[],
  db: Queries = context.db,
): Promise<Surroundings> {
  const { project_id, version } = call;
  // What happened to a voucher that is in the bin by now is still told of it.
  const vouchers = await findVouchersByIds(db, project_id, idsIn(rows, "voucher_id"), { bin_too: true });
  const customers = await findCustomersByIds(db, project_id, idsIn(rows, "customer_id"));
  const undone = rows.filter(({ status }) => status === "ROLLED_BACK").map(({ id }) => id);
  return {
    context,
    catalogue: await catalogues.at(db, project_id, version),
    vouchers: byId(vouchers),
    customers: byId(customers),
    rollbacks: undone.length === 0 ? [] : await findRollbacks(db, project_id, undone),
    ...(await readShownWith(db, project_id, rows, vouchers)),
  };
}

/** Reads what bodies show of tiers and categories; most redemptions have neither, and cost no statement. */
export async function readShownWith(
  db: Queries,
  project_id: string,
  rows: readonly RedemptionRow[],
  vouchers: readonly VoucherRow[],
): Promise<Pick<Surroundings, "tiers" | "campaigns" | "categories">> {
  const tier_ids = idsIn(rows, "promotion_tier_id");
  const tiers = tier_ids.length === 0 ? [] : await findTiersByIds(db, project_id, tier_ids);
  const campaigns = tiers.length === 0 ? [] : await findCampaignsByIds(db, project_id, idsIn(tiers, "campaign_id"));
  const category_ids = idsIn([...tiers, ...vouchers], "category_id");
  const categories = category_ids.length === 0 ? [] : await findCategoriesByIds(db, project_id, category_ids);
  return { tiers: byId(tiers), campaigns: byId(campaigns), categories: byId(categories) };
}

const idsIn = <Field extends string>(rows: readonly Readonly<Record<Field, string | null>>[], field: Field) => [
  ...new Set(rows.flatMap((row) => row[field] ?? [])),
];

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

/** A redemption, a failed one or a rollback as answered (redemption.md §8, §10, §11). */
export function toRedemptionBody(around: Surroundings, row: RedemptionRow): RedemptionBody {
  const customer = row.customer_id === null ? undefined : around.customers.get(row.customer_id);
  return {
    id: row.id,
    object: row.object,
    date: isoOf(row.created_at),
    customer_id: row.customer_id,
    tracking_id: row.tracking_id,
    metadata: row.metadata,
    ...withoutNulls({ amount: row.amount, reason: row.reason }),
    redemption: row.redemption_id ?? row.parent_id,
    result: row.result,
    status: row.status,
    ...(row.session_key ? { session: { key: row.session_key } } : {}),
    ...relatedRedemptions(around, row),
    ...withoutNulls({ failure_code: row.failure_code, failure_message: row.failure_message }),
    order: (row.order_after ?? null) as RedemptionBody["order"],
    channel: row.channel,
    customer: customer ? toSimpleCustomer(customer) : null,
    ...redeemed(around, row),
  };
}

function relatedRedemptions({ rollbacks }: Surroundings, { id }: RedemptionRow) {
  const own = rollbacks.filter(({ redemption_id }) => redemption_id === id);
  if (own.length === 0) return {};
  return {
    related_redemptions: {
      rollbacks: own.map((rollback) =>
        withoutNulls({
          id: rollback.id,
          date: isoOf(rollback.created_at),
          rollback_order_mode: rollback.rollback_order_mode,
        }),
      ),
      redemptions: [],
    },
  };
}

/** What was redeemed; a parent, and an unknown code, are related to nothing but themselves. */
function redeemed(around: Surroundings, row: RedemptionRow) {
  if (row.voucher_id !== null) {
    const voucher = around.vouchers.get(row.voucher_id);
    return {
      related_object_type: "voucher" as const,
      related_object_id: row.voucher_id,
      voucher: voucher ? voucherBody(around, voucher, row.voucher_after) : null,
      promotion_tier: null,
      ...(voucher?.type === "GIFT_VOUCHER" && row.amount !== null ? { gift: { amount: row.amount } } : {}),
    };
  }
  if (row.promotion_tier_id !== null) {
    return {
      related_object_type: "promotion_tier" as const,
      related_object_id: row.promotion_tier_id,
      voucher: null,
      promotion_tier: tierBody(around, row.promotion_tier_id, row.campaign_id),
    };
  }
  return {
    related_object_type: "redemption" as const,
    related_object_id: row.redemption_id ?? row.id,
    voucher: null,
    promotion_tier: null,
  };
}

/** The voucher as the redemption left it. */
function voucherBody(
  { context, catalogue, categories }: Surroundings,
  voucher: VoucherRow,
  after: VoucherAfter | null,
) {
  const campaign = voucher.campaign_id === null ? undefined : catalogue.shelf(campaignShelf).get(voucher.campaign_id);
  const category = voucher.category_id === null ? undefined : categories.get(voucher.category_id);
  return toVoucherBody(context, catalogue.project, { ...voucher, ...after }, campaign, category);
}

function tierBody({ tiers, campaigns, categories }: Surroundings, id: string, campaign_id: string | null) {
  const tier = tiers.get(id);
  const campaign = tier && campaigns.get(tier.campaign_id);
  if (!campaign) return { id, ...(campaign_id ? { campaign: { id: campaign_id, object: "campaign" } } : {}) };
  const category = tier.category_id === null ? undefined : categories.get(tier.category_id);
  return toTierBody(tier, campaign, category);
}
