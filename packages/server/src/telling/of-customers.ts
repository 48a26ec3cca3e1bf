import type { CustomEventData } from "../features/custom-events/index.js";
import { type Instant, isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import { stateKey } from "./around.js";
import { campaignOf, customerOf, redemptionOf, voucherAsItWas, voucherOf } from "./look-ups.js";
import { shortVoucher, wholeRedemption } from "./short.js";
import type { Fact, Teller, Tellers } from "./teller.js";

const profile: Teller<"customer.created" | "customer.updated" | "customer.deleted"> = async (
  { customerBodies },
  { data },
) => ({ customer: await customerBodies.load(data.customer) });

/** The customer as they were, and the segment that they are in from then on, or no more. */
const member: Teller<"customer.segment.entered" | "customer.segment.left"> = async ({ customerBodies }, { data }) => ({
  customer: await customerBodies.load(data.customer),
  segment: data.segment,
});

type OrderFact = Fact<`customer.order.${"created" | "updated" | "paid" | "canceled" | "fulfilled"}`>;

/** As the event keeps the order, or as the redemption left it that made the event true. */
async function order(around: Around, { data, customer_id }: OrderFact) {
  const redeemed = await redemptionOf(around, data.redemption_id);
  const { order_id = null, order_version = null } = redeemed?.row ?? {};
  const left =
    order_id === null || order_version === null
      ? null
      : await around.order_states.load(stateKey(order_id, order_version));
  const known = data.order ?? left ?? (await around.orders.load(data.order_id));
  const [customer, referrer, body, campaign] = await Promise.all([
    customerOf(around, customer_id),
    customerOf(around, known?.referrer_id),
    known && around.orderBodies.load(known),
    campaignOf(around, redeemed?.row.campaign_id),
  ]);
  const redemption = redeemed && wholeRedemption(redeemed.body, redeemed.row, campaign?.name);
  return { customer, referrer, order: body, redemption };
}

/** Whom it was asked for, and what it came to. */
const validation: Teller<"customer.validation.succeeded" | "customer.validation.failed"> = async (
  around,
  { data, customer_id },
) => ({ customer: await customerOf(around, customer_id), validation: data.validation });

/** What a code names by now, where it names anything. */
async function namedBy(around: Around, code: string) {
  const named = await around.codes.load(around.keyOf(code));
  const [voucher, campaign] = await Promise.all([
    named && voucherOf(around, named.id),
    campaignOf(around, named?.campaign_id),
  ]);
  return { voucher: shortVoucher(voucher), campaign };
}

/** What a customer did, as it was sent. */
export const customEventBody = (
  { id, type, customer_id, loyalty, referral, metadata }: CustomEventData,
  created_at: Instant,
) => ({
  id,
  object: "event",
  type,
  customer: { id: customer_id, object: "customer" },
  // Never null, unlike beside it.
  referral: referral ? { code: referral.code, referrer_id: referral.referrer_id } : {},
  loyalty: loyalty ? { code: loyalty.code } : {},
  metadata,
  created_at: isoOf(created_at),
});

async function customEvent(around: Around, event: Fact<"customer.custom_event">) {
  const { event_schema, customer_id, loyalty, referral } = event.data;
  const [customer, referrer, of_loyalty, of_referral] = await Promise.all([
    customerOf(around, customer_id),
    customerOf(around, referral?.referrer_id),
    loyalty && namedBy(around, loyalty.code),
    referral && namedBy(around, referral.code),
  ]);
  return {
    event: customEventBody(event.data, event.created_at),
    event_schema,
    customer,
    referral: of_referral && { referrer, ...of_referral },
    loyalty: of_loyalty,
  };
}

type HolderFact = Fact<`customer.holder.assignment.${"created" | "deleted"}`>;

/** Who holds a code, or held it. */
async function holder(around: Around, { data, customer_id }: HolderFact) {
  const { id, voucher_id, campaign_id, publication_id, role, created_at } = data.holder;
  const [row, campaign, campaign_row, customer] = await Promise.all([
    around.vouchers.load(voucher_id),
    campaignOf(around, campaign_id),
    campaign_id === null ? null : around.campaigns.load(campaign_id),
    customerOf(around, customer_id),
  ]);
  return {
    holder: {
      id,
      redeemable_id: voucher_id,
      redeemable_object: "voucher",
      campaign_id,
      campaign_type: campaign_row?.campaign_type ?? null,
      voucher_type: row?.type ?? null,
      publication_id,
      customer_id: data.holder.customer_id,
      holder_role: role,
      created_at: isoOf(created_at),
      object: "redeemable_holder",
    },
    voucher: row && (await voucherAsItWas(around, row)),
    campaign,
    customer,
  };
}

type Told =
  | Parameters<typeof profile>[1]["type"]
  | Parameters<typeof member>[1]["type"]
  | OrderFact["type"]
  | Parameters<typeof validation>[1]["type"]
  | "customers.changed"
  | "customer.custom_event"
  | HolderFact["type"];

export const of_customers = {
  "customer.created": { "customer.created": profile },
  "customer.updated": { "customer.updated": profile },
  "customer.deleted": { "customer.deleted": profile },
  // Nobody outside hears of it.
  "customers.changed": { "customers.changed": async () => ({}) },
  "customer.order.created": { "customer.order.created": order },
  "customer.order.updated": { "customer.order.updated": order },
  "customer.order.paid": { "customer.order.paid": order },
  "customer.order.canceled": { "customer.order.canceled": order },
  "customer.order.fulfilled": { "customer.order.fulfilled": order },
  "customer.segment.entered": { "customer.segment.entered": member },
  "customer.segment.left": { "customer.segment.left": member },
  "customer.validation.succeeded": { "customer.validation.succeeded": validation },
  "customer.validation.failed": { "customer.validation.failed": validation },
  "customer.custom_event": { "customer.custom_event": customEvent },
  "customer.holder.assignment.created": { "customer.holder.assignment.created": holder },
  "customer.holder.assignment.deleted": { "customer.holder.assignment.deleted": holder },
} satisfies Tellers<Told>;
