import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { RuleAssignmentList } from "../validation-rules/index.js";
import {
  AssignmentBody,
  AssignmentInput,
  AssignmentParams,
  AssignmentQuery,
  ForceQuery,
  RuleAssignmentQuery,
  RuleParams,
} from "./assignment.schemas.js";
import { createAssignment, readAssignments, readAssignmentsOfRule, removeAssignment } from "./assignment.service.js";

/** Assignments of validation rules, by rule and over all (rules.md §10). */
export function assignmentRoutes(app: App, context: Context): void {
  const tags = ["validation-rules"];
  const list = withProblems({ 200: RuleAssignmentList });

  app.post(
    "/v1/validation-rules/:validationRuleId/assignments",
    {
      schema: {
        operationId: "create-validation-rule-assignment",
        tags,
        params: RuleParams,
        querystring: ForceQuery,
        body: AssignmentInput,
        response: withProblems({ 200: AssignmentBody }),
      },
    },
    ({ params, query, body, call }) =>
      createAssignment(context, callOf({ call }), params.validationRuleId, body, query.force ?? false),
  );

  app.get(
    "/v1/validation-rules/:validationRuleId/assignments",
    {
      schema: {
        operationId: "list-validation-rule-assignments",
        tags,
        params: RuleParams,
        querystring: RuleAssignmentQuery,
        response: list,
      },
    },
    (request) =>
      readAssignmentsOfRule(
        contextOf(context, request),
        callOf(request),
        request.params.validationRuleId,
        request.query,
      ),
  );

  app.delete(
    "/v1/validation-rules/:validationRuleId/assignments/:assignmentId",
    {
      schema: {
        operationId: "delete-validation-rule-assignment",
        tags,
        params: AssignmentParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async ({ params, call }, reply) => {
      await removeAssignment(context, callOf({ call }), params.validationRuleId, params.assignmentId);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/v1/validation-rules-assignments",
    {
      schema: { operationId: "list-validation-rules-assignments", tags, querystring: AssignmentQuery, response: list },
    },
    (request) => readAssignments(contextOf(context, request), callOf(request), request.query),
  );
}
