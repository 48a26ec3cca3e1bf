import { single_objects } from "@guerdon/engine";
import Type, { type Static, type TSchema } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  bounded_by,
  dateTime,
  integer,
  listOf,
  listQuery,
  metadata,
  money,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { CustomerInputSchema } from "../customers/index.js";

const order_statuses = ["CREATED", "PAID", "CANCELED", "FULFILLED"] as const;
export type OrderStatus = (typeof order_statuses)[number];

const lines = { maxItems: 500, [bounded_by]: "GUERDON_ORDER_BYTES" };
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema));
const maybeText = () => Type.Optional(nullable(text()));
const maybeMoney = (description?: string) => Type.Optional(nullable(money(description)));
const maybeMetadata = (of: string) => Type.Optional(nullable(metadataOf(of)));

/** A whole number, or its digits as text (discounts.md §2). The number stands first, since it words the violation. */
const maybeUnits = (bounds: { minimum?: number }) =>
  Type.Optional(
    Type.Unsafe<number | string | null>({
      anyOf: [integer(bounds), { type: "string", pattern: "^[0-9]{1,15}$" }, { type: "null" }],
    }),
  );

const catalogue_fields = {
  id: maybeText(),
  source_id: maybeText(),
  override: Type.Optional(
    nullable(
      Type.Boolean({
        description: "Where the call stores the order, the catalogue takes over name, price and metadata.",
      }),
    ),
  ),
  price: maybeMoney("For one unit, in minor units."),
  metadata: maybeMetadata("product"),
};

/** A line as a caller sends one. Results of earlier answers sent along (`discount_amount`, …) are ignored. */
export const OrderItemInputSchema = named(
  "OrderItemInput",
  Type.Object({
    source_id: maybeText(),
    related_object: Type.Optional(nullable(oneOf(["product", "sku"], { description: "What `source_id` names." }))),
    product_id: maybeText(),
    sku_id: maybeText(),
    quantity: maybeUnits({ minimum: 0 }),
    price: maybeMoney("For one unit, in minor units."),
    amount: maybeMoney("For the line, in minor units; wins over price × quantity."),
    product: maybe(named("ItemProductInput", Type.Object({ ...catalogue_fields, name: maybeText() }))),
    sku: maybe(named("ItemSkuInput", Type.Object({ ...catalogue_fields, sku: maybeText() }))),
    metadata: maybeMetadata("order_item"),
  }),
);
export type OrderItemInput = Static<typeof OrderItemInputSchema>;

const order_fields = {
  source_id: Type.Optional(nullable(text({ description: "The caller's own id." }))),
  status: Type.Optional(nullable(oneOf(order_statuses))),
  amount: maybeMoney("In minor units; wins over the sum of the items."),
  metadata: maybeMetadata("order"),
  customer: Type.Optional(nullable(CustomerInputSchema)),
  referrer: Type.Optional(nullable(CustomerInputSchema)),
};

/** An order inside a validation, a qualification or a redemption. Any number is an amount here: a wrong one has an error of its own. */
export const OrderInputSchema = named(
  "OrderInput",
  Type.Object({
    id: maybeText(),
    ...order_fields,
    amount: Type.Optional(nullable(Type.Number())),
    items: Type.Optional(nullable(Type.Array(OrderItemInputSchema, lines))),
  }),
);
export type OrderInputBody = Static<typeof OrderInputSchema>;

const ItemOfUpdate = named(
  "OrderItemUpdate",
  Type.Intersect([OrderItemInputSchema, Type.Object({ initial_quantity: maybeUnits({}) })]),
);
/** Body of `PUT /v1/orders/:orderId`: what is absent stays as it is. */
export const OrderUpdate = named(
  "OrderUpdate",
  Type.Object({
    ...order_fields,
    referrer_id: Type.Optional(nullable(text({ description: "Id of a known customer." }))),
    items: Type.Optional(nullable(Type.Array(ItemOfUpdate, lines))),
  }),
);
export type OrderUpdate = Static<typeof OrderUpdate>;

/** Body of `POST /v1/orders`. */
export const OrderCreate = named("OrderCreate", Type.Intersect([Type.Object({ id: maybeText() }), OrderUpdate]));
export type OrderCreate = Static<typeof OrderCreate>;

/** Body of `POST /v1/orders/import`. */
export const OrdersImport = named("OrdersImport", Type.Array(OrderCreate, { maxItems: 2_000 }));

const shown = () => Type.Optional(Type.String());
const amount = (description?: string) => Type.Optional(money(description));
const ItemProduct = {
  id: shown(),
  source_id: shown(),
  override: Type.Optional(Type.Boolean()),
  price: amount(),
  metadata: Type.Optional(metadata()),
};

