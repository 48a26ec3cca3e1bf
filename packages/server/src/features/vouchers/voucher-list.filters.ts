import { type Sql, sql } from "../../platform/db/sql.js";
import {
  booleanField,
  dateField,
  type Field,
  type Filterable,
  fieldInEither,
  fieldOf,
  fieldThrough,
  metadataField,
  numberField,
  numbersField,
  type Part,
  presenceField,
  stateField,
  type Test,
  textField,
} from "../../platform/listing/index.js";
import type { Project } from "../projects/index.js";
import { codeKey } from "./voucher.js";

export const changed_at = sql`coalesce(vouchers.updated_at, vouchers.created_at)`;

const created_at = dateField(sql`vouchers.created_at`);

/**
 * What `filters` of `GET /v1/vouchers` may ask for (rules.md §15). Behind each: migration 0020, docs/adr/0018.
 * @param holds the condition that a code holds a part, where it was looked up
 */
export function voucherFilterable(
  project: Pick<Project, "id" | "case_sensitive_codes">,
  holds?: (part: Part) => Sql,
): Filterable {
  const { id: project_id } = project;
  const code = textField(sql`vouchers.code_key`, (text) => codeKey(project, text), holds);
  const category = throughCategory(project_id);
  const campaign = throughCampaign(project_id, textField(sql`campaigns.name`));
  const campaign_id = textField(sql`vouchers.campaign_id`);
  const category_id = category(textField(sql`categories.id`));
  return {
    fields: {
      id: textField(sql`vouchers.id`),
      code,
      vouchers: fieldByCodeOrId(project),
      type: textField(sql`vouchers.type`),
      active: states(project_id),
      campaign,
      campaign_id,
      campaign_ids: campaign_id,
      category: category(textField(sql`categories.name`)),
      categories: category(textField(sql`categories.name`)),
      category_id,
      category_ids: category_id,
      holder_id: textField(sql`vouchers.holder_id`),
      published_for_customer_id: publishedFor(project_id),
      is_referral_code: booleanField(sql`vouchers.is_referral_code`),
      start_date: dateField(sql`vouchers.start_date`),
      expiration_date: dateField(sql`vouchers.expiration_date`),
      validity_timeframe: presenceField(sql`vouchers.validity_timeframe`),
      validity_day_of_week: numbersField(sql`vouchers.validity_day_of_week`),
      created_at,
      created_date: created_at,
      updated_at: dateField(sql`vouchers.updated_at`, changed_at),
      "redemption.quantity": numberField(sql`vouchers.quantity`),
      "redemption.redeemed_quantity": redeemedQuantity(project_id),
      "redemption.redeemed_amount": redeemedOf(project_id, "GIFT_VOUCHER"),
      "redemption.redeemed_points": redeemedOf(project_id, "LOYALTY_CARD"),
    },
    prefixes: { metadata: (key) => metadataField(sql`vouchers.metadata`, documentOf(project_id), key) },
    not_yet: ["redemption_status", "redemption.*"],
  };
}

/** Written as the index is, whose entries begin with the project. */
const documentOf =
  (project_id: string) =>
  (json: string): Sql =>
    sql`
    (vouchers.metadata <> '{}'
     and metadata_of_project(vouchers.project_id, vouchers.metadata) @> metadata_of_project(${project_id}::text, ${json}::jsonb))`;

/** Categories are few; one that was deleted counts as none. */
const throughCategory = (project_id: string) => (inner: Field) =>
  fieldThrough(
    inner,
    (condition) => sql`vouchers.category_id = any(array(
      select categories.id from categories where categories.project_id = ${project_id} and ${condition}))`,
  );

const throughCampaign = (project_id: string, inner: Field) =>
  fieldThrough(
    inner,
    (condition) => sql`vouchers.campaign_id = any(array(
      select campaigns.id from campaigns where campaigns.project_id = ${project_id} and ${condition}))`,
    sql`vouchers.campaign_id is not null`,
  );

const publishedFor = (project_id: string) =>
  fieldThrough(
    textField(sql`publications.customer_id`),
    (condition) => sql`vouchers.id in (
      select publications.voucher_id from publications
       where publications.project_id = ${project_id} and publications.result = 'SUCCESS'
         and publications.voucher_id is not null and ${condition}
      union all
      select publication_vouchers.voucher_id
        from publications
        join publication_vouchers
          on publication_vouchers.project_id = publications.project_id
         and publication_vouchers.publication_id = publications.id
       where publications.project_id = ${project_id} and ${condition})`,
  );

