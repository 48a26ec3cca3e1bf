import { type ActivityWindow, type CodeConfig, type Discount, foldCode, type Lot } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import type { Project } from "../projects/index.js";
import type { LoyaltyCard } from "./loyalty-card.js";

export type VoucherType = "DISCOUNT_VOUCHER" | "GIFT_VOUCHER" | "LOYALTY_CARD";

/** How a gift card pays, and the credit it was made with; what is left stands in its balance. */
export interface Gift {
  amount: number;
  effect: "APPLY_TO_ORDER" | "APPLY_TO_ITEMS";
}

/** What all vouchers made at once have in common. */
export interface NewVoucher extends ActivityWindow {
  campaign_id: string | null;
  type: VoucherType;
  discount: Discount | null;
  gift: Gift | null;
  loyalty_card: LoyaltyCard | null;
  /** Redemptions allowed; null is without limit. */
  quantity: number | null;
  category_id: string | null;
  active: boolean | null;
  additional_info: string | null;
  metadata: Record<string, unknown>;
  is_referral_code: boolean | null;
}

/** A voucher as stored, with its usage and, for cards, its balance (vouchers-and-campaigns.md §1). */
export interface VoucherRow extends NewVoucher {
  id: string;
  code: string;
  /** The code as codes are compared in this project. */
  code_key: string;
  holder_id: string | null;
  publish_count: number;
  created_at: Instant;
  updated_at: Instant | null;
  redeemed_quantity: number;
  /** Credits in minor units or points; null for discount vouchers. balance = added − subtracted − expired − redeemed. */
  opening: number | null;
  added: number | null;
  subtracted: number | null;
  expired: number | null;
  redeemed: number | null;
  balance: number | null;
  /** Points of a loyalty card that are not in the balance yet; else null. */
  pending: number | null;
  /** Of a loyalty card's points those that expire, by day; else null. Lists read the first alone. */
  lots: readonly Lot[] | null;
}

/** A lock that a validation has put on a voucher (redemption.md §12). */
export interface VoucherLock {
  session_key: string;
  /** Credits it reserves beside one redemption, minor units. */
  credits: number;
  expires_at: Instant;
}

/** What live locks hold of a voucher: summed, since a popular code has a hundred thousand of them. */
export interface VoucherLocks {
  sessions: number;
  credits: number;
  /** Those among them whose keys the requests name. */
  own: readonly VoucherLock[];
}

/** The locks after one of them was given up; unknown keys change nothing. */
export function withoutLock(locks: VoucherLocks, session_key: string): VoucherLocks {
  const given_up = locks.own.find((lock) => lock.session_key === session_key);
  if (!given_up) return locks;
  const { sessions, credits, own } = locks;
  return {
    sessions: sessions - 1,
    credits: credits - given_up.credits,
    own: own.filter((lock) => lock !== given_up),
  };
}

/** The locks with one more, in the place of one of the same key. */
export function withLock(locks: VoucherLocks, lock: VoucherLock): VoucherLocks {
  const { sessions, credits, own } = withoutLock(locks, lock.session_key);
  return { sessions: sessions + 1, credits: credits + lock.credits, own: [...own, lock] };
}

/** What must be known of a voucher to lock all that a redemption of it needs. */
export interface NamedVoucher {
  id: string;
  code_key: string;
  campaign_id: string | null;
  type: VoucherType;
  /** Rules assigned to it, oldest first; its campaign's are not among them. */
  rule_ids: readonly string[];
}

/** A voucher with its locks: what deciding reads. */
export interface LockedVoucher extends VoucherRow, NamedVoucher {
  locks: VoucherLocks;
}

/** What a campaign gives each of its vouchers (vouchers-and-campaigns.md §2.1). */
export interface VoucherTemplate {
  type: VoucherType;
  discount?: Discount;
  gift?: Gift;
  loyalty_card?: LoyaltyCard;
  redemption: { quantity: number | null };
  code_config: CodeConfig & { initial_count?: number };
  is_referral_code: boolean;
}

/** A campaign, as far as its vouchers depend on it. */
export interface VoucherCampaign extends ActivityWindow {
  id: string;
  name: string;
  campaign_type: "DISCOUNT_COUPONS" | "GIFT_VOUCHERS" | "LOYALTY_PROGRAM" | "REFERRAL_PROGRAM" | "PROMOTION";
  type: "AUTO_UPDATE" | "STATIC" | "STANDALONE";
  voucher: VoucherTemplate | null;
  category_id: string | null;
  metadata: Record<string, unknown>;
  use_voucher_metadata_schema: boolean;
}

/** A code in the form in which the project compares codes (vouchers-and-campaigns.md §3.3). */
export function codeKey({ case_sensitive_codes }: Pick<Project, "case_sensitive_codes">, code: string): string {
  return case_sensitive_codes ? code : foldCode(code);
}
