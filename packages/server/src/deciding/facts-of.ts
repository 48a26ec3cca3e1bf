import {
  type CustomerFacts,
  checkOrder,
  compileDiscount,
  compileWindow,
  type DecisionFacts,
  inheritWindow,
  type OrderInput,
  type OrderLine,
  type PromotionTierFacts,
  type RedeemableFacts,
  type UnitObject,
  type VoucherFacts,
} from "@guerdon/engine";
import type { Catalogue } from "../catalogue/index.js";
import { type CatalogueCampaign, campaignFacts, campaignShelf } from "../features/campaigns/index.js";
import { categoryFacts } from "../features/categories/index.js";
import { laidOver, toOrderInput } from "../features/orders/index.js";
import { collectionShelf } from "../features/product-collections/index.js";
import { type CatalogueTier, tierShelf } from "../features/promotions/index.js";
import type { LockedVoucher, VoucherRow } from "../features/vouchers/index.js";
import { problems } from "../platform/http/problems.js";
import { newId } from "../platform/ids.js";
import { apiKeyIdOf, userLoginOf } from "../terms/index.js";
import { request_refusals } from "./answers/refusals.js";
import { countersOf, ruledBy } from "./counting/counters.js";
import { unitsDiscounted } from "./counting/unit-usage-facts.js";
import type { DecidingRequest } from "./requests/request.js";
import type { RedeemableInput } from "./requests/request.schemas.js";
import type { SharedFacts } from "./shared-facts.js";
import { segmentsOf } from "./situation/memberships.js";

/**
 * What one request's decision looks at, out of what the batch shares. Throws the problem of a request that no decision can
 * be asked about: an unknown id, one voucher by two names, an order that no sum can hold.
 */
export function factsOf(shared: SharedFacts, request: DecidingRequest): DecisionFacts {
  assertKnown(shared, request);
  assertNotTwice(shared, request);
  const { project } = shared.catalogue;
  const redeemables = request.redeemables.map((redeemable) => redeemableFacts(shared, request, redeemable));
  return {
    time_zone: project.timezone,
    stacking_rules: shared.catalogue.stacking_rules,
    customer: customerFacts(shared, request),
    order: orderFacts(shared, request),
    metadata: request.metadata,
    redeemables,
    unit_objects: unitObjects(shared, redeemables),
    in_collection: membershipOfCollections(shared.catalogue, request),
    api_key_id: apiKeyIdOf(request.call.caller),
    user_login: userLoginOf(request.call.caller),
  };
}

/** An id that names nothing is the caller's mistake; an unknown source id is a newcomer (redemption.md §4 A7). */
function assertKnown(shared: SharedFacts, { customer, order }: DecidingRequest): void {
  if (customer?.id && !shared.customer(customer)) throw problems.notFound("customer", customer.id);
  if (order?.id && !shared.order(order)) throw problems.notFound("order", order.id);
}

/** A code and the id of one voucher are the same redeemable (redemption.md §4 A4). */
function assertNotTwice(shared: SharedFacts, { redeemables }: DecidingRequest): void {
  const ids = redeemables.flatMap(({ object, id }) => (object === "voucher" ? (shared.voucher(id)?.id ?? []) : []));
  if (new Set(ids).size < ids.length) throw request_refusals.duplicatedRedeemables();
}

/** What the unit discounts give away; the engine makes do with the id of what is gone. */
function unitObjects({ catalogue_of_lines }: SharedFacts, redeemables: readonly RedeemableFacts[]) {
  const units = redeemables.flatMap((one) => ("discount" in one ? (one.discount?.units ?? []) : []));
  return new Map(
    units.flatMap(({ unit_type }): [string, UnitObject][] => {
      const object = catalogue_of_lines.unit(unit_type);
      return object ? [[unit_type, object]] : [];
    }),
  );
}

/** Which collections hold a line, at the request's instant (rules.md §6.1). */
function membershipOfCollections(catalogue: Catalogue, { call }: DecidingRequest) {
  const { project } = catalogue;
  const collections = catalogue.shelf(collectionShelf);
  const at = { instant: call.instant, time_zone: project.timezone };
  return (collection_id: string, line: OrderLine) => collections.get(collection_id)?.holds(line, at) ?? false;
}

/** Stored and inline data together, inline winning key by key (rules.md §5); nothing is stored by looking. */
function customerFacts(shared: SharedFacts, request: DecidingRequest): CustomerFacts | null {
  const { customer } = request;
  if (!customer) return null;
  const known = shared.customer(customer);
  return {
    id: known?.id ?? null,
    source_id: known?.source_id ?? customer.source_id ?? null,
    metadata: { ...known?.metadata, ...customer.metadata },
    birthdate: customer.birthdate ?? known?.birthdate ?? null,
    segments: segmentsOf(shared, request),
    loyalty_tiers: new Set(),
  };
}

