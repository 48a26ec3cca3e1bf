import Type, { type Static } from "typebox";
import { listOf, named, nullable, optional, text } from "../../../platform/http/schema.js";

const url = (description: string) => Type.Optional(nullable(text({ maxLength: 2048, description })));

const brand = {
  name: text({ minLength: 1 }),
  privacy_policy_url: url("An address that begins with http:// or https://."),
  terms_of_use_url: url("An address that begins with http:// or https://."),
  permission_reminder: Type.Optional(nullable(text({ maxLength: 2048, description: "Null: a sentence of ours." }))),
  website_url: url("An address, or a host alone."),
};
const address = {
  street: text({ minLength: 1 }),
  city: text({ minLength: 1 }),
  postal: nullable(text()),
  state: Type.Optional(nullable(text())),
  country: text({ minLength: 1 }),
};
const contact = { email: text({ minLength: 1 }), phone: Type.Optional(nullable(text())) };

/** Body of `POST …/branding`. */
export const BrandCreate = named(
  "BrandCreate",
  Type.Object({ brand: Type.Object(brand), address: Type.Object(address), contact: Type.Object(contact) }),
);
export type BrandCreate = Static<typeof BrandCreate>;

/** Body of `PUT …/branding/:brandingId`: what is left out stays. */
export const BrandUpdate = named(
  "BrandUpdate",
  Type.Object({
    brand: Type.Optional(optional(brand)),
    address: Type.Optional(optional(address)),
    contact: Type.Optional(optional(contact)),
  }),
);
export type BrandUpdate = Static<typeof BrandUpdate>;

const orNull = () => nullable(Type.String());

export const BrandBody = named(
  "Brand",
  Type.Object({
    id: Type.String(),
    brand: Type.Object({
      name: Type.String(),
      privacy_policy_url: orNull(),
      terms_of_use_url: orNull(),
      permission_reminder: Type.String(),
      website_url: orNull(),
    }),
    address: Type.Object({
      street: Type.String(),
      city: Type.String(),
      postal: orNull(),
      state: orNull(),
      country: Type.String(),
    }),
    contact: Type.Object({ email: Type.String(), phone: orNull() }),
  }),
);
export type BrandBody = Static<typeof BrandBody>;

export const BrandList = named("BrandList", listOf("data", BrandBody));

export const BrandParams = Type.Object({ projectId: text(), brandingId: text() });
