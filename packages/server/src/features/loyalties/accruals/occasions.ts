import { findRedemptionsByIds } from "../../../books/index.js";
import type { ToldEvent } from "../../../events/index.js";
import type { Queries } from "../../../platform/db/database.js";
import { findOrderStates, type Order } from "../../orders/index.js";
import { findFarFetched } from "./accrual.store.js";
import type { EarningTask, Occasion } from "./occasion.js";

/** The events that earning rules wait for. */
export const earning_names = [
  ...(["customer.custom_event", "customer.order.paid", "customer.segment.entered"] as const),
  ...(["customer.loyalty.tier.joined", "customer.loyalty.tier.left", "customer.loyalty.tier.prolonged"] as const),
  ...(["customer.loyalty.tier.upgraded", "customer.loyalty.tier.downgraded"] as const),
] as const;

type Happened = ToldEvent<(typeof earning_names)[number]>;
type Paid = ToldEvent<"customer.order.paid">;

/** What earning rules look at of each event; of an order that is gone by now there is nothing left to look at. */
export async function tasksOf(db: Queries, events: readonly Happened[]): Promise<EarningTask[]> {
  const orderOf = await readOrdersAsTheyWere(
    db,
    events.filter((event): event is Paid => event.type === "customer.order.paid"),
  );
  const far_fetched = await readFarFetched(db, events);
  return events.flatMap((event) => {
    const occasion = occasionOf(event, orderOf);
    if (!occasion || far_fetched.has(event.id)) return [];
    const { project_id, id: event_id, type, customer_id, group_id, event_source, created_at } = event;
    return { project_id, event_id, type, customer_id, group_id, event_source, occasion, created_at };
  });
}

function occasionOf(event: Happened, orderOf: (event: Paid) => Order | undefined): Occasion | null {
  switch (event.type) {
    case "customer.custom_event":
      return { kind: "custom", name: event.data.type, data: event.data };
    case "customer.order.paid": {
      const order = orderOf(event);
      return order ? { kind: "order", name: "order.paid", order } : null;
    }
    case "customer.segment.entered":
      return { kind: "segment", name: event.type, segment: event.data.segment };
    // Of two tiers the new one counts (loyalty.md §4.2).
    default: {
      const { campaign_id } = event.data;
      const tier = "loyalty_tier" in event.data ? event.data.loyalty_tier : event.data.loyalty_tier_to;
      return { kind: "tier", name: event.type, campaign_id, tier };
    }
  }
}

/**
 * Moves between tiers that one request may bring about for a customer, each paid for so that it leads to the next; what comes
 * after them pays nothing, or rules could go round for ever (loyalty.md §4.6).
 */
const tier_moves_max = 10;

async function readFarFetched(db: Queries, events: readonly Happened[]): Promise<Set<string>> {
  const moves = events.filter(({ type }) => type.startsWith("customer.loyalty.tier."));
  const far_fetched = new Set<string>();
  for (const project_id of new Set(moves.map((event) => event.project_id))) {
    const caused = moves.flatMap(({ project_id: of, id: event_id, customer_id, group_id, created_at }) =>
      of === project_id && customer_id !== null ? [{ event_id, customer_id, group_id, created_at }] : [],
    );
    for (const id of await findFarFetched(db, project_id, caused, tier_moves_max)) far_fetched.add(id);
  }
  return far_fetched;
}

/** What an event of an order keeps of it. */
type OfOrder = Pick<Paid, "project_id" | "data">;

/** Orders as they were when that happened to them: with the event, or as the redemption left them that caused it. */
export async function readOrdersAsTheyWere(
  db: Queries,
  events: readonly OfOrder[],
): Promise<(event: OfOrder) => Order | undefined> {
  const left = new Map<string, Order>();
  for (const project_id of new Set(events.map((event) => event.project_id))) {
    const ids = events.flatMap(({ project_id: of, data }) => (of === project_id ? (data.redemption_id ?? []) : []));
    if (ids.length === 0) continue;
    const redemptions = await findRedemptionsByIds(db, project_id, ids);
    const asked = redemptions.flatMap(({ order_id, order_version }) =>
      order_id === null || order_version === null ? [] : { id: order_id, version: order_version },
    );
    const states = new Map((await findOrderStates(db, project_id, asked)).map((order) => [nameOf(order), order]));
    for (const { id, order_id, order_version } of redemptions) {
      const order = states.get(nameOf({ id: order_id ?? "", version: order_version ?? 0 }));
      if (order) left.set(`${project_id} ${id}`, order);
    }
  }
  return ({ project_id, data }) => data.order ?? left.get(`${project_id} ${data.redemption_id}`);
}

const nameOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`;
