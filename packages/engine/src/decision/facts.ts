import type { CompiledWindow } from "../calendar/window.js";
import type { CompiledDiscount } from "../discounts/compile.js";
import type { UnitObject } from "../discounts/effect.js";
import type { CoinReward } from "../discounts/points.js";
import type { CategoryFacts, RequestFacts } from "../facts.js";
import type { OrderLine } from "../orders/order.js";
import type { CompiledRule, Scenario } from "../rules/contract.js";
import type { Work } from "../work.js";

/** The request with its redeemables: everything a decision knows. */
export interface DecisionFacts extends RequestFacts {
  /** In request order, looked up; at most 30. A stack is expanded here. */
  redeemables: readonly RedeemableFacts[];
  /** By `unit_type`: what UNIT discounts of this request give away. */
  unit_objects?: ReadonlyMap<string, UnitObject>;
  /** Who is asking, for rules on keys and users. */
  api_key_id?: string | null;
  user_login?: string | null;
  /** Answered by compiled collections; also for lines that a discount adds. Absent: no collection holds anything. */
  in_collection?(collection_id: string, line: OrderLine): boolean;
  /** Set for a qualification, which leaves some rules out (rules.md §12). */
  scenario?: Scenario | null;
  /** Counts what the decision does; absent: nobody bounds it. */
  work?: Work;
}

/** What can be decided about as it is: whatever exists and stands for itself. */
export type ExistingFacts = VoucherFacts | PromotionTierFacts;

export type RedeemableFacts = ExistingFacts | PromotionStackFacts | MissingFacts;

/** What is decided about one by one. */
export const single_objects = ["voucher", "promotion_tier"] as const;
export type SingleObject = (typeof single_objects)[number];

/** How messages call what is no voucher; a voucher goes by what it is (redemption.md §18.2). */
export const called = { promotion_tier: "Promotion Tier" } as const satisfies Record<
  Exclude<SingleObject, "voucher">,
  string
>;

/** What answers tell of one by one; a compound is told of as what it stands for. */
export const isSingle = (object: RedeemableObject): object is SingleObject =>
  single_objects.some((single) => single === object);

/** What a request may call a redeemable, whether anything of the kind exists or not. */
export const redeemable_objects = [...single_objects, "promotion_stack"] as const;
export type RedeemableObject = (typeof redeemable_objects)[number];

/** A redeemable that does not exist. */
export interface MissingFacts {
  object: RedeemableObject;
  /** As requested. */
  id: string;
  not_found: true;
}

export interface CampaignFacts {
  id: string;
  active: boolean;
  /** Only asked for promotion tiers; a voucher's own window already includes what it inherits. */
  window: CompiledWindow;
  category: CategoryFacts | null;
}

interface Redeemable {
  /** Its own; the campaign's, or the stack's, counts where it is null (redemption.md §4 B3). */
  category: CategoryFacts | null;
  campaign: CampaignFacts | null;
  active: boolean;
  window: CompiledWindow;
  discount: CompiledDiscount | null;
  /** Own before the campaign's. */
  rules: readonly CompiledRule[];
  /** Stored values of the counters that the rules name, by `counterKey`; absent means 0. */
  counters: ReadonlyMap<string, number>;
  /** Units discounted so far, by `unitCounterKey`; absent means 0. Only read for entries with unit budgets. */
  units_discounted?: ReadonlyMap<string, number>;
  metadata?: Readonly<Record<string, unknown>>;
}

export interface PromotionTierFacts extends Redeemable {
  object: "promotion_tier";
  /** `promo_…` */
  id: string;
}

/** Its tiers behave as if they had been listed in its place; no outcome ever is a stack. */
export interface PromotionStackFacts {
  object: "promotion_stack";
  id: string;
  category: CategoryFacts | null;
  tiers: readonly (ExistingFacts | MissingFacts)[];
}

export interface VoucherFacts extends Redeemable {
  object: "voucher";
  /** `v_…` */
  id: string;
  code: string;
  type: "DISCOUNT_VOUCHER" | "GIFT_VOUCHER" | "LOYALTY_CARD";
  is_referral_code: boolean;
  /** Null: any number of redemptions. */
  quantity: number | null;
  redeemed_quantity: number;
  /** Redemptions that live sessions of other keys hold. */
  held_quantity: number;
  /** Customer the code was published to. */
  holder_id: string | null;
  referrer_id: string | null;
  gift: GiftFacts | null;
  loyalty_card: LoyaltyCardFacts | null;
  publish_count?: number;
  /** As it was published; only read where a formula asks (discounts.md §10). */
  publication_metadata?: Readonly<Record<string, unknown>>;
}

/** Minor units. */
export interface GiftFacts {
  effect: "APPLY_TO_ORDER" | "APPLY_TO_ITEMS" | null;
  balance: number;
  /** Credits that live sessions of other keys hold. */
  held_balance: number;
  /** `gift.credits` of the request; null: as many as balance and order allow. */
  requested_credits: number | null;
}

/** Points. */
export interface LoyaltyCardFacts {
  balance: number;
  held_balance: number;
  /** `reward.points` of the request; null: as many as balance and order allow. */
  requested_points: number | null;
  /** Null: the request names no reward. */
  reward: RewardFacts | { id: string; not_found: true } | null;
}

export interface RewardFacts {
  id: string;
  /** Rules of the reward's assignment, judged after the card's and the campaign's. */
  rules: readonly CompiledRule[];
  /** Null: any number. */
  stock: number | null;
  redeemed: number;
  /** Set when the reward is paying with points, its tier's multiplier already in `points_ratio`. */
  coin: CoinReward | null;
  /** Price in points of any other reward, as the customer's tier pays it. */
  points: number | null;
  /** Set when the reward is a code or a card of another campaign. */
  supply?: RewardSupply | null;
  /** How many of them may be taken at once, as many as points, stock and supply allow; one where it is absent. */
  units_max?: number;
}

/** What another campaign has for this customer. */
export interface RewardSupply {
  campaign_id: string;
  /** Rewards that it can give now, all of the request's together; null: any number. */
  left: number | null;
  /** Why it gives no more than that. */
  refusal: "no_voucher_suitable_for_publication" | "voucher_cannot_be_published";
}

/** What a unit budget is counted under (discounts.md §5); the server sums it over all past redemptions. */
export interface UnitCounterRef {
  scope: "campaign" | "promotion_tier";
  per_customer: boolean;
  object: "product" | "sku" | "products_collection";
  /** Id, or source id where no id is known. */
  id: string;
  /** Of a product: its SKUs do not count. */
  strict: boolean;
}

/** Key of a unit counter in `units_discounted`. */
export const unitCounterKey = ({ scope, per_customer, object, id, strict }: UnitCounterRef) =>
  `${scope}/${per_customer ? "customer" : "all"}/${strict ? "strict " : ""}${object}/${id}`;
