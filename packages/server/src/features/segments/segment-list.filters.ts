import { sql } from "../../platform/db/sql.js";
import { dateField, type Filterable, textField } from "../../platform/listing/index.js";

/** What `filters` of `GET /v1/segments` may ask for (rules.md §14). */
export const segment_filterable: Filterable = {
  fields: {
    id: textField(sql`segments.id`),
    name: textField(sql`segments.name`),
    type: textField(sql`segments.type`),
    created_at: dateField(sql`segments.created_at`),
  },
};
