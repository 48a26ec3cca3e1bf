import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { WebhookBody, WebhookInput, WebhookList, WebhookParams } from "./webhook.schemas.js";
import { changeWebhook, createWebhook, readWebhook, readWebhooks, removeWebhook } from "./webhook.service.js";

/** `/management/v1/projects/:projectId/webhooks` (platform.md §10). */
export function webhookRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/webhooks";
  const one = `${all}/:webhookId` as const;
  const params = WebhookParams;
  const body = WebhookInput;
  const response = withProblems({ 200: WebhookBody });

  app.post(all, { schema: { operationId: "create-webhook", tags, params: ProjectParams, body, response } }, (request) =>
    createWebhook(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-webhooks",
        tags,
        params: ProjectParams,
        response: withProblems({ 200: WebhookList }),
      },
    },
    ({ params }) => readWebhooks(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-webhook", tags, params, response } }, ({ params }) =>
    readWebhook(context, params.projectId, params.webhookId),
  );

  app.put(one, { schema: { operationId: "update-webhook", tags, params, body, response } }, (request) => {
    const { projectId, webhookId } = request.params;
    return changeWebhook(context, causedByManagement(context, request, projectId), webhookId, request.body);
  });

  app.delete(
    one,
    { schema: { operationId: "delete-webhook", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, webhookId } = request.params;
      await removeWebhook(context, causedByManagement(context, request, projectId), webhookId);
      return reply.code(204).send(null);
    },
  );
}
