import Type, { type Static } from "typebox";
import { dateTime, listOf, named, oneOf, text } from "../../../platform/http/schema.js";
import { accepted_events, webhook_events } from "./subscriptions.js";

/** Body of `POST …/webhooks` and `PUT …/webhooks/:webhookId`. */
export const WebhookInput = named(
  "WebhookInput",
  Type.Object({
    target_url: text({
      minLength: 1,
      maxLength: 2048,
      description: "Where to send to, by http or https. A private address only where the operator allows them.",
    }),
    events: Type.Array(oneOf(accepted_events), {
      minItems: 1,
      maxItems: 100,
      description: "What to send. With PUT they stand in for all that were there. All of them together stand for whatever later versions tell, too.",
    }),
    active: Type.Optional(
      Type.Boolean({ description: "True unless given; with PUT it stays unless given, and true begins anew." }),
    ),
  }),
);
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookBody = named(
  "Webhook",
  Type.Object({
    id: Type.String(),
    object: Type.Literal("webhook"),
    target_url: Type.String(),
    events: Type.Array(oneOf(webhook_events)),
    active: Type.Boolean({ description: "False also after a message that could not be delivered in 24 hours." }),
    created_at: dateTime(),
  }),
);
export type WebhookBody = Static<typeof WebhookBody>;

export const WebhookList = named("WebhookList", listOf("data", WebhookBody));

export const WebhookParams = Type.Object({ projectId: text(), webhookId: text() });
