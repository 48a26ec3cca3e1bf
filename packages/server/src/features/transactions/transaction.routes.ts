import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { text, withProblems } from "../../platform/http/schema.js";
import { CardParams, MemberParams } from "../loyalties/members/index.js";
import { ProgramParams } from "../loyalties/programs/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { adjustBalance, adjustPoints } from "./balance.service.js";
import {
  BalanceBody,
  BalanceInput,
  CampaignTransactionQuery,
  FilteredTransactionQuery,
  PointsBalanceBody,
  PointsInput,
  TransactionList,
  TransactionQuery,
} from "./transaction.schemas.js";
import {
  readTransactionsOfCampaign,
  readTransactionsOfMember,
  readTransactionsOfProgram,
  readTransactionsOfVoucher,
} from "./transaction.service.js";

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

  const of_points = { tags: ["loyalties"], body: PointsInput, response: withProblems({ 200: PointsBalanceBody }) };
  app.post(
    "/v1/loyalties/members/:memberId/balance",
    { schema: { operationId: "update-loyalty-card-balance", ...of_points, params: CardParams } },
    (request) => adjustPoints(context, callOf(request), request.params.memberId, null, request.body),
  );
  app.post(
    "/v1/loyalties/:campaignId/members/:memberId/balance",
    { schema: { operationId: "update-loyalty-card-balance-1", ...of_points, params: MemberParams } },
    (request) => {
      const { memberId, campaignId } = request.params;
      return adjustPoints(context, callOf(request), memberId, campaignId, request.body);
    },
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

  const of_campaign = { params: ProgramParams, querystring: CampaignTransactionQuery, response };
  app.get(
    "/v1/campaigns/:campaignId/transactions",
    { schema: { operationId: "list-campaign-transactions", tags: ["campaigns"], ...of_campaign } },
    (request) =>
      readTransactionsOfCampaign(
        contextOf(context, request),
        callOf(request),
        request.params.campaignId,
        request.query,
      ),
  );
  app.get(
    "/v1/loyalties/:campaignId/transactions",
    { schema: { operationId: "list-loyalty-campaign-transactions", tags: ["loyalties"], ...of_campaign } },
    (request) =>
      readTransactionsOfProgram(contextOf(context, request), callOf(request), request.params.campaignId, request.query),
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
