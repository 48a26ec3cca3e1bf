import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { addCsvImport } from "../imports/index.js";
import { customersCsvImport } from "./customer.import.js";

/** `/v1/customers/importCSV` (vouchers-and-campaigns.md §9.2). */
export function customerImportRoutes(app: App, context: Context): void {
  addCsvImport(app, context, {
    url: "/v1/customers/importCSV",
    operationId: "import-customers-using-csv",
    tag: "customers",
    status: 202,
    kind: customersCsvImport,
    parametersOf: async () => ({}),
  });
}
