import Type, { type Static } from "typebox";
import { dateTime, integer, metadata, named, nullable, text } from "../../platform/http/schema.js";
import { DiscountBody, DiscountInput, window_body, window_input } from "../../terms/index.js";
import { CategoryBody, category_naming } from "../categories/index.js";
import { RuleAssignments } from "../validation-rules/index.js";

/** A promotion tier as sent, alone or inside a campaign. */
export const TierInput = named(
  "PromotionTierInput",
  Type.Object({
    name: text({ minLength: 1 }),
    banner: Type.Optional(nullable(text({ maxLength: 4096 }))),
    action: Type.Object({ discount: DiscountInput }),
    metadata: Type.Optional(nullable(metadata())),
    hierarchy: Type.Optional(integer({ minimum: 1, maximum: 1_000_000 })),
    active: Type.Optional(Type.Boolean()),
    validation_rules: Type.Optional(nullable(Type.Array(text(), { maxItems: 1 }))),
    ...window_input,
    ...category_naming,
  }),
);
export type TierInput = Static<typeof TierInput>;

export const TierBody = named(
  "PromotionTier",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    banner: Type.Optional(Type.String()),
    action: Type.Object({ discount: DiscountBody }),
    metadata: metadata(),
    hierarchy: integer(),
    promotion_id: Type.String(),
    campaign_id: Type.String(),
    campaign: Type.Object({
      id: Type.String(),
      ...window_body,
      active: Type.Boolean(),
      category_id: Type.Optional(Type.String()),
      object: Type.Literal("campaign"),
    }),
    active: Type.Boolean(),
    ...window_body,
    summary: Type.Object({
      redemptions: Type.Object({ total_redeemed: integer() }),
      orders: Type.Object({ total_amount: integer(), total_discount_amount: integer() }),
    }),
    validation_rule_assignments: RuleAssignments,
    category_id: Type.Optional(Type.String()),
    categories: Type.Array(CategoryBody),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("promotion_tier"),
  }),
);
export type TierBody = Static<typeof TierBody>;
