import { sql } from "../../platform/db/sql.js";
import { type Filterable, fieldInEither, fieldThrough, textField } from "../../platform/listing/index.js";
import type { Project } from "../projects/index.js";
import { codeKey } from "../vouchers/index.js";

/** What `filters` of `GET /v1/redemptions` may ask for (redemption.md §17). */
export function redemptionFilterable(project: Pick<Project, "id" | "case_sensitive_codes">): Filterable {
  const { id: project_id } = project;
  return {
    fields: {
      id: textField(sql`redemptions.id`),
      object: textField(sql`redemptions.object`),
      result: textField(sql`redemptions.result`),
      status: textField(sql`redemptions.status`),
      failure_code: textField(sql`redemptions.failure_code`),
      customer_id: textField(sql`redemptions.customer_id`),
      parent_redemption_id: textField(sql`redemptions.parent_id`),
      related_object_parent_id: textField(sql`redemptions.campaign_id`),
      related_object_id: related_object_id,
      voucher_code: fieldThrough(
        textField(sql`vouchers.code_key`, (code) => codeKey(project, code)),
        (condition) => sql`redemptions.voucher_id in (
          select vouchers.id from vouchers where vouchers.project_id = ${project_id} and ${condition})`,
        sql`redemptions.voucher_id is not null`,
      ),
      campaign_name: fieldThrough(
        textField(sql`campaigns.name`),
        (condition) => sql`redemptions.campaign_id = any(array(
          select campaigns.id from campaigns where campaigns.project_id = ${project_id} and ${condition}))`,
        sql`redemptions.campaign_id is not null`,
      ),
    },
    not_yet: ["user_login", "metadata.*", "related_object", "related_object_type"],
  };
}

/** For the document of the API: kept beside the fields so that both change together. */
export const redemption_filter_fields =
  "voucher_code, related_object_id, related_object_parent_id, parent_redemption_id, failure_code, result, status, object, customer_id, campaign_name";

/** What is neither of a voucher nor of a tier is of a redemption: the one it undoes, or itself. */
const of_redemption = sql`redemptions.voucher_id is null and redemptions.promotion_tier_id is null`;

const related_object_id = fieldInEither([
  { field: textField(sql`redemptions.voucher_id`) },
  { field: textField(sql`redemptions.promotion_tier_id`) },
  { field: textField(sql`redemptions.redemption_id`), when: of_redemption },
  { field: textField(sql`redemptions.id`), when: sql`${of_redemption} and redemptions.redemption_id is null` },
]);
