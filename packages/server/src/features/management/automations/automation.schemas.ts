import Type, { type Static } from "typebox";
import { dateTime, listOf, longText, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { CustomHeadersInput } from "../webhooks/index.js";
import { triggers } from "./automation.js";

const optional = <Schema extends Parameters<typeof nullable>[0]>(schema: Schema) => Type.Optional(nullable(schema));

/** Body of `POST …/automations` and `PUT …/automations/:automationId`. */
export const AutomationInput = named(
  "AutomationInput",
  Type.Object({
    name: text({ minLength: 1, description: "No two of a project share one." }),
    active: Type.Optional(
      Type.Boolean({ description: "True unless given; with PUT it stays unless given, and true begins anew." }),
    ),
    trigger: Type.Object({
      event: oneOf(triggers),
      segment_id: optional(text({ description: "With events of segments, and then needed: an auto-update segment." })),
      custom_event: optional(text({ description: "With `customer.custom_event`, and then needed: its name." })),
      campaign_id: optional(text({ description: "With events about codes: those of this campaign alone." })),
    }),
    validation_rule_id: optional(text({ description: "What must hold for the customer and the event." })),
    action: Type.Object({
      type: oneOf(["PUBLISH", "SEND"], {
        description:
          "PUBLISH gives the customer a code, and sends what was given if there is a channel; SEND sends alone.",
      }),
      campaign_id: optional(text({ description: "With PUBLISH: the campaign of the code, by its id or name." })),
    }),
    channel: optional(
      Type.Object({
        type: Type.Literal("webhook"),
        event_name: text({ minLength: 1, description: "What the receiver knows the message by." }),
        target_url: text({
          minLength: 1,
          maxLength: 2048,
          description: "Where to send to, by http or https. A private address only where the operator allows them.",
        }),
        payload: optional(
          longText({
            description:
              "JSON with places like {{customer.name}}. Unless given the message says all that the event does.",
          }),
        ),
        custom_headers: CustomHeadersInput(),
        raw_payload: Type.Optional(Type.Boolean({ description: "Send what it says without the envelope around it." })),
      }),
    ),
  }),
);
export type AutomationInput = Static<typeof AutomationInput>;

export const AutomationBody = named(
  "Automation",
  Type.Object({
    id: Type.String(),
    object: Type.Literal("automation"),
    name: Type.String(),
    active: Type.Boolean({ description: "False also after a message that could not be delivered in 24 hours." }),
    trigger: Type.Object({
      event: oneOf(triggers),
      segment_id: nullable(Type.String()),
      custom_event: nullable(Type.String()),
      campaign_id: nullable(Type.String()),
    }),
    validation_rule_id: nullable(Type.String()),
    action: Type.Object({ type: oneOf(["PUBLISH", "SEND"]), campaign_id: nullable(Type.String()) }),
    channel: nullable(
      Type.Object({
        type: Type.Literal("webhook"),
        event_name: Type.String(),
        target_url: Type.String(),
        payload: nullable(Type.String()),
        raw_payload: Type.Boolean(),
        custom_header_names: Type.Array(Type.String()),
      }),
    ),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
  }),
);
export type AutomationBody = Static<typeof AutomationBody>;

export const AutomationList = named("AutomationList", listOf("data", AutomationBody));

export const AutomationParams = Type.Object({ projectId: text(), automationId: text() });
