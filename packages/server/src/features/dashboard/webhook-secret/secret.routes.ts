import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { named, withProblems } from "../../../platform/http/schema.js";
import { callOf, renewWebhookToken } from "../../projects/index.js";

const WebhookSecret = named(
  "WebhookSecret",
  Type.Object({ webhook_token: Type.String({ description: "Signs webhooks from now on." }) }),
);

/** `/dashboard/v1/webhook-secret`: the contract has it made anew from the dashboard alone. */
export function webhookSecretRoutes(app: App, context: Context): void {
  app.post(
    "/dashboard/v1/webhook-secret",
    {
      schema: {
        operationId: "renew-webhook-secret",
        tags: ["dashboard"],
        response: withProblems({ 200: WebhookSecret }),
      },
    },
    (request) => renewWebhookToken(context, callOf(request)),
  );
}
