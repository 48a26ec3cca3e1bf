import Type, { type Static } from "typebox";
import { metadata, named, nullable, text } from "../../platform/http/schema.js";
import { CustomerInputSchema, SimpleCustomer } from "../customers/index.js";

/** Body of `POST /v1/events` (platform.md §6). */
export const CustomEventInput = named(
  "CustomEventInput",
  Type.Object({
    event: text({ minLength: 1, maxLength: 300, description: "Name of a custom event schema of the project." }),
    customer: CustomerInputSchema,
    referral: Type.Optional(nullable(Type.Object({ code: text(), referrer_id: Type.Optional(nullable(text())) }))),
    loyalty: Type.Optional(nullable(Type.Object({ code: text({ description: "The loyalty card to credit." }) }))),
    metadata: Type.Optional(nullable(metadata())),
  }),
);
export type CustomEventInput = Static<typeof CustomEventInput>;

/** The acknowledgement of a custom event; what it sets off happens later. */
export const CustomEventBody = named(
  "CustomEvent",
  Type.Object({
    object: Type.Literal("event"),
    type: Type.String(),
    customer: SimpleCustomer,
    referral: Type.Null(),
    loyalty: Type.Null(),
    metadata: metadata(),
  }),
);
export type CustomEventBody = Static<typeof CustomEventBody>;
