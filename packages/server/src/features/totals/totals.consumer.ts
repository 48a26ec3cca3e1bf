import { type BriefEvent, type Consumer, consumerOf } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import { grouped } from "../../platform/lists/grouped.js";
import { addTotals, type CountedFact, findAmounts, type HourTotal } from "./totals.store.js";

const hour_ms = 3_600_000;

const counted = [
  "redemption.succeeded",
  "redemption.failed",
  "redemption.rollback.succeeded",
  "publication.succeeded",
  "customer.created",
] as const;
type Told = BriefEvent<(typeof counted)[number]>;

const facts: Record<Told["type"], CountedFact> = {
  "redemption.succeeded": "redemption",
  "redemption.failed": "refusal",
  "redemption.rollback.succeeded": "rollback",
  "publication.succeeded": "publication",
  "customer.created": "customer",
};

/** Counts what happens in projects, each fact once: in the transaction that takes it off the outbox. */
const counting = consumerOf({
  name: "hour totals",
  names: [],
  briefly: counted,
  when: "dispatch",
  async take(tx, told) {
    const projects = grouped(told, ({ project_id }) => project_id);
    for (const [project_id, events] of [...projects].sort(([one], [other]) => (one < other ? -1 : 1)))
      await addTotals(tx, project_id, await totalsOf(tx, project_id, events));
    return undefined;
  },
});

export const consumers: readonly Consumer[] = [counting];

const hourOf = (instant: Instant): Instant => Math.floor(instant / hour_ms) * hour_ms;

async function totalsOf(tx: Tx, project_id: string, events: readonly Told[]): Promise<HourTotal[]> {
  const ids = events.flatMap((event) => rowOf(event) ?? []);
  const rows = new Map((ids.length === 0 ? [] : await findAmounts(tx, project_id, ids)).map((row) => [row.id, row]));
  const totals = new Map<string, HourTotal>();
  for (const event of events) {
    const what = facts[event.type];
    const row = rows.get(rowOf(event) ?? "");
    const key = what === "refusal" ? (row?.failure_code ?? "") : "";
    const hour = hourOf(event.created_at);
    const name = `${isoOf(hour)} ${what} ${key}`;
    const total = totals.get(name) ?? { hour, what, key, count: 0, orders_amount: 0, discount_amount: 0 };
    // What was refused moved nothing, and has no parts.
    if (what === "refusal") total.count += 1;
    else {
      total.count += row?.is_whole ? 0 : 1;
      total.orders_amount += row?.orders_amount ?? 0;
      total.discount_amount += row?.is_whole ? 0 : (row?.discount_amount ?? 0);
    }
    totals.set(name, total);
  }
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

/** The redemption or rollback that an event tells of. */
const rowOf = ({ type, entity_id }: Told): string | undefined =>
  type.startsWith("redemption.") ? entity_id : undefined;
