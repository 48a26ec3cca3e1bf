import Type, { type Static } from "typebox";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  listQuery,
  longText,
  metadata,
  named,
  notYet,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { DiscountBody, DiscountInput, window_body, window_input } from "../../terms/index.js";
import { CategoryBody, category_naming } from "../categories/index.js";
import { TierInput, TierList } from "../promotions/index.js";
import { RuleAssignments } from "../validation-rules/index.js";
import {
  CodeConfigInput,
  ExpirationRules,
  GiftBody,
  GiftInput,
  LoyaltyCardInput,
  points_max,
  RedemptionInput,
} from "../vouchers/index.js";
import { campaign_filter_fields } from "./campaign-list.filters.js";
import { LoyaltyTiersExpiration } from "./loyalty-settings.schemas.js";
import { ReferralProgram, ReferralProgramInput } from "./referral-program.schemas.js";

export const campaign_types = [
  "DISCOUNT_COUPONS",
  "GIFT_VOUCHERS",
  "LOYALTY_PROGRAM",
  "REFERRAL_PROGRAM",
  "PROMOTION",
] as const;
const update_types = ["AUTO_UPDATE", "STATIC", "STANDALONE"] as const;
const statuses = ["DONE", "IN_PROGRESS", "FAILED", "DRAFT", "MODIFYING"] as const;

/** The most vouchers that one request may ask for (platform.md §13). */
const vouchers_count_max = 1_000_000;

const own_fields = {
  access_settings: notYet(),
  description: Type.Optional(nullable(longText())),
  auto_join: Type.Optional(nullable(Type.Boolean())),
  join_once: Type.Optional(nullable(Type.Boolean())),
  activity_duration_after_publishing: Type.Optional(nullable(text())),
  metadata: Type.Optional(nullable(metadata())),
  loyalty_tiers_expiration: Type.Optional(nullable(LoyaltyTiersExpiration)),
  ...category_naming,
  ...window_input,
};

const TemplateInput = named(
  "VoucherTemplateInput",
  Type.Object({
    type: Type.Optional(nullable(oneOf(["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"]))),
    discount: Type.Optional(nullable(DiscountInput)),
    gift: Type.Optional(nullable(GiftInput)),
    loyalty_card: Type.Optional(nullable(LoyaltyCardInput)),
    redemption: Type.Optional(nullable(RedemptionInput)),
    code_config: Type.Optional(nullable(CodeConfigInput)),
    is_referral_code: Type.Optional(nullable(Type.Boolean())),
  }),
);
export type TemplateInput = Static<typeof TemplateInput>;

export const CampaignCreate = named(
  "CampaignCreate",
  Type.Object({
    name: text({ minLength: 1 }),
    campaign_type: Type.Optional(nullable(oneOf(campaign_types))),
    type: Type.Optional(nullable(oneOf(update_types))),
    voucher: Type.Optional(nullable(TemplateInput)),
    promotion: Type.Optional(
      nullable(Type.Object({ tiers: Type.Optional(nullable(Type.Array(TierInput, { maxItems: 1000 }))) })),
    ),
    referral_program: Type.Optional(nullable(ReferralProgramInput)),
    vouchers_count: Type.Optional(nullable(integer({ minimum: 0, maximum: vouchers_count_max }))),
    use_voucher_metadata_schema: Type.Optional(nullable(Type.Boolean())),
    active: Type.Optional(nullable(Type.Boolean())),
    validation_rules: Type.Optional(nullable(Type.Array(text(), { maxItems: 1 }))),
    ...own_fields,
  }),
);
export type CampaignCreate = Static<typeof CampaignCreate>;

/** Body of `PUT /v1/campaigns/:campaignId`; everything else is passed over in silence. */
export const CampaignUpdate = named(
  "CampaignUpdate",
  Type.Object({
    type: Type.Optional(nullable(oneOf(update_types))),
    discount: Type.Optional(nullable(DiscountInput)),
    gift: Type.Optional(nullable(GiftInput)),
    loyalty_card: Type.Optional(nullable(LoyaltyCardInput)),
    referral_program: Type.Optional(nullable(ReferralProgramInput)),
    unset_metadata_fields: Type.Optional(nullable(Type.Array(text(), { maxItems: 1000 }))),
    options: Type.Optional(
      nullable(
        Type.Object({
          recalculate_tiers: Type.Optional(
            nullable(
              Type.Boolean({
                description:
                  "Of a loyalty program alone: looks at all members again; they may rise, and last days move.",
              }),
            ),
          ),
        }),
      ),
    ),
    ...own_fields,
  }),
);
export type CampaignUpdate = Static<typeof CampaignUpdate>;

