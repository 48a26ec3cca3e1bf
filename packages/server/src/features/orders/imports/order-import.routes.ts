import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { AsyncActionStarted } from "../../async-actions/index.js";
import { importRows } from "../../imports/index.js";
import { callOf } from "../../projects/index.js";
import { OrdersImport } from "../order.schemas.js";
import { assertInitialQuantities } from "../order.service.js";
import { ordersImport } from "./order.import.js";

/** `/v1/orders/import` (rules.md §19). */
export function orderImportRoutes(app: App, context: Context): void {
  app.post(
    "/v1/orders/import",
    {
      config: { metadata_by_row: true },
      schema: {
        operationId: "import-orders",
        tags: ["orders"],
        body: OrdersImport,
        response: withProblems({ 200: AsyncActionStarted }),
      },
    },
    (request) => {
      for (const [i, order] of request.body.entries()) assertInitialQuantities(order, `[${i}]`);
      return importRows(context, callOf(request), ordersImport, request.body, async () => ({}));
    },
  );
}
