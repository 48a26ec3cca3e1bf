import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import { stackShelf, tierShelf } from "../../features/promotions/index.js";
import type { Turns } from "../../platform/sharing/turns.js";
import type { Catalogued } from "../promotion-candidates.js";
import type { Qualification } from "./asked.js";
import { byNewest, type Candidate } from "./candidate.js";

/** Of each kind, the newest so many that may apply; a shop with more for one cart cannot show them. */
export const catalogued_max = 10_000;
/** Ids that are sorted, and entries that are looked up, in one go: some milliseconds. */
const slice_max = 500;
const work_of_look_up = 100;

/** What the catalogue found, newest first; with many, others have turns meanwhile. */
export async function cataloguedCandidates(
  turns: Turns,
  catalogue: Catalogue,
  found: Partial<Record<Catalogued, string[]>>,
  { sources, behind }: Pick<Qualification, "sources" | "behind">,
): Promise<Candidate[]> {
  const project_id = catalogue.project.id;
  const candidates: Candidate[] = [];
  const isAsked = (candidate: Candidate) =>
    (candidate.object !== "campaign" || (sources.campaigns && !hasOneCode(catalogue, candidate.id))) &&
    (behind === null || byNewest(behind, candidate) < 0);
  for (const [name, candidateOf] of Object.entries(makers) as [Catalogued, Maker][]) {
    const ids = await newest(turns, project_id, found[name] ?? []);
    for (let from = 0; from < ids.length; from += slice_max) {
      const slice = ids.slice(from, from + slice_max);
      for (const id of slice) {
        const candidate = candidateOf(catalogue, id);
        if (candidate && isAsked(candidate)) candidates.push(candidate);
      }
      if (turns.took(project_id, work_of_look_up * slice.length)) await turns.next(project_id);
    }
  }
  return candidates.sort(byNewest);
}

/** Ids begin with the time at which they were made, so that none of the others need be looked up. */
async function newest(turns: Turns, project_id: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length <= catalogued_max) return ids;
  let kept: string[] = [];
  for (let from = 0; from < ids.length; from += catalogued_max) {
    kept = [...kept, ...ids.slice(from, from + catalogued_max)].sort().slice(-catalogued_max);
    if (turns.took(project_id, work_of_look_up * catalogued_max)) await turns.next(project_id);
  }
  return kept;
}

/** Whoever knows the code of such a campaign may use it; of other campaigns each code is given to somebody. */
export const hasOneCode = (catalogue: Catalogue, id: string): boolean =>
  catalogue.shelf(campaignShelf).get(id)?.type === "STANDALONE";

type Maker = (catalogue: Catalogue, id: string) => Candidate | null;

const nothing = { campaign_type: null, voucher_type: null, code: null, holder_role: null };

const makers: Record<Catalogued, Maker> = {
  tier_ids: (catalogue, id) => promotionOf(catalogue, "promotion_tier", catalogue.shelf(tierShelf).get(id)),
  stack_ids: (catalogue, id) => promotionOf(catalogue, "promotion_stack", catalogue.shelf(stackShelf).get(id)),
  campaign_ids(catalogue, id) {
    const campaign = catalogue.shelf(campaignShelf).get(id);
    if (!campaign?.code) return null;
    const { category_id, campaign_type, created_at, code } = campaign;
    const of = { category_id, campaign_id: id, resource_id: id, resource_type: "campaign" };
    const traits = { ...nothing, ...of, campaign_type, voucher_type: code.type };
    return { object: "campaign", id, created_at, traits };
  },
};

function promotionOf(
  catalogue: Catalogue,
  object: "promotion_tier" | "promotion_stack",
  promotion: { id: string; campaign_id: string; category_id: string | null; created_at: number } | undefined,
): Candidate | null {
  const campaign = promotion && catalogue.shelf(campaignShelf).get(promotion.campaign_id);
  if (!campaign) return null;
  const { id, created_at, campaign_id } = promotion;
  const category_id = promotion.category_id ?? campaign.category_id;
  const traits = { ...nothing, category_id, campaign_id, resource_id: id, resource_type: object };
  return { object, id, created_at, traits: { ...traits, campaign_type: campaign.campaign_type } };
}
