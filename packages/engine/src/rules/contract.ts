import type { Formula } from "../discounts/formula.contract.js";
import type { CustomerFacts, Instant, RequestFacts } from "../facts.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import type { Work } from "../work.js";

/** The counters rules may ask for (rules.md §7). A period counts in the project's zone. */
export type CounterName =
  | "campaign.redemptions.count"
  | "campaign.redemptions.customers_count"
  | "campaign.orders.amount"
  | "campaign.orders.amount_discounted"
  | "redemption.count"
  | "redemption.count.per_customer"
  | "redemption.count.per_api_key"
  | "redemption.count.per_user"
  | "redemption.gift.amount";

export type Period = "total" | "daily" | "weekly" | "monthly";

/** One counter of one redeemable: what the server must know before the decision and add after it. */
export interface CounterRef {
  name: CounterName;
  period: Period;
}

/** What a rule may look at. Built once per redeemable; nothing in it changes while a rule is judged. */
export interface RuleContext {
  facts: RequestFacts;
  customer: CustomerFacts | null;
  /** As the redeemables before this one have left it. */
  order: RunningOrder | null;
  /** The order after this redeemable; null until its discount is computed. */
  order_after: RunningOrder | null;
  instant: Instant;
  time_zone: string;
  /** The redeemable's holder, when it was published. */
  holder_id: string | null;
  is_standalone: boolean;
  api_key_id: string | null;
  user_login: string | null;
  /** Metadata of a custom event, for earning rules and distributions. */
  event_metadata: Record<string, unknown> | null;
  /** Value before this redeemable, those of the same request that were applied before it included. */
  counter(ref: CounterRef): number;
  /**
   * What this redemption would take off, minor units; null until the discount is computed. While it
   * is null, leaves that need it (order.total_amount, money budgets, points) count as holding.
   */
  discount: number | null;
  gift_credits: number | null;
  points: number | null;
  /** Whether a product collection holds the line, also one a discount has just added; answered by compiled collections. */
  in_collection(collection_id: string, line: OrderLine): boolean;
  /** Which leaves a qualification leaves out (rules.md §12); null in validations and redemptions, which omit none. */
  scenario: Scenario | null;
  /** Counts what judging does; absent: nobody bounds it. */
  work?: Work;
}

/** Scenarios of a qualification (redemption.md §13.2). */
export const scenarios = [
  "ALL",
  "CUSTOMER_WALLET",
  "AUDIENCE_ONLY",
  "PRODUCTS",
  "PRODUCTS_DISCOUNT",
  "PROMOTION_STACKS",
  "PRODUCTS_BY_CUSTOMER",
  "PRODUCTS_DISCOUNT_BY_CUSTOMER",
] as const;
export type Scenario = (typeof scenarios)[number];

export type RuleCategory = "customer" | "order" | "redemption";

/** Why a rule does not hold (rules.md §5, §8), in the order of precedence. */
export type RuleRefusal =
  | { key: "missing_customer" | "missing_order" | "missing_amount" }
  | {
      key: "customer_rules_violated" | "order_rules_violated" | "redemption_rules_violated";
      /** The text an editor gave for this case; absent when none was given. */
      message?: string;
    };

/** A product, SKU or collection named by a rule (rules.md §6.1); either identifier suffices. */
export interface ItemRef {
  readonly object: "product" | "sku" | "products_collection";
  readonly id: string | null;
  readonly source_id: string | null;
  /** True: a product matches only lines that name it itself, not lines of its SKUs. */
  readonly strict: boolean;
  /** Stands in for identity where an old rule form selects lines by metadata (`product.metadata.discount_applicable`). */
  matches?(line: OrderLine): boolean;
}

/** Discounted units that may be given over all redemptions (discounts.md §5, the `product_…_quantity_limit` fields). */
export interface UnitBudget {
  readonly scope: "campaign" | "promotion_tier";
  readonly per_customer: boolean;
  /** True for the `in_collection` forms: counted for each product by itself. */
  readonly each_product: boolean;
  readonly limit: number | null;
  readonly formula: Formula | null;
}

