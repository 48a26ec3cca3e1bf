import { each_redeemed, redeemed_fields } from "../../books/index.js";
import { sql } from "../../platform/db/sql.js";
import { problems } from "../../platform/http/problems.js";
import {
  type Filterable,
  fieldInEither,
  fieldOf,
  fieldThrough,
  metadataField,
  type Test,
  textField,
} from "../../platform/listing/index.js";
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
      related_object: related_object,
      related_object_type: related_object,
      user_login: user_login,
      voucher_code: fieldThrough(
        textField(sql`vouchers.code_key`, (code) => codeKey(project, code)),
        (condition) => sql`redemptions.voucher_id in (
          select vouchers.id from vouchers
           where vouchers.project_id = ${project_id} and vouchers.deleted_at is null and ${condition})`,
        sql`redemptions.voucher_id is not null`,
      ),
      campaign_name: fieldThrough(
        textField(sql`campaigns.name`),
        (condition) => sql`redemptions.campaign_id = any(array(
          select campaigns.id from campaigns where campaigns.project_id = ${project_id} and ${condition}))`,
        sql`redemptions.campaign_id is not null`,
      ),
    },
    prefixes: {
      metadata: (key) =>
        metadataField(sql`redemptions.metadata`, (part) => sql`redemptions.metadata @> ${part}::jsonb`, key),
    },
  };
}

/** For the document of the API: kept beside the fields so that both change together. */
export const redemption_filter_fields =
  "voucher_code, related_object, related_object_id, related_object_parent_id, parent_redemption_id, failure_code, result, status, object, customer_id, campaign_name, user_login, metadata.<key>";

/** Where nothing was redeemed it is of a redemption: the one it undoes, or itself. */
const of_redemption = sql`coalesce(${redeemed_fields}) is null`;

/** Whoever asks for a voucher that was deleted, to the bin or for good, finds nothing of it (vouchers-and-campaigns.md §5.4). */
const of_no_deleted_voucher = sql`(redemptions.voucher_id is null or exists (
  select from vouchers where vouchers.project_id = redemptions.project_id and vouchers.id = redemptions.voucher_id
                         and vouchers.deleted_at is null))`;

const related_object_id = fieldInEither([
  ...each_redeemed.map((column) => ({ field: textField(column), when: of_no_deleted_voucher })),
  { field: textField(sql`redemptions.redemption_id`), when: of_redemption },
  { field: textField(sql`redemptions.id`), when: sql`${of_redemption} and redemptions.redemption_id is null` },
]);

const related_objects = ["voucher", "promotion_tier", "redemption"];

/** What it is of, as it is shown: `related_object_type`. A word that is none would find nothing, whoever meant an id by it. */
const isOfKind: Test = ({ operands, path }) => {
  if (!operands.every((operand) => related_objects.includes(operand)))
    throw problems.invalidQuery(`Property ${path} must be one of: ${related_objects.join(", ")}`);
  return sql`
    case when redemptions.voucher_id is not null then 'voucher'
         when redemptions.promotion_tier_id is not null then 'promotion_tier'
         else 'redemption' end = any(${operands}::text[])`;
};
const related_object = fieldOf({ $is: isOfKind, $in: isOfKind });

const by_user = sql`redemptions.channel ->> 'channel_type' = 'USER'`;

/** Who was signed in and made it; whatever a key made is nobody's. */
const user_login = fieldThrough(
  textField(sql`lower(users.login)`, (login) => login.toLowerCase()),
  (condition) => sql`(${by_user} and redemptions.channel ->> 'channel_id' = any(array(
    -- every project: people belong to the organization
    select users.id from users where ${condition})))`,
  by_user,
);
