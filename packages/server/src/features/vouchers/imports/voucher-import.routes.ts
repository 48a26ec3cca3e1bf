import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { addCsvImport, importRows } from "../../imports/index.js";
import { callOf } from "../../projects/index.js";
import { assertCodesFree, importedFields, vouchersCsvImport, vouchersImport } from "./voucher-import.kinds.js";
import { VouchersCsvForm, VouchersImport } from "./voucher-import.schemas.js";

/** `/v1/vouchers/import` and `/v1/vouchers/importCSV` (vouchers-and-campaigns.md §9). */
export function voucherImportRoutes(app: App, context: Context): void {
  app.post(
    "/v1/vouchers/import",
    {
      schema: {
        operationId: "import-vouchers",
        tags: ["vouchers"],
        body: VouchersImport,
        response: withProblems({ 202: AsyncActionStarted }),
      },
    },
    (request, reply) => {
      void reply.code(202);
      const call = callOf(request);
      return importRows(context, call, vouchersImport, request.body.map(importedFields), async ({ tx }) => {
        await assertCodesFree(tx, call.project, request.body);
        return {};
      });
    },
  );

  addCsvImport(app, context, {
    url: "/v1/vouchers/importCSV",
    operationId: "import-vouchers-using-csv",
    tag: "vouchers",
    status: 202,
    kind: vouchersCsvImport,
    form: VouchersCsvForm,
    async parametersOf({ body }) {
      const { webhooks_enable, webhooks_enabled } = body as VouchersCsvForm;
      return { is_told: (webhooks_enable ?? webhooks_enabled) === "true" };
    },
  });
}