/** One entry of `applicable_to.included` with its defaults filled in (discounts.md §5). Money in minor units. */
export interface ApplicableEntry extends ItemRef {
  readonly product_id?: string | null;
  readonly product_source_id?: string | null;
  readonly effect:
    | "APPLY_TO_EVERY"
    | "APPLY_TO_CHEAPEST"
    | "APPLY_FROM_CHEAPEST"
    | "APPLY_TO_MOST_EXPENSIVE"
    | "APPLY_FROM_MOST_EXPENSIVE";
  readonly target: "ITEM" | "UNIT";
  readonly skip_initially: number;
  readonly repeat: number;
  readonly price: number | null;
  readonly price_formula: Formula | null;
  readonly quantity_limit: number | null;
  readonly aggregated_quantity_limit: number | null;
  readonly amount_limit: number | null;
  readonly aggregated_amount_limit: number | null;
  readonly budgets: readonly UnitBudget[];
}

/** Which lines an item-level discount may touch (rules.md §9). All empty: the rule does not say. */
export interface ApplicableTo {
  readonly included: readonly ApplicableEntry[];
  readonly excluded: readonly ItemRef[];
  readonly included_all: boolean;
}

/** What one bundle consists of (rules.md §6.6). Counted, and refused when incomplete, by `discounts/bundle.ts`. */
export interface BundleRule {
  readonly limit: number;
  readonly conditions: readonly { readonly item: ItemRef; readonly quantity: number }[];
}

/** One node of an explained rule: the root, a leaf, or a leaf with nested leaves. */
export interface RuleNode {
  /** `""` for the root, `"1"`, `"2.1"` for leaves (rules.md §12). */
  readonly path: string;
  readonly name: string | null;
  readonly property: string | null;
  /** The logic expression over `nodes`. */
  readonly logic: string;
  readonly saw: unknown;
  readonly wanted: Readonly<Record<string, readonly unknown[]>>;
  /** Null: left out by the scenario or not yet decidable. */
  readonly holds: boolean | null;
  /** How much a number lacked; null where "how much" has no meaning. */
  readonly lacking: number | null;
  readonly nodes: readonly RuleNode[];
}

/** A validation rule, parsed once when the catalogue loads it, judged as closures (rules.md §2–§8). */
export interface CompiledRule {
  /** `val_…` */
  readonly id: string;
  readonly applicable_to: ApplicableTo;
  readonly bundle: BundleRule | null;
  /** Text of the whole rule; also what an incomplete bundle says (rules.md §6.6, §8). Absent or null: none was given. */
  readonly fallback_message?: string | null;
  /** Some leaf looks at the discount, so the rule is judged once more when that is known. */
  readonly needs_discount: boolean;
  /** What the server must read before the decision. */
  readonly counters: readonly CounterRef[];
  /** Ids of the segments that its leaves ask about, those that logic names (rules.md §2); each once. */
  readonly segments: readonly string[];
  /** Ids of the loyalty tiers that such leaves ask about; each once. */
  readonly loyalty_tiers: readonly string[];
  /** Ids of the product collections that such leaves, `applicable_to` or the bundle ask about; each once. */
  readonly collections: readonly string[];
  /** A formula of `applicable_to` reads metadata of the publication (discounts.md §10). */
  readonly reads_publication: boolean;
  judge(context: RuleContext): RuleRefusal | null;
  explain(context: RuleContext): RuleNode;
  /** Whether some item rule of it wants lines that the order has. */
  wantsLines(context: RuleContext): boolean;
  /** Paths of the leaves that a scenario leaves out. */
  omittedLeaves(scenario: Scenario): readonly string[];
}

/** Key of a counter in `counters` maps, e.g. `redemption.count.daily`. */
export const counterKey = (ref: CounterRef) => (ref.period === "total" ? ref.name : `${ref.name}.${ref.period}`);
