import type { EventData, Turn } from "../../../events/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { findProject } from "../../projects/index.js";
import { whoIsIn } from "../../segments/index.js";
import { findTiersWithSegment } from "../tiers/referral-tier.store.js";
import type { Referral } from "./referral.js";
import { addToCampaigns, addToTiers, type Count } from "./referral.store.js";

/** In the transaction that keeps the referrals of a project. */
export interface Counting {
  tx: Tx;
  turn: Turn;
  project_id: string;
}

/** How many a referral makes: in its campaign, and of each tier that counts it by a segment. */
type Counted = Pick<EventData["customer.referred"], "referred" | "referred_by_tier">;

/** Counts new referrals for their referrers; answers what each of them makes it. */
export async function countReferrals(counting: Counting, made: readonly Referral[]): Promise<Counted[]> {
  const { tx, project_id } = counting;
  const counters = made.map(({ referrer_id, campaign_id }) => ({ referrer_id, counted_by: campaign_id }));
  const referred = await countUp(counters, (added) => addToCampaigns(tx, project_id, added));
  const of_tiers = await countForTiers(counting, made);
  return made.map((_, i) => {
    const referred_by_tier = of_tiers[i];
    return { referred: referred[i] ?? 0, ...(referred_by_tier && { referred_by_tier }) };
  });
}

/**
 * Asks the segments of tiers about those who were referred, once and now: whoever enters or leaves one later neither counts nor ceases to.
 * A tier that is switched off goes on counting.
 */
async function countForTiers({ tx, turn, project_id }: Counting, made: readonly Referral[]) {
  const tiers = await findTiersWithSegment(tx, project_id, unique(made.map(({ campaign_id }) => campaign_id)));
  const project = tiers.length === 0 ? undefined : await findProject(tx, project_id);
  if (!project) return [];
  const members = await whoIsIn(
    { db: tx, turns: turn.context.turns },
    project,
    turn.instant,
    unique(made.map(({ referee_id }) => referee_id)),
    unique(tiers.map(({ segment_id }) => segment_id)),
  );
  const counters = made.flatMap(({ campaign_id, referrer_id, referee_id }, i) =>
    tiers
      .filter((tier) => tier.campaign_id === campaign_id && members.get(tier.segment_id)?.has(referee_id))
      .map(({ id }) => ({ i, referrer_id, counted_by: id })),
  );
  const referred = await countUp(counters, (added) => addToTiers(tx, project_id, added));
  return made.map((_, i) => {
    const own = counters.flatMap((counter, k) => (counter.i === i ? [[counter.counted_by, referred[k] ?? 0]] : []));
    return own.length === 0 ? undefined : (Object.fromEntries(own) as Record<string, number>);
  });
}

/** Adds one for each, and the same counter's together; answers what each comes to, one after the other. */
async function countUp(
  counters: readonly Omit<Count, "referred">[],
  add: (added: readonly Count[]) => Promise<Count[]>,
): Promise<number[]> {
  const added = new Map<string, Count>();
  const nameOf = ({ referrer_id, counted_by }: Omit<Count, "referred">) => `${referrer_id} ${counted_by}`;
  const places = counters.map(({ referrer_id, counted_by }) => {
    const name = nameOf({ referrer_id, counted_by });
    const referred = (added.get(name)?.referred ?? 0) + 1;
    added.set(name, { referrer_id, counted_by, referred });
    return referred;
  });
  if (places.length === 0) return [];
  const counts = new Map((await add([...added.values()])).map((one) => [nameOf(one), one.referred]));
  return counters.map((counter, i) => {
    const name = nameOf(counter);
    return (counts.get(name) ?? 0) - (added.get(name)?.referred ?? 0) + (places[i] ?? 0);
  });
}

const unique = (ids: readonly string[]) => [...new Set(ids)];
