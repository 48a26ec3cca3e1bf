import { event_fields, type StoredEvent } from "../../events/index.js";
import type { Queries } from "../../platform/db/database.js";
import { plannedEachTime, type Sql, sql } from "../../platform/db/sql.js";
import { endsWith, type Slice, sliceOf } from "./activity.store.js";

/** A card, and the facts that concern it. */
export interface OfCard {
  project_id: string;
  card_id: string;
  holder_id: string | null;
  facts: readonly string[];
}

/**
 * What concerns a card: of all that its holder hears, what names it or one of its redemptions; and what names nobody, told of the
 * card itself or of a redemption of it. Each comes by an index, in order.
 */
function placesOf({ project_id, card_id, holder_id, facts }: OfCard, which: Sql): Sql[] {
  const is_one = sql`events.project_id = ${project_id} and events.type = any(${facts}::text[]) and ${which}`;
  const of_card = sql`
    redemptions.project_id = ${project_id} and redemptions.voucher_id = ${card_id}`;
  return [
    sql`
      select events.created_at, events.id from events
       where events.project_id = ${project_id} and ${is_one} and events.customer_id = ${holder_id}
         and (events.data ->> 'voucher_id' = ${card_id} or events.data -> 'voucher' ->> 'id' = ${card_id}
              or events.data -> 'pending_points' ->> 'voucher_id' = ${card_id}
              or exists (select from redemptions
                          where ${of_card} and redemptions.id = events.data ->> 'redemption_id'))`,
    sql`
      select events.created_at, events.id from events
       where events.project_id = ${project_id} and ${is_one} and events.entity_id = ${card_id}
         and events.customer_id is null`,
    sql`
      select events.created_at, events.id
        from redemptions
        join events on events.project_id = redemptions.project_id and events.entity_id = redemptions.id
                   and events.created_at = redemptions.created_at and events.customer_id is null
       where ${of_card} and redemptions.customer_id is null and ${is_one}`,
  ];
}

const eventsAt = (db: Queries, project_id: string, places: Sql, order: Sql, rows_max: number) =>
  db.many<StoredEvent>(
    plannedEachTime(sql`
      select ${event_fields}
        from (select * from (${places}) as found (created_at, id)) as place
       cross join lateral (
         select * from events
          where events.project_id = ${project_id} and events.created_at = place.created_at and events.id = place.id
       ) as events
       order by ${order}
       limit ${rows_max}`),
  );

/** The next events of a card behind that one. */
export function listEventsOfCard(db: Queries, of: OfCard, slice: Slice): Promise<StoredEvent[]> {
  const { is_behind, order } = sliceOf(slice);
  const ends = sql`order by ${order} limit ${slice.rows_max}`;
  const [holders, own, redeemed] = placesOf(of, is_behind).map((place) => sql`(${place} ${ends})`) as [Sql, Sql, Sql];
  return eventsAt(db, of.project_id, sql`${holders} union ${own} union ${redeemed}`, order, slice.rows_max);
}

/** The event of a card whose id ends so. */
export async function findEventOfCard(db: Queries, of: OfCard, tail: string): Promise<StoredEvent | undefined> {
  const [holders, own, redeemed] = placesOf(of, endsWith(tail)) as [Sql, Sql, Sql];
  const places = sql`(${holders} limit 1) union (${own} limit 1) union (${redeemed} limit 1)`;
  const [event] = await eventsAt(db, of.project_id, places, sql`events.id`, 1);
  return event;
}
