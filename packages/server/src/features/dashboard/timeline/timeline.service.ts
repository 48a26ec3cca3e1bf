import type { StoredEvent } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { problems } from "../../../platform/http/problems.js";
import { readBounded } from "../../../platform/listing/index.js";
import { payloadsOf } from "../../../telling/index.js";
import { findCampaign } from "../../campaigns/index.js";
import { findCustomer } from "../../customers/index.js";
import { findOrders } from "../../orders/index.js";
import type { Call } from "../../projects/index.js";
import { codeKey, findVoucher } from "../../vouchers/index.js";
import { cursorOf, seenAt } from "../cursor.js";
import { type TimelineEntry, type TimelineObject, type TimelineQuery, timeline_objects } from "./timeline.schemas.js";
import { findLastHolders, listEventsAbout, type Subject } from "./timeline.store.js";

/** What happened to a voucher, customer, campaign or order, newest first. */
export async function readTimeline(context: Context, call: Call, query: TimelineQuery) {
  const { limit = 20, after } = query;
  const seen = seenAt(after);
  const subject = await subjectOf(context, call, query);
  const found = await readBounded(context.db, (db) => listEventsAbout(db, subject, { seen, rows_max: limit + 1 }));
  return { data: await toEntries(context, call, found.slice(0, limit)), next: cursorOf(found, limit) };
}

async function subjectOf({ db }: Context, call: Call, query: TimelineQuery): Promise<Subject> {
  const [asked, another] = timeline_objects.flatMap((object) => {
    const name = query[object];
    return name === undefined ? [] : [{ object, name }];
  });
  if (!asked || another) throw problems.invalidQuery(`Exactly one of ${timeline_objects.join(", ")} must be given`);
  const { object, name } = asked;
  const found = await known[object]({ db }, call, name);
  if (!found) throw problems.notFound(object, name);
  return { project_id: call.project_id, object, ...found };
}

/** Of whose events those about a voucher are picked. */
const holders_max = 5;

/** Looks for what is called so. */
type Find = (
  context: Pick<Context, "db">,
  call: Call,
  name: string,
) => Promise<Pick<Subject, "id" | "customer_ids"> | undefined>;

const known: Record<TimelineObject, Find> = {
  async voucher({ db }, { project_id, project }, name) {
    const voucher = await findVoucher(db, project_id, name, codeKey(project, name));
    if (!voucher) return undefined;
    const { id, holder_id } = voucher;
    const customer_ids = new Set([
      ...(holder_id ? [holder_id] : []),
      ...(await findLastHolders(db, project_id, id, holders_max)),
    ]);
    return { id, customer_ids: [...customer_ids].slice(0, holders_max) };
  },
  async customer({ db }, { project_id }, name) {
    const customer = await findCustomer(db, project_id, name);
    return customer && { id: customer.id, customer_ids: [] };
  },
  async campaign({ db }, { project_id }, name) {
    const campaign = await findCampaign(db, project_id, name);
    return campaign && { id: campaign.id, customer_ids: [] };
  },
  async order({ db }, { project_id }, name) {
    const [by_id, by_source_id] = await findOrders(db, project_id, [{ id: name }, { source_id: name }]);
    const order = by_id ?? by_source_id;
    return order && { id: order.id, customer_ids: order.customer_id === null ? [] : [order.customer_id] };
  },
};

async function toEntries(context: Context, { project }: Call, events: StoredEvent[]): Promise<TimelineEntry[]> {
  const payloads = await payloadsOf(
    context,
    project,
    events.map((event) => ({ event, name: event.type })),
  );
  return events.map(({ id, type, group_id, event_source, created_at }, i) => ({
    ...{ id, type, request_id: group_id, event_source: { ...event_source }, created_at: isoOf(created_at) },
    data: payloads[i] ?? {},
  }));
}
