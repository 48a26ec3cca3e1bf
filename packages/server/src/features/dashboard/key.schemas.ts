import Type, { type Static } from "typebox";
import { dateTime, named, oneOf, text } from "../../platform/http/schema.js";
import { user_roles } from "../projects/index.js";

const fields = {
  name: text({ minLength: 1 }),
  role: oneOf(user_roles, { description: "Of a server-side key; of a client-side key it counts for nothing." }),
};
const kind = oneOf(["server", "client"], { description: "Which side of the API it opens." });

export const KeyCreate = named("KeyCreate", Type.Object({ ...fields, role: Type.Optional(fields.role), kind }));
export type KeyCreate = Static<typeof KeyCreate>;

export const KeyUpdate = named(
  "KeyUpdate",
  Type.Partial(Type.Object({ ...fields, blocked: Type.Boolean({ description: "Refused until it is not any more." }) })),
);
export type KeyUpdate = Static<typeof KeyUpdate>;

const shown = {
  id: Type.String({ description: "`X-App-Id`, or `X-Client-Application-Id`." }),
  kind,
  name: Type.String(),
  role: Type.String(),
  blocked: Type.Boolean(),
  created_at: dateTime(),
};
export const KeyBody = named("Key", Type.Object(shown));
export const KeyCreated = named(
  "KeyCreated",
  Type.Object({ ...shown, token: Type.String({ description: "The secret. It is shown now and never again." }) }),
);
export const KeyList = named("KeyList", Type.Object({ keys: Type.Array(KeyBody) }));
export const KeyParams = Type.Object({ keyId: text() });
