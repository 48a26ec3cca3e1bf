import { infiniteQueryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api" | "may">;
type Assignment = Schemas["RuleAssignmentList"]["data"][number];

/** Something that a rule is assigned to; what has no page of its own has no path. */
export interface Use {
  id: string;
  type: string;
  name: string;
  path: string | null;
}

interface Uses {
  data: Use[];
  next: string | undefined;
}

/** Each is looked up by its name. */
const uses_at_once = 10;

export const usesQuery = (project: Calls, rule: string) =>
  infiniteQueryOptions({
    queryKey: ["rules", "uses", rule],
    queryFn: async ({ pageParam }): Promise<Uses> => {
      const query = { limit: uses_at_once, starting_after_id: pageParam };
      const { data, total, has_more } = await bodyOf(
        project.api.GET("/v1/validation-rules/{validationRuleId}/assignments", {
          params: { path: { validationRuleId: rule }, query },
        }),
      );
      const follows = has_more ?? total > data.length;
      return {
        data: await Promise.all(data.map((one) => useOf(project, one))),
        next: follows ? data.at(-1)?.id : undefined,
      };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Uses) => next,
  });

async function useOf({ api, may }: Calls, assignment: Assignment): Promise<Use> {
  const { id, related_object_id: object_id, related_object_type: type } = assignment;
  const use = { id, type, name: object_id };
  // What was deleted meanwhile keeps its id.
  try {
    if (type === "campaign" && may("campaigns.read")) {
      const params = { path: { campaignId: object_id } };
      const { name } = (await bodyOf(api.GET("/v1/campaigns/{campaignId}", { params }))) as { name: string };
      return { ...use, name, path: `campaigns/${object_id}` };
    }
    if (type === "voucher" && may("vouchers.read")) {
      const params = { path: { code: object_id } };
      const { code } = (await bodyOf(api.GET("/v1/vouchers/{code}", { params }))) as { code: string };
      return { ...use, name: code, path: `vouchers/${encodeURIComponent(code)}` };
    }
  } catch {
    return { ...use, path: null };
  }
  return { ...use, path: null };
}
