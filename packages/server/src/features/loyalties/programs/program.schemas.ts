import Type, { type Static } from "typebox";
import { integer, named, nullable, oneOf, pageQuery, text } from "../../../platform/http/schema.js";
import { CampaignCreate, CampaignQuery } from "../../campaigns/index.js";
import { CodeConfigInput, ExpirationRules, points_max, RedemptionInput } from "../../vouchers/index.js";

const LoyaltyCard = Type.Object({
  points: integer({ minimum: 0, maximum: points_max, description: "What each new card starts with." }),
  expiration_rules: Type.Optional(nullable(ExpirationRules)),
});

/** Body of `POST /v1/loyalties`: a campaign whose vouchers are loyalty cards. */
export const ProgramCreate = named(
  "LoyaltyProgramCreate",
  Type.Object({
    ...CampaignCreate.properties,
    campaign_type: Type.Optional(nullable(oneOf(["LOYALTY_PROGRAM"]))),
    type: Type.Optional(nullable(oneOf(["AUTO_UPDATE", "STATIC"]))),
    voucher: Type.Object({
      type: oneOf(["LOYALTY_CARD"]),
      loyalty_card: LoyaltyCard,
      redemption: Type.Optional(nullable(RedemptionInput)),
      code_config: Type.Optional(nullable(CodeConfigInput)),
    }),
  }),
);
export type ProgramCreate = Static<typeof ProgramCreate>;

export const ProgramQuery = Type.Object({
  ...pageQuery(100),
  expand: CampaignQuery.properties.expand,
  order: CampaignQuery.properties.order,
});

export const ProgramParams = Type.Object({ campaignId: text({ minLength: 1, description: "Id or name." }) });
