import { NobodyWaits, Unavailable } from "../database-errors.js";

/** Whose turn it is; null for work of our own, which takes its turns as one more project. */
export type Taker = string | null;

export interface TurnstileOptions {
  places: number;
  waiting_max?: number;
  wait_ms_max?: number | undefined;
}

/** Of one project; whoever comes after them is told to try again. */
const waiting_max_of_project = 2_000;
const longest_wait_ms = 10_000;

interface Waiting {
  admit(): void;
}

/**
 * Shares places among projects. Those that wait are served in turn, whoever came first, so that a rush of one costs its
 * neighbours one place's time and no more. While others wait a project has at most half of the places; alone it may have
 * three quarters, so that a neighbour who comes finds some free and need not wait for what is under way.
 */
export class Turnstile {
  private readonly half: number;
  private readonly three_quarters: number;
  private readonly waiting_max: number;
  private readonly wait_ms_max: number;
  private readonly taken = new Map<Taker, number>();
  /** Who comes next stands first. */
  private readonly queues = new Map<Taker, Set<Waiting>>();
  private free: number;
  /** How many wait. */
  waiting = 0;

  constructor({ places, waiting_max = waiting_max_of_project, wait_ms_max = longest_wait_ms }: TurnstileOptions) {
    this.half = Math.ceil(places / 2);
    this.three_quarters = places - Math.floor(places / 4);
    this.free = places;
    this.waiting_max = waiting_max;
    this.wait_ms_max = wait_ms_max;
  }

  /**
   * Takes a place, at once or when it is the project's turn; given back by {@link leave}.
   * @param gone ends the wait
   */
  async enter(taker: Taker, gone?: AbortSignal): Promise<void> {
    if (gone?.aborted) throw new NobodyWaits();
    // Who comes later does not pass by those of its own project.
    if (this.queues.has(taker) || !this.mayEnter(taker)) return this.wait(taker, gone);
    this.take(taker);
  }

  leave(taker: Taker): void {
    this.free += 1;
    const left = (this.taken.get(taker) ?? 0) - 1;
    if (left > 0) this.taken.set(taker, left);
    else this.taken.delete(taker);
    this.admit();
  }

  private mayEnter(taker: Taker): boolean {
    const others_wait = this.queues.size > (this.queues.has(taker) ? 1 : 0);
    return this.free > 0 && (this.taken.get(taker) ?? 0) < (others_wait ? this.half : this.three_quarters);
  }

  private take(taker: Taker): void {
    this.free -= 1;
    this.taken.set(taker, (this.taken.get(taker) ?? 0) + 1);
  }

  private wait(taker: Taker, gone: AbortSignal | undefined): Promise<void> {
    const queue = this.queues.get(taker) ?? new Set();
    if (queue.size >= this.waiting_max) throw new Unavailable("too many wait for a database connection", undefined);
    return new Promise((admitted, fail) => {
      const end = () => {
        clearTimeout(timer);
        gone?.removeEventListener("abort", leave);
      };
      const giveUp = (error: Error) => {
        this.remove(taker, one);
        end();
        fail(error);
        // Where the last of a project has gone, others may have more.
        this.admit();
      };
      const leave = () => giveUp(new NobodyWaits());
      const given_up = `no database connection became free within ${this.wait_ms_max} ms`;
      const timer = setTimeout(() => giveUp(new Unavailable(given_up, undefined)), this.wait_ms_max);
      const one: Waiting = {
        admit() {
          end();
          admitted();
        },
      };
      this.queues.set(taker, queue.add(one));
      this.waiting += 1;
      gone?.addEventListener("abort", leave);
    });
  }

  private remove(taker: Taker, one: Waiting): void {
    const queue = this.queues.get(taker);
    if (!queue?.delete(one)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(taker);
  }

  private admit(): void {
    while (this.admitNext());
  }

  private admitNext(): boolean {
    for (const [taker, queue] of this.queues) {
      const [first] = queue;
      if (!first || !this.mayEnter(taker)) continue;
      this.remove(taker, first);
      // To the end of those that wait.
      if (this.queues.delete(taker)) this.queues.set(taker, queue);
      this.take(taker);
      first.admit();
      return true;
    }
    return false;
  }
}
