import { type Sql, sql } from "../../platform/db/sql.js";
import {
  booleanField,
  dateField,
  type Field,
  type Filterable,
  fieldThrough,
  metadataField,
  numbersField,
  presenceField,
  stateField,
  textField,
} from "../../platform/listing/index.js";

export const changed_at = sql`coalesce(campaigns.updated_at, campaigns.created_at)`;

export const is_referral_code = sql`coalesce((campaigns.voucher ->> 'is_referral_code')::boolean, false)`;

/** What `filters` of `GET /v1/campaigns` may ask for (vouchers-and-campaigns.md §21). */
export function campaignFilterable(project_id: string): Filterable {
  const category = throughCategory(project_id);
  const created_at = dateField(sql`campaigns.created_at`);
  const name = textField(sql`campaigns.name`);
  const id = textField(sql`campaigns.id`);
  return {
    fields: {
      id,
      campaigns_id: id,
      name,
      campaigns: name,
      campaign_type: textField(sql`campaigns.campaign_type`),
      campaign_status: textField(sql`campaigns.creation_status`),
      status: states,
      active: states,
      type: withBulk(textField(sql`campaigns.type`)),
      voucher_type: textField(sql`campaigns.voucher ->> 'type'`),
      is_referral_code: booleanField(is_referral_code),
      categories: category(textField(sql`categories.name`)),
      category_ids: category(textField(sql`categories.id`)),
      created_at,
      created_date: created_at,
      updated_at: dateField(sql`campaigns.updated_at`, changed_at),
      start_date: dateField(sql`campaigns.start_date`),
      expiration_date: dateField(sql`campaigns.expiration_date`),
      validity_timeframe: presenceField(sql`campaigns.validity_timeframe`),
      validity_day_of_week: numbersField(sql`campaigns.validity_day_of_week`),
    },
    prefixes: { metadata: (key) => metadataField(sql`campaigns.metadata`, documentOf(project_id), key) },
  };
}

/** For the document of the API: kept beside the fields so that both change together. */
export const campaign_filter_fields =
  "campaigns, campaigns_id, campaign_status, status, active, is_referral_code, voucher_type, categories, category_ids, type, created_date, updated_at, start_date, expiration_date, validity_timeframe, validity_day_of_week, metadata.<key>";

/** Written as the index is, whose entries begin with the project. */
const documentOf =
  (project_id: string) =>
  (json: string): Sql =>
    sql`
    (campaigns.metadata <> '{}'
     and metadata_of_project(campaigns.project_id, campaigns.metadata) @> metadata_of_project(${project_id}::text, ${json}::jsonb))`;

const throughCategory = (project_id: string) => (inner: Field) =>
  fieldThrough(
    inner,
    (condition) => sql`campaigns.category_id = any(array(
      select categories.id from categories where categories.project_id = ${project_id} and ${condition}))`,
  );

/** `BULK` stands for both kinds that are made of many codes. */
function withBulk(field: Field): Field {
  const widened = (operand: string) => (operand === "BULK" ? ["AUTO_UPDATE", "STATIC"] : [operand]);
  return new Map(
    [...field].map(([operator, test]) => [
      operator,
      (asked) => test({ ...asked, operands: asked.operands.flatMap(widened) }),
    ]),
  );
}

const expired = (instant: string) => sql`campaigns.expiration_date < ${instant}`;
const before_start = (instant: string) => sql`campaigns.start_date > ${instant}`;
const generating = (status: string) =>
  sql`(campaigns.creation_status = ${status} or campaigns.vouchers_generation_status = ${status})`;

const states = stateField({
  $active: (instant) => sql`(campaigns.active and (${expired(instant)}) is not true
    and (${before_start(instant)}) is not true)`,
  $expired: expired,
  $before_start: before_start,
  $enabled: () => sql`campaigns.active`,
  $disabled: () => sql`not campaigns.active`,
  $in_progress: () => generating("IN_PROGRESS"),
  $failed: () => generating("FAILED"),
});
