import { sql } from "../../platform/db/sql.js";
import { type Filterable, textField } from "../../platform/listing/index.js";

/** What `filters` of the bin may ask for (vouchers-and-campaigns.md §19). */
export const binFilterable: Filterable = {
  fields: {
    id: textField(sql`bin_entries.id`),
    resource_type: textField(sql`bin_entries.resource_type`),
    resource_name: textField(sql`bin_entries.resource_name`),
    resource_id: textField(sql`bin_entries.resource_id`),
  },
};

/** For the document of the API: kept beside the fields so that both change together. */
export const bin_filter_fields = "id, resource_type, resource_name, resource_id";
