import { sql } from "../../platform/db/sql.js";
import { dateField } from "../../platform/listing/index.js";
import { customerField } from "../customers/index.js";
import { asItIs, type ExportedObject, type ExportRows, moment, money } from "../exports/index.js";
import { sortKeys } from "./redemption.store.js";
import { redemptionFilterable } from "./redemption-list.filters.js";

const joins = {
  voucher: sql`
    left join vouchers on vouchers.project_id = redemptions.project_id and vouchers.id = redemptions.voucher_id`,
  campaign: sql`
    left join campaigns on campaigns.project_id = redemptions.project_id and campaigns.id = redemptions.campaign_id`,
  customer: sql`
    left join customers on customers.project_id = redemptions.project_id and customers.id = redemptions.customer_id`,
};

/** What was spent of a card; negative on a rollback. */
const spentOf = (type: string) => sql`case when vouchers.type = ${type}::text then redemptions.amount end`;

const fields: ExportRows["fields"] = {
  id: asItIs(sql`redemptions.id`),
  object: asItIs(sql`redemptions.object`),
  date: moment(sql`redemptions.created_at`),
  voucher_code: asItIs(sql`vouchers.code`, "voucher"),
  campaign: asItIs(sql`campaigns.name`, "campaign"),
  promotion_tier_id: asItIs(sql`redemptions.promotion_tier_id`),
  customer_id: asItIs(sql`redemptions.customer_id`),
  customer_source_id: asItIs(sql`customers.source_id`, "customer"),
  customer_name: asItIs(sql`customers.name`, "customer"),
  tracking_id: asItIs(sql`redemptions.tracking_id`),
  order_id: asItIs(sql`redemptions.order_id`),
  order_amount: money(sql`redemptions.order_amount`),
  gift_amount: money(spentOf("GIFT_VOUCHER"), "voucher"),
  loyalty_points: asItIs(spentOf("LOYALTY_CARD"), "voucher"),
  result: asItIs(sql`redemptions.result`),
  failure_code: asItIs(sql`redemptions.failure_code`),
  failure_message: asItIs(sql`redemptions.failure_message`),
};

/** What the list may be filtered by, and the short names that exports have beside it (vouchers-and-campaigns.md §10.3). */
function filterableOf(project: Parameters<ExportedObject["of"]>[0]): ExportRows["filterable"] {
  const { fields, ...others } = redemptionFilterable(project);
  const { campaign_name, voucher_code } = fields;
  return {
    ...others,
    fields: {
      ...fields,
      created_at: dateField(sql`redemptions.created_at`),
      ...(campaign_name && { campaign: campaign_name }),
      ...(voucher_code && { voucher: voucher_code }),
      customer: customerField(sql`redemptions.customer_id`, project.id),
    },
  };
}

/** Redemptions, failed ones and rollbacks (vouchers-and-campaigns.md §10.2). */
const redemptionExport: ExportedObject = {
  name: "redemption",
  default_fields: ["id", "object", "voucher_code", "customer_id", "date", "result"],
  default_order: "-created_at",
  of: (project) => ({
    table: sql`redemptions`,
    joins,
    fields,
    orders: sortKeys(project.id),
    filterable: filterableOf(project),
    metadata: { object: "redemption", document: sql`redemptions.metadata` },
  }),
};

export const exported = [redemptionExport];
