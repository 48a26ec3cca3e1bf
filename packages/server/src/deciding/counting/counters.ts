import { type CompiledRule, type CounterRef, counterKey } from "@guerdon/engine";
import { type Counted, hasHistory, localDay, readCounts, type Sums } from "../../books/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { countedChannelOf } from "../../terms/index.js";
import { ruledBy, singlesOf } from "../candidates.js";
import type { Named } from "../named.js";
import type { DecidingRequest } from "../requests/request.js";
import type { Ruled } from "../ruled.js";
import type { SharedFacts } from "../shared-facts.js";
import { HistoriesTooLong } from "./histories.js";

/** The campaign, voucher or tier that a limit counts; a voucher without a campaign stands for its campaign (rules.md §7). */
export const scopeOf = (ruled: Ruled, of_campaign: boolean): Counted["scope"] =>
  of_campaign && ruled.campaign_id !== null
    ? { object: "campaign", id: ruled.campaign_id }
    : { object: ruled.object, id: ruled.object_id };

/** What one counter of one redeemable counts, and for whom. */
interface Count extends Counted {
  ref: CounterRef;
}

/** The name under which the shared facts keep a count's value. */
const nameOf = ({ ref, scope, customer_id, channel_id, since }: Count) =>
  [counterKey(ref), scope.id, customer_id, channel_id, since].join(" ");

/**
 * Reads the counters that the rules of the requests look at; without such rules there is nothing to read.
 * @throws {@link HistoriesTooLong} see `withHistories`
 */
export async function readCounters(
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
): Promise<void> {
  const counts = requests.flatMap((request) =>
    singlesOf(shared, request).flatMap((redeemable) => countsOf(shared, request, ruledBy(shared, redeemable))),
  );
  const named = [...new Map(counts.map((count) => [nameOf(count), count]))];
  const read = await readCounts(
    db,
    shared.catalogue.project.id,
    named.map(([, count]) => count),
  );
  if ("too_long" in read) throw new HistoriesTooLong(read.too_long);
  for (const [i, [name, { ref }]] of named.entries()) shared.counts.set(name, pick(ref, read.sums[i] as Sums));
}

/** The values of one redeemable's counters, by `counterKey`. */
export function countersOf(shared: SharedFacts, request: DecidingRequest, ruled: Ruled): Map<string, number> {
  return new Map(
    countsOf(shared, request, ruled).map((count) => [counterKey(count.ref), shared.counts.get(nameOf(count)) ?? 0]),
  );
}

/** Moves the counters by what a redemption has added, for the requests behind it in the batch. */
export function moveCounters(
  shared: SharedFacts,
  request: DecidingRequest,
  ruled: Ruled,
  added: { order_amount: number; discount_amount: number; gift_credits: number },
): void {
  for (const count of countsOf(shared, request, ruled)) {
    const value = shared.counts.get(nameOf(count)) ?? 0;
    shared.counts.set(nameOf(count), value + contribution(count.ref, added));
  }
}

/**
 * What must be held so that a counter stays what it was read as. A voucher's and a customer's key are held anyway; a
 * campaign's or a tier's is held alone only where a rule limits it. Without limits it is shared: nobody waits, and yet
 * whoever counts after a limit was set counts those that were under way then (architecture.md §4).
 */
export function counterKeys(shared: Named, request: DecidingRequest): LockKey[] {
  const { project_id } = request.call;
  return singlesOf(shared, request).flatMap((redeemable) => {
    const ruled = ruledBy(shared, redeemable);
    if (!ruled) return [];
    const is_counted = ruled.rules.some(counts);
    const { campaign_id, object, object_id } = ruled;
    const ids = [campaign_id, is_counted || !hasHistory(object) ? object_id : null];
    return ids
      .filter((id) => id !== null)
      .map((id): LockKey => ({ project_id, kind: "counter", id, shared: !is_counted }));
  });
}

/** Whether a rule makes redemptions take the keys of their counters alone. */
export const counts = (rule: CompiledRule): boolean => rule.counters.length > 0 || hasSharedBudget(rule);

/** A unit budget of a single customer is safe under the customer's key (discounts.md §5). */
const hasSharedBudget = ({ applicable_to }: CompiledRule) =>
  applicable_to.included.some(({ budgets }) => budgets.some(({ per_customer }) => !per_customer));

function contribution(
  { name }: CounterRef,
  added: { order_amount: number; discount_amount: number; gift_credits: number },
) {
  if (name === "campaign.orders.amount") return added.order_amount;
  if (name === "campaign.orders.amount_discounted") return added.discount_amount;
  return name === "redemption.gift.amount" ? added.gift_credits : 1;
}

function countsOf(shared: Named, request: DecidingRequest, ruled: Ruled | undefined): Count[] {
  return (ruled?.rules ?? []).flatMap(({ counters }) =>
    counters.map((ref) => countOf(shared, request, ruled as Ruled, ref)),
  );
}

const per_callers: Partial<Record<CounterRef["name"], "api_key" | "user">> = {
  "redemption.count.per_api_key": "api_key",
  "redemption.count.per_user": "user",
};

function countOf(shared: Named, request: DecidingRequest, ruled: Ruled, ref: CounterRef): Count {
  const of_campaign = ref.name.startsWith("campaign.") || ref.name === "redemption.gift.amount";
  const per_customer =
    ref.name === "campaign.redemptions.customers_count" || ref.name === "redemption.count.per_customer";
  const per_caller = per_callers[ref.name];
  const today = localDay(request.call.instant, shared.catalogue.project.timezone);
  return {
    ref,
    scope: scopeOf(ruled, of_campaign),
    // A customer nobody knows yet has redeemed nothing; no id is like theirs.
    customer_id: per_customer ? (knownCustomerId(shared, request) ?? "new") : null,
    channel_id: per_caller ? (countedChannelOf(request.call.caller, per_caller) ?? "") : null,
    since: firstDay(ref.period, today),
  };
}

const knownCustomerId = (shared: Named, request: DecidingRequest) => shared.customer(request.customer)?.id;

/** Weeks begin on Monday (rules.md §7). */
function firstDay(period: CounterRef["period"], today: string): string | null {
  if (period === "total") return null;
  if (period === "daily") return today;
  if (period === "monthly") return `${today.slice(0, 8)}01`;
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

function pick({ name }: CounterRef, sums: Sums): number {
  if (name === "campaign.orders.amount") return sums.orders_amount;
  if (name === "campaign.orders.amount_discounted") return sums.discount_amount;
  return name === "redemption.gift.amount" ? sums.gift_credits : sums.redemptions;
}
