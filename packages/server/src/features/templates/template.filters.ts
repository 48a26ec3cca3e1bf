import { sql } from "../../platform/db/sql.js";
import { type Filterable, textField } from "../../platform/listing/index.js";

/** What `filters` of the list may ask for (platform.md §9). */
export const templateFilterable: Filterable = {
  fields: {
    id: textField(sql`campaign_templates.id`),
    name: textField(sql`campaign_templates.name`),
    campaign_type: textField(sql`campaign_templates.campaign_type`),
  },
};

/** For the document of the API: kept beside the fields so that both change together. */
export const template_filter_fields = "id, name, campaign_type";
