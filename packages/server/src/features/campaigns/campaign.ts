import type { Instant } from "../../platform/clock.js";
import type { VoucherCampaign } from "../vouchers/index.js";
import type { ReferralProgram } from "./referral-program.schemas.js";

export type CampaignStatus = "DRAFT" | "IN_PROGRESS" | "DONE" | "FAILED" | "MODIFYING";

/** Which schema the campaign's metadata follows (vouchers-and-campaigns.md §2). */
export const schemaOf = ({ use_voucher_metadata_schema }: Pick<VoucherCampaign, "use_voucher_metadata_schema">) =>
  use_voucher_metadata_schema ? "voucher" : "campaign";

/** A campaign as stored (vouchers-and-campaigns.md §2). */
export interface Campaign extends VoucherCampaign {
  description: string | null;
  /** What a referral campaign counts and gives; null for any other. */
  referral_program: ReferralProgram | null;
  loyalty_tiers_expiration: Record<string, unknown> | null;
  auto_join: boolean;
  join_once: boolean;
  activity_duration_after_publishing: string | null;
  active: boolean;
  protected: boolean;
  creation_status: CampaignStatus;
  vouchers_generation_status: CampaignStatus;
  created_at: Instant;
  updated_at: Instant | null;
}
