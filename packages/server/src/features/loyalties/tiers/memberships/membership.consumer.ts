import { localDay } from "../../../../books/index.js";
import { type Consumer, consumerOf, type EventName, type ToldEvent } from "../../../../events/index.js";
import type { Instant } from "../../../../platform/clock.js";
import type { Context } from "../../../../platform/context.js";
import type { Tx } from "../../../../platform/db/database.js";
import { type Sql, sql } from "../../../../platform/db/sql.js";
import { changeWithin, holding } from "../../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../../terms/index.js";
import { findProject, type Project } from "../../../projects/index.js";
import { findVouchersByIds } from "../../../vouchers/index.js";
import { keepMoves } from "./move-tiers.js";

/** All that moves the points of a card, or gives it to somebody. */
const names = [
  "publication.succeeded",
  "customer.rewarded.loyalty_points",
  "voucher.loyalty_card.points_adjusted",
  "voucher.loyalty_card.points_transferred",
  "voucher.loyalty_card.points_expired",
  "voucher.loyalty_card.pending_points.activated",
  "customer.rewarded",
  "customer.reward_redemptions.rolledback",
] as const satisfies readonly EventName[];

type Happened = ToldEvent<(typeof names)[number]>;

/** Of rows `gone` of the outbox, those of projects with tiers. */
const has_tiers: Sql = sql`exists (select from loyalty_tiers where loyalty_tiers.project_id = gone.project_id)`;

/** An event that moved the points of a card. */
export interface CardEvent {
  event: Happened;
  card_id: string;
}

/** What is done to cards whose points have grown before their tiers are looked at. */
export interface BeforeTiers {
  /** Of rows `gone` of the outbox, those of projects in which it may have to be. */
  is_told: Sql;
  /** The ids of events after which it has to be, as far as is known without locks. */
  findDue(tx: Tx, project_id: string, of_cards: readonly CardEvent[]): Promise<ReadonlySet<string>>;
  /** Does it, in transactions of its own; may be called again for what is done. */
  redeem(context: Context, grown: CardEvent, instant: Instant): Promise<void>;
}

/** Moves cards to the tiers that their points put them in; several events of a card on one day are one look at it. */
const memberships = (before: BeforeTiers) =>
  consumerOf({
    name: "loyalty tiers",
    names,
    is_told: sql`(${has_tiers} or ${before.is_told})`,
    when: "inbox",
    async take(tx, events, { context, instant, ready }) {
      const of_cards = events.flatMap((event) => {
        const card_id = cardIn(event);
        return card_id === null ? [] : [{ event, card_id }];
      });
      const due = await dueOf(tx, before, of_cards, ready);
      // Whatever else happened to those cards waits with it: their points are not what they will be.
      const waiting = new Set(of_cards.flatMap(({ event, card_id }) => (due.has(event.id) ? card_id : [])));
      await moveAll(
        tx,
        of_cards.filter(({ card_id }) => !waiting.has(card_id)),
        instant,
      );
      return of_cards
        .filter(({ card_id }) => waiting.has(card_id))
        .map((one) => {
          const event_id = one.event.id;
          return due.has(event_id) ? { event_id, first: () => before.redeem(context, one, instant) } : { event_id };
        });
    },
  });

async function dueOf(
  tx: Tx,
  before: BeforeTiers,
  of_cards: readonly CardEvent[],
  ready: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const asked = of_cards.filter(({ event }) => !ready.has(event.id));
  const due = new Set<string>();
  for (const project_id of new Set(asked.map(({ event }) => event.project_id))) {
    const own = asked.filter(({ event }) => event.project_id === project_id);
    for (const event_id of await before.findDue(tx, project_id, own)) due.add(event_id);
  }
  return due;
}

async function moveAll(tx: Tx, of_cards: readonly CardEvent[], instant: Instant): Promise<void> {
  const keys = of_cards.map(({ event, card_id }) => ({
    project_id: event.project_id,
    kind: "voucher" as const,
    id: card_id,
  }));
  const project_ids = [...new Set(of_cards.map(({ event }) => event.project_id))].sort();
  const projects = await holding(tx, keys, () => Promise.all(project_ids.map((id) => findProject(tx, id))));
  await changeWithin(tx, async (changeBy) => {
    for (const project of projects) {
      if (!project) continue;
      const own = of_cards.filter(({ event }) => event.project_id === project.id);
      for (const { card_id, events } of await movesOf(tx, project, own, instant)) {
        const { group_id: request_id } = own.findLast((one) => one.card_id === card_id)?.event ?? { group_id: "" };
        const cause = { project_id: project.id, request_id, event_source: eventSourceOf(the_service), instant };
        changeBy(cause).tell(...events);
      }
    }
  });
}

/** The card that an event is about; a publication of several codes gives no cards, and points for a referral are told as points. */
function cardIn({ data }: Happened): string | null {
  if ("voucher_id" in data) return data.voucher_id;
  return "voucher" in data ? (data.voucher?.id ?? null) : null;
}

/** Each card on the days of its events, in their order: what was reached on a day counts from that day on, however late it is seen. */
async function movesOf(
  tx: Tx,
  project: Project,
  of_cards: readonly { event: Happened; card_id: string }[],
  instant: number,
) {
  const cards = await findVouchersByIds(tx, project.id, [...new Set(of_cards.map(({ card_id }) => card_id))]);
  const dayOf = ({ event }: { event: Happened }) => localDay(event.created_at, project.timezone);
  const moved = [];
  for (const day of [...new Set(of_cards.map(dayOf))].sort()) {
    const ids = new Set(of_cards.flatMap((one) => (dayOf(one) === day ? one.card_id : [])));
    moved.push(
      ...(await keepMoves(
        tx,
        project,
        cards.filter(({ id, type }) => type === "LOYALTY_CARD" && ids.has(id)),
        { day, instant },
      )),
    );
  }
  return moved;
}

/** @param before what is done to cards before their tiers are looked at */
export const consumersAfter = (before: BeforeTiers): readonly Consumer[] => [memberships(before)];
