import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import type { Check, RuleNode } from "../explanation.js";

/** What the service says of drafts and carts that nobody has saved. */
export const previewQuery = ({ api }: Pick<Project, "api">, asked: Schemas["PreviewInput"] | null) =>
  queryOptions({
    queryKey: ["rules", "preview", asked],
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { carts } = await bodyOf(api.POST("/dashboard/v1/preview", { body: asked ?? { carts: [] } }));
      return carts.map(verdictOf);
    },
  });

export interface Verdict {
  holds: boolean;
  /** What each condition saw; null: none was looked at. */
  node: RuleNode | null;
  /** In the words of the rule, or else the service's. */
  reason: string | null;
  /** Of the rule itself, for whoever is told no. */
  message: string | null;
  total: number | null;
  off: number | null;
}

interface Told {
  explanation?: { checks?: Check[] };
  result?: { error?: { message?: string; error?: { message?: string } } };
}

function verdictOf({ redeemable, order }: Schemas["Preview"]["carts"][number]): Verdict {
  const { explanation, result } = redeemable as unknown as Told;
  const checks = explanation?.checks ?? [];
  // What has to be known first is looked at once before and once after a discount is; the last one saw most.
  const about = checks.filter(({ check }) => check === "rules");
  const failed = checks.find(({ check, holds }) => !holds && check !== "effect");
  const { total_amount = null, total_discount_amount = null } = (order ?? {}) as Record<string, number | undefined>;
  return {
    holds: failed === undefined,
    node: about.at(-1)?.node ?? null,
    reason: result?.error?.message ?? null,
    message: result?.error?.error?.message ?? null,
    total: total_amount,
    off: total_discount_amount,
  };
}
