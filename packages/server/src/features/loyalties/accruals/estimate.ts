import { ALWAYS, compilePoints, notEarning } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { type Happening, judgeHappenings } from "../../../deciding/index.js";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { problems } from "../../../platform/http/problems.js";
import { integer, named, withProblems } from "../../../platform/http/schema.js";
import { refusals } from "../../../terms/index.js";
import type { Campaign } from "../../campaigns/index.js";
import { CustomerInputSchema, findNamedCustomers } from "../../customers/index.js";
import { findOrders, OrderInputSchema } from "../../orders/index.js";
import { type Call, callOf, contextOf } from "../../projects/index.js";
import { findVouchersByIds, type VoucherRow } from "../../vouchers/index.js";
import { pointsSourceOf } from "../earning-rules/index.js";
import { knownProgram, ProgramParams } from "../programs/index.js";
import { findTiersOfCards, mappingOfRule } from "../tiers/index.js";
import { pointsInTurn } from "./accrual.facts.js";
import { new_card, obstacle } from "./accrual.plan.js";
import { findCards, findRulesOfEvents } from "./accrual.store.js";

const EstimateBody = named(
  "PointsEstimateInput",
  Type.Object({ customer: CustomerInputSchema, order: OrderInputSchema }),
);
type EstimateBody = Static<typeof EstimateBody>;

const Estimate = named(
  "PointsEstimate",
  Type.Object({
    campaign: Type.Object({ id: Type.String(), name: Type.String(), object: Type.Literal("campaign") }),
    points_estimation: integer({ description: "Those that would have to wait included." }),
  }),
);

/** `POST /v1/loyalties/:campaignId/qualifications`: what an order would earn, were it paid now (loyalty.md §4.8). */
export function estimateRoutes(app: App, context: Context): void {
  app.post(
    "/v1/loyalties/:campaignId/qualifications",
    {
      config: { changes_nothing: true },
      schema: {
        operationId: "estimate-points",
        tags: ["loyalties"],
        params: ProgramParams,
        body: EstimateBody,
        response: withProblems({ 200: Estimate }),
      },
    },
    async (request): Promise<Static<typeof Estimate>> => {
      const own = contextOf(context, request);
      const call = callOf(request);
      const campaign = await knownProgram(own.db, call.project_id, request.params.campaignId);
      const points_estimation = await estimate(own, call, campaign, request.body);
      return { campaign: { id: campaign.id, name: campaign.name, object: "campaign" }, points_estimation };
    },
  );
}

async function estimate(
  context: Context,
  call: Call,
  campaign: Campaign,
  { customer, order }: EstimateBody,
): Promise<number> {
  const { db, catalogues, turns, log } = context;
  const { project_id, project, instant } = call;
  const card = await cardOf(context, call, campaign, { customer, order });
  const named_rules = await findRulesOfEvents(db, project_id, ["order.paid"]);
  const rules = named_rules.filter(
    (rule) => rule.campaign_id === campaign.id && obstacle(project, rule, card ?? new_card, instant) === null,
  );
  if (rules.length === 0) return 0;
  const happening: Happening = {
    subject: { call: { instant }, customer, order },
    order: null,
    event_metadata: null,
    rule_ids: rules.flatMap(({ validation_rule_id }) => validation_rule_id ?? []),
  };
  const catalogue = await catalogues.at(db, project_id, call.version);
  const [judged] = await judgeHappenings(db, catalogue, turns, [happening]);
  const tier = card ? (await findTiersOfCards(db, project_id, [card.id])).get(card.id) : undefined;
  let sum = 0;
  for (const { id, loyalty, validation_rule_id } of rules) {
    if (!judged || (validation_rule_id !== null && !judged.holds(validation_rule_id))) continue;
    const pointsIn = compilePoints(pointsSourceOf(loyalty));
    const situation = judged.earning();
    const mapping = mappingOfRule(tier, id) ?? null;
    const points = await pointsInTurn(turns, project_id, situation, () => pointsIn(situation, mapping));
    if (points === null) log.warn({ project_id, earning_rule_id: id }, "points take too much work");
    sum = Math.min(sum + (points ?? 0), Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

/** The customer's card, where they have one; refuses who could earn nothing whatever they buy. */
async function cardOf(
  { db }: Context,
  { project_id, project, instant }: Call,
  campaign: Campaign,
  { customer, order }: EstimateBody,
): Promise<VoucherRow | null> {
  const [[known], [stored]] = await Promise.all([
    findNamedCustomers(db, project_id, [customer]),
    findOrders(db, project_id, [order]),
  ]);
  if (customer.id && !known) throw problems.notFound("customer", customer.id);
  if (order.id && !stored) throw problems.notFound("order", order.id);
  const wanted = { customer_ids: known ? [known.id] : [], campaign_ids: [campaign.id], code_keys: [] };
  const found = await findCards(db, project_id, wanted);
  const [card = null] = await findVouchersByIds(
    db,
    project_id,
    found.map(({ id }) => id),
  );
  const { active, start_date, expiration_date } = card ?? new_card;
  const obstructed = notEarning(
    {
      time_zone: project.timezone,
      rule: { active: true, window: { ...ALWAYS, start_date: null, expiration_date: null } },
      campaign,
      card: { active: active !== false, start_date, expiration_date },
    },
    instant,
  );
  if (obstructed === "campaign") throw refusals.campaignNotActive();
  if (obstructed === "card") throw refusals.loyaltyCardNotActive();
  if (!card && !campaign.auto_join) throw refusals.noAutoJoin();
  return card;
}
