import { type Day, daysAfter } from "../calendar/day.js";
import { type CalendarPeriod, firstDayOf, lastDayOf, lastPeriod } from "../calendar/period.js";
import { type TierSettings, tierDates, tierEnd } from "./tier-dates.js";

/** A tier, as far as being in it goes: both ends belong to it. */
interface TierRange {
  id: string;
  from: number;
  /** Null: without end. */
  to: number | null;
}

/** That somebody is in a tier, or will be. */
export interface TierStay {
  tier_id: string;
  start: Day;
  /** From when the last day counts, of a stay that was prolonged. */
  since?: Day;
  /** The last day; null: as long as the balance is in the range. */
  end: Day | null;
}

/** Where a member stands, and the tier that begins with the next period. */
export interface TierStanding {
  current: TierStay | null;
  ahead: TierStay | null;
}

/** Everything that decides which tier a member is in (loyalty.md §8.4). */
export interface TierFacts {
  settings: TierSettings;
  /** The program's, whose ranges do not overlap. */
  tiers: readonly TierRange[];
  standing: TierStanding;
  balance: number;
  /** Points collected in each month, by its first day: from {@link collectedSince} on. */
  collected: ReadonlyMap<Day, number>;
}

/** What a member is told; `expiration.changed` where only the last day moved. */
export type TierChange =
  | { type: "joined" | "left" | "prolonged" | "expiration.changed"; tier_id: string }
  | { type: "upgraded" | "downgraded"; from_id: string; to_id: string };

export interface TierMove {
  standing: TierStanding;
  /** In the order in which they happened. */
  changes: readonly TierChange[];
}

/**
 * Moves a member to where the balance and the points collected put them on a day, once what was due by then is done: tiers that
 * have ended, and one that begins with its period. Asked again it changes nothing.
 */
export function moveTier(facts: TierFacts, day: Day): TierMove {
  const mover = new Mover(facts);
  mover.catchUp(day);
  mover.rise(day);
  return mover.moved();
}

/**
 * The same once the program's settings were changed: whoever is not lifted by them stays, to the day that they say. Nobody
 * falls, and a last day that would be over is today (loyalty.md §1.2).
 */
export function recalculateTier(facts: TierFacts, day: Day): TierMove {
  const mover = new Mover(facts);
  mover.catchUp(day);
  if (!mover.lift(day)) mover.redate(day);
  return mover.moved();
}

/** The first day whose points decide anything of a member by a day. */
export function collectedSince({ settings, standing }: Pick<TierFacts, "settings" | "standing">, day: Day): Day {
  if (settings.by === "balance") return day;
  const { current } = standing;
  const from = current?.end && current.end < day ? current.end : day;
  return lastPeriod(settings.period, lastPeriod(settings.period, from));
}

/** One member on the way through what is due. */
class Mover {
  private current: TierStay | null;
  private ahead: TierStay | null;
  private readonly changes: TierChange[] = [];
  private readonly tiers: ReadonlyMap<string, TierRange>;

  constructor(private readonly facts: TierFacts) {
    const { current, ahead } = facts.standing;
    this.tiers = new Map(facts.tiers.map((tier) => [tier.id, tier]));
    // A tier that is no more is lost without a word.
    this.current = current && this.tiers.has(current.tier_id) ? current : null;
    this.ahead = ahead && this.tiers.has(ahead.tier_id) ? ahead : null;
  }

  moved(): TierMove {
    return { standing: { current: this.current, ahead: this.ahead }, changes: this.changes };
  }

  /** Does what is due by the day, each on its own day. */
  catchUp(day: Day): void {
    for (let due = this.nextDue(); due !== null && due <= day; due = this.nextDue()) {
      if (this.current?.end && this.current.end < due) this.end(due);
      else this.begin();
    }
  }

  private nextDue(): Day | null {
    const days = [
      ...(this.current?.end ? [daysAfter(this.current.end, 1)] : []),
      ...(this.ahead ? [this.ahead.start] : []),
    ];
    return days.sort()[0] ?? null;
  }

