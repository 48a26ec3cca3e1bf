import { inheritWindow } from "@guerdon/engine";
import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { followedBy, listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { countsOf, filterCondition, pageOf } from "../../../platform/listing/index.js";
import { type Campaign, findCampaignsByIds } from "../../campaigns/index.js";
import { findCustomer } from "../../customers/index.js";
import type { Call } from "../../projects/index.js";
import { findVouchersByIds, toVoucherBodies, type VoucherRow } from "../../vouchers/index.js";
import { holdingFilterable } from "./holding.filters.js";
import type { Holding, HoldingList, HoldingQuery } from "./holding.schemas.js";
import { listHoldings } from "./holding.store.js";

/** `GET /v1/customers/{customerId}/redeemables`: what the customer holds, whether it can be redeemed now or not. */
export async function readHoldings(
  context: Context,
  call: Call,
  id_or_source_id: string,
  query: HoldingQuery,
): Promise<HoldingList> {
  const { db } = context;
  const { project_id, instant } = call;
  const customer = await findCustomer(db, project_id, id_or_source_id);
  if (!customer) throw problems.notFound("customer", id_or_source_id);
  const today = { instant, time_zone: call.project.timezone };
  const filters = query.filters ? filterCondition(query.filters, holdingFilterable(project_id), today) : null;
  const page = pageOf(query);
  const listed = await listHoldings(db, project_id, customer.id, filters, query.order ?? "-id", page);
  const vouchers = await findVouchersByIds(
    db,
    project_id,
    listed.rows.map(({ voucher_id }) => voucher_id),
  );
  const campaign_ids = [...new Set(vouchers.flatMap(({ campaign_id }) => campaign_id ?? []))];
  const [bodies, campaigns] = await Promise.all([
    toVoucherBodies(context, db, call, vouchers),
    campaign_ids.length === 0 ? [] : findCampaignsByIds(db, project_id, campaign_ids),
  ]);
  const data = listed.rows.flatMap((row): Holding[] => {
    const i = vouchers.findIndex(({ id }) => id === row.voucher_id);
    const [voucher, body] = [vouchers[i], bodies[i]];
    if (!voucher || !body) return [];
    const campaign = campaigns.find(({ id }) => id === voucher.campaign_id);
    return [
      {
        id: row.id,
        created_at: isoOf(row.created_at),
        redeemable_id: voucher.id,
        redeemable_object: "voucher",
        customer_id: row.customer_id,
        holder_role: row.role,
        campaign_id: voucher.campaign_id,
        campaign_type: campaign?.campaign_type ?? null,
        voucher_type: voucher.type,
        redeemable: { type: "voucher", voucher: body, status: statusOf(voucher, campaign, instant) },
      },
    ];
  });
  return {
    ...listBody("data", data, countsOf(listed, page)),
    ...followedBy(listed.has_more, data),
  };
}

/** In the order in which a redemption would be refused (redemption.md §4). */
function statusOf(
  voucher: VoucherRow,
  campaign: Campaign | undefined,
  instant: Instant,
): Holding["redeemable"]["status"] {
  const { start_date, expiration_date } = campaign ? inheritWindow(voucher, campaign) : voucher;
  if (voucher.active === false || campaign?.active === false) return "DISABLED";
  if (start_date !== null && start_date > instant) return "NOT_ACTIVE_YET";
  if (expiration_date !== null && expiration_date < instant) return "EXPIRED";
  if (voucher.quantity !== null && voucher.redeemed_quantity >= voucher.quantity) return "USED";
  return voucher.balance === 0 ? "NO_BALANCE" : "ACTIVE";
}
