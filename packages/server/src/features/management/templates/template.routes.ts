import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { TemplateBody, TemplateList, TemplateQuery } from "../../templates/index.js";
import { ManagedTemplateParams, TemplateCopy } from "./template.schemas.js";
import { copyTemplate, readTemplatesOf } from "./template.service.js";

/** `/management/v1/projects/:projectId/templates/campaigns`: what goes between projects (platform.md §9). */
export function managedTemplateRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/templates/campaigns";

  app.get(
    all,
    {
      schema: {
        operationId: "management-list-campaign-templates",
        tags,
        params: ProjectParams,
        querystring: TemplateQuery,
        response: withProblems({ 200: TemplateList }),
      },
    },
    ({ params, query }) => readTemplatesOf(context, params.projectId, query),
  );

  app.post(
    `${all}/:campaignTemplateId/copy`,
    {
      schema: {
        operationId: "management-copy-campaign-template",
        tags,
        params: ManagedTemplateParams,
        body: TemplateCopy,
        response: withProblems({ 200: TemplateBody }),
      },
    },
    (request) => {
      const { projectId: project_id, campaignTemplateId: template_id } = request.params;
      const cause = causedByManagement(context, request, request.body.destination_project_id);
      return copyTemplate(context, cause, { project_id, template_id }, request.body);
    },
  );
}
