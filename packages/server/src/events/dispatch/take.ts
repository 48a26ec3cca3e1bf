import type { Tx } from "../../platform/db/database.js";
import type { Sql } from "../../platform/db/sql.js";
import { PairMap } from "../../platform/lists/pair-map.js";
import type { StoredEvent } from "../event.js";
import type { Waiting } from "../outbox.store.js";
import { askOf, dropParcels, type HeldParcel, holdParcels, readWhole, type Sort } from "./dispatcher.store.js";

/** Events that somebody waits for: of these types, and where it holds of the project and type `gone`; unless said, of all. */
export interface Wanted {
  types: ReadonlySet<string>;
  /** Those among them that are read; the others are told as they stand in the outbox. */
  whole_types: ReadonlySet<string>;
  is_told?: Sql;
}

/** An event that was taken off the outbox. */
export interface TakenEvent {
  /** Of one that nobody must have whole only what a `BriefEvent` has. */
  event: StoredEvent;
  /** Of each of those who want some, by place, whether they want this one. */
  wanted_by: readonly boolean[];
}

/** What was taken off the outbox, whoever wanted it, and whether as much may be there still. */
export interface Batch {
  taken: number;
  has_more: boolean;
  events: TakenEvent[];
}

interface Taking {
  parcels_max: number;
  events_max: number;
  /** Of those that are read. */
  bytes_max: number;
  wanted: readonly Wanted[];
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

/**
 * Takes events off the outbox: how many, and those that are wanted. One that is wanted whole and would make the batch larger than
 * `bytes_max` stays for the next one, with all behind it; the first is taken however large it is.
 */
export async function takeFromOutbox(tx: Tx, taking: Taking): Promise<Batch> {
  const { events_max, bytes_max, wanted, project_ids } = taking;
  const parcels_max = Math.min(taking.parcels_max, events_max);
  const held = await holdParcels(tx, { parcels_max, project_ids });
  if (held.length === 0) return { taken: 0, has_more: false, events: [] };
  const waiting = held.flatMap(({ project_id, facts }) => facts.map((fact): Waiting => ({ ...fact, project_id })));
  const chosen = waiting.slice(0, events_max);
  const wantedBy = await askWhoWants(tx, chosen, wanted);
  const isRead = (one: Waiting) =>
    wantedBy(one).some((is_wanted, place) => is_wanted && wanted[place]?.whole_types.has(one.type));
  const asked = chosen.filter(isRead);
  const read = asked.length === 0 ? [] : await readWhole(tx, asked, bytes_max);
  const room = read[0]?.room ?? null;
  const taken = room === null ? chosen : chosen.slice(0, chosen.indexOf(asked[room - 1] as Waiting));
  await drop(tx, held, taken.length);
  const whole = new Map(read.map(({ room: _, ...event }) => [event.id, event as StoredEvent]));
  const events = taken.flatMap((one): TakenEvent[] => {
    const wanted_by = wantedBy(one);
    const event = isRead(one) ? whole.get(one.id) : (one as StoredEvent);
    return event && wanted_by.includes(true) ? [{ event, wanted_by }] : [];
  });
  const has_more = held.length === parcels_max || taken.length < waiting.length;
  return { taken: taken.length, has_more, events: events.sort(inTheirOrder) };
}

/** Who wants events of a sort is the same for all of them, and asked once. */
async function askWhoWants(tx: Tx, waiting: readonly Waiting[], wanted: readonly Wanted[]) {
  const sorts = new PairMap<Sort>();
  for (const { project_id, type } of waiting)
    if (!sorts.has(project_id, type)) sorts.set(project_id, type, { project_id, type });
  const particular = wanted.filter(({ is_told }) => is_told !== undefined);
  const open = [...sorts.values()].filter(({ type }) => particular.some(({ types }) => types.has(type)));
  const conditions = particular.flatMap(({ is_told }) => is_told ?? []);
  const rows = open.length === 0 ? [] : await askOf(tx, open, conditions);
  const answers = new PairMap<readonly boolean[]>();
  for (const row of rows) answers.set(row.project_id, row.type, row.answers);
  const are_wanted = new PairMap<readonly boolean[]>();
  for (const { project_id, type } of sorts.values()) {
    const told = answers.get(project_id, type);
    const isTold = (one: Wanted) => !one.is_told || told?.[particular.indexOf(one)] === true;
    are_wanted.set(
      project_id,
      type,
      wanted.map((one) => one.types.has(type) && isTold(one)),
    );
  }
  return ({ project_id, type }: Waiting) => are_wanted.get(project_id, type) ?? [];
}

/** Takes the first so many events of the parcels off the outbox. What is left of the one in which they end waits in another. */
async function drop(tx: Tx, held: readonly HeldParcel[], taken: number): Promise<void> {
  const gone: HeldParcel[] = [];
  let before = 0;
  for (const parcel of held) {
    if (before >= taken) break;
    gone.push(parcel);
    before += parcel.facts.length;
  }
  const ends_in = gone.at(-1);
  const left = before > taken && ends_in ? [{ ...ends_in, facts: ends_in.facts.slice(taken - before) }] : [];
  await dropParcels(tx, gone, left);
}

const inTheirOrder = ({ event: one }: TakenEvent, { event: other }: TakenEvent) =>
  one.created_at - other.created_at || (one.id < other.id ? -1 : 1);
