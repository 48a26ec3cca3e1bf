import type { Context } from "../../platform/context.js";
import { betweenOf, idsOf, listBody, pageOf } from "../../platform/http/lists.js";
import type { Call } from "../projects/index.js";
import { codeKey } from "./voucher.js";
import type { VoucherQuery } from "./voucher.schemas.js";
import { toVoucherBodies } from "./voucher.service.js";
import { listVouchers, type VoucherFilter } from "./voucher-list.store.js";

/** `GET /v1/vouchers` (vouchers-and-campaigns.md §21). */
export async function readVouchers(
  context: Context,
  call: Call,
  query: VoucherQuery,
  only: Pick<VoucherFilter, "campaign_id" | "is_published"> = {},
) {
  const filter = {
    ...query,
    ids: idsOf(query.ids),
    code_key: query.code === undefined ? undefined : codeKey(call.project, query.code),
    created_at: betweenOf(query.created_at),
    updated_at: betweenOf(query.updated_at),
    ...only,
  };
  const order = query.order ?? "-created_at";
  const { vouchers, total } = await listVouchers(context.db, call.project_id, filter, order, pageOf(query));
  return listBody("vouchers", await toVoucherBodies(context, context.db, call, vouchers), total);
}
