import { countLots, type LotRow, listLots } from "../../../books/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Call } from "../../projects/index.js";
import type { VoucherRow } from "../../vouchers/index.js";
import { knownCard } from "../members/index.js";
import type { BucketBody, BucketList, BucketQuery } from "./bucket.schemas.js";

/** `GET …/members/:memberId/points-expiration`: those that are not over, by day, and last what does not expire. */
export async function readBuckets(
  { db }: Context,
  call: Call,
  code_or_id: string,
  program: string,
  { limit = 10, page = 1 }: BucketQuery,
): Promise<BucketList> {
  const { project_id } = call;
  const card = await knownCard(db, call, code_or_id, program);
  const offset = (page - 1) * limit;
  const [dated, lots] = await Promise.all([
    countLots(db, project_id, card.id),
    listLots(db, project_id, card.id, { limit, offset }),
  ]);
  const undated = undatedOf(card, dated.points);
  const data: BucketBody[] = lots.map(toBucketBody);
  if (undated && dated.lots >= offset && data.length < limit) data.push(undated);
  return { object: "list", data_ref: "data", data, total: dated.lots + (undated ? 1 : 0) };
}

function toBucketBody({ id, voucher_id, campaign_id, expires_on, points_left, created_at, updated_at }: LotRow) {
  return {
    ...bodyOf({ id, voucher_id, campaign_id, points: points_left, created_at: isoOf(created_at) }),
    expires_at: expires_on,
    ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
  };
}

/**
 * Points without a day are in no row: they are what the others leave of the balance, and named after their card. A card that
 * never had any shows none.
 */
function undatedOf({ id, campaign_id, balance, opening, created_at }: VoucherRow, dated: number): BucketBody | null {
  const points = (balance ?? 0) - dated;
  if (points === 0 && !opening) return null;
  const name = id.replace(/^v_/, "lopb_");
  return bodyOf({ id: name, voucher_id: id, campaign_id, points, created_at: isoOf(created_at) });
}

const bodyOf = ({
  points,
  ...names
}: Pick<BucketBody, "id" | "voucher_id" | "campaign_id" | "created_at"> & { points: number }): BucketBody => ({
  ...names,
  bucket: { total_points: points },
  status: "ACTIVE",
  object: "loyalty_points_bucket",
});
