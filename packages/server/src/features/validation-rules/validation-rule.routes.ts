import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import {
  ValidationRuleBody,
  ValidationRuleCreate,
  ValidationRuleList,
  ValidationRuleParams,
  ValidationRuleQuery,
  ValidationRuleUpdate,
} from "./validation-rule.schemas.js";
import { changeRule, createRule, readRule, readRules, removeRule } from "./validation-rule.service.js";

/** `/v1/validation-rules` (rules.md §1). */
export function validationRuleRoutes(app: App, context: Context): void {
  const tags = ["validation-rules"];
  const params = ValidationRuleParams;
  const response = withProblems({ 200: ValidationRuleBody });

  app.post(
    "/v1/validation-rules",
    { schema: { operationId: "create-validation-rules", tags, body: ValidationRuleCreate, response } },
    (request) => createRule(context, callOf(request), request.body),
  );

  app.get(
    "/v1/validation-rules",
    {
      schema: {
        operationId: "list-validation-rules",
        tags,
        querystring: ValidationRuleQuery,
        response: withProblems({ 200: ValidationRuleList }),
      },
    },
    (request) => readRules(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/validation-rules/:validationRuleId",
    { schema: { operationId: "get-validation-rule", tags, params, response } },
    (request) => readRule(contextOf(context, request), callOf(request), request.params.validationRuleId),
  );

  app.put(
    "/v1/validation-rules/:validationRuleId",
    { schema: { operationId: "update-validation-rule", tags, params, body: ValidationRuleUpdate, response } },
    (request) => changeRule(context, callOf(request), request.params.validationRuleId, request.body),
  );

  app.delete(
    "/v1/validation-rules/:validationRuleId",
    {
      schema: {
        operationId: "delete-validation-rules",
        tags,
        params,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeRule(context, callOf(request), request.params.validationRuleId);
      return reply.code(204).send(null);
    },
  );
}
