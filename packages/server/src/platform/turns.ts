/**
 * Shares the process's one thread among those who have much to do with it: whoever has taken a stretch waits until all
 * others have had a turn, `/health` and the sockets among them. Work is counted in units of about 50 ns, and not timed: a
 * clock would also count what somebody else's garbage took.
 */
export class Turns {
  private done = 0;
  private readonly waiting: (() => void)[] = [];
  private is_set = false;

  /** @param stretch_max units that may be done before everybody else has a turn */
  constructor(readonly stretch_max: number) {}

  /** Takes into account what was done. True: {@link next} is to be waited for before anything else is. */
  took(units: number): boolean {
    this.done += units;
    this.setNext();
    return this.isBusy();
  }

  /** Whether somebody who is about to begin should wait: a stretch is half over, or others wait. */
  isBusy(): boolean {
    return 2 * this.done > this.stretch_max || this.waiting.length > 0;
  }

  /** Resolves when everybody else has had a turn, those who asked before included. */
  next(): Promise<void> {
    return new Promise((go) => {
      this.waiting.push(go);
      this.setNext();
    });
  }

  private setNext(): void {
    if (this.is_set) return;
    this.is_set = true;
    setImmediate(() => {
      this.is_set = false;
      this.done = 0;
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.setNext();
    });
  }
}
