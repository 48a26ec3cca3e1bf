import Type, { type Static } from "typebox";
import { dateTime, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { user_roles } from "../projects/index.js";

const fields = {
  name: text({ minLength: 1 }),
  role: text({
    description: `One of ${user_roles.join(", ")}, or the id of a role that the organization has made; of a client-side key it counts for nothing.`,
  }),
};
const allowed_addresses = Type.Array(text({ maxLength: 64 }), {
  maxItems: 100,
  description:
    "Where a server-side key may be used: addresses of IPv4 and IPv6, and networks such as `10.0.0.0/8`. Empty: anywhere.",
});
const is_integration = Type.Boolean({
  description: "Whether some other software calls by it: a few operations are for such server-side keys alone.",
});
const kind = oneOf(["server", "client"], { description: "Which side of the API it opens." });

export const KeyCreate = named(
  "KeyCreate",
  Type.Object({
    ...fields,
    role: Type.Optional(fields.role),
    kind,
    is_integration: Type.Optional(is_integration),
    allowed_addresses: Type.Optional(allowed_addresses),
  }),
);
export type KeyCreate = Static<typeof KeyCreate>;

export const KeyUpdate = named(
  "KeyUpdate",
  Type.Partial(
    Type.Object({
      ...fields,
      allowed_addresses,
      blocked: Type.Boolean({ description: "Refused until it is not any more." }),
    }),
  ),
);
export type KeyUpdate = Static<typeof KeyUpdate>;

const shown = {
  id: Type.String({ description: "`X-App-Id`, or `X-Client-Application-Id`." }),
  kind,
  name: Type.String(),
  role: Type.String(),
  blocked: Type.Boolean(),
  is_integration,
  allowed_addresses: Type.Array(Type.String()),
  created_at: dateTime(),
  last_used_at: nullable(dateTime("To the minute; null: never.")),
};
export const KeyBody = named("Key", Type.Object(shown));
export const KeyCreated = named(
  "KeyCreated",
  Type.Object({ ...shown, token: Type.String({ description: "The secret. It is shown now and never again." }) }),
);
export const KeyList = named("KeyList", Type.Object({ keys: Type.Array(KeyBody) }));
export const KeyParams = Type.Object({ keyId: text() });
