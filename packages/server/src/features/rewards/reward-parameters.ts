import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { refusals } from "../../terms/index.js";
import { findCampaign } from "../campaigns/index.js";
import { findProductsByIds, findSkusByIds } from "../products/index.js";
import { points_max } from "../vouchers/index.js";
import { type GivingCampaign, giving_campaigns, type RewardParameters } from "./reward.js";
import type { ParametersInput } from "./reward.schemas.js";

/** What a reward gives, once it is one thing and that is there (loyalty.md §9.1, §9.2). */
export async function readParameters(
  db: Queries,
  project_id: string,
  { campaign, coin, product }: ParametersInput,
): Promise<RewardParameters> {
  const given = [campaign, coin, product].filter((one) => one !== undefined && one !== null);
  if (given.length !== 1)
    throw problems.invalidPayload("Property .parameters must have exactly one of campaign, product, coin");
  if (campaign) return { campaign: await readCampaign(db, project_id, campaign) };
  if (coin) return { coin: readCoin(coin) };
  return { product: await readProduct(db, project_id, product as NonNullable<typeof product>) };
}

async function readCampaign(
  db: Queries,
  project_id: string,
  { id, balance }: NonNullable<ParametersInput["campaign"]>,
): Promise<Extract<RewardParameters, { campaign: unknown }>["campaign"]> {
  const campaign = await findCampaign(db, project_id, id);
  if (!campaign) throw problems.notFound("campaign", id);
  const type = campaign.campaign_type;
  if (!isGiving(type))
    throw problems.invalidPayload(
      `Property .parameters.campaign.id must name a campaign of type ${giving_campaigns.join(", ")}, not ${type}`,
    );
  if (type === "DISCOUNT_COUPONS") return { id: campaign.id, type };
  if (balance === undefined || balance === null)
    throw problems.invalidPayload("Property .parameters.campaign should have required property 'balance'");
  if (balance <= 0) {
    const details = `Property 'parameters.campaign.balance' must be greater than zero for campaign type: ${type}`;
    throw refusals.invalidBalance(details);
  }
  if (balance > points_max)
    throw problems.invalidPayload(`Property .parameters.campaign.balance must be <= ${points_max}`);
  return { id: campaign.id, type, balance };
}

const isGiving = (type: string): type is GivingCampaign => (giving_campaigns as readonly string[]).includes(type);

/** Far beyond any currency, and few enough digits that a number holds them exactly. */
const exchange_ratio_digits = /^\d{1,9}(\.\d{1,6})?$/;

function readCoin({ exchange_ratio, points_ratio }: NonNullable<ParametersInput["coin"]>) {
  const worth = String(exchange_ratio).trim();
  if (!exchange_ratio_digits.test(worth) || Number(worth) === 0)
    throw problems.invalidPayload(
      "Property .parameters.coin.exchange_ratio must be a number above 0 with at most 9 digits before and 6 behind the point",
    );
  const points = Number(points_ratio ?? 1);
  if (!Number.isInteger(points) || points < 1 || points > points_max)
    throw problems.invalidPayload(`Property .parameters.coin.points_ratio must be an integer from 1 to ${points_max}`);
  return { exchange_ratio: Number(worth), points_ratio: points };
}

async function readProduct(db: Queries, project_id: string, named: NonNullable<ParametersInput["product"]>) {
  const [product] = await findProductsByIds(db, project_id, [named.id]);
  if (!product || product.deleted_at !== null) throw problems.notFound("product", named.id);
  const { sku_id = null } = named;
  if (sku_id === null) return { id: product.id, sku_id };
  const [sku] = await findSkusByIds(db, project_id, [sku_id]);
  if (!sku || sku.deleted_at !== null || sku.product_id !== product.id) throw problems.notFound("sku", sku_id);
  return { id: product.id, sku_id };
}
