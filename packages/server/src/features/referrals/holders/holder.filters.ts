import { sql } from "../../../platform/db/sql.js";
import { dateField, type Filterable, textField } from "../../../platform/listing/index.js";

/** What `filters` of a referral code's holders may ask for (vouchers-and-campaigns.md §15). */
export const holder_filterable: Filterable = {
  fields: {
    id: textField(sql`voucher_holders.id`),
    created_at: dateField(sql`voucher_holders.created_at`),
    holder_role: textField(sql`voucher_holders.role`),
    customer_id: textField(sql`voucher_holders.customer_id`),
  },
};

/** For the document of the API: kept beside the fields so that both change together. */
export const holder_filter_fields = "id, created_at, holder_role, customer_id";
