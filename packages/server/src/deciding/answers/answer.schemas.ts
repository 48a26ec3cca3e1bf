import { single_objects } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { OrderItemBody, order_amounts } from "../../features/orders/index.js";
import { dateTime, integer, metadata, money, named, nullable, oneOf } from "../../platform/http/schema.js";

const maybe = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) => Type.Optional(schema);
const text = () => Type.Optional(Type.String());
const open = () => Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()));

/** Ids in an order that nobody changes. */
const ids = () => Type.Unsafe<readonly string[]>(Type.Array(Type.String()));

const CustomerRef = Type.Object({ id: Type.String(), object: Type.Literal("customer") });

/** An order with what was done to it (discounts.md §3); fields that would be 0 are left out. */
export const OrderViewSchema = named(
  "OrderView",
  Type.Object({
    id: text(),
    source_id: maybe(nullable(Type.String())),
    status: maybe(oneOf(["CREATED", "PAID", "CANCELED", "FULFILLED"])),
    customer_id: maybe(nullable(Type.String())),
    referrer_id: maybe(nullable(Type.String())),
    customer: maybe(CustomerRef),
    referrer: maybe(CustomerRef),
    ...order_amounts,
    items: maybe(Type.Array(OrderItemBody)),
    metadata: maybe(metadata()),
    redemptions: maybe(open()),
    created_at: maybe(dateTime()),
    updated_at: maybe(nullable(dateTime())),
    object: Type.Literal("order"),
  }),
);
export type OrderView = Static<typeof OrderViewSchema>;

export const ApplicableItemsSchema = named(
  "ApplicableItems",
  Type.Object({
    data: Type.Array(open()),
    total: integer({ minimum: 0 }),
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
  }),
);

/** Why a redeemable got its outcome, where `options.expand` asks for it. Ours, not the reference's. */
/** Every check of an outcome with what it saw, and how each amount came about. */
export const ExplanationSchema = named(
  "Explanation",
  Type.Object({
    summary: Type.Array(Type.String(), { description: "What did not hold, a sentence each." }),
    checks: Type.Array(
      Type.Object(
        {
          check: Type.String({ description: "Says which other fields there are." }),
          holds: Type.Boolean(),
          node: maybe(open()),
        },
        { additionalProperties: true },
      ),
      { description: "Every check that was made, in order, with what it saw and what it wanted." },
    ),
    lines: Type.Array(open(), {
      description: "Which lines and units an item-level discount chose, and what held it back.",
    }),
    amounts: Type.Array(open(), { description: "How each amount came about: base, rate, limits, rounding." }),
  }),
);

const expanded = {
  metadata: maybe(metadata()),
  campaign_id: text(),
  campaign_name: text(),
  name: text(),
  categories: maybe(Type.Array(open())),
  explanation: maybe(ExplanationSchema),
};

const of = { id: Type.String(), object: oneOf(single_objects) };
const Details = Type.Object({ key: Type.String(), message: Type.String() });

const RedeemableError = named(
  "RedeemableError",
  Type.Object({
    code: Type.Integer(),
    key: Type.String(),
    message: Type.String(),
    details: text(),
    request_id: Type.String(),
    resource_id: text(),
    resource_type: text(),
    redeemable_id: Type.String(),
    redeemable_type: Type.String(),
    error: maybe(Type.Object({ message: Type.String() })),
  }),
);

const Applicable = named(
  "ApplicableRedeemable",
  Type.Object({
    status: Type.Literal("APPLICABLE"),
    ...of,
    order: maybe(OrderViewSchema),
    applicable_to: ApplicableItemsSchema,
    inapplicable_to: ApplicableItemsSchema,
    result: Type.Object({
      discount: maybe(open()),
      gift: maybe(Type.Object({ balance: money(), credits: money() })),
      loyalty_card: maybe(Type.Object({ points: integer({ minimum: 0 }) })),
      bundle: maybe(open()),
    }),
    ...expanded,
  }),
);
export type ApplicableView = Static<typeof Applicable>;

export const InapplicableSchema = named(
  "InapplicableRedeemable",
  Type.Object({
    status: Type.Literal("INAPPLICABLE"),
    ...of,
    result: Type.Object({ error: RedeemableError, details: Details, bundle: maybe(open()) }),
    ...expanded,
  }),
);
export type InapplicableView = Static<typeof InapplicableSchema>;

export const SkippedSchema = named(
  "SkippedRedeemable",
  Type.Object({
    status: Type.Literal("SKIPPED"),
    ...of,
    result: Type.Object({ details: Details }),
    ...expanded,
  }),
);

export const RedeemableSchema = named("Redeemable", Type.Union([Applicable, InapplicableSchema, SkippedSchema]));
export type RedeemableView = Static<typeof RedeemableSchema>;

/** A project's stacking rules as every decision shows them (redemption.md §5.1). */
export const StackingRulesSchema = named(
  "StackingRules",
  Type.Object({
    redeemables_limit: Type.Integer(),
    applicable_redeemables_limit: Type.Integer(),
    applicable_exclusive_redeemables_limit: Type.Integer(),
    applicable_redeemables_per_category_limit: Type.Integer(),
    applicable_redeemables_category_limits: open(),
    exclusive_categories: ids(),
    joint_categories: ids(),
    redeemables_application_mode: Type.String(),
    redeemables_sorting_rule: Type.String(),
    redeemables_no_effect_rule: Type.String(),
    no_effect_skip_categories: ids(),
    no_effect_redeem_anyway_categories: ids(),
    redeemables_products_application_mode: Type.String(),
    redeemables_rollback_order_mode: Type.String(),
    grouped_redeemables_sorting_rule: Type.String(),
  }),
);
export type StackingRulesView = Static<typeof StackingRulesSchema>;

export const SessionSchema = named(
  "Session",
  Type.Object({
    key: Type.String(),
    type: Type.Literal("LOCK"),
    ttl: Type.Number(),
    ttl_unit: Type.String(),
  }),
);
