import { sql } from "../../platform/db/sql.js";
import { dateField, type Filterable, textField } from "../../platform/listing/index.js";

/** What `filters` of a member's transactions may ask for (loyalty.md §7). */
export const transactionFilterable: Filterable = {
  fields: { id: textField(sql`ledger_entries.id`), created_at: dateField(sql`ledger_entries.created_at`) },
  not_yet: [],
};

/** What those of a campaign or program may ask for. */
export const campaignTransactionFilterable: Filterable = {
  fields: { ...transactionFilterable.fields, voucher_id: textField(sql`ledger_entries.voucher_id`) },
  not_yet: [],
};

/** For the document of the API: kept beside the fields so that both change together. */
export const transaction_filter_fields = "id, created_at";
export const campaign_transaction_filter_fields = "id, created_at, voucher_id";
