import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { voucherImportRoutes } from "./imports/voucher-import.routes.js";
import {
  DeleteQuery,
  VoucherBody,
  VoucherCreate,
  VoucherCreateAny,
  VoucherList,
  VoucherParams,
  VoucherQuery,
  VoucherUpdate,
} from "./voucher.schemas.js";
import { changeVoucher, createVoucher, readVoucher, removeVoucher, switchVoucher } from "./voucher.service.js";
import { voucherBulkRoutes } from "./voucher-bulk.routes.js";
import { readVouchers } from "./voucher-list.service.js";

/** `/v1/vouchers` (vouchers-and-campaigns.md §5, §21). */
export function voucherRoutes(app: App, context: Context): void {
  const tags = ["vouchers"];
  const params = VoucherParams;
  const response = withProblems({ 200: VoucherBody });
  voucherBulkRoutes(app, context);
  voucherImportRoutes(app, context);

  app.post(
    "/v1/vouchers",
    { schema: { operationId: "generate-random-code", tags, body: VoucherCreateAny, response } },
    (request) => createVoucher(context, callOf(request), request.body.code ?? null, request.body),
  );

  app.get(
    "/v1/vouchers",
    {
      schema: {
        operationId: "list-vouchers",
        tags,
        querystring: VoucherQuery,
        response: withProblems({ 200: VoucherList }),
      },
    },
    (request) => readVouchers(contextOf(context, request), callOf(request), request.query),
  );

  app.post(
    "/v1/vouchers/:code",
    { schema: { operationId: "create-voucher", tags, params, body: VoucherCreate, response } },
    (request) => createVoucher(context, callOf(request), request.params.code, request.body),
  );

  app.get("/v1/vouchers/:code", { schema: { operationId: "get-voucher", tags, params, response } }, (request) =>
    readVoucher(contextOf(context, request), callOf(request), request.params.code),
  );

  app.put(
    "/v1/vouchers/:code",
    { schema: { operationId: "update-voucher", tags, params, body: VoucherUpdate, response } },
    (request) => changeVoucher(context, callOf(request), request.params.code, request.body),
  );

  app.delete(
    "/v1/vouchers/:code",
    {
      schema: {
        operationId: "delete-voucher",
        tags,
        params,
        querystring: DeleteQuery,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeVoucher(context, callOf(request), request.params.code, request.query.force ?? false);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/v1/vouchers/:code/enable",
    { schema: { operationId: "enable-voucher", tags, params, response } },
    (request) => switchVoucher(context, callOf(request), request.params.code, true),
  );

  app.post(
    "/v1/vouchers/:code/disable",
    { schema: { operationId: "disable-voucher", tags, params, response } },
    (request) => switchVoucher(context, callOf(request), request.params.code, false),
  );
}
