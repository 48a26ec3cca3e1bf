import Type, { type Static } from "typebox";
import { integer, named, oneOf, text } from "../../../platform/http/schema.js";
import { points_max } from "../../vouchers/index.js";

const calculation_types = [
  "ORDER_AMOUNT",
  "ORDER_TOTAL_AMOUNT",
  "ORDER_METADATA",
  "ORDER_ITEMS_QUANTITY",
  "ORDER_ITEMS_AMOUNT",
  "ORDER_ITEMS_SUBTOTAL_AMOUNT",
  "CUSTOMER_METADATA",
  "CUSTOM_EVENT_METADATA",
] as const;
export type CalculationType = (typeof calculation_types)[number];

/** Numbers may come as text, and are kept as numbers (loyalty.md §4.1). */
const digits = () => Type.String({ pattern: "^[0-9]{1,15}$" });
const points = () => Type.Union([integer({ minimum: 0, maximum: points_max }), digits()]);
const every = () => Type.Union([integer({ minimum: 1 }), digits()]);
const formula = () => Type.Optional(Type.String({ maxLength: 4096 }));

const object_types = ["products_collection", "product", "sku"] as const;
const Item = named("EarningItem", Type.Object({ object: oneOf(object_types), id: text() }));

const step = <Number extends ReturnType<typeof points> | ReturnType<typeof integer>>(
  points: Number,
  every: Number,
) => ({
  every,
  points,
  points_formula: formula(),
});
const item_fields = {
  object: Type.Optional(oneOf(object_types)),
  id: Type.Optional(text()),
  applicable_to: Type.Optional(Type.Array(Item, { maxItems: 1000 })),
};

/** How many points, but for the type; numbers are as the given schemas have them, and names as they are sent or kept. */
function pointsBy<Number extends ReturnType<typeof points> | ReturnType<typeof integer>>(
  way: "Input" | "",
  points: Number,
  every: Number,
) {
  const Step = named(`PointsStep${way}`, Type.Object(step(points, every)));
  const property = way === "Input" ? text({ minLength: 1 }) : text();
  const PropertyStep = named(`PointsPropertyStep${way}`, Type.Object({ ...step(points, every), property }));
  const ItemsStep = named(`PointsItemsStep${way}`, Type.Object({ ...step(points, every), ...item_fields }));
  return {
    points: Type.Optional(points),
    points_formula: formula(),
    calculation_type: Type.Optional(oneOf(calculation_types)),
    order: Type.Optional(
      Type.Object({
        amount: Type.Optional(Step),
        total_amount: Type.Optional(Step),
        metadata: Type.Optional(PropertyStep),
      }),
    ),
    order_items: Type.Optional(
      Type.Object({
        quantity: Type.Optional(ItemsStep),
        amount: Type.Optional(ItemsStep),
        subtotal_amount: Type.Optional(ItemsStep),
      }),
    ),
    customer: Type.Optional(Type.Object({ metadata: Type.Optional(PropertyStep) })),
    custom_event: Type.Optional(Type.Object({ metadata: Type.Optional(PropertyStep) })),
  };
}

const type = oneOf(["FIXED", "PROPORTIONAL"]);

/** Points as sent. */
export const LoyaltyInput = named("EarnedPointsInput", Type.Object({ type, ...pointsBy("Input", points(), every()) }));
export type LoyaltyInput = Static<typeof LoyaltyInput>;

/** Points as sent for a rule that has some: without a type they are of the same one. */
export const LoyaltyUpdate = named(
  "EarnedPointsUpdate",
  Type.Object({ type: Type.Optional(type), ...pointsBy("Input", points(), every()) }),
);
export type LoyaltyUpdate = Static<typeof LoyaltyUpdate>;

/** Points as kept and answered. */
export const Loyalty = named(
  "EarnedPoints",
  Type.Object({ type, ...pointsBy("", integer({ minimum: 0 }), integer({ minimum: 1 })) }),
);
export type Loyalty = Static<typeof Loyalty>;
