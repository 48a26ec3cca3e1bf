import DataLoader from "dataloader";
import { findEntriesByIds, findRedemptionsByIds, findRewardRedemptions, type RedemptionRow } from "../books/index.js";
import {
  type Campaign,
  type CampaignBody,
  findCampaignsByIds,
  toCampaignBodies,
  toStackBodies,
} from "../features/campaigns/index.js";
import { findCategoriesByIds } from "../features/categories/index.js";
import { type Customer, findCustomersByIds, summariesOf, toCustomerBody } from "../features/customers/index.js";
import { findEarningRulesByIds } from "../features/loyalties/earning-rules/index.js";
import { findTiersByIds as findLoyaltyTiersByIds } from "../features/loyalties/tiers/index.js";
import { findOrderNames, findOrderStates, findOrders, toOrderBodies } from "../features/orders/index.js";
import type { Project } from "../features/projects/index.js";
import {
  findStacksByIds,
  findTiersByIds,
  findTiersOfCampaigns,
  type PromotionTier,
  type TierBody,
  tierBodies,
} from "../features/promotions/index.js";
import { findPublicationsByIds, findPublishedVouchers } from "../features/publications/index.js";
import { surroundingsOf, toWholeRedemption } from "../features/redemptions/index.js";
import { findAssignmentsByIds, findRewardsByIds } from "../features/rewards/index.js";
import { toTransactionBody } from "../features/transactions/index.js";
import { toRuleBodies } from "../features/validation-rules/index.js";
import { codeKey, findNamedVouchers, findVouchersByIds, toVoucherBodies } from "../features/vouchers/index.js";
import type { Context } from "../platform/context.js";
import type { Queries } from "../platform/db/database.js";
import { listBody } from "../platform/http/lists.js";
import { readVersion } from "../recording/index.js";
import { templateTold } from "./short.js";

/** Of one kind, in one statement; a page of events asks for fewer. */
const together_max = 500;

type Find<Row> = (db: Queries, project_id: string, ids: readonly string[]) => Promise<readonly Row[]>;

/** What stands around a project's events: read once for all of them, whatever each asks for, a statement a kind. */
export type Around = ReturnType<typeof aroundOf>;

export function aroundOf(context: Context, project: Project) {
  const db = context.db.of(project.id);
  const { id: project_id } = project;

  /** Rows by what they are asked for with; null where there is none. */
  const by = <Row>(find: Find<Row>, keyOf: (row: Row) => string) =>
    new DataLoader<string, Row | null>(
      async (ids) => {
        const found = new Map((await find(db, project_id, ids)).map((row) => [keyOf(row), row]));
        return ids.map((id) => found.get(id) ?? null);
      },
      { maxBatchSize: together_max },
    );
  const byId = <Row extends { id: string }>(find: Find<Row>) => by(find, ({ id }) => id);
  /** Bodies of rows that somebody has. */
  const shown = <Row extends object, Body>(show: (rows: readonly Row[]) => Promise<readonly Body[]>) =>
    new DataLoader<Row, Body>(show, { cache: false, maxBatchSize: together_max });

  return {
    project_id,
    keyOf: (code: string) => codeKey(project, code),
    ...rowsAround(byId, by),
    customerBodies: shown((rows: readonly Customer[]) => customerBodies(db, project_id, rows)),
    voucherBodies: shown((rows: Parameters<typeof toVoucherBodies>[3]) =>
      toVoucherBodies(context, db, { project, project_id }, rows),
    ),
    campaignBodies: shown((rows: readonly CampaignAsItWas[]) => campaignBodies(db, project_id, rows)),
    tierBodies: shown((rows: readonly TierAsItWas[]) => tiersShown(db, project_id, rows)),
    stackBodies: shown((rows: Parameters<typeof toStackBodies>[2]) => toStackBodies(db, project_id, rows)),
    ruleBodies: shown((rows: Parameters<typeof toRuleBodies>[2]) => toRuleBodies(db, project_id, rows)),
    orderBodies: shown((rows: Parameters<typeof toOrderBodies>[2]) => toOrderBodies(db, project_id, rows)),
    redemptionBodies: shown(async (rows: readonly RedemptionRow[]) => {
      const version = await readVersion(db, project_id);
      const around = await surroundingsOf(
        { context, catalogues: context.catalogues },
        { project_id, version },
        rows,
        db,
      );
      return rows.map((row) => toWholeRedemption(around, row));
    }),
  };
}

