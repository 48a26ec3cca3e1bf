import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { listBody } from "../../platform/http/lists.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import { findCategoriesByIds } from "../categories/index.js";
import type { Call } from "../projects/index.js";
import { findAssignmentsTo } from "../validation-rules/index.js";
import { toCampaignBody } from "./campaign.body.js";
import type { Campaign } from "./campaign.js";
import type { CampaignBody, CampaignQuery } from "./campaign.schemas.js";
import { countVouchers } from "./campaign.store.js";
import { campaignFilterable } from "./campaign-list.filters.js";
import { listCampaigns } from "./campaign-list.store.js";

/** `GET /v1/campaigns`: without tiers, and with categories where they are asked for (vouchers-and-campaigns.md §21). */
export async function readCampaigns({ db }: Context, call: Call, query: CampaignQuery) {
  const { project_id } = call;
  const today = { instant: call.instant, time_zone: call.project.timezone };
  const filters =
    query.filters === undefined ? null : filterCondition(query.filters, campaignFilterable(project_id), today);
  const page = pageOf(query);
  const listed = await listCampaigns(db, project_id, { ...query, filters }, query.order ?? "-created_at", page);
  const bodies = await toCampaignBodies(db, project_id, listed.rows);
  return listBody("campaigns", bodies.map(expandedBy(query.expand)), countsOf(listed, page));
}

/** Areas and stores are refused wherever they could be said, so that no campaign is kept to any. */
const expandedBy = (expand: CampaignQuery["expand"]) => (body: CampaignBody) => {
  if (expand === "category") return body;
  const of_areas = { access_settings_assignments: listBody("data", [], { total: 0 }) };
  return { ...body, categories: [], ...(expand === "access_settings_assignments" ? of_areas : {}) };
};

/** Campaigns as answered, without their tiers. */
export async function toCampaignBodies(
  db: Queries,
  project_id: string,
  campaigns: readonly Campaign[],
): Promise<CampaignBody[]> {
  const ids = campaigns.map(({ id }) => id);
  const [assignments, counts, categories] = await Promise.all([
    findAssignmentsTo(db, project_id, ids),
    countVouchers(db, project_id, ids),
    findCategoriesByIds(
      db,
      project_id,
      campaigns.flatMap(({ category_id }) => category_id ?? []),
    ),
  ]);
  const counted = new Map(counts.map(({ campaign_id, vouchers_count }) => [campaign_id, vouchers_count]));
  return campaigns.map((campaign) => {
    const category = categories.find(({ id }) => id === campaign.category_id) ?? null;
    return toCampaignBody(campaign, { category, vouchers_count: counted.get(campaign.id) ?? 0, assignments });
  });
}
