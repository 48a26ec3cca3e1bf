import Type, { type Static } from "typebox";
import { dateTime, listOf, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { header_name_max, header_value_max, headers_max } from "./custom-headers.js";
import { accepted_events, webhook_events } from "./subscriptions.js";

/** Headers of a project's own. */
export const CustomHeadersInput = () =>
  Type.Optional(
    nullable(
      Type.Record(text({ maxLength: header_name_max }), Type.String({ maxLength: header_value_max }), {
        maxProperties: headers_max,
        description:
          "Headers that each message has beside our own, by name; their values are shown nowhere. With PUT they stay unless given.",
      }),
    ),
  );

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
      description:
        "What to send. With PUT they stand in for all that were there. All of them together stand for whatever later versions tell, too.",
    }),
    custom_headers: CustomHeadersInput(),
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
    custom_header_names: Type.Array(Type.String()),
    active: Type.Boolean({ description: "False also after a message that could not be delivered in 24 hours." }),
    created_at: dateTime(),
  }),
);
export type WebhookBody = Static<typeof WebhookBody>;

export const WebhookList = named("WebhookList", listOf("data", WebhookBody));

export const WebhookParams = Type.Object({ projectId: text(), webhookId: text() });
