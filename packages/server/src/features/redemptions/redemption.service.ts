import { columnsOfRedeemed, findRedemption, type RedemptionRow, redeemedOf } from "../../books/index.js";
import {
  type Deciding,
  type DecidingBody,
  readShown,
  redeemableViews,
  requestTogether,
  type SingleBody,
  type SituationBody,
  singleRequest,
  trackingOf,
} from "../../deciding/index.js";
import type { Queries } from "../../platform/db/database.js";
import { betweenOf, listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import { findCampaign } from "../campaigns/index.js";
import { findCustomer } from "../customers/index.js";
import { knownCard } from "../loyalties/members/index.js";
import { findOrderRedemptions, type Order, type OrderRedemption, toOrderBody } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { codeKey, findVoucher } from "../vouchers/index.js";
import { recordExplaining } from "./redemption.record.js";
import { surroundingsOf, surroundingsSeen, toRedemptionBody } from "./redemption.render.js";
import type { MemberRedemptionInput, RedemptionBody, RedemptionQuery, RedemptionsBody } from "./redemption.schemas.js";
import { listRedemptions } from "./redemption.store.js";
import type { RecordedRedemption } from "./redemption.success.js";
import { redemptionFilterable } from "./redemption-list.filters.js";

/** `POST /v1/redemptions`: validates and redeems together (redemption.md §8). */
export async function redeem(
  deciding: Deciding,
  call: Call,
  body: DecidingBody,
  shownOf: RedemptionView = asItIs,
): Promise<RedemptionsBody> {
  const { context, record } = deciding;
  const request = await requestTogether(deciding, call, body, trackingOf(context.seal, call.project_id));
  return record(request, recordExplaining(deciding), async (redeemed: RecordedRedemption, db) => {
    const around = await surroundingsSeen(context, db, redeemed);
    // What was redeemed is shown by its redemption, with the order that this left.
    const left_out = redeemed.decision.outcomes.filter(({ status }) => status !== "APPLICABLE");
    const shown = await readShown(db, request, left_out);
    const views = await redeemableViews(context.turns, redeemed.shared, request, left_out, shown, null);
    const bodyOf = (row: RedemptionRow) => shownOf(toRedemptionBody(around, row));
    return {
      redemptions: redeemed.redemptions.map(bodyOf),
      ...(redeemed.parent ? { parent_redemption: bodyOf(redeemed.parent) } : {}),
      ...(redeemed.order
        ? { order: toOrderBody(redeemed.order, await redemptionsOf(db, redeemed, redeemed.order)) }
        : {}),
      inapplicable_redeemables: views.filter((view) => view.status === "INAPPLICABLE"),
      skipped_redeemables: views.filter((view) => view.status === "SKIPPED"),
    };
  });
}

/** What the caller is shown of a redemption. */
type RedemptionView = (redemption: RedemptionBody) => RedemptionBody;

const asItIs: RedemptionView = (redemption) => redemption;

/** `POST /v1/vouchers/{code}/redemption`: the older call for one voucher. */
export const redeemVoucher = (
  deciding: Deciding,
  call: Call,
  code: string,
  { gift, reward, ...situation }: SingleBody,
  shownOf: RedemptionView = asItIs,
): Promise<RedemptionBody> =>
  redeemSingle(deciding, call, { object: "voucher", id: code, gift, reward }, situation, shownOf);

/** A member's card: whoever holds it redeems (loyalty.md §9.4). */
export async function redeemCard(
  deciding: Deciding,
  call: Call,
  code_or_id: string,
  program: string | null,
  { reward, ...situation }: MemberRedemptionInput,
): Promise<RedemptionBody> {
  const { id, holder_id } = await knownCard(deciding.context.db, call, code_or_id, program);
  const customer = holder_id === null ? null : { id: holder_id };
  return redeemSingle(deciding, call, { object: "voucher", id, reward }, { ...situation, customer });
}

/** One redeemable alone, as the older calls name it in their path (redemption.md §15). */
export async function redeemSingle(
  { context, record, refusals }: Deciding,
  call: Call,
  redeemable: DecidingBody["redeemables"][number],
  situation: SituationBody,
  shownOf: RedemptionView = asItIs,
): Promise<RedemptionBody> {
  const request = singleRequest(call, redeemable, situation, trackingOf(context.seal, call.project_id));
  return record(request, recordExplaining({ refusals }), async (redeemed: RecordedRedemption, db) => {
    const [row] = redeemed.redemptions;
    if (!row) throw new Error("a granted request redeems something");
    return shownOf(toRedemptionBody(await surroundingsSeen(context, db, redeemed), row));
  });
}

/** A new order has been redeemed on once; a known one is asked for what came before. */
async function redemptionsOf(
  db: Queries,
  { request, redemptions, parent }: RecordedRedemption,
  order: Order,
): Promise<OrderRedemption[]> {
  if (order.updated_at !== null) return findOrderRedemptions(db, request.call.project_id, [order.id]);
  const [first] = redemptions;
  const whole = parent ?? first;
  if (!whole) return [];
  const { id, campaign_id, created_at } = whole;
  const stacked = parent ? redemptions.map((child) => child.id) : null;
  const undone = { rollback_id: null, rollback_date: null, rollback_stacked: null };
  const redeemed = columnsOfRedeemed(redeemedOf(whole));
  return [{ ...redeemed, id, order_id: order.id, campaign_id, created_at, stacked, ...undone }];
}

export async function readRedemption(deciding: Deciding, call: Call, id: string): Promise<RedemptionBody> {
  const row = await findRedemption(deciding.context.db, call.project_id, id);
  if (!row) throw problems.notFound("redemption", id);
  return toRedemptionBody(await surroundingsOf(deciding, call, [row]), row);
}

/** `GET /v1/redemptions` (redemption.md §17). A name that means nothing matches nothing. */
export async function readRedemptions(deciding: Deciding, call: Call, query: RedemptionQuery) {
  const { db } = deciding.context;
  const { project } = call;
  const today = { instant: call.instant, time_zone: project.timezone };
  const filters =
    query.filters === undefined ? null : filterCondition(query.filters, redemptionFilterable(project), today);
  const campaign = query.campaign === undefined ? undefined : await findCampaign(db, call.project_id, query.campaign);
  const customer = query.customer === undefined ? undefined : await findCustomer(db, call.project_id, query.customer);
  if ((query.campaign !== undefined && !campaign) || (query.customer !== undefined && !customer)) {
    return listBody("redemptions", [], 0);
  }
  const filter = {
    results: [query.result ?? []].flat(),
    campaign_id: campaign?.id,
    customer_id: customer?.id,
    created_at: betweenOf(query.created_at),
    filters,
  };
  const page = pageOf(query);
  const listed = await listRedemptions(db, call.project_id, filter, query.order ?? "-created_at", page);
  const around = await surroundingsOf(deciding, call, listed.rows);
  return listBody(
    "redemptions",
    listed.rows.map((row) => toRedemptionBody(around, row)),
    countsOf(listed, page),
  );
}

/** Entries that `GET /v1/vouchers/{code}/redemption` shows at once; the list operation pages through more. */
export const entries_max = 100;

/** `GET /v1/vouchers/{code}/redemption`: a voucher's counters with its latest redemptions and rollbacks. */
export async function readVoucherRedemption(deciding: Deciding, call: Call, code: string) {
  const { db } = deciding.context;
  const voucher = await findVoucher(db, call.project_id, code, codeKey(call.project, code));
  if (!voucher) throw problems.notFound("voucher", code);
  const filter = { results: [], voucher_id: voucher.id, created_at: { before: null, after: null } };
  const { rows, total } = await listRedemptions(db, call.project_id, filter, "-created_at", {
    limit: entries_max,
    offset: 0,
  });
  const around = await surroundingsOf(deciding, call, rows);
  return {
    quantity: voucher.quantity,
    redeemed_quantity: voucher.redeemed_quantity,
    ...(voucher.type === "GIFT_VOUCHER" ? { redeemed_amount: voucher.redeemed ?? 0 } : {}),
    ...(voucher.type === "LOYALTY_CARD" ? { redeemed_points: voucher.redeemed ?? 0 } : {}),
    object: "list" as const,
    url: `/v1/vouchers/${encodeURIComponent(voucher.code)}/redemptions?page=1&limit=10`,
    data_ref: "redemption_entries" as const,
    total,
    redemption_entries: rows.map((row) => toRedemptionBody(around, row)),
  };
}
