import { multiplied, multipliedFormula, type PointsMapping } from "@guerdon/engine";
import Type from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { pageQuery, withProblems } from "../../../platform/http/schema.js";
import { callOf, contextOf } from "../../projects/index.js";
import { knownProgram } from "../programs/index.js";
import { knownTier, mappingOfRule, TierParams } from "../tiers/index.js";
import { type EarningRuleBody, EarningRuleList } from "./earning-rule.schemas.js";
import { readEarningRules } from "./earning-rule.service.js";

const Query = Type.Object(pageQuery(100));

/** `GET …/tiers/:loyaltyTierId/earning-rules`: the program's rules with the points that they pay in the tier (loyalty.md §8.1). */
export function tierRuleRoutes(app: App, context: Context): void {
  app.get(
    "/v1/loyalties/:campaignId/tiers/:loyaltyTierId/earning-rules",
    {
      schema: {
        operationId: "list-loyalty-tier-earning-rules",
        tags: ["loyalties"],
        params: TierParams,
        querystring: Query,
        response: withProblems({ 200: EarningRuleList }),
      },
    },
    async (request) => {
      const { campaignId, loyaltyTierId } = request.params;
      const [here, call] = [contextOf(context, request), callOf(request)];
      const program = await knownProgram(here.db, call.project_id, campaignId);
      const tier = await knownTier(here.db, call, program, loyaltyTierId);
      const rules = await readEarningRules(here, call, program.id, request.query);
      return { ...rules, data: rules.data.map((rule) => paidBy(rule, mappingOfRule(tier, rule.id))) };
    },
  );
}

const paidBy = (rule: EarningRuleBody, mapping: PointsMapping | undefined): EarningRuleBody =>
  mapping ? { ...rule, loyalty: withPoints(rule.loyalty, mapping) } : rule;

/**
 * Fixed points, and those of a step of whatever they are proportional to; with the formula that stands beside them. Points of the
 * tier's own take the formula's place too.
 */
function withPoints<Part extends object>(part: Part, mapping: PointsMapping): Part {
  const fields = Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (name === "points" && typeof value === "number")
      return [[name, mapping.type === "CUSTOM" ? mapping.points : multiplied(value, mapping.multiplier)]];
    if (name === "points_formula" && typeof value === "string")
      return mapping.type === "CUSTOM" ? [] : [[name, multipliedFormula(value, mapping.multiplier)]];
    const is_part = typeof value === "object" && value !== null && !Array.isArray(value);
    return [[name, is_part ? withPoints(value, mapping) : value]];
  });
  return Object.fromEntries(fields) as Part;
}
