import Type, { type Static } from "typebox";
import { named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { CampaignBody, CampaignCreate } from "../campaigns/index.js";
import { TierBody, TierInput } from "../promotions/index.js";
import { CodeConfigInput, RedemptionInput } from "../vouchers/index.js";

/** What a template settles: refused, since whoever sends it relies on it. */
const ofTemplate = () => Type.Optional(Type.Unsafe<never>({ not: {}, description: "The template's: refused." }));

const { campaign_type, promotion, referral_program, loyalty_tiers_expiration, voucher, validation_rules, ...settable } =
  CampaignCreate.properties;

/** A campaign as `POST /v1/campaigns` takes one, but for what the template settles; what is left out is the template's. */
export const CampaignSetup = named(
  "CampaignSetup",
  Type.Object({
    ...settable,
    voucher: Type.Optional(
      nullable(
        Type.Object({
          code_config: Type.Optional(nullable(CodeConfigInput)),
          redemption: Type.Optional(nullable(RedemptionInput)),
          ...{ discount: ofTemplate(), gift: ofTemplate(), loyalty_card: ofTemplate() },
        }),
      ),
    ),
    validation_rules: ofTemplate(),
  }),
);
export type CampaignSetup = Static<typeof CampaignSetup>;

const { action, validation_rules: rules, validation_rule_assignments, ...of_tier } = TierInput.properties;

/** A tier as a promotion takes one, but for what the template settles. */
export const TierSetup = named(
  "PromotionTierSetup",
  Type.Object({
    campaign_id: text({ minLength: 1 }),
    ...of_tier,
    ...{ action: ofTemplate(), validation_rules: ofTemplate() },
  }),
);
export type TierSetup = Static<typeof TierSetup>;

export const made_objects = [
  "validation_rules",
  "product",
  "sku",
  "products_collection",
  "segments",
  "location",
] as const;

const created_resources = Type.Array(Type.Object({ id: Type.String(), object: oneOf(made_objects) }), {
  description: "What had to be made for it.",
});

export const CampaignSetupBody = named(
  "CampaignSetupResult",
  Type.Object({ created_resources, campaign: CampaignBody, object: Type.Literal("campaign_setup") }),
);
export type CampaignSetupBody = Static<typeof CampaignSetupBody>;

export const TierSetupBody = named(
  "PromotionTierSetupResult",
  Type.Object({ created_resources, promotion_tier: TierBody, object: Type.Literal("promotion_tier_setup") }),
);
export type TierSetupBody = Static<typeof TierSetupBody>;
