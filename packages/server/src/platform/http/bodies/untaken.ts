import type { ServerResponse } from "node:http";
import type { Room } from "../../sharing/room.js";

/** So long an answer may be on its way while others lack the room. */
const untaken_ms = 5_000;
/** How often it is looked while somebody lacks some. */
const look_ms = 500;

interface Untaken {
  owner: string;
  amount: number;
  since: number;
  response: ServerResponse;
}

/**
 * Answers that are being sent, and take room until they are. Who takes theirs slowly is ended where others wait for the room, or more is
 * taken than there is: a few who read a byte a minute would else keep everybody out.
 */
export class UntakenAnswers {
  /** The oldest first. */
  private readonly answers = new Set<Untaken>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param ended is told of each that was ended
   * @param ms_max how long an answer may take while others lack the room
   */
  constructor(
    private readonly room: Room,
    private readonly ended: () => void,
    private readonly ms_max = untaken_ms,
  ) {}

  /** Counts what its owner has taken of the room already. */
  add(owner: string, amount: number, response: ServerResponse): void {
    const answer = { owner, amount, since: performance.now(), response };
    this.answers.add(answer);
    response.once("close", () => this.forget(answer));
    this.watch();
  }

  /** Looks from time to time until nobody lacks any room. */
  readonly watch = (): void => {
    if (this.timer || this.room.lacking().length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      for (let slow = this.slowest(); slow; slow = this.slowest()) {
        this.forget(slow);
        slow.response.destroy();
        this.ended();
      }
      this.watch();
    }, look_ms).unref();
  };

  private slowest(): Untaken | undefined {
    const lacking = this.room.lacking();
    if (lacking.length === 0) return undefined;
    const until = performance.now() - this.ms_max;
    const slow = [...this.answers].filter(({ since }) => since <= until);
    const ofOwner = (owner: string | null) => {
      if (owner !== null) return slow.find((one) => one.owner === owner);
      const most = Math.max(...slow.map((one) => this.room.takenBy(one.owner)));
      return slow.find((one) => this.room.takenBy(one.owner) === most);
    };
    for (const owner of lacking) {
      const one = ofOwner(owner);
      if (one) return one;
    }
    return undefined;
  }

  private forget(answer: Untaken): void {
    if (this.answers.delete(answer)) this.room.change(answer.owner, -answer.amount);
  }
}
