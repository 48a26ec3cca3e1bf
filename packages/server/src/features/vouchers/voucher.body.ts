import { nextExpiration } from "@guerdon/engine";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { toDiscountBody, toWindowBody } from "../../terms/index.js";
import { type Category, toCategoryBody } from "../categories/index.js";
import type { Project } from "../projects/index.js";
import { type Assignment, ruleAssignments } from "../validation-rules/index.js";
import type { VoucherRow } from "./voucher.js";
import type { VoucherBody } from "./voucher.schemas.js";

/** What an answer needs to show a voucher: where the service is reached, and the seal of asset ids. */
export type VoucherShowing = Pick<Context, "seal" | "public_url">;

/** A voucher as answered (vouchers-and-campaigns.md §1.1). */
export function toVoucherBody(
  context: VoucherShowing,
  project: Pick<Project, "id">,
  voucher: VoucherRow,
  campaign: { name: string } | null | undefined,
  category: Category | null | undefined,
  assignments: readonly Assignment[] = [],
): VoucherBody {
  const path = `/v1/vouchers/${encodeURIComponent(voucher.code)}`;
  return {
    id: voucher.id,
    code: voucher.code,
    campaign: campaign?.name ?? null,
    campaign_id: voucher.campaign_id,
    category: category?.name ?? null,
    category_id: category?.id ?? null,
    categories: category ? [toCategoryBody(category)] : [],
    type: voucher.type,
    discount: voucher.discount && toDiscountBody(voucher.discount),
    gift: giftBody(voucher),
    loyalty_card: loyaltyCardBody(voucher),
    ...windowBody(voucher),
    active: voucher.active,
    additional_info: voucher.additional_info,
    metadata: voucher.metadata,
    assets: assetsOf(context, project, voucher.code),
    is_referral_code: voucher.is_referral_code,
    ...holderBody(voucher),
    created_at: isoOf(voucher.created_at),
    updated_at: isoOf(voucher.updated_at),
    publish: { object: "list", count: voucher.publish_count, url: `${path}/publications?page=1&limit=10` },
    redemption: {
      quantity: voucher.quantity,
      redeemed_quantity: voucher.redeemed_quantity,
      ...redeemedBody(voucher),
      object: "list",
      url: `${path}/redemptions?page=1&limit=10`,
    },
    validation_rules_assignments: ruleAssignments(assignments),
    object: "voucher",
  };
}

/** A voucher's window is there when it is empty, unlike a campaign's; hours alone may be absent (§1.1, docs/adr/0020). */
function windowBody(voucher: VoucherRow) {
  const unset = { start_date: null, expiration_date: null, validity_timeframe: null, validity_day_of_week: null };
  return { ...unset, ...toWindowBody(voucher) };
}

/** Nobody holds a voucher before its first publication; only a referral code has a referrer (§1.1). */
function holderBody({ holder_id, is_referral_code }: VoucherRow) {
  if (holder_id === null) return {};
  return is_referral_code ? { holder_id, referrer_id: holder_id } : { holder_id };
}

function redeemedBody({ type, redeemed }: VoucherRow) {
  if (type === "GIFT_VOUCHER") return { redeemed_amount: redeemed ?? 0 };
  return type === "LOYALTY_CARD" ? { redeemed_points: redeemed ?? 0 } : {};
}

function giftBody({ type, gift, added, subtracted, balance }: VoucherRow) {
  if (type !== "GIFT_VOUCHER") return null;
  const effect = gift?.effect ?? "APPLY_TO_ORDER";
  return { amount: added ?? 0, subtracted_amount: subtracted ?? 0, balance: balance ?? 0, effect };
}

function loyaltyCardBody({ type, added, subtracted, expired, balance, lots, pending }: VoucherRow) {
  if (type !== "LOYALTY_CARD") return null;
  const next = nextExpiration({ balance: balance ?? 0, lots: lots ?? [] });
  return {
    points: added ?? 0,
    balance: balance ?? 0,
    next_expiration_date: next.expires_on,
    next_expiration_points: next.points,
    pending_points: pending ?? 0,
    expired_points: expired ?? 0,
    subtracted_points: subtracted ?? 0,
  };
}

/**
 * Ids are the code, sealed: they give it away to nobody, and whoever has one may load the image (§13). The project is in
 * them, or two projects with the same code could tell so by its id.
 */
export function assetsOf(
  { seal, public_url }: VoucherShowing,
  project: Pick<Project, "id">,
  code: string,
): VoucherBody["assets"] {
  const id = seal.token("assets of projects", `${project.id} ${code}`);
  const asset = (kind: string) => ({ id, url: `${public_url()}/v1/assets/${kind}/${encodeURIComponent(id)}` });
  return { qr: asset("qr"), barcode: asset("barcode") };
}
