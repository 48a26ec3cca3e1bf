import type { ActivityWindow } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import type { ExpirationRules } from "../../vouchers/index.js";
import type { Loyalty } from "./loyalty.schemas.js";

/** What earns points in a campaign, as stored (loyalty.md §4.1). */
export interface EarningRule extends ActivityWindow {
  id: string;
  campaign_id: string;
  event: string;
  custom_event_schema_id: string | null;
  segment_id: string | null;
  loyalty_tier_id: string | null;
  loyalty: Loyalty;
  pending_points: { period_type: "DAY"; period_value: number } | null;
  expiration_rules: ExpirationRules | null;
  banner: string | null;
  active: boolean;
  validation_rule_id: string | null;
  automation_id: string;
  metadata: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant | null;
}
