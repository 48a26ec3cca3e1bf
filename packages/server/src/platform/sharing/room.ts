interface Waiting {
  amount: number;
  enter(): void;
}

/**
 * Of what there is only so much, and many want a part of for a while: one owner has at most half of it. Whoever is alone always has some,
 * however much it asks for.
 */
export class Room {
  private taken = 0;
  private readonly of_owners = new Map<string, number>();
  /** Owners by turns: who was let in goes to the end. Those of one in the order in which they came. */
  private readonly waiting = new Map<string, Set<Waiting>>();

  /** @param most of it altogether; what one takes is in the same unit */
  constructor(readonly most: number) {}

  /** Takes it if there is room now and nobody waits for any. */
  take(owner: string, amount: number): boolean {
    if (this.waiting.size > 0 || !this.hasForOwner(owner, amount) || !this.hasForAll(amount)) return false;
    this.add(owner, amount);
    return true;
  }

  /**
   * Takes it as soon as there is room, behind others of the same owner.
   * @param signal whoever waits no longer: rejects with its reason
   */
  async enter(owner: string, amount: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((enter, giveUp) => {
      const one = { amount, enter };
      const queue = this.waiting.get(owner) ?? new Set();
      this.waiting.set(owner, queue.add(one));
      signal.addEventListener("abort", () => {
        this.forget(owner, one);
        giveUp(signal.reason);
        this.letIn();
      });
      this.letIn();
    });
  }

  /** What was taken turns out to be more or, below zero, less: whoever has it gives it back, or has it already. */
  change(owner: string, by: number): void {
    this.add(owner, by);
    this.letIn();
  }

  private readonly hasForOwner = (owner: string, amount: number) => {
    const own = this.of_owners.get(owner) ?? 0;
    return own === 0 || 2 * (own + amount) <= this.most;
  };

  private readonly hasForAll = (amount: number) => this.taken === 0 || this.taken + amount <= this.most;

  private add(owner: string, amount: number): void {
    const own = (this.of_owners.get(owner) ?? 0) + amount;
    this.taken += amount;
    if (own > 0) this.of_owners.set(owner, own);
    else this.of_owners.delete(owner);
  }

  /** An owner whose half is full is passed by; where there is none for anybody, those behind wait too, or the first would wait for ever. */
  private letIn(): void {
    for (const [owner, queue] of this.waiting) {
      const [first] = queue;
      if (!first || !this.hasForOwner(owner, first.amount)) continue;
      if (!this.hasForAll(first.amount)) return;
      this.forget(owner, first);
      if (queue.size > 0) {
        this.waiting.delete(owner);
        this.waiting.set(owner, queue);
      }
      this.add(owner, first.amount);
      first.enter();
    }
  }

  private forget(owner: string, one: Waiting): void {
    const queue = this.waiting.get(owner);
    queue?.delete(one);
    if (queue?.size === 0) this.waiting.delete(owner);
  }
}
