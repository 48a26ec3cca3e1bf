import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { setupRoutes } from "./setup.routes.js";
import {
  ExpandQuery,
  TemplateBody,
  TemplateCreate,
  TemplateList,
  TemplateParams,
  TemplateQuery,
  TemplateUpdate,
  TemplateWhole,
} from "./template.schemas.js";
import { changeTemplate, createTemplate, readTemplate, readTemplates, removeTemplate } from "./template.service.js";

/** `/v1/templates/campaigns` (vouchers-and-campaigns.md §17). */
export function templateRoutes(app: App, context: Context): void {
  const tags = ["templates"];
  const params = TemplateParams;
  const all = "/v1/templates/campaigns";
  const one = `${all}/:campaignTemplateId` as const;
  const response = withProblems({ 200: TemplateBody });

  app.post(
    all,
    { schema: { operationId: "create-campaign-template", tags, body: TemplateCreate, response } },
    (request) => createTemplate(context, callOf(request), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-campaign-templates",
        tags,
        querystring: TemplateQuery,
        response: withProblems({ 200: TemplateList }),
      },
    },
    (request) => {
      const { project_id, project, instant } = callOf(request);
      const today = { instant, time_zone: project.timezone };
      return readTemplates(contextOf(context, request), project_id, today, request.query);
    },
  );

  app.get(
    one,
    {
      schema: {
        operationId: "get-campaign-template",
        tags,
        params,
        querystring: ExpandQuery,
        response: withProblems({ 200: TemplateWhole }),
      },
    },
    (request) => {
      const is_whole = request.query.expand === "json_template";
      return readTemplate(contextOf(context, request), callOf(request), request.params.campaignTemplateId, is_whole);
    },
  );

  app.put(
    one,
    { schema: { operationId: "update-campaign-template", tags, params, body: TemplateUpdate, response } },
    (request) => changeTemplate(context, callOf(request), request.params.campaignTemplateId, request.body),
  );

  app.delete(
    one,
    {
      schema: {
        operationId: "delete-campaign-template",
        tags,
        params,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeTemplate(context, callOf(request), request.params.campaignTemplateId);
      return reply.code(204).send(null);
    },
  );

  setupRoutes(app, context);
}
