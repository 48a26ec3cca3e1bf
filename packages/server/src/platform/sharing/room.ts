/** Why somebody was not let in: too many of the same owner waited before, it took too long, or nobody waits for it any more. */
export type Reason = "crowded" | "late" | "gone";

/** How long somebody waits, and what they are told who waited in vain. */
export interface Patience {
  ms: number;
  /** Ends the wait. */
  gone?: AbortSignal | undefined;
  refusal(reason: Reason): Error;
}

interface RoomOptions {
  /** Of it altogether; what one takes is in the same unit. */
  most: number;
  /** What one owner has at most while nobody else waits. */
  most_alone?: number;
  /** What one owner has at most while others wait. */
  most_beside?: number;
  /** Of one owner; whoever comes after them is refused. */
  waiting_max?: number | undefined;
}

interface Waiting {
  amount: number;
  enter(): void;
}

/**
 * Of what there is only so much, and many want a part of for a while: one owner has at most half of it, if nothing else is said. Those
 * that wait are served by owners in turn, whoever came first, so that a rush of one costs its neighbours the time of one and no more.
 * Whoever has nothing is given some as soon as there is any, however much it asks for.
 */
export class Room<Owner = string> {
  readonly most: number;
  /** How many wait. */
  waiting = 0;
  private readonly most_alone: number;
  private readonly most_beside: number;
  private readonly waiting_max: number;
  private taken = 0;
  private readonly of_owners = new Map<Owner, number>();
  /** Owners by turns: who was let in goes to the end. Those of one in the order in which they came. */
  private readonly queues = new Map<Owner, Set<Waiting>>();

  constructor({ most, most_alone = most / 2, most_beside = most / 2, waiting_max = 2_000 }: RoomOptions) {
    this.most = most;
    this.most_alone = most_alone;
    this.most_beside = most_beside;
    this.waiting_max = waiting_max;
  }

  /** Takes it if there is room now and nobody waits for any. */
  take(owner: Owner, amount: number): boolean {
    if (this.queues.size > 0 || !this.hasForOwner(owner, amount) || !this.hasForAll(amount)) return false;
    this.add(owner, amount);
    return true;
  }

  /** Takes it as soon as there is room, behind others of the same owner. */
  async enter(owner: Owner, amount: number, patience: Patience): Promise<void> {
    if (patience.gone?.aborted) throw patience.refusal("gone");
    if (!this.take(owner, amount)) await this.wait(owner, amount, patience);
  }

  /** What was taken turns out to be more or, below zero, less: whoever has it gives it back, or has it already. */
  change(owner: Owner, by: number): void {
    this.add(owner, by);
    this.letIn();
  }

  takenBy(owner: Owner): number {
    return this.of_owners.get(owner) ?? 0;
  }

  /** Who must give some back before somebody is let in who waits: owners whose own share is full; null, the last, for whoever has any. */
  lacking(): (Owner | null)[] {
    const lacking: (Owner | null)[] = [];
    for (const [owner, queue] of this.queues) {
      const [first] = queue;
      if (first && this.hasForOwner(owner, first.amount)) return [...lacking, null];
      lacking.push(owner);
    }
    return this.taken > this.most ? [...lacking, null] : lacking;
  }

  private hasForOwner(owner: Owner, amount: number): boolean {
    const own = this.takenBy(owner);
    const others_wait = this.queues.size > (this.queues.has(owner) ? 1 : 0);
    return own === 0 || own + amount <= (others_wait ? this.most_beside : this.most_alone);
  }

  private hasForAll(amount: number): boolean {
    return this.taken === 0 || this.taken + amount <= this.most;
  }

  private add(owner: Owner, amount: number): void {
    const own = this.takenBy(owner) + amount;
    this.taken += amount;
    if (own > 0) this.of_owners.set(owner, own);
    else this.of_owners.delete(owner);
  }

  private wait(owner: Owner, amount: number, { ms, gone, refusal }: Patience): Promise<void> {
    const queue = this.queues.get(owner) ?? new Set();
    if (queue.size >= this.waiting_max) throw refusal("crowded");
    return new Promise((entered, fail) => {
      const end = () => {
        clearTimeout(timer);
        gone?.removeEventListener("abort", leave);
      };
      const giveUp = (reason: Reason) => {
        this.forget(owner, one);
        end();
        fail(refusal(reason));
        // Others may have more now, or were behind this one.
        this.letIn();
      };
      const leave = () => giveUp("gone");
      const timer = setTimeout(giveUp, ms, "late");
      gone?.addEventListener("abort", leave);
      const one: Waiting = {
        amount,
        enter() {
          end();
          entered();
        },
      };
      this.queues.set(owner, queue.add(one));
      this.waiting += 1;
      this.letIn();
    });
  }

  private forget(owner: Owner, one: Waiting): void {
    const queue = this.queues.get(owner);
    if (!queue?.delete(one)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(owner);
  }

  private letIn(): void {
    while (this.letOneIn());
  }

  /** An owner whose share is full is passed by; where there is none for anybody, those behind wait too, or the first would wait for ever. */
  private letOneIn(): boolean {
    for (const [owner, queue] of this.queues) {
      const [first] = queue;
      if (!first || !this.hasForOwner(owner, first.amount)) continue;
      if (!this.hasForAll(first.amount)) return false;
      this.forget(owner, first);
      // To the end of those that wait.
      if (this.queues.delete(owner)) this.queues.set(owner, queue);
      this.add(owner, first.amount);
      first.enter();
      return true;
    }
    return false;
  }
}
