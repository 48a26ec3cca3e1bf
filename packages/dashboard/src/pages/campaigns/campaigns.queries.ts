import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Campaign, isGenerating } from "../../api/campaign.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { listOf, valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";
import { filtersOf } from "../../api/slices.js";

type Calls = Pick<Project, "api">;

export const campaignSearch = listOf(["find", "type", "status", "category", "sort", "after"]);
export type CampaignSearch = ReturnType<typeof campaignSearch>;

/** The draft that a wizard goes on with. */
export const wizardSearch = valuesOf(["draft"]);

export const campaign_types = [
  "DISCOUNT_COUPONS",
  "GIFT_VOUCHERS",
  "LOYALTY_PROGRAM",
  "REFERRAL_PROGRAM",
  "PROMOTION",
] as const;

/** What a list can be narrowed to, and how the service asks for it. */
export const campaign_states = {
  active: "$active",
  scheduled: "$before_start",
  expired: "$expired",
  disabled: "$disabled",
  generating: "$in_progress",
  failed: "$failed",
} as const;
export const campaign_orders = ["-created_at", "created_at", "-updated_at"] as const;

export const campaignsQuery = ({ api }: Calls, { find, type, status, category, sort, after }: CampaignSearch) =>
  queryOptions({
    queryKey: ["campaigns", "list", find, type, status, category, sort, after],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const campaign_type = campaign_types.find((one) => one === type);
      const order = campaign_orders.find((one) => one === sort) ?? "-created_at";
      const state = Object.entries(campaign_states).find(([name]) => name === status)?.[1];
      const filters = filtersOf({
        name: ["$contains", find],
        status: [state ?? "", state && "true"],
        categories: ["$is", category],
      });
      const query = { limit: 50, order, campaign_type, starting_after_id: after, filters };
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
