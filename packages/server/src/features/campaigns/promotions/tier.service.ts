import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../../recording/index.js";
import { invalid } from "../../../terms/index.js";
import { resolveCategories } from "../../categories/index.js";
import { assertUnitsExist } from "../../products/index.js";
import type { Call } from "../../projects/index.js";
import {
  changedTier,
  deleteTier,
  findTier,
  findTiersOfCampaigns,
  insertTiers,
  listTiers,
  newTiers,
  type PromotionTier,
  placed,
  rulesNamed,
  type TierBody,
  type TierInput,
  type TierQuery,
  type TierUpdate,
  tierBodies,
  updateTiers,
} from "../../promotions/index.js";
import { setRules } from "../../validation-rules/index.js";
import { tierEvent } from "../campaign.events.js";
import type { Campaign } from "../campaign.js";
import { findCampaignsByIds } from "../campaign.store.js";
import { editKeys, knownCampaign, lockCampaign } from "../known-campaign.js";
import { takeOutOfStacks } from "./stack.service.js";

/** Of a campaign: more than anybody reads through; every one is judged when a cart is asked about. */
export const tiers_max = 1000;

/** `POST /v1/promotions/:campaignId/tiers` (redemption.md §14). */
export const createTier = (context: Context, call: Call, id_or_name: string, input: TierInput): Promise<TierBody> =>
  change(context, call, (change) => makeTier(change, call, id_or_name, input));

/** The same within a change that makes more than the tier. */
export async function makeTier(change: Change, call: Call, id_or_name: string, input: TierInput): Promise<TierBody> {
  const { project_id, instant } = call;
  const { tx, tell, edited } = change;
  const campaign = await lockCampaign(tx, call, id_or_name, (named) => editKeys(project_id, named));
  assertPromotion(campaign);
  const others = await findTiersOfCampaigns(tx, project_id, [campaign.id]);
  if (others.length >= tiers_max) throw invalid("campaign", `A campaign has at most ${tiers_max} promotion tiers`);
  const last = others.at(-1)?.hierarchy ?? 0;
  const [draft] = newTiers([input], { campaign_id: campaign.id, instant, last, at: () => "" });
  if (!draft) throw new Error("one input makes one tier");
  await assertUnitsExist(tx, project_id, [draft.discount]);
  const [category] = await resolveCategories(change, [input]);
  const tier = { ...draft, category_id: category?.id ?? null };
  // Whoever stands at its place already, and those behind, make room.
  const is_taken = others.some(({ hierarchy }) => hierarchy === tier.hierarchy);
  const moved = is_taken ? others.filter(({ hierarchy }) => hierarchy >= tier.hierarchy) : [];
  await updateTiers(
    tx,
    project_id,
    moved.map((one) => ({ ...one, hierarchy: one.hierarchy + 1 })),
  );
  await insertTiers(tx, project_id, [tier]);
  await setRules(change, rulesNamed(input), { id: tier.id, type: "promotion_tier" });
  tell(tierEvent("created", campaign, tier));
  edited({ kind: "promotion_tier", id: tier.id });
  return bodyOf(tx, call, tier, campaign);
}

/** `PUT /v1/promotions/tiers/:promotionTierId`; another hierarchy moves the others (redemption.md §14). */
export async function changeTier(context: Context, call: Call, id: string, input: TierUpdate): Promise<TierBody> {
  const { project_id, instant } = call;
  return change(context, call, async (change) => {
    const { tx, tell, edited } = change;
    const { tier: stored, campaign } = await lockTier(change, id);
    const [category] = await resolveCategories(change, [input]);
    const category_id = category === undefined ? stored.category_id : (category?.id ?? null);
    const changed = { ...changedTier(stored, input, instant), category_id };
    if (input.action?.discount) await assertUnitsExist(tx, project_id, [changed.discount]);
    const tier = await storePlaced(tx, project_id, changed, input.hierarchy ?? null);
    await setRules(change, rulesNamed(input), { id, type: "promotion_tier" });
    tell(tierEvent("updated", campaign, tier));
    edited({ kind: "promotion_tier", id });
    return bodyOf(tx, call, tier, campaign);
  });
}

