import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { ExportBody, ExportOfOne, startExport } from "../exports/index.js";
import { callOf, contextOf } from "../projects/index.js";
import { orderImportRoutes } from "./imports/order-import.routes.js";
import { orderExport } from "./order.export.js";
import { OrderBody, OrderCreate, OrderList, OrderParams, OrderQuery, OrderUpdate } from "./order.schemas.js";
import { readOrder, readOrders, updateOrder, upsertOrder } from "./order.service.js";

/** `/v1/orders` (rules.md §19). */
export function orderRoutes(app: App, context: Context): void {
  const tags = ["orders"];

  app.post(
    "/v1/orders",
    {
      config: { makes: ["order_item"] },
      schema: { operationId: "create-order", tags, body: OrderCreate, response: withProblems({ 200: OrderBody }) },
    },
    (request) => upsertOrder(context, callOf(request), request.body),
  );

  orderImportRoutes(app, context);

  app.get(
    "/v1/orders",
    {
      config: { rows_are_orders: true },
      schema: { operationId: "list-orders", tags, querystring: OrderQuery, response: withProblems({ 200: OrderList }) },
    },
    (request) => readOrders(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/orders/:orderId",
    { schema: { operationId: "get-order", tags, params: OrderParams, response: withProblems({ 200: OrderBody }) } },
    (request) => readOrder(contextOf(context, request), callOf(request), request.params.orderId),
  );

  app.put(
    "/v1/orders/:orderId",
    {
      config: { makes: ["order_item"] },
      schema: {
        operationId: "update-order",
        tags,
        params: OrderParams,
        body: OrderUpdate,
        response: withProblems({ 200: OrderBody }),
      },
    },
    (request) => updateOrder(context, callOf(request), request.params.orderId, request.body),
  );

  app.post(
    "/v1/orders/export",
    {
      schema: {
        operationId: "create-order-export",
        tags,
        body: ExportOfOne,
        response: withProblems({ 200: ExportBody }),
      },
    },
    (request) => startExport(context, callOf(request), orderExport, request.body.parameters),
  );
}
