import { isOfPoints, type LedgerEntry } from "../../books/index.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { dateField, fieldInEither, fieldThrough, textField } from "../../platform/listing/index.js";
import {
  asItIs,
  type ExportedObject,
  type ExportField,
  type ExportProject,
  type ExportRows,
  moment,
  moneyCell,
} from "../exports/index.js";
import { codeKey } from "../vouchers/index.js";
import { toTransactionBody } from "./transaction.render.js";

/** Credits are money, points are not. */
const creditsOrPoints = (column: "amount" | "balance"): ExportField => ({
  value: sql`json_build_object('type', ledger_entries.type, 'amount', ledger_entries.amount, 'balance', ledger_entries.balance)`,
  cell(value) {
    const entry = value as Pick<LedgerEntry, "type" | "amount" | "balance">;
    return isOfPoints(entry) ? entry[column] : moneyCell(entry[column]);
  },
});

/** As the list of transactions shows them. */
const details: ExportField = {
  value: sql`json_build_object('entry', to_json(ledger_entries), 'order', json_build_object(
    'id', ledger_entries.order_id,
    'source_id', (select orders.source_id from orders
                   where orders.project_id = ledger_entries.project_id and orders.id = ledger_entries.order_id)))`,
  cell(value) {
    const { entry, order } = value as { entry: LedgerEntry; order: { id: string; source_id: string | null } };
    return JSON.stringify(toTransactionBody(entry, new Map([[order.id, order]])).details);
  },
};

const fields: ExportRows["fields"] = {
  id: asItIs(sql`ledger_entries.id`),
  campaign_id: asItIs(sql`ledger_entries.campaign_id`),
  voucher_id: asItIs(sql`ledger_entries.voucher_id`),
  type: asItIs(sql`ledger_entries.type`),
  source_id: asItIs(sql`ledger_entries.source_id`),
  reason: asItIs(sql`ledger_entries.reason`),
  source: asItIs(sql`ledger_entries.source`),
  balance: creditsOrPoints("balance"),
  amount: creditsOrPoints("amount"),
  related_transaction_id: asItIs(sql`ledger_entries.related_transaction_id`),
  created_at: moment(sql`ledger_entries.created_at`),
  details,
};

/** A voucher by its id or, as the service itself writes it into the filters, by its code (vouchers-and-campaigns.md §10.5). */
const voucherIdField = (project: ExportProject, voucher_id: Sql) =>
  fieldInEither([
    { field: textField(voucher_id) },
    {
      field: fieldThrough(
        textField(sql`vouchers.code_key`, (code) => codeKey(project, code)),
        (condition) => sql`${voucher_id} = any(array(
          select vouchers.id from vouchers where vouchers.project_id = ${project.id} and ${condition}))`,
      ),
    },
  ]);

/** The books of cards (vouchers-and-campaigns.md §10.2). */
export const transactionExport: ExportedObject = {
  name: "voucher_transactions",
  default_fields: ["id", "type", "source_id", "reason", "source", "balance", "amount", "created_at"],
  default_order: "-created_at",
  of: (project) => ({
    table: sql`ledger_entries`,
    fields,
    orders: { created_at: { keys: [sql`ledger_entries.created_at`, sql`ledger_entries.id`] } },
    filterable: {
      fields: {
        created_at: dateField(sql`ledger_entries.created_at`),
        voucher_id: voucherIdField(project, sql`ledger_entries.voucher_id`),
        campaign_id: textField(sql`ledger_entries.campaign_id`),
      },
    },
    only: {
      voucher_id: (id) => sql`ledger_entries.voucher_id = ${id}`,
      campaign_id: (id) => sql`ledger_entries.campaign_id = ${id}`,
    },
  }),
};

/** Points that expire, or have, by card and day (loyalty.md §6.3, §7). Those without a date are in no row. */
export const pointsExpirationExport: ExportedObject = {
  name: "points_expiration",
  default_fields: ["id", "campaign_id", "voucher_id", "status", "expires_at", "points"],
  default_order: "-expires_at",
  of: (project) => ({
    table: sql`point_lots`,
    fields: {
      id: asItIs(sql`point_lots.id`),
      campaign_id: asItIs(sql`point_lots.campaign_id`),
      voucher_id: asItIs(sql`point_lots.voucher_id`),
      status: asItIs(sql`case when point_lots.expired_at is null then 'ACTIVE' else 'EXPIRED' end`),
      expires_at: asItIs(sql`point_lots.expires_on`),
      // Of an expired one what was left when it did.
      points: asItIs(
        sql`case when point_lots.expired_at is null then point_lots.points_left else point_lots.points_expired end`,
      ),
    },
    orders: { expires_at: { keys: [sql`point_lots.expires_on`, sql`point_lots.voucher_id`] } },
    filterable: {
      fields: {
        campaign_id: textField(sql`point_lots.campaign_id`),
        voucher_id: voucherIdField(project, sql`point_lots.voucher_id`),
      },
    },
    only: { campaign_id: (id) => sql`point_lots.campaign_id = ${id}` },
  }),
};

export const exported = [transactionExport, pointsExpirationExport];
