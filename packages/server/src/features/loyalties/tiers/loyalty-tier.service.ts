import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { change, readUnderKeys } from "../../../recording/index.js";
import type { Campaign } from "../../campaigns/index.js";
import type { Call } from "../../projects/index.js";
import { knownProgram } from "../programs/index.js";
import { tierCreated } from "./loyalty-tier.events.js";
import type { LoyaltyTier } from "./loyalty-tier.js";
import {
  type TierBody,
  type TierExpirationBody,
  type TierInput,
  type TierQuery,
  tiers_max,
} from "./loyalty-tier.schemas.js";
import { findTier, findTiersOfPrograms, insertTiers, listTiers } from "./loyalty-tier.store.js";
import { assertPricesMeant, mappingsOf } from "./mappings.js";
import { lookAtMembers } from "./walks/tier-walk.js";

/** `POST …/tiers`: all of them or none (loyalty.md §8.1). */
export async function createTiers(
  context: Context,
  call: Call,
  id_or_name: string,
  inputs: readonly TierInput[],
): Promise<TierBody[]> {
  return change(context, call, async (change) => {
    const { tx, tell, edited } = change;
    const campaign = await lockTiersOf(tx, call, id_or_name);
    const stored = await findTiersOfPrograms(tx, call.project_id, [campaign.id]);
    const made = inputs.map((input, i) => newTier(call, campaign, input, i));
    assertApart(stored, made);
    await assertPricesMeant(tx, call.project_id, made);
    await insertTiers(tx, call.project_id, made);
    edited(...made.map(({ id }) => ({ kind: "loyalty_tier", id })));
    tell(...made.map((tier) => tierCreated(campaign, tier)));
    await lookAtMembers(change, campaign.id, false);
    return made.map((tier) => toTierBody(tier));
  });
}

/** The program under the key of its tiers, so that two edits at once see each other's ranges. */
const lockTiersOf = (tx: Tx, { project_id }: Call, id_or_name: string): Promise<Campaign> =>
  readUnderKeys(
    tx,
    () => knownProgram(tx, project_id, id_or_name),
    ({ id }) => [{ project_id, kind: "name", id: `tiers of ${id}` }],
  );

function newTier({ instant }: Call, campaign: Campaign, input: TierInput, i: number): LoyaltyTier {
  const { name, points, metadata } = input;
  const { from: points_from = 0, to: points_to = null } = points;
  if (points_to !== null && points_to < points_from)
    throw problems.invalidPayload(`Property [${i}].points.to must be >= ${points_from}`);
  return {
    id: newId("ltr"),
    campaign_id: campaign.id,
    name,
    points_from,
    points_to,
    earning_rules: mappingsOf(input, "earning_rules", i),
    rewards: mappingsOf(input, "rewards", i),
    metadata: metadata ?? {},
    created_at: instant,
    updated_at: null,
  };
}

/** No points belong to two tiers; some may belong to none. */
function assertApart(stored: readonly LoyaltyTier[], made: readonly LoyaltyTier[]): void {
  if (stored.length + made.length > tiers_max)
    throw problems.invalidPayload(`A loyalty program has at most ${tiers_max} tiers`);
  for (const [i, tier] of made.entries()) {
    const other = [...stored, ...made.slice(0, i)].find((one) => overlap(one, tier));
    if (other)
      throw problems.invalidPayload(`Property [${i}].points must not overlap with those of tier ${other.name}`);
  }
}

const overlap = (a: LoyaltyTier, b: LoyaltyTier) =>
  a.points_from <= (b.points_to ?? Number.POSITIVE_INFINITY) &&
  b.points_from <= (a.points_to ?? Number.POSITIVE_INFINITY);

export async function readTiers({ db }: Context, call: Call, id_or_name: string, query: TierQuery) {
  const { id } = await knownProgram(db, call.project_id, id_or_name);
  const page = pageOf(query);
  const listed = await listTiers(db, call.project_id, id, query.order ?? "-created_at", page);
  return listBody(
    "data",
    listed.rows.map((tier) => toTierBody(tier)),
    countsOf(listed, page),
  );
}

export async function readTier({ db }: Context, call: Call, id_or_name: string, id: string): Promise<TierBody> {
  const campaign = await knownProgram(db, call.project_id, id_or_name);
  return toTierBody(await knownTier(db, call, campaign, id));
}

/** A tier of the program. */
export async function knownTier(db: Queries, call: Call, campaign: Campaign, id: string): Promise<LoyaltyTier> {
  const tier = await findTier(db, call.project_id, campaign.id, id);
  if (!tier) throw problems.notFound("loyalty_tier", id);
  return tier;
}

/** A tier as answered; with a member, when it began and when it ends for them. */
export function toTierBody(tier: LoyaltyTier, expiration?: TierExpirationBody): TierBody {
  const { id, name, campaign_id, earning_rules, rewards, metadata, points_from, points_to } = tier;
  const points = { from: points_from, ...(points_to === null ? {} : { to: points_to }) };
  return {
    id,
    name,
    campaign_id,
    earning_rules,
    rewards,
    points,
    config: { points },
    metadata,
    created_at: isoOf(tier.created_at),
    updated_at: isoOf(tier.updated_at),
    ...(expiration ? { expiration } : {}),
    object: "loyalty_tier",
  };
}
