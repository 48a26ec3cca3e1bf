import {
  byNewest,
  type Candidate,
  candidates_at_once_max,
  type Place,
  type Qualified,
  type Qualifying,
} from "../../deciding/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Cursor } from "./cursor.js";

export interface Page {
  qualified: readonly Qualified[];
  /** Where the next page begins; null where this is the last one. */
  next: Cursor | null;
}

/** What was weighed, with what orders it. */
interface Weighed {
  candidate: Candidate;
  /** Minor units that it takes off. */
  deal: number;
}

type DealOrder = "BEST_DEAL" | "LEAST_DEAL";

/** Looked at together at first, for each entry of the page: most shops have more that does not qualify than that does. */
const first_batch_factor = 4;

/** How many candidates a page in the order of their making holds at once: as many as its third batch has, which most pages never come to. */
export const rowsOfNewestPage = (limit: number): number =>
  Math.min(candidates_at_once_max, 4 * first_batch_factor * limit);

/** Where candidates of the page begin: behind all that was made when the cursor was, or before the first of those. */
export const placeOf = (cursor: Cursor | null): Place | null =>
  cursor && { created_at: cursor.created_at, id: cursor.passed === null ? "" : "~" };

/** A page of what qualifies, newest first. No more is looked at than fills it. */
export async function newestPage(qualifying: Qualifying, cursor: Cursor | null, limit: number): Promise<Page> {
  const qualified: Qualified[] = [];
  let to_pass = cursor?.passed ?? 0;
  const found = qualifying.newestFirst(first_batch_factor * limit, { ends_with_codes: true });
  for (;;) {
    const { done, value } = await found.next();
    if (done) return { qualified, next: value === null ? null : onFrom(value, cursor, qualified) };
    if (to_pass > 0 && value.candidate.created_at === cursor?.created_at) {
      to_pass -= 1;
      continue;
    }
    if (qualified.length === limit) {
      await found.return(null);
      return { qualified, next: behindLast(qualified, cursor, value.candidate) };
    }
    qualified.push(value);
  }
}

/** Behind the last entry, which others of its instant may follow. */
function behindLast(qualified: readonly Qualified[], cursor: Cursor | null, next: Candidate): Cursor {
  const created_at = qualified.at(-1)?.candidate.created_at ?? next.created_at;
  return { created_at, passed: next.created_at === created_at ? passedAt(created_at, qualified, cursor) : null };
}

/** Where looking had to end before the page was full. A page that came no further than its cursor passes by the rest of that instant. */
function onFrom(created_at: Instant, cursor: Cursor | null, qualified: readonly Qualified[]): Cursor {
  const passed = passedAt(created_at, qualified, cursor);
  const is_stuck = cursor?.created_at === created_at && passed <= (cursor.passed ?? 0);
  return { created_at, passed: is_stuck || passed === 0 ? null : passed };
}

const passedAt = (created_at: Instant, qualified: readonly Qualified[], cursor: Cursor | null): number =>
  qualified.filter(({ candidate }) => candidate.created_at === created_at).length +
  (cursor?.created_at === created_at ? (cursor.passed ?? 0) : 0);

/** All that qualifies, as far as it may be looked at, newest first. */
export async function weighAll(qualifying: Qualifying): Promise<Weighed[]> {
  const weighed: Weighed[] = [];
  for await (const { candidate, outcomes } of qualifying.newestFirst(candidates_at_once_max, {
    ends_with_codes: false,
  })) {
    const deal = outcomes.reduce((sum, { increments }) => sum + increments.discount_amount, 0);
    weighed.push({ candidate, deal });
  }
  return weighed;
}

/**
 * A page of what qualifies, ordered by what it takes off; what takes off the same, newest first. All of it is weighed, and
 * what stands on the page once more: the orders of ten thousand would not fit.
 */
export async function dealPage(
  qualifying: Qualifying,
  cursor: Cursor | null,
  limit: number,
  order: DealOrder,
): Promise<Page> {
  const sign = order === "BEST_DEAL" ? -1 : 1;
  const all = (await weighAll(qualifying)).sort(
    (one, other) => sign * (one.deal - other.deal) || byNewest(one.candidate, other.candidate),
  );
  const from = cursor === null ? 0 : placeBehind(all, cursor);
  const page = all.slice(from, from + limit).map(({ candidate }) => candidate);
  const last = page.at(-1);
  return {
    qualified: await qualifying.again(page),
    next: last && all.length > from + limit ? { created_at: last.created_at, passed: passedOf(all, last) } : null,
  };
}

/**
 * Behind the entry that the cursor names. One that no longer qualifies has no place in this order: it begins anew, so that some may be
 * shown twice and none is lost.
 */
function placeBehind(all: readonly Weighed[], { created_at, passed }: Cursor): number {
  let [seen, place] = [0, 0];
  for (const [i, { candidate }] of all.entries()) {
    if (candidate.created_at !== created_at) continue;
    seen += 1;
    place = i + 1;
    if (seen === passed) break;
  }
  return place;
}

/** How many of its instant stand up to it; null where it is the only one. */
function passedOf(all: readonly Weighed[], last: Candidate): number | null {
  const of_instant = all.filter(({ candidate }) => candidate.created_at === last.created_at);
  return of_instant.length === 1 ? null : of_instant.findIndex(({ candidate }) => candidate === last) + 1;
}
