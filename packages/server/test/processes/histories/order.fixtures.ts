import type { Seen } from "./model.fixtures.js";
import type { Operation } from "./plan.fixtures.js";

/** What a client saw of one operation; times in microseconds of one clock. */
export interface Asking {
  lane: number;
  place: number;
  it: Operation;
  sent: number;
  answered: number;
  status: number;
  request_id: string;
  saw: Seen;
}

/** What a server noted of one transaction (`observed/doubles.mjs`). */
export interface Note {
  requests: string[];
  number: number | null;
  keys: { name: string; shared: boolean }[];
  /** Of the catalogue: what it decided on, and what it made. */
  version: number | null;
  made: number | null;
  counts: {
    object_id: string;
    customer_id: string | null;
    redemptions: number;
    orders_amount: number;
    discount_amount: number;
    gift_credits: number;
  }[];
  refused?: boolean;
}

/** One transaction with the operations that it recorded, in their order. */
export interface Recorded {
  note: Note;
  askings: Asking[];
  /** When the last of them was asked, and the first of them answered: it happened in between. */
  sent: number;
  answered: number;
}

/** Transactions and moments between which arrows say what came first. */
class Arrows {
  private readonly from: number[][] = [];
  private readonly into: number[] = [];

  constructor(vertices: number) {
    for (let i = 0; i < vertices; i += 1) this.add();
  }

  add(): number {
    this.into.push(0);
    return this.from.push([]) - 1;
  }

  draw(first: number | undefined, second: number | undefined): void {
    if (first === undefined || second === undefined || first === second) return;
    this.from[first]?.push(second);
    this.into[second] = (this.into[second] ?? 0) + 1;
  }

  /** All of them, each behind those that point to it; those on a circle, and behind one, are left out. */
  sorted(): number[] {
    const left = [...this.into];
    const ready = left.flatMap((count, i) => (count === 0 ? [i] : []));
    for (let i = 0; i < ready.length; i += 1)
      for (const next of this.from[ready[i] as number] ?? []) {
        left[next] = (left[next] ?? 0) - 1;
        if (left[next] === 0) ready.push(next);
      }
    return ready;
  }
}

/**
 * The order in which everything can have happened one after the other, by what the transactions noted: those that held the
 * same key in the order of the numbers that they drew under it; an edit of the catalogue before whoever decided on its
 * version or a later one, and behind all others; and what had been answered before whatever was sent later. Undefined for
 * those for whom no such order is.
 */
export function ordered(recorded: readonly Recorded[]): { order: Recorded[]; without_place: Recorded[] } {
  const arrows = new Arrows(recorded.length);
  drawKeys(arrows, recorded);
  drawVersions(arrows, recorded);
  drawTime(arrows, recorded);
  const order = arrows.sorted().flatMap((i) => recorded[i] ?? []);
  const placed = new Set(order);
  return { order, without_place: recorded.filter((one) => !placed.has(one)) };
}

function drawKeys(arrows: Arrows, recorded: readonly Recorded[]): void {
  const holders = new Map<string, { i: number; number: number; shared: boolean }[]>();
  for (const [i, { note }] of recorded.entries())
    for (const { name, shared } of note.keys) {
      const held = holders.get(name) ?? [];
      holders.set(name, held);
      held.push({ i, number: note.number ?? 0, shared });
    }
  for (const held of holders.values()) {
    let alone: number | undefined;
    let together: number[] = [];
    for (const { i, shared } of held.sort((a, b) => a.number - b.number)) {
      arrows.draw(alone, i);
      if (shared) together.push(i);
      else {
        for (const one of together) arrows.draw(one, i);
        [alone, together] = [i, []];
      }
    }
  }
}

function drawVersions(arrows: Arrows, recorded: readonly Recorded[]): void {
  const edits = recorded
    .flatMap(({ note: { made } }, i) => (made === null ? [] : [{ i, made }]))
    .sort((a, b) => a.made - b.made);
  for (const [place, { i }] of edits.entries()) arrows.draw(edits[place - 1]?.i, i);
  for (const [i, { note }] of recorded.entries()) {
    if (note.version === null || note.made !== null) continue;
    const next = edits.findIndex(({ made }) => made > (note.version ?? 0));
    arrows.draw(edits[(next === -1 ? edits.length : next) - 1]?.i, i);
    if (next !== -1) arrows.draw(i, edits[next]?.i);
  }
}

/** A chain of moments: what was answered points to its moment, and a moment to what was sent after it. */
function drawTime(arrows: Arrows, recorded: readonly Recorded[]): void {
  const moments = recorded
    .flatMap(({ sent, answered }, i) => [
      { at: sent, i, is_answer: false },
      { at: answered, i, is_answer: true },
    ])
    // At the same microsecond nothing is said.
    .sort((a, b) => a.at - b.at || Number(a.is_answer) - Number(b.is_answer));
  let latest: number | undefined;
  for (const { i, is_answer } of moments) {
    if (is_answer) {
      const moment = arrows.add();
      arrows.draw(latest, moment);
      arrows.draw(i, moment);
      latest = moment;
    } else arrows.draw(latest, i);
  }
}
