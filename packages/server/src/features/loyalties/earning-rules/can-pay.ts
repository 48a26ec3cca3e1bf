import { type ActivityWindow, opensWithin } from "@guerdon/engine";
import { isoOf } from "../../../platform/clock.js";
import { type Problem, problems } from "../../../platform/http/problems.js";
import type { Campaign } from "../../campaigns/index.js";
import type { CustomEventSchema } from "../../management/custom-event-schemas/index.js";
import type { Call } from "../../projects/index.js";
import type { EarningRule } from "./earning-rule.js";
import type { EarningRuleUpdate } from "./earning-rule.schemas.js";
import { pointsSourceOf } from "./loyalty.js";

/** What a rule that is sent stands beside. */
interface Around {
  call: Pick<Call, "metadata_schemas" | "project">;
  campaign: Pick<Campaign, "start_date" | "expiration_date">;
  /** Of its custom event; undefined where it waits for none. */
  schema: CustomEventSchema | undefined;
}

/**
 * Refuses what pays nobody as things are: whoever sends it would wait in vain, since a rule that does not hold is silent
 * (loyalty.md §4.5). A rule of no points is none of these, for a tier may say how many; neither is one that is over, or that
 * names goods which come later. Looks at what was sent alone: an edit of a rule's banner has nothing to do with its dates.
 */
export function assertCanPay(
  rule: EarningRule,
  sent: Pick<EarningRuleUpdate, "loyalty" | keyof ActivityWindow>,
  { call, campaign, schema }: Around,
  at: string,
): void {
  if (sent.start_date || sent.expiration_date) assertMeets(rule, campaign, at);
  if (window_fields.some((field) => sent[field])) assertOpens(rule, campaign, call.project.timezone, at);
  if (sent.loyalty) assertCountable(rule, call, schema, at);
}

/** A card is paid while both the rule and its program are in date. */
function assertMeets({ start_date, expiration_date }: EarningRule, campaign: Around["campaign"], at: string): void {
  if (start_date !== null && campaign.expiration_date !== null && start_date > campaign.expiration_date)
    throw apart(at, "start_date must not be after the program's expiration_date", campaign.expiration_date);
  if (expiration_date !== null && campaign.start_date !== null && expiration_date < campaign.start_date)
    throw apart(at, "expiration_date must not be before the program's start_date", campaign.start_date);
}

const recurring = ["validity_timeframe", "validity_day_of_week", "validity_hours"] as const;
const window_fields = ["start_date", "expiration_date", ...recurring] as const;

/** What recurs must do so while both are in date: no weekend has a Monday. */
function assertOpens(rule: EarningRule, campaign: Around["campaign"], time_zone: string, at: string): void {
  const field = recurring.find((one) => rule[one] !== null);
  const dates = (one: "start_date" | "expiration_date") => [rule[one], campaign[one]].filter((date) => date !== null);
  const from = Math.max(...dates("start_date"));
  const until = Math.min(...dates("expiration_date"));
  // Days of the dawn of time are like all others; so are those after the last that anybody writes.
  if (!field || opensWithin(rule, time_zone, Math.max(from, first_day), Math.min(until, last_day))) return;
  throw problems.invalidPayload(
    `Property ${at}.${field} must be open at some time while the rule and its program are in date`,
  );
}

const [first_day, last_day] = [Date.UTC(1970, 0), Date.UTC(9999, 0)];

const apart = (at: string, says: string, date: number): Problem =>
  problems.invalidPayload(`Property ${at}.${says} ${isoOf(date)}`);

const counted = {
  ORDER_METADATA: "order",
  CUSTOMER_METADATA: "customer",
  CUSTOM_EVENT_METADATA: "custom_event",
} as const;

/** Points are in proportion to a number: metadata that is said to be something else never is one. */
function assertCountable(
  { loyalty }: EarningRule,
  { metadata_schemas }: Around["call"],
  schema: CustomEventSchema | undefined,
  at: string,
): void {
  const { calculation, property } = pointsSourceOf(loyalty);
  if (property === null || !(calculation in counted)) return;
  const group = counted[calculation as keyof typeof counted];
  const said = group === "custom_event" ? saidOf(schema, property) : metadata_schemas.typesOf(group).get(property);
  if (said === undefined || (said.type === "number" && !said.is_array)) return;
  const type = `${said.type}${said.is_array ? "[]" : ""}`;
  throw problems.invalidPayload(
    `Property ${at}.loyalty.${group}.metadata.property must name a number: metadata schema says that '${property}' is ${type}`,
  );
}

function saidOf(schema: CustomEventSchema | undefined, property: string) {
  const properties = schema?.properties ?? {};
  const definition = Object.hasOwn(properties, property) ? properties[property] : undefined;
  return definition && !definition.deleted ? { type: definition.type, is_array: false } : undefined;
}
