import type { RedemptionRow } from "../books/index.js";
import { toSimpleCustomer } from "../features/customers/index.js";
import { toTierBody } from "../features/loyalties/tiers/index.js";
import type { RedemptionBody } from "../features/redemptions/index.js";
import type { VoucherBody, VoucherRow } from "../features/vouchers/index.js";
import type { Around } from "./around.js";
import { shortCampaign, shortOrder, shortRedemption, shortStack, shortVoucher } from "./short.js";

/** A customer as named beside what is told; null where nobody is meant, or the customer was deleted. */
export async function customerOf({ customers }: Around, id: string | null | undefined) {
  const customer = id ? await customers.load(id) : null;
  return customer && toSimpleCustomer(customer);
}

/** A campaign as named beside what is told; null where there is none, or it is in the bin. */
export async function campaignOf(around: Around, id: string | null | undefined) {
  const campaign = id ? await around.campaigns.load(id) : null;
  if (!campaign) return null;
  return shortCampaign(campaign, campaign.category_id ? await around.categories.load(campaign.category_id) : null);
}

/** A voucher in full, with the balance that it had after an entry of its books. */
export async function voucherOf(around: Around, id: string, balance?: number): Promise<VoucherBody | null> {
  const voucher = await around.vouchers.load(id);
  if (!voucher) return null;
  return around.voucherBodies.load(balance === undefined ? voucher : { ...voucher, balance });
}

/** A voucher as it was, as named beside what is told. */
export const voucherAsItWas = async ({ voucherBodies }: Around, voucher: VoucherRow) =>
  shortVoucher(await voucherBodies.load(voucher));

export interface Redeemed {
  row: RedemptionRow;
  body: RedemptionBody;
}

/** A redemption as answered, and with whose order it was; null of one that is not there. */
export async function redemptionOf(around: Around, id: string | null | undefined): Promise<Redeemed | null> {
  const row = id ? await around.redemptions.load(id) : null;
  if (!row) return null;
  const body = await around.redemptionBodies.load(row);
  return { row, body: { ...body, order: await orderLeftBy(around, row, body) } };
}

/** A child of a stack keeps what it left of the order's amounts alone; which order that is stands with the whole. */
async function orderLeftBy(
  around: Around,
  { order_after, parent_id, order_id }: RedemptionRow,
  { order }: RedemptionBody,
) {
  if (order_after === null || !order) return order;
  // Nothing leads from the rollback of a child to that of the whole: the order is as it is by now.
  const whole = parent_id ? (await redemptionOf(around, parent_id))?.body.order : await orderBodyOf(around, order_id);
  if (!whole) return order;
  const { id, source_id, status, customer_id, referrer_id, items, metadata } = whole;
  return { items, metadata, ...order, id, source_id, status, customer_id, referrer_id };
}

/** A redemption beside what is told, as it was right after it was made. */
export async function shortRedemptionOf(around: Around, id: string | null | undefined) {
  const found = await redemptionOf(around, id);
  return found && shortRedemption(found.body, found.row.result === "SUCCESS" ? "SUCCEEDED" : "FAILED");
}

/**
 * The promotion stack whose tiers were redeemed, as it is by now; null where none was asked for. One that was deleted since is told by its
 * id, as its tiers are.
 */
export async function stackOf(
  { stacks, stackBodies }: Around,
  { promotion_stack_id: id, campaign_id }: Pick<RedemptionRow, "promotion_stack_id" | "campaign_id">,
) {
  if (id === null) return null;
  const stack = await stacks.load(id);
  if (stack) return shortStack(await stackBodies.load(stack));
  return { id, ...(campaign_id === null ? {} : { campaign: { id: campaign_id } }) };
}

/** An order as it is by now. */
export const orderOf = async (around: Around, id: string | null | undefined) =>
  shortOrder(await orderBodyOf(around, id));

async function orderBodyOf({ orders, orderBodies }: Around, id: string | null | undefined) {
  const order = id ? await orders.load(id) : null;
  return order && orderBodies.load(order);
}

/** The transaction in a card's books. It is never deleted, so one that is not there was not written by us. */
export async function transactionOf({ transactions }: Around, id: string) {
  const found = await transactions.load(id);
  if (!found) throw new Error(`there is no transaction ${id}`);
  return found;
}

/** The loyalty tier that the books name; null where they name none, or one that is no more. */
export async function loyaltyTierOf({ loyalty_tiers }: Around, kept: unknown) {
  const { id } = (kept ?? {}) as { id?: string };
  const tier = id ? await loyalty_tiers.load(id) : null;
  return tier && toTierBody(tier);
}