/** Units of a line that were exchanged for units of another; lines count from 0 (discounts.md §6.4). */
const ApplicationDetails = named(
  "ApplicationDetails",
  Type.Array(
    Type.Object({
      source_index: integer({ minimum: 0 }),
      source_applied_quantity: integer({ maximum: -1 }),
      source_applied_quantity_amount: integer({ maximum: 0 }),
      target_index: integer({ minimum: 0 }),
      target_applied_quantity: integer(),
      target_applied_quantity_amount: integer(),
      target_applied_discount_amount: integer(),
    }),
  ),
);

/** A line of a stored order (discounts.md §3). What would be 0, or was never said, is left out. */
export const OrderItemBody = named(
  "OrderItem",
  Type.Object({
    id: Type.String(),
    source_id: shown(),
    related_object: Type.Optional(oneOf(["product", "sku"])),
    product_id: shown(),
    sku_id: shown(),
    quantity: integer({ minimum: 0 }),
    initial_quantity: integer({ minimum: 0 }),
    discount_quantity: Type.Optional(integer()),
    applied_discount_quantity: Type.Optional(integer()),
    applied_quantity: Type.Optional(integer()),
    price: amount(),
    amount: amount(),
    initial_amount: amount(),
    discount_amount: amount(),
    applied_discount_amount: amount(),
    applied_quantity_amount: Type.Optional(integer()),
    application_details: Type.Optional(ApplicationDetails),
    subtotal_amount: amount(),
    product: Type.Optional(Type.Object({ ...ItemProduct, name: shown() })),
    sku: Type.Optional(Type.Object({ ...ItemProduct, sku: shown() })),
    metadata: metadata(),
    object: Type.Literal("order_item"),
  }),
);

const CustomerRef = named("CustomerReference", Type.Object({ id: Type.String(), object: Type.Literal("customer") }));
const OrderRedemptionBody = named(
  "OrderRedemption",
  Type.Object({
    date: dateTime(),
    related_object_type: oneOf([...single_objects, "redemption"]),
    related_object_id: Type.String(),
    related_object_parent_id: shown(),
    stacked: Type.Optional(Type.Array(Type.String())),
    rollback_id: shown(),
    rollback_date: Type.Optional(dateTime()),
    rollback_stacked: Type.Optional(Type.Array(Type.String())),
  }),
);
export type OrderRedemptionBody = Static<typeof OrderRedemptionBody>;

/** The amounts of an order, minor units, as every answer shows them (discounts.md §3). */
export const order_amounts = {
  amount: amount(),
  initial_amount: amount(),
  discount_amount: amount(),
  items_discount_amount: amount(),
  total_discount_amount: amount(),
  total_amount: amount(),
  applied_discount_amount: amount(),
  items_applied_discount_amount: amount(),
  total_applied_discount_amount: amount(),
};

/** A stored order (rules.md §19). Amounts in minor units; discounts that are 0 are left out. */
export const OrderBody = named(
  "Order",
  Type.Object({
    id: Type.String(),
    source_id: nullable(Type.String()),
    status: oneOf(order_statuses),
    ...order_amounts,
    items: Type.Array(OrderItemBody),
    metadata: metadata(),
    customer: Type.Optional(CustomerRef),
    customer_id: nullable(Type.String()),
    referrer: Type.Optional(CustomerRef),
    referrer_id: nullable(Type.String()),
    redemptions: Type.Record(Type.String(), OrderRedemptionBody, {
      description: "Redemptions of this order by their id; a stack stands once, under its parent.",
    }),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("order"),
  }),
);
export type OrderBody = Static<typeof OrderBody>;

export const OrderList = named("OrderList", listOf("orders", OrderBody));

export const OrderQuery = Type.Object({
  ...listQuery(100),
  order: Type.Optional(
    oneOf(["created_at", "-created_at", "updated_at", "-updated_at"], { description: "Oldest first unless given." }),
  ),
});
export type OrderQuery = Static<typeof OrderQuery>;

/** What our own pages may narrow the list by, beside all that the API takes. */
export const OrderFilter = {
  status: Type.Optional(oneOf(order_statuses)),
  customer: Type.Optional(text({ description: "Id or source id of a customer." })),
  source_id: Type.Optional(text({ description: "The caller's own id." })),
};
type OrderFilter = Partial<Record<"customer" | "source_id", string>> & { status?: OrderStatus };
/** A page of orders, of those that the filter leaves. */
export type OrdersAsked = OrderQuery & OrderFilter;

export const OrderParams = Type.Object({ orderId: text({ description: "Id or source id." }) });
