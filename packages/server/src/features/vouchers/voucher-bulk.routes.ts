import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { withProblems } from "../../platform/http/schema.js";
import { AsyncActionStarted, startBulk } from "../async-actions/index.js";
import { callOf } from "../projects/index.js";
import type { VoucherEntry } from "./voucher.jobs.js";
import { VouchersBulkUpdate, VouchersMetadataUpdate } from "./voucher-bulk.schemas.js";

/** Vouchers that are changed together at most: each is a key (architecture.md §3). */
const together_max = 200;

/** The answer names an action, which does the work later (vouchers-and-campaigns.md §8). */
export function voucherBulkRoutes(app: App, context: Context): void {
  const tags = ["vouchers"];
  const response = withProblems({ 202: AsyncActionStarted });

  app.post(
    "/v1/vouchers/bulk/async",
    { schema: { operationId: "update-vouchers-in-bulk", tags, body: VouchersBulkUpdate, response } },
    (request, reply) => {
      void reply.code(202);
      const entries = request.body.map(({ code, metadata }): VoucherEntry => ({ code, metadata }));
      return startBulk(context, callOf(request), { type: "VOUCHERS.BULK_UPDATE", entries, together_max });
    },
  );

  app.post(
    "/v1/vouchers/metadata/async",
    { schema: { operationId: "update-vouchers-metadata-in-bulk", tags, body: VouchersMetadataUpdate, response } },
    (request, reply) => {
      void reply.code(202);
      const { codes: entries, metadata } = request.body;
      return startBulk(context, callOf(request), { type: "VOUCHERS.METADATA_UPDATE", entries, metadata, together_max });
    },
  );
}
