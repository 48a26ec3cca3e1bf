import type { Static } from "typebox";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { addCsvImport, importRows } from "../../imports/index.js";
import { callOf } from "../../projects/index.js";
import { assertCodesFree, importedFields, VouchersImport } from "../../vouchers/index.js";
import { CampaignParams } from "../campaign.schemas.js";
import { campaignCsvImport, campaignImport, importedInto } from "./campaign-import.kinds.js";

/** `/v1/campaigns/:campaignId/import` and `…/importCSV` (vouchers-and-campaigns.md §9). */
export function campaignImportRoutes(app: App, context: Context): void {
  const params = CampaignParams;

  app.post(
    "/v1/campaigns/:campaignId/import",
    {
      schema: {
        operationId: "import-vouchers-to-campaign",
        tags: ["campaigns"],
        params,
        body: VouchersImport,
        response: withProblems({ 202: AsyncActionStarted }),
      },
    },
    (request, reply) => {
      void reply.code(202);
      const { body } = request;
      const call = callOf(request);
      return importRows(context, call, campaignImport, body.map(importedFields), async ({ tx }) => {
        const into = await importedInto(tx, call.project_id, request.params.campaignId);
        await assertCodesFree(tx, call.project, body);
        return into;
      });
    },
  );

  addCsvImport(app, context, {
    url: "/v1/campaigns/:campaignId/importCSV",
    operationId: "import-vouchers-to-campaign-using-csv",
    tag: "campaigns",
    status: 200,
    kind: campaignCsvImport,
    params,
    parametersOf: (request, { tx }) =>
      importedInto(tx, callOf(request).project_id, (request.params as Static<typeof CampaignParams>).campaignId),
  });
}
