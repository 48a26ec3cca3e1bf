import Type, { type Static } from "typebox";
import {
  between,
  dateTime,
  integer,
  listOf,
  listQuery,
  named,
  nullable,
  oneOf,
  text,
} from "../../../platform/http/schema.js";
import { send_out_statuses } from "./send-out.js";

const status = () =>
  oneOf(send_out_statuses, { description: "WAITING has not been tried, RETRYING has and will be again." });

const shown = {
  id: Type.String({ description: "What the receiver knows it by." }),
  object: Type.Literal("send_out"),
  status: status(),
  type: Type.String({ description: "The event, as the webhook asks for it." }),
  source: Type.Object({
    id: Type.String(),
    object: oneOf(["webhook", "distribution"], { description: "An automation is a distribution." }),
    target_url: nullable(Type.String({ description: "Where the last try went." })),
  }),
  event: Type.Object({
    id: Type.String(),
    entity_id: Type.String(),
    group_id: nullable(Type.String({ description: "The request that caused it." })),
    created_at: dateTime(),
  }),
  attempts: integer({ minimum: 0 }),
  executed_at: nullable(dateTime("The last try.")),
  next_attempt_at: nullable(dateTime()),
  last_error: nullable(Type.String()),
  response: nullable(
    Type.Object({
      status: integer(),
      body: Type.String({ description: "Of what came back, as much as is kept." }),
    }),
  ),
};

const SendOutShown = named("SendOutShown", Type.Object(shown));
export type SendOutShown = Static<typeof SendOutShown>;

export const SendOutBody = named(
  "SendOut",
  Type.Object({
    ...shown,
    message: nullable(Type.String({ description: "As it was sent, and signed; null before the first try." })),
  }),
);
export type SendOutBody = Static<typeof SendOutBody>;

export const SendOutList = named("SendOutList", listOf("data", SendOutShown));

export const SendOutQuery = Type.Object({
  ...listQuery(100),
  status: Type.Optional(status()),
  type: Type.Optional(text()),
  webhook_id: Type.Optional(text({ description: "A webhook, or an automation." })),
  created_at: between(),
});
export type SendOutQuery = Static<typeof SendOutQuery>;

export const SendOutParams = Type.Object({ projectId: text(), sendOutId: text() });
