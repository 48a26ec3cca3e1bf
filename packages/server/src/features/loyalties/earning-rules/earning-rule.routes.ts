import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { ProgramParams } from "../programs/index.js";
import {
  EarningRuleBody,
  EarningRuleList,
  EarningRuleParams,
  EarningRuleQuery,
  EarningRulesCreate,
  EarningRuleUpdate,
} from "./earning-rule.schemas.js";
import {
  changeEarningRule,
  createEarningRules,
  readEarningRule,
  readEarningRules,
  removeEarningRule,
  switchEarningRule,
} from "./earning-rule.service.js";
import { tierRuleRoutes } from "./tier-rules.js";

/** `/v1/loyalties/:campaignId/earning-rules` (loyalty.md §4). */
export function earningRuleRoutes(app: App, context: Context): void {
  const tags = ["loyalties"];
  const all = "/v1/loyalties/:campaignId/earning-rules";
  const one = `${all}/:earningRuleId` as const;
  const params = EarningRuleParams;
  tierRuleRoutes(app, context);
  const response = withProblems({ 200: EarningRuleBody });

  app.post(
    all,
    {
      config: { makes: ["earning_rule"] },
      schema: {
        operationId: "create-earning-rule",
        tags,
        params: ProgramParams,
        body: EarningRulesCreate,
        response: withProblems({ 200: Type.Array(EarningRuleBody) }),
      },
    },
    (request) => createEarningRules(context, callOf(request), request.params.campaignId, request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-earning-rules",
        tags,
        params: ProgramParams,
        querystring: EarningRuleQuery,
        response: withProblems({ 200: EarningRuleList }),
      },
    },
    (request) =>
      readEarningRules(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
  );

  app.get(one, { schema: { operationId: "get-earning-rule", tags, params, response } }, (request) =>
    readEarningRule(
      contextOf(context, request),
      callOf(request),
      request.params.campaignId,
      request.params.earningRuleId,
    ),
  );

  app.put(
    one,
    { schema: { operationId: "update-earning-rule", tags, params, body: EarningRuleUpdate, response } },
    (request) => {
      const { campaignId, earningRuleId } = request.params;
      return changeEarningRule(context, callOf(request), campaignId, earningRuleId, request.body);
    },
  );

  app.delete(
    one,
    {
      schema: { operationId: "delete-earning-rule", tags, params, response: withProblems({ 204: NoContent }) },
    },
    async (request, reply) => {
      await removeEarningRule(context, callOf(request), request.params.campaignId, request.params.earningRuleId);
      return reply.code(204).send(null);
    },
  );

  app.post(`${one}/enable`, { schema: { operationId: "enable-earning-rule", tags, params, response } }, (request) =>
    switchEarningRule(context, callOf(request), request.params.campaignId, request.params.earningRuleId, true),
  );

  app.post(`${one}/disable`, { schema: { operationId: "disable-earning-rule", tags, params, response } }, (request) =>
    switchEarningRule(context, callOf(request), request.params.campaignId, request.params.earningRuleId, false),
  );
}
