import Type, { type Static } from "typebox";
import { dateTime, integer, named } from "../../platform/http/schema.js";

const counted = (description: string) => integer({ minimum: 0, description });

/** What a permanent deletion took along; spelt as clients know it. */
export const PermanentDeletion = named(
  "PermanentDeletion",
  Type.Object({
    id: Type.String(),
    created_at: dateTime(),
    related_object_id: Type.String(),
    related_object: Type.Literal("customer"),
    status: Type.Literal("DONE"),
    data_json: Type.Object({
      events: counted("Custom events."),
      customer_events: counted("What else happened to the customer."),
      daily_events: counted("None are kept."),
      segments: counted("Segments that listed the customer."),
      orders: counted("Orders of the customer."),
      order_events: counted("What happened to orders."),
      customer: Type.Literal(1),
    }),
    object: Type.Literal("pernament_deletion"),
  }),
);
export type PermanentDeletion = Static<typeof PermanentDeletion>;