function fieldByCodeOrId(project: Pick<Project, "case_sensitive_codes">): Field {
  const by_code = textField(sql`vouchers.code_key`, (text) => codeKey(project, text));
  return fieldInEither([{ field: by_code }, { field: textField(sql`vouchers.id`) }]);
}

/** Whether none at all satisfies what is asked of a number. */
const zeroSatisfies: Readonly<Record<string, (operands: readonly number[]) => boolean>> = {
  $is: (operands) => operands.includes(0),
  $in: (operands) => operands.includes(0),
  $has_value: () => true,
  $more_than: (operands) => operands.some((operand) => operand < 0),
  $less_than: (operands) => operands.some((operand) => operand > 0),
  $more_than_equal: (operands) => operands.some((operand) => operand <= 0),
  $less_than_equal: (operands) => operands.some((operand) => operand >= 0),
};

/** A voucher that was never redeemed has no row that says so: none but those are left out whose row says otherwise. */
function redeemedQuantity(project_id: string): Field {
  const counted = (condition: Sql) => sql`exists (select from voucher_usage
    where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = vouchers.id and ${condition})`;
  const inner = numberField(sql`voucher_usage.redeemed_quantity`);
  const tests = Object.entries(zeroSatisfies).map(([operator, ofZero]): [string, Test] => [
    operator,
    (asked) => {
      const test = inner.get(operator)?.(asked) ?? sql`false`;
      return ofZero(asked.operands.map(Number)) ? sql`not ${counted(sql`not (${test})`)}` : counted(test);
    },
  ]);
  return fieldOf(Object.fromEntries(tests));
}

/** What was spent of a card; other vouchers have nothing that could be. */
const redeemedOf = (project_id: string, type: "GIFT_VOUCHER" | "LOYALTY_CARD") =>
  fieldThrough(
    numberField(sql`card_balances.redeemed`),
    (condition) => sql`(vouchers.type = ${type} and exists (
      select from card_balances
       where card_balances.project_id = ${project_id} and card_balances.voucher_id = vouchers.id and ${condition}))`,
    sql`vouchers.type = ${type}`,
  );

/** A voucher without dates of its own has those of its campaign (vouchers-and-campaigns.md §4). */
function states(project_id: string): Field {
  const byDate = (name: "start_date" | "expiration_date", comparison: Sql) => (instant: string) => {
    const [own, inherited] =
      name === "start_date"
        ? [sql`vouchers.start_date`, sql`campaigns.start_date`]
        : [sql`vouchers.expiration_date`, sql`campaigns.expiration_date`];
    return sql`(${own} ${comparison} ${instant}
      or (${own} is null and vouchers.campaign_id = any(array(
            select campaigns.id from campaigns
             where campaigns.project_id = ${project_id} and ${inherited} ${comparison} ${instant}))))`;
  };
  const expired = byDate("expiration_date", sql`<`);
  const before_start = byDate("start_date", sql`>`);
  const enabled = sql`vouchers.active is not false`;
  const active = (instant: string) =>
    sql`(${enabled} and (${expired(instant)}) is not true and (${before_start(instant)}) is not true)`;
  const used = (condition: Sql) => sql`exists (
    select from voucher_usage where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = vouchers.id
       and ${condition})`;
  return stateField({
    $active: active,
    $expired: expired,
    $before_start: before_start,
    $enabled: () => enabled,
    $disabled: () => sql`vouchers.active = false`,
    $redeemed: () => used(sql`voucher_usage.redeemed_quantity > 0`),
    $redeemable: (instant) => sql`(${active(instant)}
      and not ${used(sql`voucher_usage.redeemed_quantity >= vouchers.quantity`)}
      and not exists (select from card_balances where card_balances.project_id = ${project_id}
                         and card_balances.voucher_id = vouchers.id and card_balances.balance = 0))`,
  });
}

/** For the document of the API: kept beside the fields so that both change together. */
export const voucher_filter_fields =
  "code, vouchers, type, active, campaign, campaign_ids, category, category_ids, holder_id, published_for_customer_id, is_referral_code, start_date, expiration_date, validity_timeframe, validity_day_of_week, created_at, updated_at, redemption.quantity, redemption.redeemed_quantity, redemption.redeemed_amount, redemption.redeemed_points, metadata.<key>";
