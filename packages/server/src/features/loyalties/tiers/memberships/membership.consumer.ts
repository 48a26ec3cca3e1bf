import { localDay } from "../../../../books/index.js";
import { type Consumer, consumerOf, type EventName, type ToldEvent } from "../../../../events/index.js";
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

/** Moves cards to the tiers that their points put them in; several events of a card on one day are one look at it. */
const memberships = consumerOf({
  name: "loyalty tiers",
  names,
  is_told: has_tiers,
  when: "inbox",
  async take(tx, events, { instant }) {
    const of_cards = events.flatMap((event) => {
      const card_id = cardIn(event);
      return card_id === null ? [] : [{ event, card_id }];
    });
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
    return undefined;
  },
});

/** The card that an event is about; a publication of several codes gives no cards. */
function cardIn({ data }: Happened): string | null {
  return "voucher_id" in data ? data.voucher_id : (data.voucher?.id ?? null);
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

export const consumers: readonly Consumer[] = [memberships];
