import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  between,
  dateTime,
  integer,
  listOf,
  listQuery,
  longText,
  metadata,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";

const address_fields = {
  city: Type.Optional(nullable(text())),
  state: Type.Optional(nullable(text())),
  line_1: Type.Optional(nullable(text())),
  line_2: Type.Optional(nullable(text())),
  country: Type.Optional(nullable(text())),
  postal_code: Type.Optional(nullable(text())),
};

const profile = {
  name: Type.Optional(nullable(text())),
  email: Type.Optional(nullable(text())),
  phone: Type.Optional(nullable(text())),
  description: Type.Optional(nullable(longText())),
  birthdate: Type.Optional(nullable(Type.String({ format: "date", description: "YYYY-MM-DD" }))),
  birthday: Type.Optional(nullable(text())),
  address: Type.Optional(nullable(Type.Object(address_fields))),
  metadata: Type.Optional(nullable(metadataOf("customer"))),
};

/** A customer as a caller sends one, alone or inside another request. */
export const CustomerInputSchema = named(
  "CustomerInput",
  Type.Object({
    id: Type.Optional(nullable(text())),
    source_id: Type.Optional(nullable(text({ description: "The caller's own id; set once." }))),
    ...profile,
  }),
);
export const CustomerUpdate = named("CustomerUpdate", Type.Object(profile));

const counter = () => integer({ minimum: 0 });
const shown = () => nullable(Type.String());

/** A customer with everything counted about them. What was never set is null, but where marked optional. */
export const CustomerBody = named(
  "Customer",
  Type.Object({
    id: Type.String(),
    source_id: shown(),
    name: shown(),
    email: shown(),
    phone: shown(),
    description: shown(),
    birthdate: Type.Optional(Type.String()),
    birthday: Type.Optional(Type.String()),
    address: nullable(
      Type.Object({
        city: shown(),
        state: shown(),
        line_1: shown(),
        line_2: shown(),
        country: shown(),
        postal_code: shown(),
      }),
    ),
    metadata: metadata(),
    system_metadata: metadata(),
    summary: Type.Object({
      redemptions: Type.Object({
        total_redeemed: counter(),
        total_failed: counter(),
        total_succeeded: counter(),
        total_rolled_back: counter(),
        total_rollback_failed: counter(),
        total_rollback_succeeded: counter(),
        gift: Type.Object({ redeemed_amount: integer(), amount_to_go: counter() }),
        loyalty_card: Type.Object({ redeemed_points: integer(), points_to_go: counter() }),
      }),
      orders: Type.Object({
        total_amount: counter(),
        total_count: counter(),
        average_amount: counter(),
        last_order_amount: counter(),
        last_order_date: Type.Optional(dateTime()),
      }),
    }),
    loyalty: Type.Object({
      points: counter(),
      referred_customers: counter(),
      campaigns: Type.Record(Type.String(), Type.Unknown()),
    }),
    referrals: Type.Object({
      total: counter(),
      campaigns: Type.Array(
        Type.Object({
          campaign_id: Type.String(),
          referrer_id: Type.String(),
          related_object_id: Type.String({ description: "What the customer did that counted." }),
          related_object_type: oneOf(["redemption", "custom_event"]),
          date: dateTime(),
        }),
        { description: "By whom the customer was referred: the last hundred." },
      ),
    }),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("customer"),
  }),
);
export type CustomerBody = Static<typeof CustomerBody>;

/** The few fields that other objects show of a customer; all of them are always there. */
export const SimpleCustomer = named(
  "SimpleCustomer",
  Type.Object({
    id: Type.String(),
    name: shown(),
    email: shown(),
    source_id: shown(),
    metadata: metadata(),
    object: Type.Literal("customer"),
  }),
);
export type SimpleCustomer = Static<typeof SimpleCustomer>;

export const CustomerList = named("CustomerList", listOf("customers", CustomerBody));

export const CustomerQuery = Type.Object({
  ...listQuery(99),
  email: Type.Optional(text()),
  city: Type.Optional(text()),
  name: Type.Optional(text()),
  segment_id: Type.Optional(text({ description: "Only customers of this segment." })),
  created_at: between(),
  updated_at: between(),
  order: Type.Optional(
    oneOf(["created_at", "-created_at", "updated_at", "-updated_at", "source_id", "-source_id"], {
      description: "Newest first unless given.",
    }),
  ),
  starting_after: Type.Optional(dateTime("Customers after the one created at this time, in the order asked for.")),
});
export type CustomerQuery = Static<typeof CustomerQuery>;

export const CustomerParams = Type.Object({ customerId: text({ description: "Id or source id." }) });
