import { isAway, type StoredEvent } from "../events/index.js";
import { type Customer, summariesOf, toCustomerBody } from "../features/customers/index.js";
import type { Project } from "../features/projects/index.js";
import { toVoucherBodies, type VoucherRow } from "../features/vouchers/index.js";
import type { Context } from "../platform/context.js";

/** What messages of these events say, by the events' ids. */
type Payloads = Map<string, unknown>;

type EventOf<Type extends string> = Extract<StoredEvent, { type: Type }>;

const of_customers = ["customer.created", "customer.updated", "customer.deleted"] as const;
const of_vouchers = [
  ...(["voucher.created", "voucher.updated", "voucher.deleted"] as const),
  ...(["voucher.enabled", "voucher.disabled"] as const),
];

const areOf = <const Type extends StoredEvent["type"]>(events: readonly StoredEvent[], types: readonly Type[]) =>
  events.filter((event): event is EventOf<Type> => (types as readonly string[]).includes(event.type));

/**
 * What messages say of a project's events: as answers show it where something shows it, else what the event keeps
 * (docs/roadmap.md). One that cannot be shown is told in the log and missing.
 */
export async function payloadsOf(
  context: Context,
  project: Project,
  events: readonly StoredEvent[],
): Promise<Payloads> {
  try {
    return await shown(context, project, events);
  } catch (err) {
    if (isAway(err)) throw err;
    const [event, ...others] = events;
    if (event && others.length === 0) {
      const { id: event_id, type } = event;
      context.log.error({ project_id: project.id, event_id, type, err }, "an event could not be shown");
      return new Map();
    }
    const alone = await Promise.all(events.map((one) => payloadsOf(context, project, [one])));
    return new Map(alone.flatMap((one) => [...one]));
  }
}

async function shown(context: Context, project: Project, events: readonly StoredEvent[]): Promise<Payloads> {
  const customers = areOf(events, of_customers);
  const vouchers = areOf(events, of_vouchers);
  const [customer_bodies, voucher_bodies] = await Promise.all([
    customers.length === 0
      ? []
      : shownCustomers(
          context,
          project,
          customers.map(({ data }) => data.customer),
        ),
    vouchers.length === 0
      ? []
      : shownVouchers(
          context,
          project,
          vouchers.map(({ data }) => data.voucher),
        ),
  ]);
  return new Map<string, unknown>([
    ...events.map(({ id, data }): [string, unknown] => [id, data]),
    ...customers.map(({ id }, i): [string, unknown] => [id, customer_bodies[i]]),
    ...vouchers.map(({ id }, i): [string, unknown] => [id, voucher_bodies[i]]),
  ]);
}

/** Customers as they were, with what has been counted of them by now. */
async function shownCustomers({ db }: Context, { id }: Project, customers: readonly Customer[]) {
  const ids = [...new Set(customers.map((customer) => customer.id))];
  const summaries = new Map((await summariesOf(db.of(id), id, ids)).map((one) => [one.customer_id, one]));
  return customers.map((customer) => ({ customer: toCustomerBody(customer, summaries.get(customer.id)) }));
}

/** Vouchers as they were, with what is around them now; of a campaign its id and name. */
async function shownVouchers(context: Context, project: Project, vouchers: readonly VoucherRow[]) {
  const bodies = await toVoucherBodies(
    context,
    context.db.of(project.id),
    { project, project_id: project.id },
    vouchers,
  );
  return bodies.map((voucher) => ({
    voucher,
    campaign: voucher.campaign_id ? { id: voucher.campaign_id, name: voucher.campaign, object: "campaign" } : null,
  }));
}
