import Type, { type Static } from "typebox";
import { OrderViewSchema, RedeemableSchema, situation } from "../../../deciding/index.js";
import { named, nullable } from "../../../platform/http/schema.js";
import { DiscountInput } from "../../../terms/index.js";
import { ValidationRuleUpdate } from "../../validation-rules/index.js";

const carts_max = 20;

const Cart = Type.Object({
  customer: situation.customer,
  order: situation.order,
  metadata: situation.metadata,
});
export type Cart = Static<typeof Cart>;

/** What somebody is about to save, and the carts that they would like to see it on. */
export const PreviewInput = named(
  "PreviewInput",
  Type.Object({
    discount: Type.Optional(nullable(DiscountInput)),
    validation_rule: Type.Optional(nullable(ValidationRuleUpdate)),
    carts: Type.Array(Cart, { minItems: 1, maxItems: carts_max }),
  }),
);
export type PreviewInput = Static<typeof PreviewInput>;

const DecidedCart = Type.Object({
  valid: Type.Boolean(),
  redeemable: RedeemableSchema,
  order: Type.Optional(OrderViewSchema),
});

export const PreviewBody = named(
  "Preview",
  Type.Object(
    { carts: Type.Array(DecidedCart) },
    { description: "As a validation says it, with explanation, for each cart in its place. The ids name nothing." },
  ),
);
export type PreviewBody = Static<typeof PreviewBody>;
