import {
  collectedSince,
  type Day,
  moveTier,
  type TierFacts,
  type TierMove,
  type TierStanding,
  type TierStay,
  type TiersExpiration,
  tierSettings,
} from "@guerdon/engine";
import { findCollected, localDay, monthOf } from "../../../../books/index.js";
import type { NewEvent } from "../../../../events/index.js";
import type { Instant } from "../../../../platform/clock.js";
import type { Tx } from "../../../../platform/db/database.js";
import type { Change } from "../../../../recording/index.js";
import { findCampaignsByIds } from "../../../campaigns/index.js";
import type { Project } from "../../../projects/index.js";
import type { LoyaltyTier } from "../loyalty-tier.js";
import { findTiersOfPrograms } from "../loyalty-tier.store.js";
import { tierEvent } from "./membership.events.js";
import { deleteTierMembers, findTierMembers, keepTierMembers, type TierMember } from "./membership.store.js";

/** A card as it is by now, in somebody's hands. */
export interface CardToMove {
  id: string;
  campaign_id: string | null;
  holder_id: string | null;
  balance: number | null;
  /** Points that the same change collects on it, and has yet to write. */
  collecting?: number;
}

type MemberCard = CardToMove & { campaign_id: string; holder_id: string };

/**
 * Moves cards to the tiers that their balances and points put them in at an instant, and tells of it (loyalty.md §8.4). Under
 * the cards' keys; what it finds is written at once, so that the same change may ask for tiers, and move them, again.
 */
export async function moveTiers(
  change: Change,
  project: Pick<Project, "id" | "timezone">,
  cards: readonly CardToMove[],
  instant: Instant,
): Promise<void> {
  const moved = await keepMoves(change.tx, project, cards, { day: localDay(instant, project.timezone), instant });
  for (const { events } of moved) change.tell(...events);
}

/** When cards are looked at, and by which rule: by what qualifies, unless said. */
interface Moving {
  day: Day;
  instant: Instant;
  decide?: (facts: TierFacts, day: Day) => TierMove;
}

/** The same for whoever tells of each card on behalf of another; cards that stay where they are have no events. */
export async function keepMoves(
  tx: Tx,
  { id: project_id }: Pick<Project, "id">,
  cards: readonly CardToMove[],
  { day, instant, decide = moveTier }: Moving,
): Promise<{ card_id: string; events: NewEvent[] }[]> {
  const held = cards.filter(isHeld);
  const campaign_ids = [...new Set(held.map(({ campaign_id }) => campaign_id))];
  const tiers = campaign_ids.length === 0 ? [] : await findTiersOfPrograms(tx, project_id, campaign_ids);
  if (tiers.length === 0) return [];
  const tiered = held.filter(({ campaign_id }) => tiers.some((tier) => tier.campaign_id === campaign_id));
  const by_id = new Map(tiers.map((tier) => [tier.id, tier]));
  const standings = await readStandings(tx, project_id, tiered, tiers, day);
  const kept: TierMember[] = [];
  const gone: string[] = [];
  const moved = standings.map(({ card, stored, facts }) => {
    const { standing, changes } = decide(facts, day);
    const member = memberOf(card, stored, standing, instant);
    if (member && !isAsStored(member, stored)) kept.push(member);
    if (!member && stored) gone.push(card.id);
    const about = { voucher_id: card.id, campaign_id: card.campaign_id, holder_id: card.holder_id };
    const end = standing.current?.end ?? null;
    return { card_id: card.id, events: changes.map((change) => tierEvent(about, change, by_id, end)) };
  });
  if (kept.length > 0) await keepTierMembers(tx, project_id, kept);
  if (gone.length > 0) await deleteTierMembers(tx, project_id, gone);
  return moved;
}

const isHeld = (card: CardToMove): card is MemberCard => card.campaign_id !== null && card.holder_id !== null;

interface Standing {
  card: MemberCard;
  stored: TierMember | undefined;
  facts: TierFacts;
}

