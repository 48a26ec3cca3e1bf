import type { Context } from "../../platform/context.js";
import { betweenOf, idsOf, listBody } from "../../platform/http/lists.js";
import { countsOf, filterCondition, type Page, pageOf, type Today } from "../../platform/listing/index.js";
import type { Call, Project } from "../projects/index.js";
import { type Alone, type CodeSearch, type Nearest, searchCodes } from "./code-pages/index.js";
import { codeKey } from "./voucher.js";
import type { VoucherOrder, VoucherQuery } from "./voucher.schemas.js";
import { toVoucherBodies } from "./voucher.service.js";
import { voucherFilterable } from "./voucher-list.filters.js";
import { asksForMore, listVouchers, type VoucherFilter } from "./voucher-list.store.js";

/** `GET /v1/vouchers` (vouchers-and-campaigns.md §21). */
export async function readVouchers(
  context: Context,
  call: Call,
  query: VoucherQuery,
  only: Pick<VoucherFilter, "campaign_id" | "is_published"> = {},
) {
  const { project } = call;
  const asked = {
    ...query,
    ids: idsOf(query.ids),
    code_key: query.code === undefined ? undefined : codeKey(project, query.code),
    created_at: betweenOf(query.created_at),
    updated_at: betweenOf(query.updated_at),
    ...only,
  };
  const { order = "-created_at" } = query;
  const page = pageOf(query);
  const today = { instant: call.instant, time_zone: project.timezone };
  const is_alone = asksForAPart(query.filters) && !asksForMore(asked);
  const alone = is_alone ? { nearest: nearestOf(order, page) } : null;
  const found = await filtersOf(context, project, query, today, alone);
  const listed = await listVouchers(context.db, call.project_id, { ...asked, ...found }, order, page);
  const bodies = await toVoucherBodies(context, context.db, call, listed.rows);
  return listBody("vouchers", bodies, countsOf(listed, page));
}

async function filtersOf(
  { db }: Context,
  project: Project,
  { filters }: VoucherQuery,
  today: Today,
  alone: Alone | null,
): Promise<Pick<VoucherFilter, "filters" | "many" | "total">> {
  if (filters === undefined) return { filters: null, many: null, total: null };
  const ask = (holds: CodeSearch["holds"]) => filterCondition(filters, voucherFilterable(project, holds), today);
  const { holds, ...known } = await searchCodes(db, project.id, ask, alone);
  return { filters: ask(holds), ...known };
}

/** The vouchers of a page are the nearest to one end of the list, and one more tells whether others come after it. */
function nearestOf(order: VoucherOrder, { after_id, offset, limit }: Page): Nearest | null {
  if (after_id !== undefined || !["created_at", "-created_at"].includes(order)) return null;
  return { count: offset + limit + 1, descending: order === "-created_at" };
}

/** Whether filters that can be asked ask for one field, and for a part of it. */
function asksForAPart(filters: object = {}): boolean {
  const { junction: _, ...fields } = filters as Record<string, Record<string, object>>;
  const [asked = {}, ...others] = Object.values(fields);
  const [operator = "", ...more] = Object.keys(asked.conditions ?? asked);
  return others.length === 0 && more.length === 0 && ["$contains", "$ends_with"].includes(operator);
}
