import type { Instant } from "../../platform/clock.js";
import type { VoucherCampaign } from "../vouchers/index.js";

export type CampaignStatus = "DRAFT" | "IN_PROGRESS" | "DONE" | "FAILED" | "MODIFYING";

/** Which schema the campaign's metadata follows (vouchers-and-campaigns.md §2). */
export const schemaOf = ({ use_voucher_metadata_schema }: Pick<VoucherCampaign, "use_voucher_metadata_schema">) =>
  use_voucher_metadata_schema ? "voucher" : "campaign";

/** A campaign as stored (vouchers-and-campaigns.md §2). */
export interface Campaign extends VoucherCampaign {
  description: string | null;
  referral_program: Record<string, unknown> | null;
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
