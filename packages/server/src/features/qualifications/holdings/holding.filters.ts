import { sql } from "../../../platform/db/sql.js";
import { dateField, type Field, type Filterable, fieldThrough, textField } from "../../../platform/listing/index.js";

/** What `filters` of a customer's redeemables may ask for. A customer's are few, so that each is looked up. */
export function holdingFilterable(project_id: string): Filterable {
  const ofCampaign = (inner: Field) =>
    fieldThrough(
      inner,
      (condition) => sql`exists (
        select from campaigns where campaigns.project_id = ${project_id} and campaigns.id = voucher_holders.campaign_id
           and ${condition})`,
    );
  const ofVoucher = (inner: Field) =>
    fieldThrough(
      inner,
      (condition) => sql`exists (
        select from vouchers where vouchers.project_id = ${project_id} and vouchers.id = voucher_holders.voucher_id
           and ${condition})`,
    );
  return {
    fields: {
      id: textField(sql`voucher_holders.id`),
      created_at: dateField(sql`voucher_holders.created_at`),
      redeemable_id: textField(sql`voucher_holders.voucher_id`),
      redeemable_object: textField(sql`'voucher'::text`),
      holder_role: textField(sql`voucher_holders.role`),
      campaign_id: textField(sql`voucher_holders.campaign_id`),
      campaign_type: ofCampaign(textField(sql`campaigns.campaign_type`)),
      voucher_type: ofVoucher(textField(sql`vouchers.type`)),
    },
  };
}

/** For the document of the API: kept beside the fields so that both change together. */
export const holding_filter_fields =
  "id, created_at, redeemable_id, redeemable_object, holder_role, campaign_id, campaign_type, voucher_type";