const Template = named(
  "VoucherTemplate",
  Type.Object({
    type: oneOf(["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"]),
    discount: Type.Optional(DiscountBody),
    gift: Type.Optional(GiftBody),
    loyalty_card: Type.Optional(
      Type.Object({
        points: integer({ minimum: 0, maximum: points_max }),
        expiration_rules: Type.Optional(ExpirationRules),
      }),
    ),
    redemption: Type.Object({ quantity: nullable(integer()) }),
    code_config: Type.Object({
      length: integer(),
      charset: Type.String(),
      prefix: Type.Optional(Type.String()),
      postfix: Type.Optional(Type.String()),
      pattern: Type.String(),
      initial_count: Type.Optional(integer()),
    }),
    is_referral_code: Type.Boolean(),
    ...window_body,
  }),
);

/** The areas and stores that a campaign is kept to (vouchers-and-campaigns.md §18): none yet, of any. */
const AccessSettingsAssignments = named(
  "AccessSettingsAssignments",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        area_id: Type.String(),
        all_stores: Type.Optional(Type.Boolean()),
        area_store_id: Type.Optional(Type.String()),
        created_at: dateTime(),
        object: Type.Literal("area_store_campaign_assignment"),
      }),
    ),
    total: integer({ minimum: 0 }),
  }),
);

/** A campaign as answered; dates and windows that are not set are left out. */
export const CampaignBody = named(
  "Campaign",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    campaign_type: oneOf(campaign_types),
    type: oneOf(update_types),
    voucher: Type.Optional(Template),
    promotion: Type.Optional(TierList),
    loyalty_tiers_expiration: Type.Optional(LoyaltyTiersExpiration),
    referral_program: Type.Optional(ReferralProgram),
    auto_join: Type.Boolean(),
    join_once: Type.Boolean(),
    use_voucher_metadata_schema: Type.Boolean(),
    ...window_body,
    activity_duration_after_publishing: Type.Optional(Type.String()),
    vouchers_count: Type.Optional(integer()),
    active: Type.Boolean(),
    protected: Type.Boolean(),
    metadata: metadata(),
    category: Type.Optional(Type.String()),
    category_id: nullable(Type.String()),
    categories: Type.Array(CategoryBody),
    creation_status: oneOf(statuses),
    vouchers_generation_status: oneOf(statuses),
    validation_rules_assignments: RuleAssignments,
    access_settings_assignments: Type.Optional(AccessSettingsAssignments),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("campaign"),
    async_action_id: Type.Optional(Type.String({ description: "Where this call started work on its vouchers." })),
  }),
);
export type CampaignBody = Static<typeof CampaignBody>;

export const ActionStarted = named(
  "CampaignActionStarted",
  Type.Object({ async_action_id: Type.Optional(Type.String()) }),
);
export type ActionStarted = Static<typeof ActionStarted>;

export const CampaignList = named("CampaignList", listOf("campaigns", CampaignBody));

export const CampaignParams = Type.Object({ campaignId: text({ minLength: 1, description: "Id or name." }) });
export const CampaignVoucherParams = Type.Object({ ...CampaignParams.properties, code: text({ minLength: 1 }) });

export const VouchersCountQuery = Type.Object({
  vouchers_count: Type.Optional(integer({ minimum: 1, maximum: vouchers_count_max })),
});

const campaign_orders = ["created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type CampaignOrder = (typeof campaign_orders)[number];

export const CampaignQuery = Type.Object({
  ...listQuery(100),
  campaign_type: Type.Optional(oneOf(campaign_types)),
  campaign_status: Type.Optional(oneOf(statuses)),
  is_referral_code: Type.Optional(Type.Boolean()),
  expand: Type.Optional(
    oneOf(["category", "access_settings_assignments"], {
      description: "Shows the categories of each campaign, or the areas and stores that it is kept to, which are none.",
    }),
  ),
  order: Type.Optional(oneOf(campaign_orders, { description: "Newest first unless given." })),
  filters: filtersQuery(campaign_filter_fields),
  access_settings: notYet(),
});
export type CampaignQuery = Static<typeof CampaignQuery>;
