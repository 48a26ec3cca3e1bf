import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, longText, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { ProjectParams } from "../../projects/index.js";
import { criteria } from "./referral-tier.js";

const campaignId = text({ minLength: 1, description: "Id or name." });
export const TiersParams = Type.Object({ ...ProjectParams.properties, campaignId });
export const TierParams = Type.Object({ ...TiersParams.properties, referralTierId: text({ minLength: 1 }) });

const changeable = {
  banner: Type.Optional(nullable(longText())),
  active: Type.Optional(nullable(Type.Boolean())),
};

export const ReferralTierInput = named(
  "ReferralTierInput",
  Type.Object({
    ...changeable,
    criterion: oneOf(criteria),
    referees_min: Type.Optional(
      nullable(
        integer({ minimum: 1, maximum: 1_000_000, description: "With MIN_REFEREES: given once they are so many." }),
      ),
    ),
    reward_id: text({ minLength: 1, description: "A code, a balance or a product: no COIN." }),
    segment_id: Type.Optional(
      nullable(text({ minLength: 1, description: "Counts those referees alone who are in it when they are counted." })),
    ),
  }),
);
export type ReferralTierInput = Static<typeof ReferralTierInput>;

/** What people were promised stays. */
export const ReferralTierUpdate = named("ReferralTierUpdate", Type.Object(changeable));
export type ReferralTierUpdate = Static<typeof ReferralTierUpdate>;

export const ReferralTierBody = named(
  "ReferralTier",
  Type.Object({
    id: Type.String(),
    campaign_id: Type.String(),
    banner: nullable(Type.String()),
    criterion: oneOf(criteria),
    referees_min: nullable(integer()),
    reward_id: Type.String(),
    segment_id: nullable(Type.String()),
    active: Type.Boolean(),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("referral_tier"),
  }),
);
export type ReferralTierBody = Static<typeof ReferralTierBody>;

export const ReferralTierList = named("ReferralTierList", listOf("data", ReferralTierBody));