/** A stored order is the base; named by id, what was sent is laid over it first (discounts.md §2). */
function orderFacts(shared: SharedFacts, { order }: DecidingRequest): OrderInput | null {
  if (!order) return null;
  const stored = shared.order(order);
  const input = stored && !order.id ? toOrderInput(stored) : laidOver(stored, order, shared.catalogue_of_lines);
  assertCountable(input);
  // Every answer about this order, and the stored one, must name a line alike.
  return { ...input, items: input.items?.map((line) => ({ ...line, id: line.id ?? newId("ordli") })) };
}

function assertCountable(input: OrderInput): void {
  const fault = checkOrder(input);
  if (fault?.key === "invalid_amount") throw request_refusals.invalidAmount();
  if (fault) throw problems.invalidPayload(`Property .order.${fault.path} ${fault.problem}`);
}

function redeemableFacts(shared: SharedFacts, request: DecidingRequest, redeemable: RedeemableInput): RedeemableFacts {
  const { object, id } = redeemable;
  if (object === "voucher") {
    const voucher = shared.voucher(id);
    if (voucher && isThere(shared.catalogue, voucher)) return voucherFacts(shared, request, redeemable, voucher);
  }
  if (object === "promotion_tier") {
    const tier = shared.catalogue.shelf(tierShelf).get(id);
    const campaign = tier && shared.catalogue.shelf(campaignShelf).get(tier.campaign_id);
    if (campaign) return tierFacts(shared, request, redeemable, tier, campaign);
  }
  return { object, id, not_found: true };
}

/** What live sessions of other keys hold; one that has run out does not count, purged or not (redemption.md §12). */
function heldByOthers({ locks }: LockedVoucher, { session, call }: DecidingRequest) {
  const others = locks.filter(
    ({ session_key, expires_at }) => session_key !== session?.key && expires_at > call.instant,
  );
  return { quantity: others.length, credits: others.reduce((sum, { credits }) => sum + credits, 0) };
}

/** A campaign in the bin takes its vouchers along at once, even before the job that bins them has come by. */
function isThere(catalogue: Catalogue, { campaign_id }: VoucherRow): boolean {
  return campaign_id === null || catalogue.shelf(campaignShelf).has(campaign_id);
}

function voucherFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  redeemable: RedeemableInput,
  voucher: LockedVoucher,
): VoucherFacts {
  const { project } = shared.catalogue;
  const campaign =
    voucher.campaign_id === null ? undefined : shared.catalogue.shelf(campaignShelf).get(voucher.campaign_id);
  const held = heldByOthers(voucher, request);
  const window = campaign ? inheritWindow(voucher, campaign.activity) : voucher;
  return {
    object: "voucher",
    id: voucher.id,
    code: voucher.code,
    type: voucher.type,
    is_referral_code: voucher.is_referral_code ?? false,
    quantity: voucher.quantity,
    redeemed_quantity: voucher.redeemed_quantity,
    held_quantity: held.quantity,
    holder_id: voucher.holder_id,
    referrer_id: voucher.is_referral_code ? voucher.holder_id : null,
    gift:
      voucher.type === "GIFT_VOUCHER"
        ? {
            effect: voucher.gift?.effect ?? null,
            balance: voucher.balance ?? 0,
            held_balance: held.credits,
            requested_credits: redeemable.gift?.credits ?? null,
          }
        : null,
    // Rewards are not there yet, so a card is refused for want of one.
    loyalty_card:
      voucher.type === "LOYALTY_CARD"
        ? { balance: voucher.balance ?? 0, held_balance: 0, requested_points: null, reward: null }
        : null,
    category: categoryFacts(shared.catalogue, voucher.category_id),
    campaign: campaign ? campaignFacts(shared.catalogue, campaign) : null,
    active: voucher.active !== false,
    window: compileWindow(window, project.timezone),
    discount: voucher.discount ? compileDiscount(voucher.discount) : null,
    ...ruleFacts(shared, request, redeemable),
    publish_count: voucher.publish_count,
    metadata: voucher.metadata,
  };
}

function tierFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  redeemable: RedeemableInput,
  { id, category_id, active, window, discount, metadata }: CatalogueTier,
  campaign: CatalogueCampaign,
): PromotionTierFacts {
  return {
    object: "promotion_tier",
    id,
    category: categoryFacts(shared.catalogue, category_id),
    campaign: campaignFacts(shared.catalogue, campaign),
    active,
    window,
    discount,
    ...ruleFacts(shared, request, redeemable),
    metadata,
  };
}

function ruleFacts(shared: SharedFacts, request: DecidingRequest, redeemable: RedeemableInput) {
  const ruled = ruledBy(shared, redeemable);
  if (!ruled) return { rules: [], counters: new Map<string, number>() };
  return {
    rules: ruled.rules,
    counters: countersOf(shared, request, ruled),
    units_discounted: unitsDiscounted(shared, request, ruled, membershipOfCollections(shared.catalogue, request)),
  };
}
