import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  dateTime,
  integer,
  listOf,
  listQuery,
  metadata,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { DiscountBody, DiscountInput, window_body, window_input } from "../../terms/index.js";
import { CategoryBody, category_naming } from "../categories/index.js";
import { RuleAssignments } from "../validation-rules/index.js";

/** Each is judged with every decision about the tier. */
const rules_max = 20;

/** Rules by the assignments of an answer, so that a tier may be sent back as it was read. */
const assigned_rules = Type.Optional(
  nullable(Type.Object({ data: Type.Array(Type.Object({ rule_id: text() }), { maxItems: rules_max }) })),
);

const own_fields = {
  banner: Type.Optional(nullable(text({ maxLength: 4096 }))),
  metadata: Type.Optional(nullable(metadataOf("promotion_tier"))),
  hierarchy: Type.Optional(integer({ minimum: 1, maximum: 1_000_000 })),
  validation_rule_assignments: assigned_rules,
  ...window_input,
  ...category_naming,
};

/** A promotion tier as sent, alone or inside a campaign. */
export const TierInput = named(
  "PromotionTierInput",
  Type.Object({
    name: text({ minLength: 1 }),
    action: Type.Object({ discount: DiscountInput }),
    active: Type.Optional(Type.Boolean()),
    validation_rules: Type.Optional(nullable(Type.Array(text(), { maxItems: rules_max }))),
    ...own_fields,
  }),
);
export type TierInput = Static<typeof TierInput>;

/** Body of `PUT /v1/promotions/tiers/:promotionTierId`: what is left out stays. */
export const TierUpdate = named(
  "PromotionTierUpdate",
  Type.Object({
    name: Type.Optional(text({ minLength: 1 })),
    action: Type.Optional(Type.Object({ discount: Type.Optional(DiscountInput) })),
    ...own_fields,
  }),
);
export type TierUpdate = Static<typeof TierUpdate>;

const tier_orders = ["created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type TierOrder = (typeof tier_orders)[number];

export const TierQuery = Type.Object({
  ...listQuery(100),
  is_available: Type.Optional(
    Type.Boolean({ description: "Whether the tier and its campaign are active and not expired." }),
  ),
  order: Type.Optional(oneOf(tier_orders)),
});
export type TierQuery = Static<typeof TierQuery>;

export const TierParams = Type.Object({ promotionTierId: text() });

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

export const TierList = named("PromotionTierList", listOf("tiers", TierBody));
