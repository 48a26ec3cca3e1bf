import Type, { type Static } from "typebox";
import { ApplicableItemsSchema, OrderViewSchema, SessionSchema } from "../../deciding/index.js";
import { dateTime, filtersQuery, integer, metadata, named, nullable } from "../../platform/http/schema.js";
import { CategoryBody } from "../categories/index.js";

const maybe = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) => Type.Optional(schema);
const open = () => Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()));

const dates = { start_date: maybe(dateTime()), expiration_date: maybe(dateTime()) };

/** What the older answers say of one promotion tier (redemption.md §15). */
const tier_fields = {
  id: Type.String(),
  name: Type.String(),
  banner: maybe(Type.String()),
  ...dates,
  campaign: Type.Object({
    id: Type.String(),
    ...dates,
    active: Type.Boolean(),
    categories: maybe(CategoryBody),
    object: Type.Literal("campaign"),
  }),
  hierarchy: integer(),
  metadata: metadata(),
  discount: maybe(open()),
  discount_amount: maybe(integer({ description: "Of the whole order, minor units." })),
  applied_discount_amount: maybe(integer({ description: "What the tier alone takes off, minor units." })),
  order: maybe(OrderViewSchema),
  applicable_to: maybe(ApplicableItemsSchema),
  inapplicable_to: maybe(ApplicableItemsSchema),
  object: Type.Literal("promotion_tier"),
};

/** Answer of `POST /v1/promotions/tiers/{id}/validation`. */
export const TierValidationBody = named(
  "PromotionTierValidation",
  Type.Object({
    valid: Type.Boolean(),
    ...tier_fields,
    tracking_id: nullable(Type.String()),
    session: maybe(SessionSchema),
    reason: maybe(Type.String()),
    error: maybe(open()),
  }),
);
export type TierValidationBody = Static<typeof TierValidationBody>;

const ValidPromotion = named(
  "ValidPromotion",
  Type.Object({
    valid: Type.Literal("true", { description: "All of them are; a text in the reference's shape." }),
    ...tier_fields,
    tracking_id: maybe(Type.String()),
    category_id: maybe(Type.String()),
    categories: maybe(CategoryBody),
  }),
);

/** Answer of `POST /v1/promotions/validation`. */
export const PromotionsValidationBody = named(
  "PromotionsValidation",
  Type.Object({ valid: Type.Boolean(), tracking_id: maybe(Type.String()), promotions: Type.Array(ValidPromotion) }),
);
export type PromotionsValidationBody = Static<typeof PromotionsValidationBody>;

export const PromotionsQuery = Type.Object({
  audienceRulesOnly: maybe(Type.Boolean({ description: "Looks at nothing but what rules ask of the customer." })),
  filters: filtersQuery("campaign_id (promotion_id is the same), metadata.<key>"),
});
export type PromotionsQuery = Static<typeof PromotionsQuery>;
