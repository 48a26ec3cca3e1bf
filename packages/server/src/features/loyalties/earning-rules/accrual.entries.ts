import type { LedgerEntry } from "../../../books/index.js";
import type { Cause } from "../../../events/index.js";
import { type Instant, isoOf } from "../../../platform/clock.js";
import { newId } from "../../../platform/ids.js";
import { eventSourceOf, originOf, the_service } from "../../../terms/index.js";
import type { Project } from "../../projects/index.js";
import type { VoucherRow } from "../../vouchers/index.js";
import type { EarningTask, ProgramRule } from "./accrual.store.js";

/** Points that one rule pays one card for one event. */
export interface Accrual {
  task: EarningTask;
  project: Project;
  rule: ProgramRule;
  /** With the points on it. */
  card: VoucherRow;
  points: number;
}

/** The service does it, because of the request that sent the event (events-and-webhooks.md §1). */
export function causeOf({ project_id, group_id }: EarningTask, instant: Instant): Cause {
  return { project_id, request_id: group_id, event_source: eventSourceOf(the_service), instant };
}

/** The line in the books: `POINTS_ACCRUAL` with what led to it (loyalty.md §4.6, §7). */
export function entryOf(accrual: Accrual, instant: Instant): LedgerEntry {
  const { task, project, rule, card, points } = accrual;
  const balance = balanceOf(accrual);
  return {
    id: newId("vtx"),
    voucher_id: card.id,
    campaign_id: card.campaign_id,
    type: "POINTS_ACCRUAL",
    amount: points,
    balance: balance.balance,
    total: balance.total,
    currency: project.currency,
    redemption_id: null,
    rollback_id: null,
    order_id: null,
    source_id: null,
    source: originOf(the_service),
    reason: null,
    details: {
      balance,
      ...causesOf(accrual),
      custom_event: { id: task.data.id, type: task.data.type },
      event_schema: task.data.event_schema,
    },
    event_id: task.event_id,
    earning_rule_id: rule.id,
    created_at: isoOf(instant),
  };
}

function causesOf({ task, rule }: Accrual) {
  return {
    earning_rule: { id: rule.id, source: { banner: rule.banner ?? "" } },
    event: { id: task.event_id, type: "customer.custom_event" },
  };
}

function balanceOf({ card, points }: Accrual) {
  return {
    type: "loyalty_card",
    points,
    total: (card.added ?? 0) - (card.expired ?? 0) - (card.subtracted ?? 0),
    balance: card.balance ?? 0,
    object: "balance",
    operation_type: "AUTOMATIC",
    related_object: { type: "voucher", id: card.id },
  };
}
