import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { addUploadRoutes } from "../../../platform/http/bodies/uploads.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { CsvForm, consumed, importFile, importRows, keepingFile } from "../../imports/index.js";
import { callOf } from "../../projects/index.js";
import { assertCodesFree, importedFields, VouchersImport } from "../../vouchers/index.js";
import { CampaignParams } from "../campaign.schemas.js";
import { campaignCsvImport, campaignImport, importedInto } from "./campaign-import.kinds.js";

/** `/v1/campaigns/:campaignId/import` and `…/importCSV` (vouchers-and-campaigns.md §9). */
export function campaignImportRoutes(app: App, context: Context): void {
  const tags = ["campaigns"];
  const params = CampaignParams;

  app.post(
    "/v1/campaigns/:campaignId/import",
    {
      schema: {
        operationId: "import-vouchers-to-campaign",
        tags,
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

  addUploadRoutes(app, (uploads) => {
    uploads.post(
      "/v1/campaigns/:campaignId/importCSV",
      {
        preValidation: keepingFile(context, campaignCsvImport),
        schema: {
          operationId: "import-vouchers-to-campaign-using-csv",
          tags,
          ...consumed,
          params,
          body: CsvForm,
          response: withProblems({ 200: AsyncActionStarted }),
        },
      },
      (request) =>
        importFile(context, request, campaignCsvImport, ({ tx }) =>
          importedInto(tx, callOf(request).project_id, request.params.campaignId),
        ),
    );
  });
}
