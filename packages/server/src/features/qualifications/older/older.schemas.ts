import Type, { type Static } from "typebox";
import { ApplicableItemsSchema, situation } from "../../../deciding/index.js";
import { dateTime, integer, named, oneOf } from "../../../platform/http/schema.js";
import { CampaignBody } from "../../campaigns/index.js";
import { CategoryBody } from "../../categories/index.js";
import { VoucherBody } from "../../vouchers/index.js";

const asked = {
  audienceRulesOnly: Type.Optional(
    Type.Boolean({ description: "Looks at rules about the customer and at no others; false unless given." }),
  ),
  limit: Type.Optional(integer({ minimum: 1, maximum: 50, description: "50 unless given." })),
};

const by_date = ["created_at", "-created_at", "updated_at", "-updated_at"] as const;
const order_description = "Newest first unless given.";

export const VoucherQualificationQuery = Type.Object({
  ...asked,
  order: Type.Optional(oneOf([...by_date, "code", "-code"], { description: order_description })),
});
export type VoucherQualificationQuery = Static<typeof VoucherQualificationQuery>;

export const CampaignQualificationQuery = Type.Object({
  ...asked,
  order: Type.Optional(
    oneOf([...by_date, "type", "-type", "category", "-category", "campaign", "-campaign", "code", "-code"], {
      description: `${order_description} \`code\` is refused: a campaign has none.`,
    }),
  ),
});
export type CampaignQualificationQuery = Static<typeof CampaignQualificationQuery>;

/** Body of the older qualifications (redemption.md §15). */
export const OlderBody = named("OlderQualificationRequest", Type.Object(situation));
export type OlderBody = Static<typeof OlderBody>;

const list = <Row extends Parameters<typeof Type.Array>[0]>(row: Row) =>
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(row),
    total: integer({ minimum: 0, description: "Entries of this answer." }),
    id: Type.String(),
    created_at: dateTime(),
    tracking_id: Type.Optional(Type.String()),
  });

const QualifiedVoucher = Type.Object({
  ...VoucherBody.properties,
  applicable_to: ApplicableItemsSchema,
  inapplicable_to: ApplicableItemsSchema,
});

export const QualifiedVouchers = named("QualifiedVouchers", list(QualifiedVoucher));
export type QualifiedVouchers = Static<typeof QualifiedVouchers>;

const { categories: _, ...campaign_fields } = CampaignBody.properties;

/** The older shape of a campaign: a category instead of a list of them, and the length of its codes as a text. */
const QualifiedCampaign = Type.Object({
  ...campaign_fields,
  categories: Type.Optional(CategoryBody),
  voucher: Type.Optional(Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()))),
});

export const QualifiedCampaigns = named("QualifiedCampaigns", list(QualifiedCampaign));
export type QualifiedCampaigns = Static<typeof QualifiedCampaigns>;
