import Type, { type Static } from "typebox";
import { integer, longText, named, oneOf } from "../../platform/http/schema.js";

// Nothing is required here: a missing field has an answer of its own (platform.md §4).
export const TokenRequest = named(
  "TokenRequest",
  Type.Object({
    grant_type: Type.Optional(longText({ description: "`client_credentials`." })),
    scope: Type.Optional(longText({ description: "One or more scopes, with spaces between them." })),
  }),
);
export type TokenRequest = Static<typeof TokenRequest>;

export const NamedToken = named("NamedToken", Type.Object({ access_token: Type.Optional(longText()) }));
export type NamedToken = Static<typeof NamedToken>;

export const TokenBody = named(
  "Token",
  Type.Object({
    access_token: Type.String(),
    client_id: Type.String({ description: "The application that the token was made for." }),
    expires_at: integer({ description: "Unix time in seconds." }),
    expires_in: integer({ minimum: 0, description: "Seconds left." }),
    scope: Type.String(),
    token_type: oneOf(["Bearer"]),
  }),
);
export type TokenBody = Static<typeof TokenBody>;

export const IntrospectedTokenBody = named(
  "IntrospectedToken",
  Type.Object({
    ...TokenBody.properties,
    active: Type.Boolean({ description: "False for a token that does not work, whatever the reason." }),
  }),
);
export type IntrospectedTokenBody = Static<typeof IntrospectedTokenBody>;
