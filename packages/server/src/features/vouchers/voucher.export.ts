import { sql } from "../../platform/db/sql.js";
import {
  asItIs,
  type ExportedObject,
  type ExportField,
  type ExportRows,
  moment,
  money,
  moneyCell,
} from "../exports/index.js";
import { assetsOf } from "./voucher.body.js";
import { voucherFilterable } from "./voucher-list.filters.js";
import { live, sortKeys } from "./voucher-list.store.js";

const joins = {
  usage: sql`
    left join voucher_usage
      on voucher_usage.project_id = vouchers.project_id and voucher_usage.voucher_id = vouchers.id`,
  balance: sql`
    left join card_balances
      on card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id`,
  campaign: sql`
    left join campaigns on campaigns.project_id = vouchers.project_id and campaigns.id = vouchers.campaign_id`,
  category: sql`
    left join categories on categories.project_id = vouchers.project_id and categories.id = vouchers.category_id`,
  holder: sql`
    left join customers on customers.project_id = vouchers.project_id and customers.id = vouchers.holder_id`,
};

const discount = (key: string) => sql`vouchers.discount ->> ${key}::text`;

/** Of several units a list. */
const ofUnits = (key: string) => sql`
  case when vouchers.discount ? 'units'
       then jsonb_path_query_array(vouchers.discount, ${`$.units[*].${key}`}::jsonpath)
       else vouchers.discount -> ${key}::text end`;

/** What it is worth: off an order, on the card, or in points (vouchers-and-campaigns.md §10.4). */
const worth: ExportField = {
  value: sql`
    case vouchers.type
      when 'GIFT_VOUCHER' then jsonb_build_object('minor', card_balances.balance)
      when 'LOYALTY_CARD' then to_jsonb(card_balances.balance)
      else case vouchers.discount ->> 'type'
             when 'PERCENT' then vouchers.discount -> 'percent_off'
             when 'UNIT' then ${ofUnits("unit_off")}
             when 'FIXED' then jsonb_build_object('minor', vouchers.discount -> 'fixed_amount')
             else jsonb_build_object('minor', vouchers.discount -> 'amount_off')
           end
    end`,
  from: "balance",
  cell(value) {
    const worth = value as number | number[] | { minor: number | null } | null;
    if (worth === null || typeof worth === "number" || Array.isArray(worth)) return worth;
    // A formula alone has no amount.
    return worth.minor === null ? null : moneyCell(worth.minor);
  },
};

const asset = (kind: "qr" | "barcode"): ExportField => ({
  value: sql`vouchers.code`,
  cell: (code, { seal, public_url, project_id }) =>
    assetsOf({ seal, public_url: () => public_url }, { id: project_id }, String(code))[kind].url,
});

const balanceOf = (type: string) => sql`case when vouchers.type = ${type}::text then card_balances.balance end`;

const fields: ExportRows["fields"] = {
  code: asItIs(sql`vouchers.code`),
  voucher_type: asItIs(sql`vouchers.type`),
  value: worth,
  discount_type: asItIs(discount("type")),
  formula: asItIs(sql`coalesce(${discount("amount_off_formula")}, ${discount("percent_off_formula")},
    ${discount("fixed_amount_formula")}, ${discount("unit_off_formula")})`),
  campaign: asItIs(sql`campaigns.name`, "campaign"),
  category: asItIs(sql`categories.name`, "category"),
  start_date: moment(sql`vouchers.start_date`),
  expiration_date: moment(sql`vouchers.expiration_date`),
  gift_balance: money(balanceOf("GIFT_VOUCHER"), "balance"),
  loyalty_balance: asItIs(balanceOf("LOYALTY_CARD"), "balance"),
  redemption_quantity: asItIs(sql`vouchers.quantity`),
  redemption_count: asItIs(sql`coalesce(voucher_usage.redeemed_quantity, 0)`, "usage"),
  active: asItIs(sql`vouchers.active is not false`),
  qr_code: asset("qr"),
  bar_code: asset("barcode"),
  id: asItIs(sql`vouchers.id`),
  is_referral_code: asItIs(sql`coalesce(vouchers.is_referral_code, false)`),
  created_at: moment(sql`vouchers.created_at`),
  updated_at: moment(sql`vouchers.updated_at`),
  validity_timeframe_interval: asItIs(sql`vouchers.validity_timeframe ->> 'interval'`),
  validity_timeframe_duration: asItIs(sql`vouchers.validity_timeframe ->> 'duration'`),
  validity_day_of_week: asItIs(sql`vouchers.validity_day_of_week`),
  discount_amount_limit: money(sql`(vouchers.discount ->> 'amount_limit')::double precision`),
  campaign_id: asItIs(sql`vouchers.campaign_id`),
  additional_info: asItIs(sql`vouchers.additional_info`),
  customer_id: asItIs(sql`vouchers.holder_id`),
  discount_effect: asItIs(discount("effect")),
  discount_unit_type: asItIs(ofUnits("unit_type")),
  discount_unit_effect: asItIs(sql`case when vouchers.discount ->> 'type' = 'UNIT' then ${ofUnits("effect")} end`),
  validation_rules_id: asItIs(sql`array(
    select validation_rules_assignments.rule_id from validation_rules_assignments
     where validation_rules_assignments.project_id = vouchers.project_id
       and validation_rules_assignments.related_object_id = vouchers.id
     order by validation_rules_assignments.id)`),
  customer_source_id: asItIs(sql`customers.source_id`, "holder"),
};

const voucherExport: ExportedObject = {
  name: "voucher",
  default_fields: ["code", "voucher_type", "value", "discount_type"],
  default_order: "-created_at",
  of(project) {
    const { created_at, updated_at, code } = sortKeys(project.id);
    return {
      table: sql`vouchers`,
      joins,
      conditions: [live],
      fields,
      orders: { created_at, updated_at, code },
      filterable: voucherFilterable(project),
      only: { campaign_id: (id) => sql`vouchers.campaign_id = ${id}` },
      metadata: { object: "voucher", document: sql`vouchers.metadata` },
    };
  },
};

export const exported = [voucherExport];
