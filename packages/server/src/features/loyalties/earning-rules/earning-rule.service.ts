import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../../recording/index.js";
import { toWindowBody } from "../../../terms/index.js";
import type { Campaign } from "../../campaigns/index.js";
import { type CustomEventSchema, findCustomEventSchemas } from "../../management/custom-event-schemas/index.js";
import type { Call } from "../../projects/index.js";
import { waitForEntries } from "../../segments/index.js";
import { findRulesByIds, setRules } from "../../validation-rules/index.js";
import { knownProgram } from "../programs/index.js";
import { dropMappings } from "../tiers/index.js";
import { assertCanPay } from "./can-pay.js";
import { ruleEvent } from "./earning-rule.events.js";
import type { EarningRule } from "./earning-rule.js";
import type { EarningRuleBody, EarningRuleInput, EarningRuleQuery, EarningRuleUpdate } from "./earning-rule.schemas.js";
import {
  deleteEarningRule,
  findEarningRule,
  findEarningRulesByIds,
  insertEarningRules,
  isTier,
  listEarningRules,
  updateEarningRule,
} from "./earning-rule.store.js";
import { changedEarningRule, missing, newEarningRule } from "./new-earning-rule.js";
import { any_tier, kindOf } from "./triggers.js";

/** `POST …/earning-rules`: all of them or none (loyalty.md §4.1). */
export async function createEarningRules(
  context: Context,
  call: Call,
  id_or_name: string,
  inputs: readonly EarningRuleInput[],
): Promise<EarningRuleBody[]> {
  return change(context, call, async (change) => {
    const { tx, tell } = change;
    const campaign = await lockRulesOf(tx, call, id_or_name);
    const schemas = await schemasOf(
      tx,
      call,
      inputs.map(({ custom_event }) => custom_event?.schema_id),
    );
    const rules = inputs.map((input, i) => {
      const at = `[${i}]`;
      const event = input.event ?? schemas.get(input.custom_event?.schema_id ?? "")?.name;
      if (event === undefined) throw missing(at, "event");
      return newEarningRule(input, { campaign_id: campaign.id, event, instant: call.instant, at });
    });
    for (const [i, rule] of rules.entries()) {
      const schema = schemas.get(rule.custom_event_schema_id ?? "");
      await assertReferences(change, call, rule, { schema, at: `[${i}]` });
      assertCanPay(rule, inputs[i] ?? {}, { call, campaign, schema }, `[${i}]`);
    }
    await insertEarningRules(tx, call.project_id, rules);
    for (const rule of rules) await setRules(change, askedBy(rule), { id: rule.id, type: "earning_rule" });
    tell(...rules.map((rule) => ruleEvent("assigned", campaign, rule)));
    return rules.map(toEarningRuleBody);
  });
}

export async function readEarningRules({ db }: Context, call: Call, id_or_name: string, query: EarningRuleQuery) {
  const { id } = await knownProgram(db, call.project_id, id_or_name);
  const page = pageOf(query);
  const listed = await listEarningRules(db, call.project_id, id, query.order ?? "-created_at", page);
  return listBody("data", listed.rows.map(toEarningRuleBody), countsOf(listed, page));
}

export async function readEarningRule({ db }: Context, call: Call, id_or_name: string, id: string) {
  const campaign = await knownProgram(db, call.project_id, id_or_name);
  return toEarningRuleBody(await knownEarningRule(db, call, campaign, id));
}

export async function changeEarningRule(
  context: Context,
  call: Call,
  id_or_name: string,
  id: string,
  input: EarningRuleUpdate,
): Promise<EarningRuleBody> {
  return change(context, call, async (change) => {
    const { tx } = change;
    const campaign = await lockRulesOf(tx, call, id_or_name);
    const stored = await knownEarningRule(tx, call, campaign, id);
    const rule = changedEarningRule(stored, input, call.instant);
    const schema = await schemaOf(tx, call, rule, input);
    await assertReferences(change, call, rule, { schema, at: "", stored });
    assertCanPay(rule, input, { call, campaign, schema }, "");
    await setRules(change, askedBy(rule), { id: rule.id, type: "earning_rule" });
    return store(change, campaign, rule, "updated");
  });
}

/** `POST …/enable` and `…/disable`; what is so already stays as it is, and nobody is told. */
export async function switchEarningRule(
  context: Context,
  call: Call,
  id_or_name: string,
  id: string,
  active: boolean,
): Promise<EarningRuleBody> {
  return change(context, call, async (change) => {
    const campaign = await lockRulesOf(change.tx, call, id_or_name);
    const stored = await knownEarningRule(change.tx, call, campaign, id);
    if (stored.active === active) return toEarningRuleBody(stored);
    const rule = { ...stored, active, updated_at: call.instant };
    return store(change, campaign, rule, active ? "enabled" : "disabled");
  });
}

/** Points that were earned by it stay. */
export async function removeEarningRule(context: Context, call: Call, id_or_name: string, id: string): Promise<void> {
  await change(context, call, async ({ tx, tell }) => {
    const campaign = await lockRulesOf(tx, call, id_or_name, ["tiers"]);
    const stored = await knownEarningRule(tx, call, campaign, id);
    await deleteEarningRule(tx, call.project_id, stored.id);
    await dropMappings(tx, call.project_id, campaign.id, stored.id, call.instant);
    tell(ruleEvent("deleted", campaign, stored));
  });
}

