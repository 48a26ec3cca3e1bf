import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { AutomationBody, AutomationInput, AutomationList, AutomationParams } from "./automation.schemas.js";
import {
  changeAutomation,
  createAutomation,
  readAutomation,
  readAutomations,
  removeAutomation,
} from "./automation.service.js";

/** `/management/v1/projects/:projectId/automations`: ours, the contract makes distributions in its dashboard alone. */
export function automationRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/automations";
  const one = `${all}/:automationId` as const;
  const params = AutomationParams;
  const body = AutomationInput;
  const response = withProblems({ 200: AutomationBody });

  app.post(
    all,
    { schema: { operationId: "create-automation", tags, params: ProjectParams, body, response } },
    (request) =>
      createAutomation(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-automations",
        tags,
        params: ProjectParams,
        response: withProblems({ 200: AutomationList }),
      },
    },
    ({ params }) => readAutomations(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-automation", tags, params, response } }, ({ params }) =>
    readAutomation(context, params.projectId, params.automationId),
  );

  app.put(one, { schema: { operationId: "update-automation", tags, params, body, response } }, (request) => {
    const { projectId, automationId } = request.params;
    return changeAutomation(context, causedByManagement(context, request, projectId), automationId, request.body);
  });

  app.delete(
    one,
    { schema: { operationId: "delete-automation", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, automationId } = request.params;
      await removeAutomation(context, causedByManagement(context, request, projectId), automationId);
      return reply.code(204).send(null);
    },
  );
}
