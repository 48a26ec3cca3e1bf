import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign } from "../../api/campaign.js";
import { bodyOf } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import { type Project, useProject } from "../../api/project.js";
import { filtersOf } from "../../api/slices.js";
import { t } from "../../text/index.js";
import { moved } from "../../ui/sortable/order.js";
import { toast } from "../../ui/toast.js";
import { hierarchiesTo, type Tier } from "./tiers.js";

type Calls = Pick<Project, "api">;

export const promotionSearch = valuesOf(["find", "after"]);
export type PromotionSearch = ReturnType<typeof promotionSearch>;

/** Each with all of its tiers. */
const campaigns_max = 20;
const stacks_max = 100;

export const promotionsQuery = ({ api }: Calls, { find, after }: PromotionSearch) =>
  queryOptions({
    queryKey: ["promotions", "campaigns", find, after],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const filters = filtersOf({ campaigns: ["$contains", find] });
      const query = { limit: campaigns_max, campaign_type: "PROMOTION", starting_after_id: after, filters } as const;
      return bodyOf(api.GET("/dashboard/v1/campaigns", { params: { query } }));
    },
  });

/** Every tier of a campaign, the first one first. */
export const tiersQuery = ({ api }: Calls, { id, promotion }: Campaign) =>
  queryOptions({
    queryKey: ["promotions", "tiers", id],
    queryFn: async () => {
      const path = { campaignId: id };
      return (await bodyOf(api.GET("/v1/promotions/{campaignId}/tiers", { params: { path } }))).tiers;
    },
    // They came with their campaign.
    ...(promotion && { initialData: promotion.tiers }),
  });

export const stacksQuery = ({ api }: Calls) =>
  queryOptions({
    queryKey: ["promotions", "stacks"],
    queryFn: () => bodyOf(api.GET("/v1/promotions/stacks", { params: { query: { limit: stacks_max } } })),
  });

interface Move {
  tiers: readonly Tier[];
  from: number;
  to: number;
}

/** What may be done to the tiers of a campaign. */
export function useTierDeeds(campaign: Campaign) {
  const project = useProject();
  const { api } = project;
  const queries = useQueryClient();
  const { queryKey } = tiersQuery(project, campaign);
  const at = (promotionTierId: string) => ({ params: { path: { promotionTierId } } });
  const onSettled = () => queries.invalidateQueries({ queryKey: ["promotions", "tiers", campaign.id] });
  const mutationKey = ["promotions", "move", campaign.id];
  const move = useMutation({
    mutationKey,
    mutationFn: async ({ tiers, from, to }: Move) => {
      for (const hierarchy of hierarchiesTo(tiers, from, to))
        await bodyOf(
          api.PUT("/v1/promotions/tiers/{promotionTierId}", { ...at(tiers[from]?.id ?? ""), body: { hierarchy } }),
        );
    },
    // One after the other, in the order in which somebody moved them.
    scope: { id: `tiers of ${campaign.id}` },
    // What the service says comes when nothing is on its way any more: what was moved meanwhile would jump back.
    onSettled: () => (queries.isMutating({ mutationKey }) <= 1 ? onSettled() : undefined),
  });
  /** Shown at once, numbered as the service does: whoever presses again means the row where it stands by then. */
  const show = (move: Move) => {
    void queries.cancelQueries({ queryKey });
    queries.setQueryData(
      queryKey,
      moved(move.tiers, move.from, move.to).map((tier, i) => ({ ...tier, hierarchy: i + 1 })),
    );
  };
  const turn = useMutation({
    mutationFn: async ({ tier, active }: { tier: Tier; active: boolean }) => {
      if (active) await bodyOf(api.POST("/v1/promotions/tiers/{promotionTierId}/enable", at(tier.id)));
      else await bodyOf(api.POST("/v1/promotions/tiers/{promotionTierId}/disable", at(tier.id)));
    },
    onSuccess: (_answer, { tier, active }) => {
      const words = active ? t.promotions.enabled : t.promotions.disabled;
      toast(words(tier.name), () => turn.mutate({ tier, active: !active }));
    },
    onSettled,
  });
  const moveTier = (one: Move) => {
    show(one);
    move.mutate(one);
  };
  return { moveTier, move, turn };
}
