import { sql } from "../../platform/db/sql.js";
import { dateField, type Filterable, textField } from "../../platform/listing/index.js";

/** What `filters` of the list may ask for (vouchers-and-campaigns.md §18). */
export const locationFilterable: Filterable = {
  fields: {
    name: textField(sql`locations.name`),
    created_at: dateField(sql`locations.created_at`),
    updated_at: dateField(sql`locations.updated_at`),
  },
};

/** For the document of the API: kept beside the fields so that both change together. */
export const location_filter_fields = "name, created_at, updated_at";