/** Rows that events name. */
function rowsAround(
  byId: <Row extends { id: string }>(find: Find<Row>) => DataLoader<string, Row | null>,
  by: <Row>(find: Find<Row>, keyOf: (row: Row) => string) => DataLoader<string, Row | null>,
) {
  return {
    customers: byId(findCustomersByIds),
    codes: by(
      (db, project_id, code_keys) => findNamedVouchers(db, project_id, { code_keys, ids: [] }),
      ({ code_key }) => code_key,
    ),
    vouchers: byId((db, project_id, ids) => findVouchersByIds(db, project_id, ids, { bin_too: true })),
    campaigns: byId(findCampaignsByIds),
    categories: byId(findCategoriesByIds),
    tiers: byId(findTiersByIds),
    stacks: byId(findStacksByIds),
    publications: byId(findPublicationsByIds),
    /** The vouchers that a publication of several gave. */
    published: byId(async (db, project_id, ids) => {
      const given = await findPublishedVouchers(db, project_id, ids);
      const of = (id: string) => given.flatMap((one) => (one.publication_id === id ? one.voucher_id : []));
      return ids.map((id) => ({ id, voucher_ids: of(id) }));
    }),
    redemptions: byId(findRedemptionsByIds),
    rewards: byId(findRewardsByIds),
    reward_assignments: byId(findAssignmentsByIds),
    reward_redemptions: by(findRewardRedemptions, ({ redemption_id }) => redemption_id),
    earning_rules: byId(findEarningRulesByIds),
    loyalty_tiers: byId(findLoyaltyTiersByIds),
    orders: byId(async (db, project_id, ids) =>
      (
        await findOrders(
          db,
          project_id,
          ids.map((id) => ({ id })),
        )
      ).flatMap((order) => order ?? []),
    ),
    /** By id and version. */
    order_states: by(
      (db, project_id, keys) => findOrderStates(db, project_id, keys.map(stateIn)),
      ({ id, version }) => stateKey(id, version),
    ),
    transactions: byId(async (db, project_id, ids) => {
      const entries = await findEntriesByIds(db, project_id, ids);
      const order_ids = entries.flatMap(({ order_id }) => order_id ?? []);
      const named =
        order_ids.length > 0 ? await findOrderNames(db, project_id, { ids: order_ids, source_ids: [] }) : [];
      const orders = new Map(named.map((order) => [order.id, order]));
      return entries.map((entry) => ({ id: entry.id, entry, body: toTransactionBody(entry, orders) }));
    }),
  };
}

/** A campaign with the tiers that went with it; else they are read. */
interface CampaignAsItWas {
  campaign: Campaign;
  tiers: readonly PromotionTier[] | null;
}

/** Campaigns as they were, promotions with their tiers. */
async function campaignBodies(db: Queries, project_id: string, rows: readonly CampaignAsItWas[]) {
  const campaigns = rows.map(({ campaign }) => campaign);
  const asked = rows.filter(({ campaign, tiers }) => campaign.campaign_type === "PROMOTION" && tiers === null);
  const ids = [...new Set(asked.map(({ campaign }) => campaign.id))];
  const found = ids.length === 0 ? [] : await findTiersOfCampaigns(db, project_id, ids);
  const tiersOf = ({ campaign, tiers }: CampaignAsItWas) =>
    tiers ?? found.filter(({ campaign_id }) => campaign_id === campaign.id);
  const of_rows = rows.map(tiersOf);
  const [bodies, tier_bodies] = await Promise.all([
    toCampaignBodies(db, project_id, campaigns),
    tierBodies(db, project_id, of_rows.flat(), campaigns),
  ]);
  // One campaign may be told of several times, each time with its tiers.
  let taken = 0;
  return rows.map(({ campaign }, i) => {
    const body = told(bodies[i] as CampaignBody);
    const from = taken;
    taken += of_rows[i]?.length ?? 0;
    if (campaign.campaign_type !== "PROMOTION") return body;
    const tiers = tier_bodies.slice(from, taken);
    return { ...body, promotion: listBody("tiers", tiers, { total: tiers.length, has_more: false }) };
  });
}

const told = (body: CampaignBody) => ({ ...body, ...(body.voucher ? { voucher: templateTold(body.voucher) } : {}) });

interface TierAsItWas {
  campaign: Campaign;
  promotion_tier: PromotionTier;
}

async function tiersShown(db: Queries, project_id: string, rows: readonly TierAsItWas[]): Promise<TierBody[]> {
  const tiers = rows.map(({ promotion_tier }) => promotion_tier);
  return tierBodies(
    db,
    project_id,
    tiers,
    rows.map(({ campaign }) => campaign),
  );
}

export const stateKey = (id: string, version: number) => `${id} ${version}`;

function stateIn(key: string) {
  const [id = "", version] = key.split(" ");
  return { id, version: Number(version) };
}

/** Customers as they were, with what has been counted of them by now. */
async function customerBodies(db: Queries, project_id: string, customers: readonly Customer[]) {
  const ids = [...new Set(customers.map(({ id }) => id))];
  const summaries = new Map((await summariesOf(db, project_id, ids)).map((one) => [one.customer_id, one]));
  return customers.map((customer) => toCustomerBody(customer, summaries.get(customer.id)));
}
