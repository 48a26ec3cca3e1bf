import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;
export type Campaign = Schemas["Campaign"];

export const campaignSearch = valuesOf(["type", "after"]);
export type CampaignSearch = ReturnType<typeof campaignSearch>;

export const campaign_types = [
  "DISCOUNT_COUPONS",
  "GIFT_VOUCHERS",
  "LOYALTY_PROGRAM",
  "REFERRAL_PROGRAM",
  "PROMOTION",
] as const;

export const campaignsQuery = ({ api }: Calls, { type, after }: CampaignSearch) =>
  queryOptions({
    queryKey: ["campaigns", "list", type, after],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const campaign_type = campaign_types.find((one) => one === type);
      const query = { limit: 50, order: "-created_at" as const, campaign_type, starting_after_id: after };
      return bodyOf(api.GET("/dashboard/v1/campaigns", { params: { query } }));
    },
  });

const at = (campaignId: string) => ({ params: { path: { campaignId } } });
const asked_again_ms = 2_000;

/** While its codes are being made it is asked for again and again. */
export const campaignQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["campaigns", "one", id],
    queryFn: async () => (await bodyOf(api.GET("/v1/campaigns/{campaignId}", at(id)))) as Campaign,
    refetchInterval: ({ state }) => (state.data && isGenerating(state.data) ? asked_again_ms : false),
  });

export const isGenerating = ({ vouchers_generation_status, creation_status }: Campaign) =>
  vouchers_generation_status === "IN_PROGRESS" || creation_status === "IN_PROGRESS";

export const summaryQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["campaigns", "summary", id],
    queryFn: () => bodyOf(api.GET("/v1/campaigns/{campaignId}/summary", at(id))),
  });

export const campaignTimelineQuery = ({ api }: Calls, campaign: string) =>
  infiniteQueryOptions({
    queryKey: ["campaigns", "timeline", campaign],
    queryFn: ({ pageParam: after }): Promise<Schemas["TimelineSlice"]> =>
      bodyOf(api.GET("/dashboard/v1/timeline", { params: { query: { campaign, limit: 50, after } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas["TimelineSlice"]) => next ?? undefined,
  });

export type CampaignState = "active" | "disabled" | "scheduled" | "expired" | "generating" | "failed" | "draft";

export function stateOf(campaign: Campaign, now: number = Date.now()): CampaignState {
  const { creation_status, vouchers_generation_status, active, start_date, expiration_date } = campaign;
  if (creation_status === "DRAFT") return "draft";
  if (creation_status === "FAILED" || vouchers_generation_status === "FAILED") return "failed";
  if (isGenerating(campaign)) return "generating";
  if (active === false) return "disabled";
  if (expiration_date && Date.parse(expiration_date) <= now) return "expired";
  return start_date && Date.parse(start_date) > now ? "scheduled" : "active";
}
