import { type Sql, sql } from "../../platform/db/sql.js";
import { booleanField, type Filterable, fieldThrough, metadataField, textField } from "../../platform/listing/index.js";
import type { Project } from "../projects/index.js";
import { codeKey } from "../vouchers/index.js";

/** What `filters` of `GET /v1/publications` may ask for (vouchers-and-campaigns.md §11.6, rules.md §15). */
export function publicationFilterable(project: Pick<Project, "id" | "case_sensitive_codes">): Filterable {
  const { id: project_id } = project;
  const ofVouchers = (condition: Sql) => gaveOneOf(project_id, condition);
  return {
    fields: {
      failure_code: textField(sql`publications.failure_code`),
      result: textField(sql`publications.result`),
      customer_id: textField(sql`publications.customer_id`),
      source_id: textField(sql`publications.source_id`),
      parent_object_id: textField(sql`publications.campaign_id`),
      campaign_name: fieldThrough(
        textField(sql`campaigns.name`),
        (condition) => sql`publications.campaign_id = any(array(
          select campaigns.id from campaigns where campaigns.project_id = ${project_id} and ${condition}))`,
        sql`publications.campaign_id is not null`,
      ),
      related_object_id: fieldThrough(textField(sql`vouchers.id`), ofVouchers),
      voucher_type: fieldThrough(textField(sql`vouchers.type`, typeNamed), ofVouchers),
      is_referral_code: fieldThrough(booleanField(sql`vouchers.is_referral_code`), ofVouchers),
      voucher_code: fieldThrough(
        textField(sql`vouchers.code_key`, (code) => codeKey(project, code)),
        ofVouchers,
      ),
    },
    prefixes: {
      metadata: (key) =>
        metadataField(sql`publications.metadata`, (part) => sql`publications.metadata @> ${part}::jsonb`, key),
    },
  };
}

/** For the document of the API: kept beside the fields so that both change together. */
export const publication_filter_fields =
  "failure_code, result, customer_id, campaign_name, voucher_type, is_referral_code, parent_object_id, related_object_id, source_id, voucher_code, metadata.<key>";

const types: Readonly<Record<string, string>> = {
  discount: "DISCOUNT_VOUCHER",
  gift: "GIFT_VOUCHER",
  loyalty: "LOYALTY_CARD",
};

/** The short names of the list's own parameter, or those of vouchers. */
export const typeNamed = (name: string): string => types[name] ?? name;

/** Publications that gave, or were refused, a voucher that satisfies the condition; alone or among several. */
export const gaveOneOf = (project_id: string, condition: Sql): Sql => sql`publications.id in (
  select of_one.id
    from vouchers join publications as of_one on of_one.project_id = vouchers.project_id and of_one.voucher_id = vouchers.id
   where vouchers.project_id = ${project_id} and ${condition}
  union all
  select publication_vouchers.publication_id
    from vouchers
    join publication_vouchers
      on publication_vouchers.project_id = vouchers.project_id and publication_vouchers.voucher_id = vouchers.id
   where vouchers.project_id = ${project_id} and ${condition})`;
