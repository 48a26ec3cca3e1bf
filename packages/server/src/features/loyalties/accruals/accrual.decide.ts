import { type Day, expiresOn } from "@guerdon/engine";
import { addToCard, books, localDay } from "../../../books/index.js";
import type { Cause } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import type { Change } from "../../../recording/index.js";
import { findOrders } from "../../orders/index.js";
import type { Project } from "../../projects/index.js";
import { findVouchersByIds, type VoucherRow } from "../../vouchers/index.js";
import { findDueCards } from "../auto-redeem/index.js";
import { pendingEvent } from "../pending-points/index.js";
import { findTiersOfCards, findTiersOfPrograms, type LoyaltyTier, mappingOfRule, moveTiers } from "../tiers/index.js";
import { type Accrual, accrualEntry, causeOf, pendingOf } from "./accrual.entries.js";
import { accrualEvent } from "./accrual.events.js";
import { type EarningFactsOf, type Judging, readEarningFacts, type SetOff } from "./accrual.facts.js";
import { obstacle, type TaskPlan } from "./accrual.plan.js";
import type { Round } from "./accrual.rounds.js";
import { findRulesOfEvents, type ProgramRule } from "./accrual.store.js";
import type { EarningTask } from "./occasion.js";

/** One card that one rule may pay for one event. */
interface Due extends SetOff {
  card_id: string;
}

/** What is decided on, under the cards' keys; cards and tiers are as what was decided before has left them. */
interface Standing {
  project: Project;
  instant: Instant;
  cards: Map<string, VoucherRow>;
  tiers: Map<string, LoyaltyTier>;
  /** Points by card that are yet to be written. */
  collecting: Map<string, number>;
  facts: EarningFactsOf;
  canceled: ReadonlySet<EarningTask>;
}

/**
 * Decides what events of one project pay, the oldest rule first, and records it. What one rule pays may lift a member into
 * another tier before the next is looked at (loyalty.md §4.4). Under the cards' keys; the first statement is sent at once. What
 * rules ask for is read once, for all that a round brings.
 */
export async function accrueOfProject(
  tx: Tx,
  judging: Judging,
  { plans, card_ids, again }: Round,
  { instant, changeBy }: { instant: Instant; changeBy: (cause: Cause) => Change },
): Promise<void> {
  const [first] = plans;
  if (!first) return;
  const { project } = first;
  const cards = new Map((await findVouchersByIds(tx, project.id, [...card_ids])).map((card) => [card.id, card]));
  const due = await dueOf(tx, plans);
  const change = changeBy(causeOf(first.task, instant));
  const standing: Standing = {
    project,
    instant,
    cards,
    // Before rules are asked: they may ask for the tier.
    tiers: due.length === 0 ? new Map() : await catchUp(change, project, [...cards.values()]),
    collecting: new Map(),
    facts: await readEarningFacts(tx, judging, project.id, due, instant),
    canceled: await findCanceledOrders(tx, project.id, due),
  };
  for (const [i, one] of due.entries()) {
    const accrual = await decide(standing, one, judging);
    if (!accrual) continue;
    const change = changeBy(causeOf(one.task, instant));
    record(change, standing, accrual);
    const comes_again = again.has(one.task.customer_id ?? "");
    const is_last = !comes_again && due.slice(i + 1).every(({ card_id }) => card_id !== one.card_id);
    // Whoever is paid last is looked at with everybody whose points have moved.
    if (!is_last && !(await isSpentFirst(tx, standing, accrual.card))) await lift(change, standing, accrual.card);
  }
}

/** The rules as they are now: some were deleted meanwhile. */
async function dueOf(tx: Tx, plans: readonly TaskPlan[]): Promise<Due[]> {
  const names = [...new Set(plans.flatMap(({ pairs }) => pairs.map(({ rule }) => rule.event)))];
  const project_id = plans[0]?.project.id ?? "";
  const rules = new Map((await findRulesOfEvents(tx, project_id, names)).map((rule) => [rule.id, rule]));
  return plans.flatMap(({ task, pairs }) =>
    pairs.flatMap(({ rule: { id }, card }) => {
      const rule = rules.get(id);
      return rule ? { task, rule, card_id: card.id } : [];
    }),
  );
}

