import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { addUploadRoutes } from "../../platform/http/bodies/uploads.js";
import { withProblems } from "../../platform/http/schema.js";
import { AsyncActionStarted } from "../async-actions/index.js";
import { CsvForm, consumed, importFile, keepingFile } from "../imports/index.js";
import { customersCsvImport } from "./customer.import.js";

/** `/v1/customers/importCSV` (vouchers-and-campaigns.md §9.2). */
export function customerImportRoutes(app: App, context: Context): void {
  addUploadRoutes(app, (uploads) => {
    uploads.post(
      "/v1/customers/importCSV",
      {
        preValidation: keepingFile(context, customersCsvImport),
        schema: {
          operationId: "import-customers-using-csv",
          tags: ["customers"],
          ...consumed,
          body: CsvForm,
          response: withProblems({ 202: AsyncActionStarted }),
        },
      },
      (request, reply) => {
        void reply.code(202);
        return importFile(context, request, customersCsvImport, async () => ({}));
      },
    );
  });
}
