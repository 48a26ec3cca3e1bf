import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import {
  StackingRulesBody,
  StackingRulesInput,
  StackingRulesList,
  StackingRulesParams,
} from "./stacking-rules.schemas.js";
import {
  changeStackingRules,
  createStackingRules,
  readAllStackingRules,
  readStackingRules,
  removeStackingRules,
} from "./stacking-rules.service.js";

/** `/management/v1/projects/:projectId/stacking-rules` (platform.md §8). */
export function stackingRulesRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/stacking-rules";
  const one = `${all}/:stackingRulesId` as const;
  const params = StackingRulesParams;
  const body = StackingRulesInput;
  const response = withProblems({ 200: StackingRulesBody });

  app.post(
    all,
    { schema: { operationId: "create-stacking-rules", tags, params: ProjectParams, body, response } },
    (request) =>
      createStackingRules(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-stacking-rules",
        tags,
        params: ProjectParams,
        response: withProblems({ 200: StackingRulesList }),
      },
    },
    ({ params }) => readAllStackingRules(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-stacking-rules", tags, params, response } }, ({ params }) =>
    readStackingRules(context, params.projectId, params.stackingRulesId),
  );

  app.put(one, { schema: { operationId: "update-stacking-rules", tags, params, body, response } }, (request) => {
    const { projectId, stackingRulesId } = request.params;
    return changeStackingRules(context, causedByManagement(context, request, projectId), stackingRulesId, request.body);
  });

  app.delete(
    one,
    { schema: { operationId: "delete-stacking-rules", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, stackingRulesId } = request.params;
      await removeStackingRules(context, causedByManagement(context, request, projectId), stackingRulesId);
      return reply.code(204).send(null);
    },
  );
}