/** Stores a tier, with the others of its campaign where it takes another place among them. */
async function storePlaced(
  tx: Tx,
  project_id: string,
  tier: PromotionTier,
  hierarchy: number | null,
): Promise<PromotionTier> {
  if (hierarchy === null || hierarchy === tier.hierarchy) {
    await updateTiers(tx, project_id, [tier]);
    return tier;
  }
  const all = await findTiersOfCampaigns(tx, project_id, [tier.campaign_id]);
  const others = all.filter(({ id }) => id !== tier.id);
  const in_place = placed(others, { ...tier, hierarchy });
  await updateTiers(tx, project_id, in_place);
  return in_place.find(({ id }) => id === tier.id) ?? tier;
}

/** `POST …/enable` and `…/disable`; what is so already stays as it is, and nobody is told. */
export async function switchTier(context: Context, call: Call, id: string, active: boolean): Promise<TierBody> {
  return change(context, call, async (change) => {
    const { tx, tell, edited } = change;
    const { tier: stored, campaign } = await lockTier(change, id);
    if (stored.active === active) return bodyOf(tx, call, stored, campaign);
    const tier = { ...stored, active, updated_at: call.instant };
    await updateTiers(tx, call.project_id, [tier]);
    tell(tierEvent(active ? "enabled" : "disabled", campaign, tier));
    edited({ kind: "promotion_tier", id });
    return bodyOf(tx, call, tier, campaign);
  });
}

/** Its redemptions stay; its rules are no longer assigned to anything, and stacks go on without it. */
export async function removeTier(context: Context, call: Call, id: string): Promise<void> {
  await change(context, call, async (change) => {
    const { tier, campaign } = await lockTier(change, id);
    await setRules(change, [], { id, type: "promotion_tier" });
    await takeOutOfStacks(change, campaign, id);
    await deleteTier(change.tx, call.project_id, id);
    change.tell(tierEvent("deleted", campaign, tier));
    change.edited({ kind: "promotion_tier", id });
  });
}

export async function readTier({ db }: Context, call: Call, id: string): Promise<TierBody> {
  const { tier, campaign } = await knownTier(db, call.project_id, id);
  return bodyOf(db, call, tier, campaign);
}

/** `GET /v1/promotions/tiers`, newest first unless said otherwise. */
export async function readTiers({ db }: Context, call: Call, query: TierQuery) {
  const { project_id, instant } = call;
  const page = pageOf(query);
  const available = query.is_available === undefined ? null : { is: query.is_available, at: instant };
  const listed = await listTiers(db, project_id, available, query.order ?? "-created_at", page);
  const campaign_ids = [...new Set(listed.rows.map(({ campaign_id }) => campaign_id))];
  const campaigns = campaign_ids.length ? await findCampaignsByIds(db, project_id, campaign_ids) : [];
  const tiers = await tierBodies(db, project_id, listed.rows, campaigns);
  return listBody("tiers", tiers, { ...countsOf(listed, page), has_more: listed.has_more });
}

/** `GET /v1/promotions/:campaignId/tiers`: all of them, by their hierarchy. */
export async function readTiersOfCampaign({ db }: Context, call: Call, id_or_name: string) {
  const campaign = await knownCampaign(db, call.project_id, id_or_name);
  const tiers = await findTiersOfCampaigns(db, call.project_id, [campaign.id]);
  const bodies = await tierBodies(db, call.project_id, tiers, [campaign]);
  return listBody("tiers", bodies, { total: bodies.length, has_more: false });
}

/** A tier under the keys of its campaign, which may be edited beside it. */
async function lockTier({ tx, cause: { project_id } }: Change, id: string) {
  return readUnderKeys(
    tx,
    () => knownTier(tx, project_id, id),
    ({ campaign }) => editKeys(project_id, campaign),
  );
}

async function knownTier(db: Queries, project_id: string, id: string) {
  const tier = await findTier(db, project_id, id);
  if (!tier) throw problems.notFound("promotion_tier", id);
  return { tier, campaign: await knownCampaign(db, project_id, tier.campaign_id) };
}

async function bodyOf(db: Queries, { project_id }: Call, tier: PromotionTier, campaign: Campaign): Promise<TierBody> {
  const [body] = await tierBodies(db, project_id, [tier], [campaign]);
  if (!body) throw new Error("a tier of its campaign has a body");
  return body;
}

function assertPromotion({ campaign_type }: Campaign): void {
  if (campaign_type === "PROMOTION") return;
  throw invalid("campaign", `Promotion tiers belong to campaigns of type PROMOTION, not ${campaign_type}`);
}
