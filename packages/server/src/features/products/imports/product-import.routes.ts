import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { addUploadRoutes } from "../../../platform/http/bodies/uploads.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { CsvForm, consumed, importFile, keepingFile } from "../../imports/index.js";
import { productsCsvImport } from "./product.import.js";
import { skusCsvImport } from "./sku.import.js";

/** `/v1/products/importCSV` and `/v1/skus/importCSV` (vouchers-and-campaigns.md §9.2). */
export function productImportRoutes(app: App, context: Context): void {
  addUploadRoutes(app, (uploads) => {
    const documented = {
      tags: ["products"],
      ...consumed,
      body: CsvForm,
      response: withProblems({ 200: AsyncActionStarted }),
    };
    uploads.post(
      "/v1/products/importCSV",
      {
        preValidation: keepingFile(context, productsCsvImport),
        schema: { operationId: "import-products-using-csv", ...documented },
      },
      (request) => importFile(context, request, productsCsvImport, async () => ({})),
    );
    uploads.post(
      "/v1/skus/importCSV",
      {
        preValidation: keepingFile(context, skusCsvImport),
        schema: { operationId: "import-skus-using-csv", ...documented },
      },
      (request) => importFile(context, request, skusCsvImport, async () => ({})),
    );
  });
}
