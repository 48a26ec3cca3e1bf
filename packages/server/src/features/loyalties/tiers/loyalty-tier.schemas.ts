import Type, { type Static, type TSchema } from "typebox";
import { metadataOf } from "../../../platform/http/metadata.js";
import { dateTime, integer, listOf, metadata, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { points_max } from "../../vouchers/index.js";
import { ProgramParams } from "../programs/index.js";

/** As many as a program may have: whoever moves a member looks through all of them. */
export const tiers_max = 100;
/** As many as a tier may say of rules, and of rewards: as many rewards as a program may give. */
const mappings_max = 1_000;
const multiplier_max = 1_000_000;

/** What a tier makes of points or of a price (loyalty.md §4.4, §9.3). */
const PointsMapping = named(
  "PointsMapping",
  Type.Union([
    Type.Object({ type: oneOf(["MULTIPLY"]), multiplier: Type.Number({ minimum: 0, maximum: multiplier_max }) }),
    Type.Object({ type: oneOf(["CUSTOM"]), points: integer({ minimum: 0, maximum: points_max }) }),
  ]),
);

/** The same as it is sent, in one shape: of two that exclude each other a refusal could name what only the other one misses. */
const MappingInput = named(
  "PointsMappingInput",
  Type.Object({
    type: oneOf(["MULTIPLY", "CUSTOM"]),
    multiplier: Type.Optional(
      Type.Number({ minimum: 0, maximum: multiplier_max, description: "Required with MULTIPLY." }),
    ),
    points: Type.Optional(integer({ minimum: 0, maximum: points_max, description: "Required with CUSTOM." })),
  }),
);
export type MappingInput = Static<typeof MappingInput>;

const mappings = <Mapping extends TSchema>(mapping: Mapping, description: string) =>
  Type.Record(Type.String({ maxLength: 255 }), mapping, { maxProperties: mappings_max, description });
const of_rules = <Mapping extends TSchema>(mapping: Mapping) =>
  mappings(mapping, "By the id of an earning rule of the program.");
const of_rewards = <Mapping extends TSchema>(mapping: Mapping) =>
  mappings(
    mapping,
    "By the id of a reward assignment, or of a reward. A price below one switches the reward off. Of one that pays with points MULTIPLY alone.",
  );

const TierInput = named(
  "LoyaltyTierInput",
  Type.Object({
    name: text({ minLength: 1 }),
    points: Type.Object({
      from: Type.Optional(integer({ minimum: 0, maximum: points_max, description: "0 unless given." })),
      to: Type.Optional(
        nullable(integer({ minimum: 0, maximum: points_max, description: "Included; without end unless given." })),
      ),
    }),
    earning_rules: Type.Optional(nullable(of_rules(MappingInput))),
    rewards: Type.Optional(nullable(of_rewards(MappingInput))),
    metadata: Type.Optional(nullable(metadataOf("loyalty_tier"))),
  }),
);
export type TierInput = Static<typeof TierInput>;

/** Body of `POST …/tiers`: all of them or none. */
export const TiersCreate = named("LoyaltyTiersCreate", Type.Array(TierInput, { minItems: 1, maxItems: tiers_max }));

const range = Type.Object({ from: integer(), to: Type.Optional(integer()) });
const day = () => Type.String({ format: "date", description: "YYYY-MM-DD, in the project's time zone." });

/** From when to when a member is in it; its last day counts. */
const TierExpiration = named(
  "LoyaltyTierExpiration",
  Type.Object({
    customer_id: nullable(Type.String()),
    campaign_id: Type.String(),
    tier_id: Type.String(),
    start_date: day(),
    expiration_date: Type.Optional(day()),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
  }),
);
export type TierExpirationBody = Static<typeof TierExpiration>;

export const TierBody = named(
  "LoyaltyTier",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    campaign_id: Type.String(),
    earning_rules: of_rules(PointsMapping),
    rewards: of_rewards(PointsMapping),
    points: range,
    config: Type.Object({ points: range }),
    metadata: metadata(),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    expiration: Type.Optional(TierExpiration),
    object: Type.Literal("loyalty_tier"),
  }),
);
export type TierBody = Static<typeof TierBody>;

export const TierList = named("LoyaltyTierList", listOf("data", TierBody));

const orders = ["created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type TierOrder = (typeof orders)[number];

export const TierQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "10 unless given." })),
  order: Type.Optional(oneOf(orders, { description: "Newest first unless given." })),
});
export type TierQuery = Static<typeof TierQuery>;

export const TierParams = Type.Object({ ...ProgramParams.properties, loyaltyTierId: text() });
