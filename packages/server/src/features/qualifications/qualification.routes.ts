import type { FastifyRequest } from "fastify";
import { candidates_at_once_max, type Deciding } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { HoldingList, HoldingParams, HoldingQuery } from "./holdings/holding.schemas.js";
import { readHoldings } from "./holdings/holding.service.js";
import {
  CampaignQualificationQuery,
  OlderBody,
  QualifiedCampaigns,
  QualifiedVouchers,
  VoucherQualificationQuery,
} from "./older/older.schemas.js";
import { qualifyCampaigns, qualifyVouchers } from "./older/older.service.js";
import { QualificationAnswer, QualificationBody } from "./qualification.schemas.js";
import { qualify, rowsOfQualification } from "./qualification.service.js";

/** `/v1/qualifications` and its older forms (redemption.md §13, §15). */
export function qualificationRoutes(app: App, context: Context, deciding: Deciding): void {
  app.post(
    "/v1/qualifications",
    {
      config: { changes_nothing: true, rows: rowsOfQualification },
      schema: {
        operationId: "check-eligibility",
        tags: ["qualifications"],
        body: QualificationBody,
        response: withProblems({ 200: QualificationAnswer }),
      },
    },
    (request) => qualify({ ...deciding, context: contextOf(deciding.context, request) }, callOf(request), request.body),
  );

  app.post(
    "/v1/vouchers/qualification",
    {
      config: { changes_nothing: true, rows: () => candidates_at_once_max },
      schema: {
        operationId: "examine-vouchers-qualification",
        tags: ["vouchers"],
        description: "Older: `/v1/qualifications` says more. Codes without a campaign.",
        querystring: VoucherQualificationQuery,
        body: OlderBody,
        response: withProblems({ 200: QualifiedVouchers }),
      },
    },
    (request) => qualifyVouchers(askedBy(deciding, request), callOf(request), request.body, request.query),
  );

  app.post(
    "/v1/campaigns/qualification",
    {
      config: { changes_nothing: true, rows: () => candidates_at_once_max },
      schema: {
        operationId: "examine-campaign-qualification",
        tags: ["campaigns"],
        description: "Older: `/v1/qualifications` says more. Campaigns with codes.",
        querystring: CampaignQualificationQuery,
        body: OlderBody,
        response: withProblems({ 200: QualifiedCampaigns }),
      },
    },
    (request) => qualifyCampaigns(askedBy(deciding, request), callOf(request), request.body, request.query),
  );

  app.get(
    "/v1/customers/:customerId/redeemables",
    {
      schema: {
        operationId: "list-customer-redeemables",
        tags: ["customers"],
        params: HoldingParams,
        querystring: HoldingQuery,
        response: withProblems({ 200: HoldingList }),
      },
    },
    (request) => readHoldings(contextOf(context, request), callOf(request), request.params.customerId, request.query),
  );
}

/** What it reads ends with the client who asks. */
const askedBy = (deciding: Deciding, request: FastifyRequest): Deciding => ({
  ...deciding,
  context: contextOf(deciding.context, request),
});