/** Orders that were canceled before their points could pend: those that cancel them have been here, and found nothing. */
async function findCanceledOrders(tx: Tx, project_id: string, due: readonly SetOff[]): Promise<Set<EarningTask>> {
  const waiting = due.flatMap(({ task, rule }) =>
    rule.pending_points && task.occasion.kind === "order" ? [{ task, id: task.occasion.order.id }] : [],
  );
  const orders = waiting.length === 0 ? [] : await findOrders(tx, project_id, waiting);
  return new Set(waiting.flatMap(({ task }, i) => (orders[i]?.status === "CANCELED" ? task : [])));
}

async function decide(standing: Standing, { task, rule, card_id }: Due, { log }: Judging): Promise<Accrual | null> {
  const { project, instant, cards, tiers, facts, canceled } = standing;
  const card = cards.get(card_id);
  // Deleted meanwhile, switched off, or in other hands.
  if (!card || card.holder_id !== task.customer_id || obstacle(project, rule, card, instant) !== null) return null;
  if (rule.pending_points && canceled.has(task)) return null;
  const holder_tier = tiers.get(card.id) ?? null;
  const mapping = mappingOfRule(holder_tier ?? undefined, rule.id) ?? null;
  const points = await facts.points(task, rule, mapping);
  if (points === 0) return null;
  const given = withPoints(card, points, rule, localDay(instant, project.timezone));
  if (given) return { task, project, rule, ...given, points, holder_tier, tier: mapping && holder_tier };
  const { event_id } = task;
  log.warn({ project_id: project.id, voucher_id: card.id, event_id }, "a card cannot hold more points");
  return null;
}

/** The card with the points on it, or with as many more that pend; null where a sum could not be written exactly any more. */
function withPoints(
  card: VoucherRow,
  points: number,
  { pending_points, expiration_rules, campaign }: ProgramRule,
  day: Day,
): Pick<Accrual, "card" | "lots"> | null {
  const { added, pending } = { added: card.added ?? 0, pending: card.pending ?? 0 };
  if (!Number.isSafeInteger(added + pending + points)) return null;
  if (pending_points) return { card: { ...card, pending: pending + points }, lots: null };
  return addToCard(card, points, expiresOn(expiration_rules ?? campaign.voucher?.loyalty_card?.expiration_rules, day));
}

function record({ add, tell, cause }: Change, { cards, collecting }: Standing, accrual: Accrual): void {
  const { task, rule, card, points } = accrual;
  cards.set(card.id, card);
  if (rule.pending_points && task.occasion.kind === "order") {
    const pending_points = pendingOf(accrual, task.occasion.order, cause.instant);
    add(books.pending, pending_points);
    tell(pendingEvent("added", { pending_points, points, total: card.pending ?? 0, operation_type: "AUTOMATIC" }));
    return;
  }
  collecting.set(card.id, (collecting.get(card.id) ?? 0) + points);
  const entry = accrualEntry(accrual, cause.instant);
  add(books.entries, entry);
  tell(accrualEvent(accrual, entry.id));
}

/**
 * Points moved before that are told of beside: whoever moves tiers for them may come later, and the first rule pays by where they put
 * the member (loyalty.md §4.4).
 */
async function catchUp(
  change: Change,
  project: Project,
  cards: readonly VoucherRow[],
): Promise<Map<string, LoyaltyTier>> {
  const { tx, cause } = change;
  const program_ids = [...new Set(cards.flatMap(({ campaign_id }) => campaign_id ?? []))];
  if ((await findTiersOfPrograms(tx, project.id, program_ids)).length === 0) return new Map();
  const spent_first = await findDueCards(tx, project.id, cards);
  const settled = cards.filter(({ id }) => !spent_first.has(id));
  await moveTiers(change, project, settled, cause.instant);
  return new Map(
    await findTiersOfCards(
      tx,
      project.id,
      cards.map(({ id }) => id),
    ),
  );
}

/** What the service is about to redeem is spent before the tier is looked at (loyalty.md §8.4). */
const isSpentFirst = async (tx: Tx, { project }: Standing, card: VoucherRow) =>
  (await findDueCards(tx, project.id, [card])).size > 0;

/** Moves the card to the tier that its points put it in, so that the next rule pays by that. */
async function lift(
  change: Change,
  { project, instant, tiers, collecting }: Standing,
  card: VoucherRow,
): Promise<void> {
  await moveTiers(change, project, [{ ...card, collecting: collecting.get(card.id) ?? 0 }], instant);
  const tier = (await findTiersOfCards(change.tx, project.id, [card.id])).get(card.id);
  if (tier) tiers.set(card.id, tier);
  else tiers.delete(card.id);
}
