import { factsToldAs, type StoredEvent } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { followedBy, listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { readBounded } from "../../platform/listing/index.js";
import { payloadsOf } from "../../telling/index.js";
import { findCustomer } from "../customers/index.js";
import { knownCard } from "../loyalties/members/index.js";
import type { Call } from "../projects/index.js";
import {
  countValidationsOf,
  findValidationOf,
  listValidationsOf,
  type OfCustomer,
  validation_types,
} from "../validation-log/index.js";
import { type Activity, activitiesOf, placeIn, stateAsked, types_of_cards, typesAsked } from "./activity.js";
import type {
  ActivityBody,
  ActivityList,
  ActivityQuery,
  MemberActivityQuery,
  OlderActivityList,
} from "./activity.schemas.js";
import { countEventsOf, findEventOf, listEventsOf, type Narrowed, type Slice } from "./activity.store.js";
import { findEventOfCard, listEventsOfCard } from "./card-activity.store.js";

/** Which names of events are asked for, and which page of them. */
interface AskedPage {
  types: ReturnType<typeof typesAsked>;
  descending: boolean;
  limit: number;
  starting_after_id: string | undefined;
}

interface Asked extends Narrowed, AskedPage {
  /** What is asked for of the log of validations; null where none of it can be. */
  logged: OfCustomer | null;
}

/** Where events are looked for. */
interface Source {
  find(db: Queries, tail: string): Promise<StoredEvent | undefined>;
  list(db: Queries, slice: Slice): Promise<StoredEvent[]>;
}

/** `GET /v1/customers/:customerId/activity`: what happened to a customer, and what the customer did (events-and-webhooks.md §7). */
export async function readActivity(
  context: Context,
  call: Call,
  id_or_source_id: string,
  query: ActivityQuery,
): Promise<ActivityList> {
  const asked = await askedOf(context, call, id_or_source_id, query);
  return toList(context, call, asked, ofCustomer(asked));
}

/** `GET /v1/loyalties/members/:memberId/activity`: what concerns a card, and its holder because of it (loyalty.md §11). */
export async function readActivityOfMember(
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  { order, limit = 10, starting_after_id }: MemberActivityQuery,
): Promise<ActivityList> {
  const { id, holder_id } = await knownCard(context.db, call, code_or_id, program);
  const types = types_of_cards;
  const of = { project_id: call.project_id, card_id: id, holder_id, facts: factsToldAs(types) };
  const asked = { types, descending: order !== "created_at", limit, starting_after_id };
  // What nobody is named with is the member's all the same.
  const asMembers = (event: StoredEvent) => ({ ...event, customer_id: event.customer_id ?? holder_id ?? id });
  return toList(context, call, asked, {
    async find(db, tail) {
      const event = await findEventOfCard(db, of, tail);
      return event && asMembers(event);
    },
    list: async (db, slice) => (await listEventsOfCard(db, of, slice)).map(asMembers),
  });
}

/** Events, and validations beside them: those are in a log of their own (ADR 52). */
const ofCustomer = (asked: Asked): Source => ({
  async find(db, tail) {
    const event = await findEventOf(db, asked, tail);
    return event ?? (asked.logged ? findValidationOf(db, asked.logged, tail) : undefined);
  },
  async list(db, slice) {
    const events = await listEventsOf(db, asked, slice);
    return asked.logged ? inOneOrder(events, await listValidationsOf(db, asked.logged, slice), slice) : events;
  },
});

function inOneOrder(some: StoredEvent[], others: StoredEvent[], { descending, rows_max }: Slice): StoredEvent[] {
  const later = (one: StoredEvent, other: StoredEvent) =>
    one.created_at - other.created_at || (one.id < other.id ? -1 : 1);
  return [...some, ...others]
    .sort((one, other) => (descending ? later(other, one) : later(one, other)))
    .slice(0, rows_max);
}

async function toList(context: Context, call: Call, asked: AskedPage, source: Source): Promise<ActivityList> {
  const found = await readBounded(context.db, (db) => readPage(db, asked, source));
  const data = await toBodies(context, call, found.slice(0, asked.limit));
  const has_more = found.length > asked.limit;
  return {
    object: "list",
    data_ref: "data",
    data,
    ...followedBy(has_more, data),
  };
}

/** `GET /v1/customers/:customerId/activities`: the older form, which counts them all. */
export async function readOlderActivities(
  context: Context,
  call: Call,
  id_or_source_id: string,
  query: ActivityQuery,
): Promise<OlderActivityList> {
  const asked = await askedOf(context, call, id_or_source_id, query);
  const { found, total } = await readBounded(context.db, async (db) => ({
    found: await readPage(db, asked, ofCustomer(asked)),
    total: (await countActivities(db, asked)) + (asked.logged ? await countValidationsOf(db, asked.logged) : 0),
  }));
  const data = await toBodies(context, call, found.slice(0, asked.limit));
  return listBody("data", data, { total, has_more: found.length > asked.limit });
}

async function askedOf({ db }: Context, { project_id, instant }: Call, id_or_source_id: string, query: ActivityQuery) {
  const customer = await findCustomer(db, project_id, id_or_source_id);
  if (!customer) throw problems.notFound("customer", id_or_source_id);
  const types = typesAsked(query);
  const { limit = 10, starting_after_id, campaign_id = null, campaign_type = null } = query;
  const descending = query.order !== "created_at";
  const narrowed = {
    ...{ project_id, customer_id: customer.id, types, facts: factsToldAs(types), state: stateAsked(query) },
    ...{ campaign_id, campaign_type, ...spanOf(query, descending) },
  };
  const asked: Asked = { ...narrowed, descending, limit, starting_after_id, logged: loggedIn(narrowed, instant) };
  return asked;
}

/** A validation is about no campaign, and in no state. */
function loggedIn(
  { types, state, campaign_id, campaign_type, project_id, customer_id, start, end }: Narrowed & Pick<Asked, "types">,
  instant: Instant,
): OfCustomer | null {
  const [succeeded, failed] = validation_types.map((type) => types.includes(type));
  if (!(succeeded || failed) || state !== null || campaign_id !== null || campaign_type !== null) return null;
  return { project_id, customer_id, valid: succeeded && failed ? null : succeeded === true, start, end, instant };
}

/** The time asked for; the older cursor by time bounds it from the side that the order comes from. */
function spanOf({ start_date, end_date, starting_after }: ActivityQuery, descending: boolean) {
  const span: { start: Instant | null; end: Instant | null } = {
    start: instantOrNull(start_date),
    end: instantOrNull(end_date),
  };
  const seen = instantOrNull(starting_after);
  if (seen === null) return span;
  return descending
    ? { ...span, end: Math.min(span.end ?? Infinity, seen - 1) }
    : { ...span, start: Math.max(span.start ?? -Infinity, seen + 1) };
}

/** One more than the page holds, where there is one: each event that is read is told by one name at least. */
async function readPage(db: Queries, asked: AskedPage, source: Source): Promise<Activity[]> {
  const { starting_after_id, descending, limit, types } = asked;
  const heard = (event: StoredEvent) => {
    const activities = activitiesOf(event, types);
    return descending ? activities.toReversed() : activities;
  };
  if (starting_after_id === undefined) {
    return (await source.list(db, { seen: null, descending, rows_max: limit + 1 })).flatMap(heard);
  }
  const place = placeIn(starting_after_id);
  const seen = place && (await source.find(db, place.tail));
  if (!seen) {
    throw problems.invalidQuery(`Property .starting_after_id names nothing that is there: ${starting_after_id}`);
  }
  const rest = heard(seen).filter(({ nth }) => (descending ? nth < place.nth : nth > place.nth));
  const events = await source.list(db, { seen, descending, rows_max: limit + 1 });
  return [...rest, ...events.flatMap(heard)];
}

/** An event is told by several names, so counting events would not do. */
async function countActivities(db: Queries, asked: Asked): Promise<number> {
  const kinds = await countEventsOf(db, asked);
  return kinds.reduce((sum, { type, state, events }) => {
    const like_it = { id: "", type, customer_id: asked.customer_id, data: { state } } as unknown as StoredEvent;
    return sum + events * activitiesOf(like_it, asked.types).length;
  }, 0);
}

async function toBodies(context: Context, { project }: Call, page: readonly Activity[]): Promise<ActivityBody[]> {
  const payloads = await payloadsOf(
    context,
    project,
    page.map(({ type: name, event }) => ({ event, name })),
  );
  return page.map(({ id, type, event }, i) => ({
    id,
    type,
    data: { data: payloads[i] ?? {}, event_source: event.event_source },
    created_at: isoOf(event.created_at),
    group_id: event.group_id,
  }));
}
