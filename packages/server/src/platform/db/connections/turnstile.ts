import { type Reason, Room } from "../../sharing/room.js";
import { NobodyWaits, Unavailable } from "../database-errors.js";

/** Whose turn it is; null for work of our own, which takes its turns as one more project. */
export type Taker = string | null;

export interface TurnstileOptions {
  places: number;
  waiting_max?: number | undefined;
  wait_ms_max?: number | undefined;
}

/**
 * Shares places among projects, in turn. While others wait a project has at most half of them; alone it may have three quarters, so that a
 * neighbour who comes finds some free and need not wait for what is under way.
 */
export class Turnstile {
  private readonly room: Room<Taker>;
  private readonly wait_ms_max: number;

  constructor({ places, waiting_max, wait_ms_max = 10_000 }: TurnstileOptions) {
    const [most_alone, most_beside] = [places - Math.floor(places / 4), Math.ceil(places / 2)];
    this.room = new Room({ most: places, most_alone, most_beside, waiting_max });
    this.wait_ms_max = wait_ms_max;
  }

  /** How many wait. */
  get waiting(): number {
    return this.room.waiting;
  }

  /**
   * Takes a place, at once or when it is the project's turn; given back by {@link leave}.
   * @param gone ends the wait
   */
  enter(taker: Taker, gone?: AbortSignal): Promise<void> {
    return this.room.enter(taker, 1, { ms: this.wait_ms_max, gone, refusal: this.refusal });
  }

  leave(taker: Taker): void {
    this.room.change(taker, -1);
  }

  private readonly refusal = (reason: Reason): Error => {
    if (reason === "gone") return new NobodyWaits();
    if (reason === "crowded") return new Unavailable("too many wait for a database connection", undefined);
    return new Unavailable(`no database connection became free within ${this.wait_ms_max} ms`, undefined);
  };
}
