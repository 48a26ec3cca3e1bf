import { ALWAYS } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import { type Problem, problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { readWindow, refusals } from "../../../terms/index.js";
import { readExpirationRules } from "../../vouchers/index.js";
import type { EarningRule } from "./earning-rule.js";
import type { EarningRuleInput, EarningRuleUpdate } from "./earning-rule.schemas.js";
import { changedLoyalty, readLoyalty } from "./loyalty.js";
import { any_tier, kindOf } from "./triggers.js";

/** A rule as `POST …/earning-rules` makes it (loyalty.md §4.1). `at` leads to it in the body. */
export function newEarningRule(
  input: EarningRuleInput,
  { campaign_id, event, instant, at }: { campaign_id: string; event: string; instant: Instant; at: string },
): EarningRule {
  if (!input.loyalty) throw missing(at, "loyalty");
  const kind = kindOf(event);
  const rule: EarningRule = {
    id: newId("ern"),
    campaign_id,
    event,
    custom_event_schema_id: kind === "custom" ? (input.custom_event?.schema_id ?? null) : null,
    segment_id: onlyWith("segment", event, input.segment?.id, `${at}.segment`),
    loyalty_tier_id:
      onlyWith("tier", event, input.loyalty_tier?.id, `${at}.loyalty_tier`) ?? (kind === "tier" ? any_tier : null),
    loyalty: readLoyalty(input.loyalty, event, `${at}.loyalty`),
    pending_points: pendingPoints(input.pending_points ?? null, event, at),
    expiration_rules: expirationRules(input, at),
    banner: input.source?.banner ?? null,
    active: input.active ?? true,
    ...readWindow(input, ALWAYS, "earning_rule", `${at}.`),
    validation_rule_id: input.validation_rule_id ?? null,
    automation_id: newId("auto"),
    metadata: input.metadata ?? {},
    created_at: instant,
    updated_at: null,
  };
  assertComplete(rule);
  return rule;
}

/** The stored rule with what was sent laid over it; null clears what may be absent. */
export function changedEarningRule(stored: EarningRule, input: EarningRuleUpdate, instant: Instant): EarningRule {
  const { event } = stored;
  const is_custom = kindOf(event) === "custom";
  const { segment, loyalty_tier, source, validation_rule_id, pending_points } = input;
  const rule: EarningRule = {
    ...stored,
    custom_event_schema_id: (is_custom ? input.custom_event?.schema_id : undefined) ?? stored.custom_event_schema_id,
    segment_id: onlyWith("segment", event, segment?.id, ".segment") ?? stored.segment_id,
    loyalty_tier_id: onlyWith("tier", event, loyalty_tier?.id, ".loyalty_tier") ?? stored.loyalty_tier_id,
    loyalty: input.loyalty ? changedLoyalty(stored.loyalty, input.loyalty, event) : stored.loyalty,
    pending_points: pending_points === undefined ? stored.pending_points : pendingPoints(pending_points, event, ""),
    expiration_rules: input.expiration_rules === undefined ? stored.expiration_rules : expirationRules(input, ""),
    banner: source?.banner === undefined ? stored.banner : source.banner,
    active: input.active ?? stored.active,
    ...readWindow(input, stored, "earning_rule"),
    validation_rule_id: validation_rule_id === undefined ? stored.validation_rule_id : validation_rule_id,
    metadata: { ...stored.metadata, ...input.metadata },
    updated_at: instant,
  };
  assertComplete(rule);
  return rule;
}

const event_of = { segment: "customer.segment.entered", tier: "customer.loyalty.tier" };

/** What other events have nothing to do with would narrow nothing. */
function onlyWith(kind: keyof typeof event_of, event: string, id: string | undefined, at: string): string | null {
  if (id !== undefined && kindOf(event) !== kind)
    throw problems.invalidPayload(`Property ${at} can be used only with event ${event_of[kind]}`);
  return id ?? null;
}

/** Only a paid order can be waited for: it may be canceled. */
function pendingPoints(sent: EarningRuleInput["pending_points"], event: string, at: string) {
  if (!sent) return null;
  if (kindOf(event) !== "order")
    throw problems.invalidPayload(`Property ${at}.pending_points can be used only with event order.paid`);
  return { period_type: sent.period_type, period_value: sent.period_value };
}

const expirationRules = ({ expiration_rules }: Pick<EarningRuleInput, "expiration_rules">, at: string) =>
  expiration_rules ? readExpirationRules(expiration_rules, `${at}.expiration_rules`) : null;

function assertComplete({ event, custom_event_schema_id, segment_id }: EarningRule): void {
  const kind = kindOf(event);
  if (kind === "custom" && custom_event_schema_id === null) throw refusals.missingParam("custom_event.schema_id");
  if (kind === "segment" && segment_id === null) throw refusals.missingParam("segment.id");
}

export const missing = (at: string, property: string): Problem =>
  problems.invalidPayload(`Property ${at} should have required property '${property}'`);
