import type { Context } from "../../platform/context.js";
import { betweenOf, idsOf, listBody } from "../../platform/http/lists.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import type { Call } from "../projects/index.js";
import { codeKey } from "./voucher.js";
import type { VoucherQuery } from "./voucher.schemas.js";
import { toVoucherBodies } from "./voucher.service.js";
import { voucherFilterable } from "./voucher-list.filters.js";
import { listVouchers, type VoucherFilter } from "./voucher-list.store.js";

/** `GET /v1/vouchers` (vouchers-and-campaigns.md §21). */
export async function readVouchers(
  context: Context,
  call: Call,
  query: VoucherQuery,
  only: Pick<VoucherFilter, "campaign_id" | "is_published"> = {},
) {
  const { project } = call;
  const today = { instant: call.instant, time_zone: project.timezone };
  const filter = {
    ...query,
    ids: idsOf(query.ids),
    code_key: query.code === undefined ? undefined : codeKey(project, query.code),
    created_at: betweenOf(query.created_at),
    updated_at: betweenOf(query.updated_at),
    filters: query.filters === undefined ? null : filterCondition(query.filters, voucherFilterable(project), today),
    ...only,
  };
  const page = pageOf(query);
  const listed = await listVouchers(context.db, call.project_id, filter, query.order ?? "-created_at", page);
  const bodies = await toVoucherBodies(context, context.db, call, listed.rows);
  return listBody("vouchers", bodies, countsOf(listed, page));
}