  /** The tier has ended: what was collected in the periods that are over says which one follows, or the balance does. */
  private end(day: Day): void {
    const { settings, balance } = this.facts;
    const tier = settings.by === "balance" ? this.tierOf(balance) : this.bestOf(settings, day);
    if (this.ahead && this.ahead.start <= day && this.fromOf(this.ahead) >= (tier?.from ?? 0)) this.begin();
    else this.stay(tier && { tier_id: tier.id, start: day, end: tierEnd(settings, day) });
  }

  private bestOf({ period, periods }: Extract<TierSettings, { by: "points in period" }>, day: Day) {
    const last = lastPeriod(period, day);
    const over = periods === 1 ? [last] : [last, lastPeriod(period, last)];
    const tiers = over.flatMap((first) => this.tierOf(this.collectedIn(period, first)) ?? []);
    return tiers.sort((a, b) => b.from - a.from)[0] ?? null;
  }

  /** The tier that was ahead counts from now on, unless a higher one does. */
  private begin(): void {
    const { ahead } = this;
    this.ahead = null;
    if (ahead && (this.current === null || this.fromOf(ahead) > this.fromOf(this.current))) this.stay(ahead);
    else if (ahead && ahead.tier_id === this.current?.tier_id) this.stay(ahead);
  }

  /** Where balance or points put the member: a tier with a last day is not taken away before. */
  rise(day: Day): void {
    const { settings, balance } = this.facts;
    const follows = settings.lasts === null && (this.current?.end ?? null) === null;
    if (!follows) this.lift(day);
    else {
      const tier = this.tierOf(balance);
      if (tier?.id !== this.current?.tier_id) this.stay(tier && { tier_id: tier.id, start: day, end: null });
    }
  }

  /** Into a higher tier, or one that will be; answers whether it is so now. */
  lift(day: Day): boolean {
    const { settings, balance } = this.facts;
    const points = settings.by === "balance" ? balance : this.collectedIn(settings.period, day);
    const tier = this.tierOf(points);
    if (!tier || (this.current && tier.from <= this.fromOf(this.current))) return false;
    const stay = { tier_id: tier.id, ...tierDates(settings, day) };
    if (stay.start <= day) this.stay(stay);
    else if (!this.ahead || tier.from > this.fromOf(this.ahead)) this.ahead = stay;
    return stay.start <= day;
  }

  redate(day: Day): void {
    if (!this.current) return;
    const end = tierEnd(this.facts.settings, this.current.since ?? this.current.start);
    const not_over = end !== null && end < day ? day : end;
    if (not_over === this.current.end) return;
    this.current = { ...this.current, end: not_over };
    this.changes.push({ type: "expiration.changed", tier_id: this.current.tier_id });
  }

  private stay(next: TierStay | null): void {
    const before = this.current;
    const is_same = before !== null && before.tier_id === next?.tier_id;
    // Whoever is prolonged has been in it since they came.
    this.current = is_same ? { ...next, start: before.start, since: next.start } : next;
    const change = changeOf(before, next, (stay) => this.fromOf(stay));
    if (change) this.changes.push(change);
  }

  private tierOf(points: number): TierRange | null {
    return this.facts.tiers.find(({ from, to }) => points >= from && (to === null || points <= to)) ?? null;
  }

  private fromOf({ tier_id }: TierStay): number {
    return this.tiers.get(tier_id)?.from ?? 0;
  }

  /** In the period that holds the day. */
  private collectedIn(period: CalendarPeriod, day: Day): number {
    const [first, last] = [firstDayOf(period, day), lastDayOf(period, day)];
    let points = 0;
    for (const [month, collected] of this.facts.collected) if (month >= first && month <= last) points += collected;
    return points;
  }
}

function changeOf(
  before: TierStay | null,
  next: TierStay | null,
  fromOf: (stay: TierStay) => number,
): TierChange | null {
  if (before && next) {
    if (before.tier_id === next.tier_id) return { type: "prolonged", tier_id: next.tier_id };
    const type = fromOf(next) > fromOf(before) ? "upgraded" : "downgraded";
    return { type, from_id: before.tier_id, to_id: next.tier_id };
  }
  if (next) return { type: "joined", tier_id: next.tier_id };
  return before && { type: "left", tier_id: before.tier_id };
}
