import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { addCsvImport } from "../../imports/index.js";
import { productsCsvImport } from "./product.import.js";
import { skusCsvImport } from "./sku.import.js";

/** `/v1/products/importCSV` and `/v1/skus/importCSV` (vouchers-and-campaigns.md §9.2). */
export function productImportRoutes(app: App, context: Context): void {
  const of_the_catalogue = { tag: "products", status: 200 as const, parametersOf: async () => ({}) };
  addCsvImport(app, context, {
    ...of_the_catalogue,
    url: "/v1/products/importCSV",
    operationId: "import-products-using-csv",
    kind: productsCsvImport,
  });
  addCsvImport(app, context, {
    ...of_the_catalogue,
    url: "/v1/skus/importCSV",
    operationId: "import-skus-using-csv",
    kind: skusCsvImport,
  });
}
