import type { Context } from "../../platform/context.js";
import { followedBy, listBody } from "../../platform/http/lists.js";
import { countsOf, type Filterable, filterCondition, pageOf } from "../../platform/listing/index.js";
import { knownCampaign } from "../campaigns/index.js";
import { knownCard } from "../loyalties/members/index.js";
import { knownProgram } from "../loyalties/programs/index.js";
import { findOrderNames } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher, type VoucherRow } from "../vouchers/index.js";
import { campaignTransactionFilterable, transactionFilterable } from "./transaction.filters.js";
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

/** Of all cards of a campaign; of one whose codes hold nothing there are none. */
export async function readTransactionsOfCampaign(
  context: Context,
  call: Call,
  id_or_name: string,
  query: FilteredTransactionQuery,
) {
  const { id: campaign_id } = await knownCampaign(context.db, call.project_id, id_or_name);
  return listed(context, call, { campaign_id }, campaignTransactionFilterable, query);
}

export async function readTransactionsOfProgram(
  context: Context,
  call: Call,
  id_or_name: string,
  query: FilteredTransactionQuery,
) {
  const { id: campaign_id } = await knownProgram(context.db, call.project_id, id_or_name);
  return listed(context, call, { campaign_id }, campaignTransactionFilterable, query);
}

/** Of a member's card, alone or under its program. */
export const readTransactionsOfMember = async (
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  query: FilteredTransactionQuery,
) => readTransactions(context, call, await knownCard(context.db, call, code_or_id, program), query);

const readTransactions = (context: Context, call: Call, { id }: VoucherRow, query: FilteredTransactionQuery) =>
  listed(context, call, { voucher_id: id }, transactionFilterable, query);

async function listed(
  { db }: Context,
  call: Call,
  of: { voucher_id: string } | { campaign_id: string },
  filterable: Filterable,
  query: FilteredTransactionQuery,
): Promise<TransactionList> {
  const { project_id, project, instant } = call;
  const today = { instant, time_zone: project.timezone };
  const filters = query.filters ? filterCondition(query.filters, filterable, today) : null;
  const page = pageOf(query);
  const found = await listTransactions(db, project_id, of, filters, query.order ?? "-id", page);
  const order_ids = [...new Set(found.rows.flatMap(({ order_id }) => order_id ?? []))];
  const named = order_ids.length > 0 ? await findOrderNames(db, project_id, { ids: order_ids, source_ids: [] }) : [];
  const orders = new Map(named.map((order) => [order.id, order]));
  return {
    ...listBody(
      "data",
      found.rows.map((entry) => toTransactionBody(entry, orders)),
      countsOf(found, page),
    ),
    ...followedBy(found.has_more, found.rows),
  };
}
