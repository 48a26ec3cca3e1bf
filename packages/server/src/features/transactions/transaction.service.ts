import type { Context } from "../../platform/context.js";
import { listBody } from "../../platform/http/lists.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import { knownCard } from "../loyalties/members/index.js";
import { findOrderNames } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher, type VoucherRow } from "../vouchers/index.js";
import { transactionFilterable } from "./transaction.filters.js";
import { toTransactionBody } from "./transaction.render.js";
import type { FilteredTransactionQuery, TransactionList } from "./transaction.schemas.js";
import { listTransactions } from "./transaction.store.js";

/** `GET /v1/vouchers/:code/transactions`; a voucher that holds nothing has none. */
export const readTransactionsOfVoucher = async (
  context: Context,
  call: Call,
  code_or_id: string,
  query: FilteredTransactionQuery,
) => readTransactions(context, call, await knownVoucher(context.db, call, code_or_id), query);

/** Of a member's card, alone or under its program. */
export const readTransactionsOfMember = async (
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  query: FilteredTransactionQuery,
) => readTransactions(context, call, await knownCard(context.db, call, code_or_id, program), query);

async function readTransactions(
  { db }: Context,
  call: Call,
  { id }: VoucherRow,
  query: FilteredTransactionQuery,
): Promise<TransactionList> {
  const { project_id, project, instant } = call;
  const today = { instant, time_zone: project.timezone };
  const filters = query.filters ? filterCondition(query.filters, transactionFilterable, today) : null;
  const page = pageOf(query);
  const listed = await listTransactions(db, project_id, id, filters, query.order ?? "-id", page);
  const order_ids = [...new Set(listed.rows.flatMap(({ order_id }) => order_id ?? []))];
  const named = order_ids.length > 0 ? await findOrderNames(db, project_id, { ids: order_ids, source_ids: [] }) : [];
  const orders = new Map(named.map((order) => [order.id, order]));
  const { has_more } = listed;
  const last = listed.rows.at(-1);
  return {
    ...listBody(
      "data",
      listed.rows.map((entry) => toTransactionBody(entry, orders)),
      countsOf(listed, page),
    ),
    has_more,
    ...(has_more && last ? { more_starting_after: last.id } : {}),
  };
}
