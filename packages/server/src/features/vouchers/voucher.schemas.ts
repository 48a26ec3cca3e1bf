import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  between,
  dateTime,
  filtersQuery,
  Ids,
  integer,
  listOf,
  listQuery,
  longText,
  metadata,
  money,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { DiscountBody, DiscountInput, window_body, window_input } from "../../terms/index.js";
import { CategoryBody, category_naming } from "../categories/index.js";
import { RuleAssignments } from "../validation-rules/index.js";
import { LoyaltyCardInput } from "./loyalty-card.js";
import { voucher_filter_fields } from "./voucher-list.filters.js";

const voucher_types = ["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"] as const;
const gift_effects = ["APPLY_TO_ORDER", "APPLY_TO_ITEMS"] as const;

/** How codes look, as sent; what it all means is the engine's to check (vouchers-and-campaigns.md §3.1). */
export const CodeConfigInput = named(
  "CodeConfigInput",
  Type.Object({
    length: Type.Optional(nullable(integer())),
    charset: Type.Optional(nullable(Type.String({ maxLength: 4096 }))),
    prefix: Type.Optional(nullable(text())),
    postfix: Type.Optional(nullable(text())),
    pattern: Type.Optional(nullable(text())),
    initial_count: Type.Optional(nullable(integer())),
  }),
);
export type CodeConfigInput = Static<typeof CodeConfigInput>;

export const GiftInput = named(
  "GiftInput",
  Type.Object({
    amount: Type.Optional(nullable(money("Credit that the card starts with."))),
    effect: Type.Optional(nullable(oneOf(gift_effects))),
  }),
);
export type GiftInput = Static<typeof GiftInput>;

/** Redemptions allowed; that they are at least one is checked with the voucher's meaning. */
export const RedemptionInput = named("RedemptionInput", Type.Object({ quantity: Type.Optional(nullable(integer())) }));

const own_fields = {
  additional_info: Type.Optional(nullable(longText())),
  metadata: Type.Optional(nullable(metadataOf("voucher"))),
  ...category_naming,
  ...window_input,
};

/** What a voucher gives, as sent. */
export const given_fields = {
  type: Type.Optional(nullable(oneOf(voucher_types))),
  discount: Type.Optional(nullable(DiscountInput)),
  gift: Type.Optional(nullable(GiftInput)),
  loyalty_card: Type.Optional(nullable(LoyaltyCardInput)),
};

/** Body of `POST /v1/vouchers/:code`. */
export const VoucherCreate = named(
  "VoucherCreate",
  Type.Object({
    ...given_fields,
    campaign: Type.Optional(nullable(text({ description: "Name." }))),
    campaign_id: Type.Optional(nullable(text())),
    active: Type.Optional(nullable(Type.Boolean())),
    redemption: Type.Optional(nullable(RedemptionInput)),
    code_config: Type.Optional(nullable(CodeConfigInput)),
    validation_rules: Type.Optional(nullable(Type.Array(text(), { maxItems: 1 }))),
    ...own_fields,
  }),
);
export type VoucherCreate = Static<typeof VoucherCreate>;

/** Body of `POST /v1/vouchers`. */
export const VoucherCreateAny = named(
  "VoucherCreateAny",
  Type.Intersect([Type.Object({ code: Type.Optional(nullable(text({ minLength: 1 }))) }), VoucherCreate]),
);
export type VoucherCreateAny = Static<typeof VoucherCreateAny>;

/** Body of `PUT /v1/vouchers/:code`; everything else is passed over in silence. */
export const VoucherUpdate = named(
  "VoucherUpdate",
  Type.Object({
    active: Type.Optional(nullable(Type.Boolean())),
    discount: Type.Optional(nullable(DiscountInput)),
    ...own_fields,
  }),
);
export type VoucherUpdate = Static<typeof VoucherUpdate>;