async function store(
  { tx, cause, tell }: Change,
  campaign: Campaign,
  rule: EarningRule,
  what: "updated" | "enabled" | "disabled",
): Promise<EarningRuleBody> {
  await updateEarningRule(tx, cause.project_id, rule);
  tell(ruleEvent(what, campaign, rule));
  return toEarningRuleBody(rule);
}

/**
 * What an assignment says of the rule that an earning rule asks, the rule says too (rules.md §10).
 * @returns undefined where there is no such earning rule; otherwise what writes the rule's half, under the key of its program
 */
export async function lockAskedRule({ tx, cause }: Change, id: string) {
  const { project_id, instant } = cause;
  const found = () => findEarningRulesByIds(tx, project_id, [id]);
  const [rule] = await readUnderKeys(tx, found, (rules) => rules.map((one) => rulesKey(project_id, one.campaign_id)));
  if (!rule) return undefined;
  return (validation_rule_id: string | null) =>
    updateEarningRule(tx, project_id, { ...rule, validation_rule_id, updated_at: instant });
}

const askedBy = ({ validation_rule_id }: EarningRule) => (validation_rule_id === null ? [] : [validation_rule_id]);

const rulesKey = (project_id: string, campaign_id: string, what = "earning rules") => ({
  project_id,
  kind: "name" as const,
  id: `${what} of ${campaign_id}`,
});

/** The program under the key of its rules, and of what else is edited with them, so that two edits at once both count. */
const lockRulesOf = (tx: Tx, { project_id }: Call, id_or_name: string, beside: "tiers"[] = []): Promise<Campaign> =>
  readUnderKeys(
    tx,
    () => knownProgram(tx, project_id, id_or_name),
    ({ id }) => ["earning rules", ...beside].map((what) => rulesKey(project_id, id, what)),
  );

async function knownEarningRule(db: Queries, call: Call, campaign: Campaign, id: string): Promise<EarningRule> {
  const rule = await findEarningRule(db, call.project_id, campaign.id, id);
  if (!rule) throw problems.notFound("earning_rule", id);
  return rule;
}

type Schemas = ReadonlyMap<string, CustomEventSchema>;

/** The schemas that are named; an unknown one is the caller's mistake. */
async function schemasOf(db: Queries, call: Call, ids: readonly (string | undefined)[]): Promise<Schemas> {
  const wanted = ids.filter((id) => id !== undefined);
  if (wanted.length === 0) return new Map();
  const schemas = new Map((await findCustomEventSchemas(db, call.project_id, wanted)).map((one) => [one.id, one]));
  const unknown = wanted.find((id) => !schemas.has(id));
  if (unknown !== undefined) throw problems.notFound("custom_event_schema", unknown);
  return schemas;
}

/** The schema of a rule's event. One that is sent must be there; the stored one may have been deleted since. */
async function schemaOf(db: Queries, call: Call, rule: EarningRule, { custom_event }: EarningRuleUpdate) {
  const id = rule.custom_event_schema_id ?? "";
  if (custom_event?.schema_id !== undefined) return (await schemasOf(db, call, [custom_event.schema_id])).get(id);
  return id === "" ? undefined : (await findCustomEventSchemas(db, call.project_id, [id]))[0];
}

/** What a rule names must be there; the segment that it waits for tells of its members from now on. */
async function assertReferences(
  change: Change,
  call: Call,
  rule: EarningRule,
  { schema, at, stored }: { schema: CustomEventSchema | undefined; at: string; stored?: EarningRule },
): Promise<void> {
  const { event, segment_id, loyalty_tier_id, validation_rule_id } = rule;
  if (kindOf(event) === "custom" && schema && schema.name !== event)
    throw problems.invalidPayload(`Property ${at}.event must be the name of custom event schema ${schema.id}`);
  if (validation_rule_id !== null && validation_rule_id !== stored?.validation_rule_id) {
    const [known] = await findRulesByIds(change.tx, call.project_id, [validation_rule_id]);
    if (!known) throw problems.notFound("validation_rules", validation_rule_id);
  }
  if (segment_id !== null && segment_id !== stored?.segment_id) await waitForEntries(change, call, segment_id);
  if (loyalty_tier_id !== null && loyalty_tier_id !== any_tier && loyalty_tier_id !== stored?.loyalty_tier_id) {
    if (!(await isTier(change.tx, call.project_id, loyalty_tier_id)))
      throw problems.notFound("loyalty_tier", loyalty_tier_id);
  }
}

/** An earning rule as answered. */
export function toEarningRuleBody(rule: EarningRule): EarningRuleBody {
  const { custom_event_schema_id, segment_id, loyalty_tier_id, pending_points, expiration_rules, banner } = rule;
  return {
    id: rule.id,
    created_at: isoOf(rule.created_at),
    updated_at: isoOf(rule.updated_at),
    loyalty: rule.loyalty,
    event: rule.event,
    ...(custom_event_schema_id === null ? {} : { custom_event: { schema_id: custom_event_schema_id } }),
    ...(segment_id === null ? {} : { segment: { id: segment_id } }),
    ...(loyalty_tier_id === null ? {} : { loyalty_tier: { id: loyalty_tier_id } }),
    ...(pending_points === null ? {} : { pending_points }),
    source: { ...(banner === null ? {} : { banner }), object_id: rule.campaign_id, object_type: "campaign" },
    active: rule.active,
    ...toWindowBody(rule),
    ...(expiration_rules === null ? {} : { expiration_rules }),
    validation_rule_id: rule.validation_rule_id,
    automation_id: rule.automation_id,
    metadata: rule.metadata,
    object: "earning_rule",
  };
}
