import Type, { type Static } from "typebox";
import { type Problem, problems } from "../../platform/http/problems.js";
import { integer, named, nullable, oneOf } from "../../platform/http/schema.js";
import { invalid } from "../../terms/index.js";

/** Points that one body may give: far beyond use, and far from where sums would stop being exact. */
export const points_max = 1_000_000_000_000;

/** When points expire (loyalty.md §6.1). */
export const ExpirationRules = named(
  "PointsExpirationRules",
  Type.Object({
    period_type: oneOf(["MONTH", "FIXED_DAY_OF_YEAR"]),
    period_value: Type.Optional(integer({ minimum: 0, maximum: 12_000, description: "Months." })),
    rounding_type: Type.Optional(
      oneOf(["END_OF_MONTH", "END_OF_QUARTER", "END_OF_HALF_YEAR", "END_OF_YEAR", "PARTICULAR_MONTH"]),
    ),
    rounding_value: Type.Optional(integer({ minimum: 1, maximum: 12 })),
    fixed_month: Type.Optional(integer({ minimum: 1, maximum: 12 })),
    fixed_day: Type.Optional(integer({ minimum: 1, maximum: 31 })),
  }),
);
export type ExpirationRules = Static<typeof ExpirationRules>;

export const LoyaltyCardInput = named(
  "LoyaltyCardInput",
  Type.Object({
    points: Type.Optional(nullable(integer({ minimum: 0, maximum: points_max }))),
    expiration_rules: Type.Optional(nullable(ExpirationRules)),
  }),
);
export type LoyaltyCardInput = Static<typeof LoyaltyCardInput>;

/** What a new card starts with, and how its points expire; what is left stands in its balance. */
export interface LoyaltyCard {
  points: number;
  expiration_rules?: ExpirationRules;
}

/** The known fields of the rules, once they say all that their period needs. `at` leads to them in the body. */
export function readExpirationRules(input: ExpirationRules, at: string): ExpirationRules {
  const { period_type, period_value, rounding_type, rounding_value, fixed_month, fixed_day } = input;
  if (period_type === "FIXED_DAY_OF_YEAR") {
    if (fixed_month === undefined) throw missing(at, "fixed_month");
    if (fixed_day === undefined) throw missing(at, "fixed_day");
    return { period_type, fixed_month, fixed_day };
  }
  if (period_value === undefined) throw missing(at, "period_value");
  if (rounding_type === "PARTICULAR_MONTH" && rounding_value === undefined) throw missing(at, "rounding_value");
  return {
    period_type,
    period_value,
    ...(rounding_type === undefined ? {} : { rounding_type }),
    ...(rounding_value === undefined ? {} : { rounding_value }),
  };
}

const missing = (at: string, property: string): Problem =>
  problems.invalidPayload(`Property ${at} should have required property '${property}'`);

/** A loyalty card with what was sent laid over the stored one; rules that are null are taken away. */
export function readLoyaltyCard(
  input: LoyaltyCardInput | null | undefined,
  stored: LoyaltyCard | null,
  at: string,
): LoyaltyCard {
  const points = input?.points ?? stored?.points;
  if (points === undefined) throw invalid("campaign", `Property ${at}.points is required for LOYALTY_PROGRAM campaign`);
  const sent = input?.expiration_rules;
  const rules = sent === undefined ? stored?.expiration_rules : sent;
  return { points, ...(rules ? { expiration_rules: readExpirationRules(rules, `${at}.expiration_rules`) } : {}) };
}
