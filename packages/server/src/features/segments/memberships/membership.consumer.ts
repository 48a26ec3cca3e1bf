import {
  type Cause,
  type Consumer,
  consumerOf,
  type EventName,
  type ToldEvent,
  type Turn,
} from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import { type Change, changeWithin, holding } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { customerBesideKey, findCustomersByIds } from "../../customers/index.js";
import { findProject, type Project } from "../../projects/index.js";
import { keepMemberships } from "./keep.js";
import { keptSegments } from "./kept-segments.js";
import { deleteMembershipsOf, has_kept_segments } from "./membership.store.js";

/** All that may move a customer in or out: whatever a filter can look at (rules.md §14.1). */
const names = [
  ...(["customer.created", "customer.updated", "customer.deleted", "customer.custom_event"] as const),
  "customers.changed",
  ...(["customer.order.created", "customer.order.updated", "customer.order.paid"] as const),
  ...(["customer.order.canceled", "customer.order.fulfilled"] as const),
  ...(["redemption.succeeded", "redemption.failed"] as const),
  ...(["redemption.rollback.succeeded", "redemption.rollback.failed"] as const),
  ...(["publication.succeeded", "voucher.updated", "voucher.deleted"] as const),
  ...(["voucher.gift.balance_added", "voucher.gift.transaction.created"] as const),
  ...(["voucher.loyalty_card.points_transferred", "voucher.loyalty_card.points_expired"] as const),
  ...(["voucher.loyalty_card.points_adjusted", "customer.rewarded", "customer.rewarded.loyalty_points"] as const),
  ...(["customer.loyalty.tier.joined", "customer.loyalty.tier.left", "customer.loyalty.tier.upgraded"] as const),
  ...(["customer.loyalty.tier.downgraded", "customer.loyalty.tier.prolonged"] as const),
  "customer.loyalty.tier.expiration.changed",
  "customer.referred",
  ...(["customer.reward_redemptions.rolledback", "voucher.loyalty_card.pending_points.activated"] as const),
] as const satisfies readonly EventName[];

type Happened = ToldEvent<(typeof names)[number]>;

/** Keeps memberships up with what happens to customers; several events of one customer are one judgement. */
const memberships = consumerOf({
  name: "segments",
  names,
  is_told: has_kept_segments,
  when: "inbox",
  async take(tx, events, turn) {
    const moved = events.map(aboutReferrer).filter(({ customer_id }) => customer_id !== null);
    const keys = moved.map(({ project_id, customer_id }) => customerBesideKey(project_id, customer_id as string));
    const project_ids = [...new Set(moved.map(({ project_id }) => project_id))].sort();
    const projects = await holding(tx, keys, () => Promise.all(project_ids.map((id) => findProject(tx, id))));
    await changeWithin(tx, async (changeBy) => {
      for (const project of projects) {
        if (!project) continue;
        const of_project = moved.filter(({ project_id }) => project_id === project.id);
        await keepOfProject(tx, changeBy, project, of_project, turn);
      }
    });
    return undefined;
  },
});

/** What is counted of referrals is the referrer's. */
const aboutReferrer = (event: Happened): Happened =>
  event.type === "customer.referred" ? { ...event, customer_id: event.data.referrer_id } : event;

/** Under the keys of the customers' memberships. */
async function keepOfProject(
  tx: Tx,
  changeBy: (cause: Cause) => Change,
  project: Project,
  events: readonly Happened[],
  { context }: Turn,
): Promise<void> {
  const project_id = project.id;
  const caused_by = new Map(events.map(({ customer_id, group_id }) => [customer_id as string, group_id]));
  const ids = [...caused_by.keys()];
  const customers = await findCustomersByIds(tx, project_id, ids);
  const there = new Set(customers.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length > 0) await deleteMembershipsOf(tx, project_id, gone);
  if (customers.length === 0) return;
  const event_source = eventSourceOf(the_service);
  const changeFor = (customer_id: string, instant: Instant) =>
    changeBy({ project_id, request_id: caused_by.get(customer_id) ?? "", event_source, instant });
  for await (const segments of keptSegments(tx, project_id)) {
    await keepMemberships({ changeFor, context, project }, customers, segments);
  }
}

export const consumers: readonly Consumer[] = [memberships];
