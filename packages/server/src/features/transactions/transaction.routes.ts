import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { text, withProblems } from "../../platform/http/schema.js";
import { CardParams, MemberParams } from "../loyalties/members/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { adjustBalance } from "./balance.service.js";
import {
  BalanceBody,
  BalanceInput,
  FilteredTransactionQuery,
  TransactionList,
  TransactionQuery,
} from "./transaction.schemas.js";
import { readTransactionsOfMember, readTransactionsOfVoucher } from "./transaction.service.js";

const CodeParams = Type.Object({ code: text({ description: "Code or id of the voucher." }) });

/** Balances changed by hand, and the books of cards (vouchers-and-campaigns.md §14, loyalty.md §7). */
export function transactionRoutes(app: App, context: Context): void {
  const response = withProblems({ 200: TransactionList });

  app.post(
    "/v1/vouchers/:code/balance",
    {
      schema: {
        operationId: "update-voucher-balance",
        tags: ["vouchers"],
        params: CodeParams,
        body: BalanceInput,
        response: withProblems({ 200: BalanceBody }),
      },
    },
    (request) => adjustBalance(context, callOf(request), request.params.code, request.body),
  );

  app.get(
    "/v1/vouchers/:code/transactions",
    {
      schema: {
        operationId: "list-voucher-transactions",
        tags: ["vouchers"],
        params: CodeParams,
        querystring: TransactionQuery,
        response,
      },
    },
    (request) =>
      readTransactionsOfVoucher(contextOf(context, request), callOf(request), request.params.code, request.query),
  );

  const querystring = FilteredTransactionQuery;
  const tags = ["loyalties"];
  app.get(
    "/v1/loyalties/members/:memberId/transactions",
    { schema: { operationId: "list-loyalty-card-transactions", tags, params: CardParams, querystring, response } },
    (request) => {
      const { memberId } = request.params;
      return readTransactionsOfMember(contextOf(context, request), callOf(request), memberId, null, request.query);
    },
  );

  app.get(
    "/v1/loyalties/:campaignId/members/:memberId/transactions",
    { schema: { operationId: "list-loyalty-card-transactions-1", tags, params: MemberParams, querystring, response } },
    (request) => {
      const { memberId, campaignId } = request.params;
      return readTransactionsOfMember(
        contextOf(context, request),
        callOf(request),
        memberId,
        campaignId,
        request.query,
      );
    },
  );
}