async function readStandings(
  tx: Tx,
  project_id: string,
  cards: readonly MemberCard[],
  tiers: readonly LoyaltyTier[],
  day: Day,
): Promise<Standing[]> {
  const ids = cards.map(({ id }) => id);
  const campaign_ids = [...new Set(tiers.map(({ campaign_id }) => campaign_id))];
  const [campaigns, members] = await Promise.all([
    findCampaignsByIds(tx, project_id, campaign_ids),
    findTierMembers(tx, project_id, ids),
  ]);
  const settings = new Map(
    campaigns.map(({ id, loyalty_tiers_expiration }) => [
      id,
      tierSettings(loyalty_tiers_expiration as TiersExpiration | null),
    ]),
  );
  const known = cards.map((card) => {
    const stored = members.find(({ voucher_id }) => voucher_id === card.id);
    return {
      card,
      stored,
      settings: settings.get(card.campaign_id) ?? tierSettings(null),
      standing: standingOf(stored),
    };
  });
  const collected = await readCollected(tx, project_id, known, day);
  return known.map(({ card, stored, ...facts }) => ({
    card,
    stored,
    facts: {
      ...facts,
      tiers: tiers
        .filter(({ campaign_id }) => campaign_id === card.campaign_id)
        .map(({ id, points_from: from, points_to: to }) => ({ id, from, to })),
      balance: card.balance ?? 0,
      collected: collected(card),
    },
  }));
}

/** What has been collected, and what is about to be; nothing is read where balances decide. */
async function readCollected(
  tx: Tx,
  project_id: string,
  known: readonly { card: MemberCard; settings: TierFacts["settings"]; standing: TierStanding }[],
  day: Day,
) {
  const counting = known.filter(({ settings }) => settings.by === "points in period");
  const [since] = counting.map((facts) => collectedSince(facts, day)).sort();
  const ids = counting.map(({ card }) => card.id);
  const rows = since === undefined ? [] : await findCollected(tx, project_id, ids, since);
  return ({ id, collecting = 0 }: MemberCard): ReadonlyMap<Day, number> => {
    const months = new Map(
      rows.flatMap(({ voucher_id, month, points }) => (voucher_id === id ? [[month, points] as const] : [])),
    );
    if (collecting > 0) months.set(monthOf(day), (months.get(monthOf(day)) ?? 0) + collecting);
    return months;
  };
}

const stayOf = (
  tier_id: string | null,
  start: Day | null,
  end: Day | null,
  since: Day | null = null,
): TierStay | null =>
  tier_id !== null && start !== null ? { tier_id, start, end, ...(since !== null && { since }) } : null;

function standingOf(stored: TierMember | undefined): TierStanding {
  if (!stored) return { current: null, ahead: null };
  return {
    current: stayOf(stored.tier_id, stored.start_date, stored.expiration_date, stored.since_date),
    ahead: stayOf(stored.next_tier_id, stored.next_start_date, stored.next_expiration_date),
  };
}

/** Null: in no tier, and in none with the next period. */
function memberOf(
  card: MemberCard,
  stored: TierMember | undefined,
  { current, ahead }: TierStanding,
  instant: Instant,
): TierMember | null {
  if (!current && !ahead) return null;
  const is_new = !stored || stored.tier_id !== (current?.tier_id ?? null);
  return {
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    tier_id: current?.tier_id ?? null,
    start_date: current?.start ?? null,
    since_date: current?.since ?? null,
    expiration_date: current?.end ?? null,
    next_tier_id: ahead?.tier_id ?? null,
    next_start_date: ahead?.start ?? null,
    next_expiration_date: ahead?.end ?? null,
    created_at: is_new ? instant : stored.created_at,
    updated_at: is_new ? null : instant,
  };
}

const compared = [
  ...(["tier_id", "start_date", "since_date", "expiration_date"] as const),
  ...(["next_tier_id", "next_start_date", "next_expiration_date"] as const),
];
const isAsStored = (member: TierMember, stored: TierMember | undefined) =>
  stored !== undefined && compared.every((name) => member[name] === stored[name]);
