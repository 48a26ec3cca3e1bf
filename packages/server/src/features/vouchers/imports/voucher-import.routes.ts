import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { addUploadRoutes } from "../../../platform/http/bodies/uploads.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { consumed, importFile, importRows, keepingFile } from "../../imports/index.js";
import { callOf } from "../../projects/index.js";
import { assertCodesFree, importedFields, vouchersCsvImport, vouchersImport } from "./voucher-import.kinds.js";
import { VouchersCsvForm, VouchersImport } from "./voucher-import.schemas.js";

/** `/v1/vouchers/import` and `/v1/vouchers/importCSV` (vouchers-and-campaigns.md §9). */
export function voucherImportRoutes(app: App, context: Context): void {
  const tags = ["vouchers"];
  const response = withProblems({ 202: AsyncActionStarted });

  app.post(
    "/v1/vouchers/import",
    { schema: { operationId: "import-vouchers", tags, body: VouchersImport, response } },
    (request, reply) => {
      void reply.code(202);
      const call = callOf(request);
      return importRows(context, call, vouchersImport, request.body.map(importedFields), async ({ tx }) => {
        await assertCodesFree(tx, call.project, request.body);
        return {};
      });
    },
  );

  addUploadRoutes(app, (uploads) => {
    uploads.post(
      "/v1/vouchers/importCSV",
      {
        preValidation: keepingFile(context, vouchersCsvImport),
        schema: {
          operationId: "import-vouchers-using-csv",
          tags,
          ...consumed,
          body: VouchersCsvForm,
          response,
        },
      },
      (request, reply) => {
        void reply.code(202);
        const { webhooks_enable, webhooks_enabled } = request.body;
        const is_told = (webhooks_enable ?? webhooks_enabled) === "true";
        return importFile(context, request, vouchersCsvImport, async () => ({ is_told }));
      },
    );
  });
}