/** What one added voucher may have of its own (vouchers-and-campaigns.md §6). */
export const VoucherAddition = named(
  "VoucherAddition",
  Type.Object({
    code: Type.Optional(nullable(text({ minLength: 1 }))),
    code_config: Type.Optional(nullable(CodeConfigInput)),
    redemption: Type.Optional(nullable(RedemptionInput)),
    ...own_fields,
  }),
);
export type VoucherAddition = Static<typeof VoucherAddition>;

/** The credit of a gift card, in minor units. */
export const GiftBody = named(
  "Gift",
  Type.Object({ amount: money(), subtracted_amount: money(), balance: money(), effect: oneOf(gift_effects) }),
);

const Points = named(
  "LoyaltyCard",
  Type.Object({
    points: integer(),
    balance: integer(),
    next_expiration_date: nullable(Type.String({ format: "date" })),
    next_expiration_points: integer(),
    pending_points: integer(),
    expired_points: integer(),
    subtracted_points: integer(),
  }),
);

const Asset = named("Asset", Type.Object({ id: Type.String(), url: Type.String() }));
const ListReference = { object: Type.Literal("list"), url: Type.String() };

/** A voucher as answered: its keys are always there, null where empty, but those marked optional (docs/adr/0020). */
export const VoucherBody = named(
  "Voucher",
  Type.Object({
    id: Type.String(),
    code: Type.String(),
    campaign: nullable(Type.String()),
    campaign_id: nullable(Type.String()),
    category: nullable(Type.String()),
    category_id: nullable(Type.String()),
    categories: Type.Array(CategoryBody),
    type: oneOf(voucher_types),
    discount: nullable(DiscountBody),
    gift: nullable(GiftBody),
    loyalty_card: nullable(Points),
    start_date: nullable(dateTime()),
    expiration_date: nullable(dateTime()),
    validity_timeframe: nullable(window_body.validity_timeframe),
    validity_day_of_week: nullable(window_body.validity_day_of_week),
    validity_hours: window_body.validity_hours,
    active: nullable(Type.Boolean()),
    additional_info: nullable(Type.String()),
    metadata: metadata(),
    assets: Type.Object({ qr: Asset, barcode: Asset }),
    is_referral_code: nullable(Type.Boolean()),
    holder_id: Type.Optional(Type.String()),
    referrer_id: Type.Optional(Type.String()),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    publish: Type.Object({ count: integer({ minimum: 0 }), ...ListReference }),
    redemption: Type.Object({
      quantity: nullable(integer({ minimum: 1 })),
      redeemed_quantity: integer({ minimum: 0 }),
      redeemed_amount: Type.Optional(money()),
      redeemed_points: Type.Optional(integer()),
      ...ListReference,
    }),
    validation_rules_assignments: RuleAssignments,
    object: Type.Literal("voucher"),
  }),
);
export type VoucherBody = Static<typeof VoucherBody>;

export const VoucherList = named("VoucherList", listOf("vouchers", VoucherBody));

export const VoucherParams = Type.Object({ code: text({ minLength: 1, description: "Code or id." }) });

export const DeleteQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ description: "Deletes for good; the name or code may be used again." })),
});

const sorted_by = ["created_at", "updated_at", "code", "type", "campaign", "category"] as const;
export type VoucherOrder = (typeof sorted_by)[number] | `-${(typeof sorted_by)[number]}`;
const voucher_orders = sorted_by.flatMap((name): VoucherOrder[] => [name, `-${name}`]);

export const VoucherQuery = Type.Object({
  ...listQuery(99),
  category: Type.Optional(text({ description: "Name." })),
  campaign: Type.Optional(text({ description: "Name." })),
  campaign_id: Type.Optional(text()),
  customer: Type.Optional(text({ description: "Id or source id of the holder." })),
  code: Type.Optional(text()),
  ids: Type.Optional(Ids),
  created_at: between(),
  updated_at: between(),
  order: Type.Optional(oneOf(voucher_orders, { description: "Newest first unless given." })),
  filters: filtersQuery(voucher_filter_fields),
});
export type VoucherQuery = Static<typeof VoucherQuery>;
