import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Campaign, isGenerating } from "../../api/campaign.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;

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
