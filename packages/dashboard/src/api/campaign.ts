import type { Schemas } from "./client.js";

export type Campaign = Schemas["Campaign"];

/** Whether its codes are still being made. */
export const isGenerating = ({ vouchers_generation_status, creation_status }: Campaign) =>
  vouchers_generation_status === "IN_PROGRESS" || creation_status === "IN_PROGRESS";

export type CampaignState = "active" | "disabled" | "scheduled" | "expired" | "generating" | "failed" | "draft";

/** Whether a campaign runs, or why it does not. */
export function stateOf(campaign: Campaign, now: number = Date.now()): CampaignState {
  const { creation_status, vouchers_generation_status, active, start_date, expiration_date } = campaign;
  if (creation_status === "DRAFT") return "draft";
  if (creation_status === "FAILED" || vouchers_generation_status === "FAILED") return "failed";
  if (isGenerating(campaign)) return "generating";
  if (active === false) return "disabled";
  if (expiration_date && Date.parse(expiration_date) <= now) return "expired";
  return start_date && Date.parse(start_date) > now ? "scheduled" : "active";
}
