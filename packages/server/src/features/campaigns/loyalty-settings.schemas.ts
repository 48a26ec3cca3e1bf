import { checkTiersExpiration } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { problems } from "../../platform/http/problems.js";
import { integer, named, oneOf } from "../../platform/http/schema.js";

const periods = ["MONTH", "QUARTER", "HALF_YEAR", "YEAR"] as const;

/** How members of a loyalty program qualify for its tiers (loyalty.md §8.2). */
export const LoyaltyTiersExpiration = named(
  "LoyaltyTiersExpiration",
  Type.Object({
    qualification_type: oneOf(["BALANCE", "POINTS_IN_PERIOD"]),
    qualification_period: Type.Optional(oneOf(periods)),
    start_date: Type.Object({ type: oneOf(["IMMEDIATE", "NEXT_PERIOD"]) }),
    expiration_date: Type.Object({
      type: oneOf(["END_OF_PERIOD", "END_OF_NEXT_PERIOD", "BALANCE_DROP", "CUSTOM"]),
      extend: Type.Optional(Type.String({ maxLength: 64, description: "ISO 8601 duration." })),
      rounding: Type.Optional(
        Type.Object({
          type: Type.Optional(oneOf([...periods, "CUSTOM"])),
          strategy: Type.Optional(oneOf(["START", "END"])),
          unit: Type.Optional(oneOf(["MONTH"])),
          value: Type.Optional(integer({ description: "With CUSTOM: a month, 0 is January." })),
        }),
      ),
    }),
  }),
);
export type LoyaltyTiersExpiration = Static<typeof LoyaltyTiersExpiration>;

/** Of a loyalty program the settings that were sent, else the stored ones; those sent must go together (loyalty.md §8.2). */
export function readTiersExpiration<Stored>(
  campaign_type: string,
  input: LoyaltyTiersExpiration | null | undefined,
  stored: Stored,
): LoyaltyTiersExpiration | Stored | null {
  if (campaign_type !== "LOYALTY_PROGRAM" || input === undefined) return stored;
  const fault = input && checkTiersExpiration(input);
  if (fault) throw problems.invalidPayload(`Property .loyalty_tiers_expiration.${fault.path} ${fault.problem}`);
  return input;
}
