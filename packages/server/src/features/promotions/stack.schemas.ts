import Type, { type Static } from "typebox";
import { between, dateTime, listOf, listQuery, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { CategoryBody, category_naming } from "../categories/index.js";

/** As many as a decision takes at once (redemption.md §3). */
const tiers_max = 30;

const TiersInput = Type.Object({
  ids: Type.Array(text({ minLength: 1 }), { minItems: 1, maxItems: tiers_max }),
  hierarchy_mode: Type.Optional(Type.Literal("MANUAL")),
});

export const StackInput = named(
  "PromotionStackInput",
  Type.Object({ name: text({ minLength: 1 }), tiers: TiersInput, ...category_naming }),
);
export type StackInput = Static<typeof StackInput>;

/** What is left out stays. */
export const StackUpdate = named(
  "PromotionStackUpdate",
  Type.Object({
    name: Type.Optional(text({ minLength: 1 })),
    tiers: Type.Optional(Type.Object({ ...TiersInput.properties, ids: Type.Optional(TiersInput.properties.ids) })),
    ...category_naming,
  }),
);
export type StackUpdate = Static<typeof StackUpdate>;

export const StackBody = named(
  "PromotionStack",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    tiers: Type.Object({ ids: Type.Array(Type.String()), hierarchy_mode: Type.Literal("MANUAL") }),
    campaign_id: Type.String(),
    category_id: nullable(Type.String()),
    categories: Type.Array(CategoryBody),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("promotion_stack"),
  }),
);
export type StackBody = Static<typeof StackBody>;

export const StackList = named("PromotionStackList", listOf("data", StackBody));

const stack_orders = ["created_at", "-created_at", "updated_at", "-updated_at", "name", "-name"] as const;
export type StackOrder = (typeof stack_orders)[number];

export const StackQuery = Type.Object({
  ...listQuery(100),
  order: Type.Optional(oneOf(stack_orders, { description: "Newest first unless given." })),
  created_at: between(),
  updated_at: between(),
});
export type StackQuery = Static<typeof StackQuery>;

export const StackParams = Type.Object({
  campaignId: text({ minLength: 1, description: "Id or name." }),
  stackId: text(),
});
