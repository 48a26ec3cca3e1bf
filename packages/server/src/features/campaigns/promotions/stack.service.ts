import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { betweenOf, listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { type Change, change } from "../../../recording/index.js";
import { invalid } from "../../../terms/index.js";
import { type Category, findCategoriesByIds, resolveCategories, toCategoryBody } from "../../categories/index.js";
import type { Call } from "../../projects/index.js";
import {
  deleteStacks,
  findStack,
  findStacksOfCampaign,
  findTiersOfCampaigns,
  insertStack,
  listStacks,
  type PromotionStack,
  type StackBody,
  type StackInput,
  type StackQuery,
  type StackUpdate,
  updateStacks,
} from "../../promotions/index.js";
import { stackEvent } from "../campaign.events.js";
import type { Campaign } from "../campaign.js";
import { editKeys, knownCampaign, lockCampaign } from "../known-campaign.js";

/** Of a campaign: more than anybody reads through. */
export const stacks_max = 1000;

/** `POST /v1/promotions/:campaignId/stacks` (redemption.md §14). */
export async function createStack(
  context: Context,
  call: Call,
  id_or_name: string,
  input: StackInput,
): Promise<StackBody> {
  const { project_id, instant } = call;
  return change(context, call, async (change) => {
    const campaign = await lockCampaign(change.tx, call, id_or_name, (named) => editKeys(project_id, named));
    const others = await findStacksOfCampaign(change.tx, project_id, campaign.id);
    if (others.length >= stacks_max) throw invalid("campaign", `A campaign has at most ${stacks_max} promotion stacks`);
    await assertTiers(change.tx, project_id, campaign.id, input.tiers.ids);
    const [category = null] = await resolveCategories(change, [input]);
    const stack: PromotionStack = {
      id: newId("stack"),
      campaign_id: campaign.id,
      name: input.name,
      tier_ids: input.tiers.ids,
      category_id: category?.id ?? null,
      created_at: instant,
      updated_at: null,
    };
    await insertStack(change.tx, project_id, stack);
    return told(change, "created", campaign, stack);
  });
}

/** `PUT /v1/promotions/:campaignId/stacks/:stackId`; what is left out stays. */
export async function changeStack(
  context: Context,
  call: Call,
  { campaignId, stackId }: StackAddress,
  input: StackUpdate,
): Promise<StackBody> {
  const { project_id, instant } = call;
  return change(context, call, async (change) => {
    const { tx } = change;
    const campaign = await lockCampaign(tx, call, campaignId, (named) => editKeys(project_id, named));
    const stored = await knownStack(tx, project_id, campaign.id, stackId);
    const tier_ids = input.tiers?.ids ?? stored.tier_ids;
    await assertTiers(tx, project_id, campaign.id, tier_ids);
    const [category] = await resolveCategories(change, [input]);
    const category_id = category === undefined ? stored.category_id : (category?.id ?? null);
    const stack = { ...stored, name: input.name ?? stored.name, tier_ids, category_id, updated_at: instant };
    await updateStacks(tx, project_id, [stack]);
    return told(change, "updated", campaign, stack);
  });
}

export async function removeStack(context: Context, call: Call, { campaignId, stackId }: StackAddress): Promise<void> {
  const { project_id } = call;
  await change(context, call, async ({ tx, tell, edited }) => {
    const campaign = await lockCampaign(tx, call, campaignId, (named) => editKeys(project_id, named));
    const stack = await knownStack(tx, project_id, campaign.id, stackId);
    await deleteStacks(tx, project_id, [stack.id]);
    tell(stackEvent("deleted", campaign, stack));
    edited({ kind: "promotion_stack", id: stack.id });
  });
}

/** A deleted tier leaves the stacks that use it; a stack that is left without tiers goes too (redemption.md §14). */
export async function takeOutOfStacks(
  { tx, cause, tell, edited }: Change,
  campaign: Campaign,
  tier_id: string,
): Promise<void> {
  const { project_id, instant } = cause;
  const stored = await findStacksOfCampaign(tx, project_id, campaign.id);
  const using = stored.filter(({ tier_ids }) => tier_ids.includes(tier_id));
  const changed = using.map((stack) => ({
    ...stack,
    tier_ids: stack.tier_ids.filter((id) => id !== tier_id),
    updated_at: instant,
  }));
  const [empty, left] = [changed.filter(isEmpty), changed.filter((stack) => !isEmpty(stack))];
  await updateStacks(tx, project_id, left);
  await deleteStacks(
    tx,
    project_id,
    empty.map(({ id }) => id),
  );
  tell(...changed.map((stack) => stackEvent(isEmpty(stack) ? "deleted" : "updated", campaign, stack)));
  edited(...changed.map(({ id }) => ({ kind: "promotion_stack", id })));
}

const isEmpty = ({ tier_ids }: PromotionStack) => tier_ids.length === 0;

interface StackAddress {
  /** Id or name. */
  campaignId: string;
  stackId: string;
}

export async function readStack(
  { db }: Context,
  call: Call,
  { campaignId, stackId }: StackAddress,
): Promise<StackBody> {
  const { project_id } = call;
  const campaign = await knownCampaign(db, project_id, campaignId);
  const stack = await knownStack(db, project_id, campaign.id, stackId);
  const [body] = await toStackBodies(db, project_id, [stack]);
  if (!body) throw new Error("a stack has one body");
  return body;
}

/** `GET /v1/promotions/stacks`. */
export async function readStacks({ db }: Context, call: Call, query: StackQuery) {
  const page = pageOf(query);
  const between = { created_at: betweenOf(query.created_at), updated_at: betweenOf(query.updated_at) };
  const listed = await listStacks(db, call.project_id, between, query.order ?? "-created_at", page);
  return listBody("data", await toStackBodies(db, call.project_id, listed.rows), countsOf(listed, page));
}

/** `GET /v1/promotions/:campaignId/stacks`: all of them, newest first. */
export async function readStacksOfCampaign({ db }: Context, { project_id }: Call, id_or_name: string) {
  const campaign = await knownCampaign(db, project_id, id_or_name);
  const stacks = await findStacksOfCampaign(db, project_id, campaign.id);
  return listBody("data", await toStackBodies(db, project_id, stacks), stacks.length);
}

async function knownStack(db: Queries, project_id: string, campaign_id: string, id: string): Promise<PromotionStack> {
  const stack = await findStack(db, project_id, campaign_id, id);
  if (!stack) throw problems.notFound("promotion_stack", id);
  return stack;
}

async function assertTiers(tx: Tx, project_id: string, campaign_id: string, ids: readonly string[]): Promise<void> {
  const known = new Set((await findTiersOfCampaigns(tx, project_id, [campaign_id])).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw problems.notFound("promotion_tier", unknown);
  if (new Set(ids).size < ids.length) throw problems.invalidPayload("Property .tiers.ids must not name a tier twice");
}

/** The answer to an edit. In its shape categories look like stacks, so it shows none; reads show the category. */
function told(
  { tell, edited }: Change,
  verb: "created" | "updated",
  campaign: Campaign,
  stack: PromotionStack,
): StackBody {
  tell(stackEvent(verb, campaign, stack));
  edited({ kind: "promotion_stack", id: stack.id });
  return { ...toStackBody(stack, undefined), category_id: stack.category_id };
}

/** Stacks as answered. */
export async function toStackBodies(
  db: Queries,
  project_id: string,
  stacks: readonly PromotionStack[],
): Promise<StackBody[]> {
  const category_ids = [...new Set(stacks.flatMap(({ category_id }) => category_id ?? []))];
  const categories = category_ids.length ? await findCategoriesByIds(db, project_id, category_ids) : [];
  return stacks.map((stack) =>
    toStackBody(
      stack,
      categories.find(({ id }) => id === stack.category_id),
    ),
  );
}

function toStackBody(stack: PromotionStack, category: Category | undefined): StackBody {
  return {
    id: stack.id,
    name: stack.name,
    tiers: { ids: [...stack.tier_ids], hierarchy_mode: "MANUAL" },
    campaign_id: stack.campaign_id,
    category_id: category?.id ?? null,
    categories: category ? [toCategoryBody(category)] : [],
    created_at: isoOf(stack.created_at),
    ...(stack.updated_at === null ? {} : { updated_at: isoOf(stack.updated_at) }),
    object: "promotion_stack",
  };
}
