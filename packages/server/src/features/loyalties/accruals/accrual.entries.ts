import { daysAfter } from "@guerdon/engine";
import { balanceDetails, entryOf, localDay, type NewEntry, type PendingPoints } from "../../../books/index.js";
import type { Cause } from "../../../events/index.js";
import { type Instant, isoOf } from "../../../platform/clock.js";
import { newId } from "../../../platform/ids.js";
import { eventSourceOf, originOf, the_service } from "../../../terms/index.js";
import type { Order } from "../../orders/index.js";
import type { Project } from "../../projects/index.js";
import type { VoucherRow } from "../../vouchers/index.js";
import type { LoyaltyTier } from "../tiers/index.js";
import type { ProgramRule } from "./accrual.store.js";
import { detailsOf, type EarningTask } from "./occasion.js";

/** Points that one rule pays one card for one event. */
export interface Accrual {
  task: EarningTask;
  project: Project;
  rule: ProgramRule;
  /** With the points on it. */
  card: VoucherRow;
  points: number;
  /** What the points do to the card's lots; null where they pend, or never expire. */
  lots: NewEntry["lots"];
  /** The tier that the holder was in before, and the same where it made something of the points. */
  holder_tier: LoyaltyTier | null;
  tier: LoyaltyTier | null;
}

/** The service does it, because of the request that sent the event (events-and-webhooks.md §1). */
export function causeOf({ project_id, group_id }: EarningTask, instant: Instant): Cause {
  return { project_id, request_id: group_id, event_source: eventSourceOf(the_service), instant };
}

/** The line in the books: `POINTS_ACCRUAL` with what led to it (loyalty.md §4.6, §7). */
export function accrualEntry(accrual: Accrual, instant: Instant): NewEntry {
  const { task, project, rule, card, points, lots } = accrual;
  return entryOf(card, {
    ...{ type: "POINTS_ACCRUAL", amount: points, currency: project.currency, lots },
    order_id: task.occasion.kind === "order" ? task.occasion.order.id : null,
    source: originOf(the_service),
    details: {
      balance: balanceDetails(card, "loyalty_card", points, "AUTOMATIC"),
      ...detailsOf(task.occasion),
      ...causesOf(accrual),
    },
    ...{ event_id: task.event_id, earning_rule_id: rule.id },
    created_at: isoOf(instant),
  });
}

/** The same of points that wait for a day: nothing of them is in the books yet (loyalty.md §5). */
export function pendingOf(accrual: Accrual, order: Order, instant: Instant): PendingPoints {
  const { task, project, rule, card, points } = accrual;
  const { created_at, group_id, event_source } = task;
  const { event, ...causes } = causesOf(accrual);
  return {
    id: newId("lopp"),
    voucher_id: card.id,
    campaign_id: rule.campaign_id,
    customer_id: order.customer_id ?? "",
    order_id: order.id,
    points,
    activates_on: daysAfter(localDay(created_at, project.timezone), rule.pending_points?.period_value ?? 0),
    status: "PENDING",
    expiration_rules: rule.expiration_rules,
    details: {
      ...detailsOf(task.occasion),
      ...causes,
      event: {
        ...{ ...event, group_id, entity_id: order.id, created_at: isoOf(created_at) },
        ...{ category: "ACTION", event_source },
      },
    },
    event_id: task.event_id,
    earning_rule_id: rule.id,
    created_at: instant,
    updated_at: null,
  };
}

const shortTier = ({ id, name }: LoyaltyTier) => ({ id, name });

function causesOf({ task, rule, tier, holder_tier }: Accrual) {
  return {
    ...(tier && { loyalty_tier: shortTier(tier) }),
    ...(holder_tier && { holder_loyalty_tier: shortTier(holder_tier) }),
    earning_rule: { id: rule.id, source: { banner: rule.banner ?? "" } },
    event: { id: task.event_id, type: task.type },
  };
}
